package io.plog.server;

import io.plog.log.MessageLog;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Drops the oldest whole segments of a log that has grown beyond its bound, on a thread of its own, for measuring runs
 * that would fill a disk.
 *
 * <p>At each change of segment it notes the last durable index. Once more segments lie behind than the bound holds, what
 * lies before the note of the oldest is dropped; the log itself takes care that only whole segments go.
 */
final class Retention implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("io.plog.server");

    /** Ends the thread. An interrupt would not do: it could close a file channel under the log's hands. */
    private static final long END = Long.MIN_VALUE;

    private final MessageLog log;
    private final String target;
    private final int segmentsKept;
    private final BlockingQueue<Long> notes = new LinkedBlockingQueue<>();
    private final Thread thread;

    Retention(MessageLog log, TargetOptions options) {
        this.log = log;
        this.target = options.name();
        this.segmentsKept = (int) Math.min(1 << 20, options.retainBytes() / options.segmentBytes());
        this.thread = new Thread(this::work, "plog-retention-" + target);
        thread.setDaemon(true);
        thread.start();
    }

    /** The log went on to another segment. Called on the log's thread. */
    void segmentChanged() {
        notes.add(log.durableIndex());
    }

    private void work() {
        ArrayDeque<Long> behind = new ArrayDeque<>();
        try {
            for (long note = notes.take(); note != END; note = notes.take()) {
                behind.add(note);
                if (behind.size() >= segmentsKept) {
                    log.truncateBefore(behind.remove() + 1);
                }
            }
        } catch (InterruptedException e) {
            // Nobody interrupts this thread; if somebody did, what is left simply stays.
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "target " + target + ": dropping old segments stopped", e);
        }
    }

    @Override
    public void close() {
        notes.add(END);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
