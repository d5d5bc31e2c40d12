package io.plog.log;

import java.util.ArrayList;
import java.util.List;

/**
 * Which threads do one log's work: its own, that of a caller while it has borrowed a lane, and any thread while it runs a
 * callback. What waits for the log there would wait for itself.
 *
 * <p>Asking costs a look at a thread-local variable and allocates nothing.
 */
final class LogThreads {
    /** The logs whose work each thread does, the one it began last at the end: from a callback it may append to another. */
    private static final ThreadLocal<List<LogThreads>> LOGS = ThreadLocal.withInitial(ArrayList::new);

    /** The calling thread does the log's work from now on; to be followed by {@link #leave}. */
    void enter() {
        LOGS.get().add(this);
    }

    /** It does so no more. */
    void leave() {
        List<LogThreads> logs = LOGS.get();
        logs.remove(logs.size() - 1);
    }

    /** Whether the calling thread does the log's work. */
    boolean isCurrentThread() {
        List<LogThreads> logs = LOGS.get();
        for (int i = logs.size() - 1; i >= 0; i--) {
            if (logs.get(i) == this) {
                return true;
            }
        }
        return false;
    }
}
