package io.plog.log.segment;

import io.plog.log.file.CheckpointFile;
import io.plog.log.file.DiskErrors;
import io.plog.log.file.FileWindow;
import io.plog.log.file.ReadAround;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.Uninterruptibles;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Reads, while the log is at work, the segments that its opening left unread since a checkpoint covers their records. Damage
 * fails the log as a failed force does: it would have stopped an opening that reads everything. Segments that are dropped
 * meanwhile need not be intact. Without a free file descriptor, or memory, it tries the same segment again later.
 *
 * <p>It works on a thread of its own and rests four times as long as it reads, so that appends keep disk and processors.
 */
public final class CoveredRecordsCheck {
    /** After so many bytes it rests. */
    private static final long SLICE_BYTES = 1 << 20;

    private static final int REST_PER_WORK = 4;
    public static final long RETRY_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Storage storage;
    private final LongPredicate isInUse;
    private final List<SegmentLinks.Link> segments;
    private final long checkpoint;
    private final SegmentListener listener;
    private final Consumer<Throwable> fail;
    private final long retryNanos;
    private final Thread thread;
    private volatile boolean stopped;
    private volatile long uncheckedBytes;

    // Of the thread that checks.
    private long sliceBegan;
    private long sliceBytes;

    /**
     * @param isInUse whether the segment of this number still belongs to the log
     * @param segments those to read, in order, and behind them the first that was read; empty if there is nothing to do
     * @param checkpoint its index, for messages
     * @param fail fails the log for good
     * @param retryNanos how long it waits for a file descriptor, or memory
     */
    public CoveredRecordsCheck(
            Storage storage,
            LongPredicate isInUse,
            List<SegmentLinks.Link> segments,
            long checkpoint,
            SegmentListener listener,
            Consumer<Throwable> fail,
            long retryNanos) {
        this.storage = storage;
        this.isInUse = isInUse;
        this.segments = segments;
        this.checkpoint = checkpoint;
        this.listener = listener;
        this.fail = fail;
        this.retryNanos = retryNanos;
        uncheckedBytes = bytesFrom(0);
        thread = new Thread(this::run, "plog-check");
        thread.setDaemon(true);
    }

    /** The bytes of the segments that it has still to read. For any thread. */
    public long uncheckedBytes() {
        return uncheckedBytes;
    }

    /** Starts its thread if there is something to read. Called once, at most. */
    public void start() {
        if (!segments.isEmpty()) {
            thread.start();
        }
    }

    /** Reads no further. */
    public void stop() {
        stopped = true;
        LockSupport.unpark(thread);
    }

    /** Waits at most so many nanoseconds for the thread; returns whether it ended. */
    public boolean join(long nanos) {
        return Uninterruptibles.join(thread, nanos);
    }

    /** Reads all of it, on the calling thread. */
    public void run() {
        if (segments.isEmpty()) {
            return;
        }
        try {
            checkAll();
        } catch (Throwable t) {
            fail.accept(t); // without this thread the rest stays unchecked without a word
        }
    }

    private void checkAll() {
        long began = System.nanoTime();
        long bytes = 0;
        sliceBegan = began;
        FileWindow window = new FileWindow();
        for (int i = 0; i < segments.size() - 1 && !stopped; ) {
            SegmentLinks.Link segment = segments.get(i);
            Throwable problem = problemOf(segment, segments.get(i + 1), window);
            if (problem == null) {
                bytes += isDropped(segment) ? 0 : segment.header().segmentBytes();
                i++;
            } else if (DiskErrors.kindOf(problem) == DiskErrors.Kind.SHORTAGE) {
                pause(retryNanos);
                sliceBegan = System.nanoTime(); // the wait was no work
            } else {
                fail.accept(problem);
                return;
            }
            if (!stopped) {
                uncheckedBytes = bytesFrom(i);
            }
        }
        if (!stopped) {
            listener.coveredRecordsChecked(
                    segments.get(segments.size() - 1).firstIndex() - 1, bytes, System.nanoTime() - began);
        }
    }

    private long bytesFrom(int begin) {
        long bytes = 0;
        for (int i = begin; i < segments.size() - 1; i++) {
            bytes += segments.get(i).header().segmentBytes();
        }
        return bytes;
    }

    /** Whatever is wrong with a segment that still belongs to the log; null if nothing is. */
    private @Nullable Throwable problemOf(SegmentLinks.Link segment, SegmentLinks.Link next, FileWindow window) {
        if (isDropped(segment)) {
            return null;
        }
        Throwable problem;
        try {
            problem = check(segment, next, window);
        } catch (IOException | OutOfMemoryError e) {
            problem = e;
        }
        // Its file is renamed, used again or deleted only after the log has let go of it.
        return problem == null || stopped || isDropped(segment) ? null : problem;
    }

    private boolean isDropped(SegmentLinks.Link segment) {
        return !isInUse.test(segment.header().segment());
    }

    private @Nullable LogDamagedException check(SegmentLinks.Link segment, SegmentLinks.Link next, FileWindow window)
            throws IOException {
        SegmentHeader header = segment.header();
        String name = SegmentHeader.fileName(header.segment());
        try (Storage.FileHandle file = ReadAround.open(storage, name);
                SegmentReading reading = new SegmentReading(file, name, segment, window, IndexBound.ONE_DIRECTORY)) {
            long offset = 0;
            while (!stopped && reading.next()) {
                rest(reading.offset() - offset);
                offset = reading.offset();
            }
            if (stopped) {
                return null;
            }
            boolean isCutShort = segment.end() < header.segmentBytes();
            SegmentState found = isCutShort ? reading.stateWithoutRest() : reading.state();
            if (!found.sealed()) {
                return damaged(name, found.endOffset(), found.nextIndex(), found.stopReason());
            }
            return found.nextIndex() == next.firstIndex()
                    ? null
                    : damaged(
                            SegmentHeader.fileName(next.header().segment()),
                            SegmentHeader.BLOCK_BYTES,
                            found.nextIndex(),
                            "a record with index " + next.firstIndex());
        }
    }

    private LogDamagedException damaged(String file, long offset, long index, String found) {
        String why = index <= checkpoint
                ? "acknowledged as durable (" + CheckpointFile.NAME + " holds the effect of all up to " + checkpoint
                        + ")"
                : "or a seal, because the next segment holds records";
        return new LogDamagedException(
                file, offset, "record " + index + ", " + why, found, LogDamagedException.CLOSE_AND_RESTORE);
    }

    private void rest(long bytes) {
        sliceBytes += bytes;
        if (sliceBytes < SLICE_BYTES) {
            return;
        }
        sliceBytes = 0;
        pause(REST_PER_WORK * (System.nanoTime() - sliceBegan));
        sliceBegan = System.nanoTime();
    }

    /** Waits for so long, or until it is {@link #stop stopped}. */
    private void pause(long nanos) {
        long end = System.nanoTime() + nanos;
        for (long left = nanos; left > 0 && !stopped; left = end - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
            Thread.interrupted(); // the thread is private; an interrupt means nothing here
        }
    }
}
