package io.plog.server;

import io.plog.log.MessageLog;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/**
 * Drops the oldest whole segments of a log that has grown beyond its bound, on a thread of its own, for measuring runs
 * that would fill a disk.
 *
 * <p>It keeps a note of the durable index at each change of segment. While the log is too large, it drops what lies before
 * the oldest note; the log itself takes care that only whole segments go.
 */
final class Retention implements AutoCloseable {
    private static final System.Logger LOGGER = System.getLogger("io.plog.server");

    /** Ends the thread. An interrupt would not do: it could close a file channel under the log's hands. */
    private static final long END = Long.MIN_VALUE;

    private final MessageLog log;
    private final TargetOptions options;
    private final BlockingQueue<Long> changes = new LinkedBlockingQueue<>();
    private final Thread thread;

    Retention(MessageLog log, TargetOptions options) {
        this.log = log;
        this.options = options;
        this.thread = new Thread(this::work, "plog-retention-" + options.name());
        thread.setDaemon(true);
        thread.start();
    }

    /** The log went on to another segment. Called on the log's thread. */
    void segmentChanged() {
        changes.add(log.durableIndex());
    }

    private void work() {
        Deque<Long> notes = notesOfOldSegments();
        try {
            for (long note = changes.take(); note != END; note = changes.take()) {
                notes.add(note);
                while (!notes.isEmpty() && log.sizeBytes() > options.retainBytes()) {
                    log.truncateBefore(notes.remove() + 1);
                }
            }
        } catch (InterruptedException e) {
            // Nobody interrupts this thread; if somebody did, what is left simply stays.
        } catch (IOException e) {
            LOGGER.log(System.Logger.Level.WARNING, "target " + options.name() + ": dropping old segments stopped", e);
        }
    }

    /** Where the segments that were there at the start end is not known from outside: evenly spread notes will do. */
    private Deque<Long> notesOfOldSegments() {
        Deque<Long> notes = new ArrayDeque<>();
        long first = log.firstIndex();
        long records = log.durableIndex() - first + 1;
        long segments = log.sizeBytes() / options.segmentBytes();
        for (long i = 1; i <= segments; i++) {
            notes.add(first - 1 + records * i / segments);
        }
        return notes;
    }

    @Override
    public void close() {
        changes.add(END);
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
