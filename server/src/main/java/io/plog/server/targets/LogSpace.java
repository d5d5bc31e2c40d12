package io.plog.server.targets;

import io.plog.server.monitoring.ServerNotices;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.util.Locale;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Whether a target's log can make its next segment: its disk may be full, its directory read-only or gone. The log tries again
 * until it succeeds; until then it refuses records that do not fit into the present segment.
 *
 * <p>Says a line when the next segment cannot be made, one when the first request is refused for it, and one when that is over.
 * Safe for any thread.
 */
public final class LogSpace {
    private final String target;
    private final String directory;
    private final boolean striped;
    private final ServerNotices notices;
    private final LongSupplier clock;

    private @Nullable String reason; // why the next segment cannot be made; guarded by this
    private long refusals; // guarded by this
    private volatile @Nullable String problem;

    /** @param directory where the log is, as the operator wrote it */
    LogSpace(String target, String directory, boolean striped, ServerNotices notices, LongSupplier clock) {
        this.target = target;
        this.directory = directory;
        this.striped = striped;
        this.notices = notices;
        this.clock = clock;
    }

    /** The next segment could not be made. Reported once, until one is. */
    public synchronized void notPrepared(Throwable cause) {
        String why = reasonOf(cause);
        reason = why;
        notices.say("target " + target + ": the next segment of its log in " + directory + " cannot be made (" + why
                + "); requests are refused once the present one is full. It is tried again twice a second. "
                + adviceFor(why));
    }

    private static String adviceFor(String why) {
        String words = why.toLowerCase(Locale.ROOT);
        if (words.contains("open files") || words.contains("file descriptors")) {
            return "Raise the limit of open files (ulimit -n)";
        }
        if (words.contains("permission denied") || words.contains("not permitted")) {
            return "Make the directory writable";
        }
        return words.contains("memory")
                ? "Give the machine more memory"
                : "Make space, or delete files if it is inodes that are used up (df -i)";
    }

    /** A segment was made: there is space again. */
    public synchronized void prepared() {
        reason = null;
        if (problem != null) {
            notices.say("target " + target + ": its log in " + directory + " takes requests again; " + refusals
                    + (refusals == 1 ? " was refused" : " were refused"));
            problem = null;
            refusals = 0;
        }
    }

    /** A request was refused since it needs the next segment. */
    synchronized void refused() {
        if (problem == null && reason == null && !striped) {
            return; // reported late: there is space again. Several directories are not distinguished by what the log
            // says
        }
        refusals++;
        if (problem == null) {
            String why = reason == null ? "" : " (" + reason + ")";
            problem = "the log of target " + target + " in " + directory + " has refused requests since "
                    + ServerNotices.time(clock.getAsLong()) + ", because its next segment cannot be made" + why
                    + "; what is in it is safe, and it continues by itself when it can";
            notices.say("target " + target
                    + ": requests are refused from now on (LOG_FULL): the next segment of its log in " + directory
                    + " cannot be made" + why);
        }
    }

    /** The problem, a part of a sentence; {@code null} if requests are taken. */
    @Nullable
    String problem() {
        return problem;
    }

    /** Why a file operation failed, in words: the messages of some are a file's name only. */
    public static String reasonOf(Throwable cause) {
        String message = cause.getMessage();
        if (message == null) {
            return cause.toString();
        }
        if (cause.getCause() != null) {
            return message; // the log's own: it says what failed and why
        }
        if (cause instanceof NoSuchFileException) {
            return message + ": no such file or directory";
        }
        return cause instanceof AccessDeniedException ? message + ": permission denied" : message;
    }
}
