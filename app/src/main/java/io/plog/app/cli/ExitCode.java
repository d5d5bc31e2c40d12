package io.plog.app.cli;

/** How a command ended, for scripts. Every command uses these and no others. */
public enum ExitCode {
    /** The command did what it was asked for. */
    DONE(0),
    /** A file, the network or a server failed, or the command was interrupted. */
    FAILED(1),
    /** The command line, or a file that it names as input, makes no sense. */
    MISUSED(2),
    /** The log is damaged. */
    LOG_DAMAGED(3),
    /** An audit found something missing or wrong, or a gate failed. */
    CHECK_FAILED(4),
    /** Something was measured, but a check of the run says that its results cannot be trusted. */
    NOT_VALID(5);

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** The number that the process ends with, 0 to 5. */
    public int code() {
        return code;
    }
}
