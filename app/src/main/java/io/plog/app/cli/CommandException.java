package io.plog.app.cli;

/** An expected failure that a command words itself: one line for the user, and the exit code. */
public final class CommandException extends Exception {
    private static final long serialVersionUID = 1;

    private final ExitCode exitCode;

    /**
     * A failure.
     *
     * @param exitCode what the process ends with
     * @param sentence what the user reads, without the command's name
     */
    public CommandException(ExitCode exitCode, String sentence) {
        super(sentence);
        this.exitCode = exitCode;
    }

    /**
     * A failure that has a cause, which {@code PLOG_DEBUG} shows.
     *
     * @param exitCode what the process ends with
     * @param sentence what the user reads, without the command's name
     */
    public CommandException(ExitCode exitCode, String sentence, Throwable cause) {
        super(sentence, cause);
        this.exitCode = exitCode;
    }

    /** What the process ends with. */
    public ExitCode exitCode() {
        return exitCode;
    }
}
