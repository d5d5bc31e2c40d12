package io.plog.measure;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Ends exchanges of {@link MeasuringConnection}s that take too long. These block in a read without a timeout, since one would cost a
 * system call each. One thread looks at all of them twice a second, and is there only while there are any. Safe for any thread.
 */
final class ReplyWatch {
    private static final int PERIOD_MILLIS = 500;

    private static final Set<MeasuringConnection> OPEN = ConcurrentHashMap.newKeySet();
    private static @Nullable Thread thread;

    private ReplyWatch() {}

    static synchronized void add(MeasuringConnection connection) {
        OPEN.add(connection);
        if (thread == null) {
            Thread made = new Thread(ReplyWatch::watch, "plog-reply-watch");
            made.setDaemon(true);
            made.start();
            thread = made;
        }
    }

    static void remove(MeasuringConnection connection) {
        OPEN.remove(connection);
    }

    private static void watch() {
        while (!isOver()) {
            long now = System.nanoTime();
            OPEN.forEach(connection -> connection.giveUpIfLate(now));
            try {
                Thread.sleep(PERIOD_MILLIS);
            } catch (InterruptedException e) {
                // Nobody has a reason to.
            }
        }
    }

    private static synchronized boolean isOver() {
        if (OPEN.isEmpty()) {
            thread = null;
            return true;
        }
        return false;
    }
}
