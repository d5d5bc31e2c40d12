package io.plog.server.targets;

import io.plog.log.DurableLog;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.TargetOptions;
import io.plog.server.state.StateImage;
import io.plog.server.state.TargetState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Saves a target's state next to its log, and only then drops records that are not needed any more and that the options do not ask
 * to keep. It does so after a number of bytes of log and when the log has grown beyond its bound, on a thread of its own. On demand
 * it saves the state as well, but drops only records beyond the bound: the caller need not be the owner of the log.
 *
 * <p>A bounded log ({@code retain}) keeps records up to the bound, although the checkpoint does not need them. A large state is not
 * saved for each segment that goes: that would write more than the log, or all the time.
 */
final class Checkpointer implements AutoCloseable {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A bounded log's checkpoint lasts so many times its bytes of log, and its time, if it covers enough until then. */
    private static final int LASTS = 32;

    private final DurableLog log;
    private final TargetState machine;
    private final TargetOptions options;
    private final TargetMeters meters;
    private final CheckpointHealth health;
    private final Thread thread;
    private final CompletableFuture<@Nullable Void> ended = new CompletableFuture<>();
    private volatile boolean closed;

    // Written on the log's thread.
    private volatile long writtenBytes;

    /** Since records were dropped last. At the start, too: the bound may be a new one. */
    private volatile boolean segmentEnded = true;

    private volatile long savedAtBytes; // how much was written when the last checkpoint was begun
    private volatile long savedBytes; // of that one
    private volatile long savingNanos; // that it took
    private volatile long savedNanos = System.nanoTime(); // when it was there, or this began

    /** @param replayedBytes of log behind the checkpoint, which count as written since */
    Checkpointer(
            DurableLog log,
            TargetState machine,
            TargetOptions options,
            TargetMeters meters,
            ServerNotices notices,
            long replayedBytes) {
        this.log = log;
        this.machine = machine;
        this.options = options;
        this.meters = meters;
        this.health = new CheckpointHealth(options.name(), options.retainBytes(), notices, System::nanoTime);
        this.writtenBytes = replayedBytes;
        this.thread = new Thread(this::run, "plog-checkpoint-" + options.name());
        thread.setDaemon(true);
        if (options.checkpointBytes() > 0 || options.retainBytes() > 0) {
            thread.start();
        } else {
            ended.complete(null);
        }
    }

    /** Bytes were written to the log. Called on the log's thread. */
    void written(long bytes) {
        long all = writtenBytes + bytes;
        writtenBytes = all;
        if (options.checkpointBytes() > 0 && all - savedAtBytes >= options.checkpointBytes()) {
            LockSupport.unpark(thread);
        }
    }

    /** The log changed to another segment. Called on the log's thread. */
    void segmentChanged() {
        if (options.retainBytes() > 0) {
            segmentEnded = true;
            LockSupport.unpark(thread);
        }
    }

    private void run() {
        try {
            work();
        } finally {
            ended.complete(null);
        }
    }

    private void work() {
        // A checkpoint is there whose records are not dropped yet: a stop in order saves one and drops nothing.
        boolean saved = options.retainBytes() == 0 && sizeBytes() >= options.checkpointBytes();
        while (!closed) {
            try {
                if (isDue()) {
                    saved = false;
                    save();
                    saved = true;
                } else if (health.isFailing() || isFull()) {
                    saved = true; // on demand, meanwhile; or before, and it covers enough
                }
                if (saved) {
                    drop();
                    saved = false;
                    health.succeeded();
                } else {
                    LockSupport.park(this);
                }
            } catch (IOException | RuntimeException | Error e) {
                boolean passes = log.failure() == null && machine.failure() == null;
                health.failed(saved, e, passes);
                if (!passes) {
                    return;
                }
                pause();
            }
        }
    }

    private boolean isDue() {
        boolean bySize = options.checkpointBytes() > 0 && writtenBytes - savedAtBytes >= options.checkpointBytes();
        return bySize || (isFull() && (isWorthIt() || !coversEnough()));
    }

    /** Whether the last checkpoint has lasted long enough for what it cost. */
    private boolean isWorthIt() {
        return writtenBytes - savedAtBytes >= LASTS * savedBytes
                && System.nanoTime() - savedNanos >= LASTS * savingNanos;
    }

    /** Whether the bound asks for something to be dropped. */
    private boolean isFull() {
        return options.retainBytes() > 0 && segmentEnded && isTooLarge();
    }

    /** Whether the log would keep its bound without those segments that the last checkpoint covers. */
    private boolean coversEnough() {
        List<Long> begins = log.segmentFirstIndexes();
        long covered = begins.stream()
                .filter(begin -> begin > log.firstIndex() && begin <= log.checkpointIndex() + 1)
                .count();
        long segmentBytes = sizeBytes() / begins.size();
        return covered * segmentBytes >= sizeBytes() - options.retainBytes();
    }

    /** What keeps the log from being checkpointed and bounded, a part of a sentence; {@code null} if nothing does, or not for long. */
    @Nullable
    String problem() {
        return health.problem(sizeBytes());
    }

    private long sizeBytes() {
        return log.status().sizeBytes();
    }

    private boolean isTooLarge() {
        return sizeBytes() > options.retainBytes();
    }

    private void pause() {
        long until = System.nanoTime() + PAUSE_NANOS;
        for (long left = PAUSE_NANOS; left > 0 && !closed; left = until - System.nanoTime()) {
            LockSupport.parkNanos(this, left);
        }
    }

    /**
     * Saves the state as it is now, and drops records beyond the log's bound, if it has one.
     * Blocks; for any thread but the log's.
     *
     * @throws IOException if it could not be saved, or nothing could be dropped; the checkpoint before is still good
     * @throws IllegalStateException if the service failed
     */
    synchronized CheckpointReport checkpointOnDemand() throws IOException {
        long dueSince = savedAtBytes;
        CheckpointReport saved = save();
        if (options.retainBytes() > 0) {
            drop();
        } else {
            savedAtBytes = dueSince; // nothing was dropped: the next one, which drops, comes when it would have come
        }
        return new CheckpointReport(saved.index(), saved.bytes(), log.firstIndex());
    }

    /** Saves the state as it is now, and drops nothing. */
    synchronized CheckpointReport save() throws IOException {
        long began = System.nanoTime();
        try {
            long written = writtenBytes;
            StateImage image = machine.snapshot();
            ByteBuffer[] state = image.encode();
            long bytes = 0;
            for (ByteBuffer piece : state) {
                bytes += piece.remaining();
            }
            log.saveCheckpoint(image.index(), state);
            savedAtBytes = written;
            savedBytes = bytes;
            savedNanos = System.nanoTime();
            savingNanos = savedNanos - began;
            meters.checkpointSaved(savingNanos, bytes);
            return new CheckpointReport(image.index(), bytes, log.firstIndex());
        } catch (IOException | RuntimeException | Error e) {
            meters.checkpointFailed();
            throw e;
        }
    }

    /** Drops what the last checkpoint covers and the options do not ask to keep. */
    synchronized void drop() throws IOException {
        try {
            if (options.retainBytes() > 0) {
                dropBeyondBound();
            } else {
                log.truncateBefore(log.checkpointIndex() + 1);
            }
        } catch (IOException | RuntimeException e) {
            meters.dropFailed();
            throw e;
        }
    }

    /** Drops the oldest segments while the log is too large. The log itself takes care that only whole ones go. */
    private void dropBeyondBound() throws IOException {
        segmentEnded = false;
        for (long begin : log.segmentFirstIndexes()) {
            if (!isTooLarge() || begin > log.checkpointIndex() + 1) {
                return;
            }
            if (begin > log.firstIndex()) {
                log.truncateBefore(begin);
            }
        }
    }

    /** Ends the thread, after the checkpoint that it may be saving. */
    @Override
    public void close() {
        closed = true;
        LockSupport.unpark(thread);
        ended.join();
    }
}
