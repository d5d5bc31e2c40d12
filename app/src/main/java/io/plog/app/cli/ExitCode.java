package io.plog.app.cli;

import io.plog.results.model.Check;
import java.util.List;
import java.util.function.Consumer;

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

    /** The list of all codes, as {@code plog --help} prints it. */
    public static final String SUMMARY =
            "Exit codes: 0 done, 1 failed, 2 misused, 3 the log is damaged, 4 an audit or a gate did not hold,"
                    + " 5 the run is not valid.";

    private final int code;

    ExitCode(int code) {
        this.code = code;
    }

    /** The number that the process ends with, 0 to 5. */
    public int code() {
        return code;
    }

    /**
     * How a command ends that measured.
     *
     * @param what it measured, for the sentence: {@code the run}
     * @param partial why it ended early; empty if it did not
     * @param complain gets the reason why it is not {@link #DONE}, in a sentence
     */
    public static ExitCode ofResults(String what, String partial, List<Check> validity, Consumer<String> complain) {
        if (!partial.isEmpty()) {
            complain.accept(what + " is partial: " + partial);
            return FAILED;
        }
        for (Check check : validity) {
            if (check.invalidates()) {
                complain.accept(what + " is not valid: " + check.detail());
                return NOT_VALID;
            }
        }
        return DONE;
    }
}
