package io.plog.log;

import java.util.List;
import java.util.Locale;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * How long the embedder's code takes when the log calls it: one {@link Site} for each place from which it is called by one
 * thread at a time. Sites are made while the log is opened; everything else is for any thread.
 */
final class CallbackMonitor {
    /** The listener is called about a callback that takes longer than this. */
    static final long STALL_NANOS = 1_000_000_000L;

    private static final long NONE = Long.MIN_VALUE;

    private final List<Site> sites = new CopyOnWriteArrayList<>();

    /** Where callbacks run, one after the other. */
    static final class Site {
        private volatile long sinceNanos = NONE;
        private volatile @Nullable Thread thread;
        private boolean interrupted; // the flag of the thread, which is not the callback's to see
        private long reportedSince = NONE; // the housekeeper's

        /** A callback begins on the calling thread. */
        void begin() {
            interrupted = Thread.interrupted();
            thread = Thread.currentThread();
            sinceNanos = System.nanoTime();
        }

        /** It returned, or threw. An interrupt that it leaves on its thread is not the thread's. */
        void end() {
            sinceNanos = NONE;
            thread = null;
            Thread.interrupted();
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }

        private long nanos(long now) {
            long since = sinceNanos;
            return since == NONE ? 0 : Math.max(1, now - since);
        }
    }

    /** A callback that has not returned for a while. */
    record Stall(long nanos, @Nullable Thread thread) {
        private static final int MOST_FRAMES = 12;

        /** In words, with what the thread does at this moment. */
        static String warning(long nanos, Thread thread) {
            StringBuilder text = new StringBuilder(String.format(
                    Locale.ROOT,
                    "a callback of the log has not returned for %.1f s on thread %s; until it does, no append is given its"
                            + " outcome. It is here:",
                    nanos / 1e9,
                    thread.getName()));
            StackTraceElement[] frames = thread.getStackTrace();
            for (int i = 0; i < Math.min(frames.length, MOST_FRAMES); i++) {
                text.append(i == 0 ? " " : " < ").append(frames[i]);
            }
            return text.toString();
        }

        String threadName() {
            return thread == null ? "unknown" : thread.getName();
        }
    }

    Site newSite() {
        Site site = new Site();
        sites.add(site);
        return site;
    }

    /** How long the slowest current callback has taken so far, in nanoseconds; 0 if there is none. */
    long longestNanos() {
        return longest().nanos();
    }

    /** That callback; one of 0 ns if there is none. */
    Stall longest() {
        long now = System.nanoTime();
        Stall longest = new Stall(0, null);
        for (Site site : sites) {
            long nanos = site.nanos(now);
            if (nanos > longest.nanos()) {
                longest = new Stall(nanos, site.thread);
            }
        }
        return longest;
    }

    /** Reports each callback that takes too long to the listener, once. For the housekeeper. */
    void look(LogListener listener, long now) {
        for (Site site : sites) {
            long since = site.sinceNanos;
            Thread thread = site.thread;
            if (thread != null && since != NONE && since != site.reportedSince && now - since > STALL_NANOS) {
                site.reportedSince = since;
                listener.callbackStalled(now - since, thread);
            }
        }
    }
}
