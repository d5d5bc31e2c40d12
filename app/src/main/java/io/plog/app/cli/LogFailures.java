package io.plog.app.cli;

import io.plog.log.LogDamagedException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** Says an expected failure in one line and gives its exit code. */
public final class LogFailures {
    /** Done. */
    public static final int DONE = 0;
    /** Failed for a reason outside of the command line. */
    public static final int FAILED = 1;
    /** The command line, or a file that it names, does not make sense. */
    static final int MISUSED = 2;
    /** The log is damaged. */
    public static final int DAMAGED = 3;

    /** Set, it adds the stack trace to an error, as it does for every other command. */
    private static final String DEBUG = "PLOG_DEBUG";

    private LogFailures() {}

    public static int report(PrintWriter err, String command, Exception failure) {
        String sentence = sentence(failure);
        err.println("plog " + command + ": " + sentence + LocaleHint.to(sentence));
        if (System.getenv(DEBUG) != null) {
            failure.printStackTrace(err);
        }
        err.flush();
        if (failure instanceof LogDamagedException) {
            return DAMAGED;
        }
        return failure instanceof IllegalArgumentException ? MISUSED : FAILED;
    }

    private static String sentence(Exception failure) {
        String message = String.valueOf(failure.getMessage()).replace('\n', ' ');
        if (failure instanceof NoSuchFileException) {
            return message + ": no such file or directory";
        }
        if (failure instanceof AccessDeniedException) {
            return message + ": permission denied";
        }
        if (failure instanceof FileSystemException) {
            return message;
        }
        return failure.getMessage() == null ? failure.toString() : message;
    }
}
