package io.plog.app.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;

/** What the commands say when something fails that may fail: one line, and an exit code. */
public final class Failure {
    public static final int DONE = 0;
    public static final int FAILED = 1;
    public static final int MISUSED = 2;
    public static final int NOT_VALID = 5;

    private Failure() {}

    /** Prints the stack trace behind a sentence for people, if {@code PLOG_DEBUG} is set, as the root command does. */
    public static void trace(Throwable cause, PrintWriter err) {
        if (System.getenv("PLOG_DEBUG") != null) {
            cause.printStackTrace(err);
        }
    }

    /** A sentence for an expected failure. The JDK's own messages for files are often the name alone. */
    public static String sentence(IOException e) {
        if (e instanceof NoSuchFileException file) {
            return file.getFile() + ": there is no such file or directory";
        }
        if (e instanceof AccessDeniedException file) {
            return file.getFile() + ": permission denied";
        }
        if (e instanceof FileAlreadyExistsException file) {
            return file.getFile() + ": is there already";
        }
        if (e instanceof FileSystemException file && file.getReason() != null) {
            return file.getFile() + ": " + file.getReason();
        }
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }
}
