package io.plog.log;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The rule: <em>append, force, and only then acknowledge, in order</em>. Batches may become durable in any order; none is
 * acknowledged before all batches before it are durable, and none after a failure. A write or force that failed is never
 * repeated: a second force may succeed over bytes that the kernel has dropped (Rebello et al., <cite>Can Applications Recover
 * from fsync Failures?</cite>, ATC 2020).
 */
final class GroupCommit {
    /** Code that reports an append durable has to show one, and only this file can make one. */
    static final class Acknowledgement {
        private Acknowledgement() {}
    }

    private static final Acknowledgement DURABLE = new Acknowledgement();

    private final AppendNotifier notifier; // its monitor guards what is marked with (g), and is held for moments only
    private final DiskGate disk;
    private final AtomicReferenceArray<@Nullable Batch> underWay; // by ticket; filled by the leading lane
    private final ReentrantLock acknowledging = new ReentrantLock(); // held while callbacks run; no thread waits for it
    private volatile long nextTicket; // of the oldest batch that is not acknowledged (g)
    private volatile @Nullable LogFailedException failure; // (g)
    private volatile long durableIndex; // of the last record that is durable with all before it

    GroupCommit(AppendNotifier notifier, DiskGate disk, int lanes, long durableIndex) {
        this.notifier = notifier;
        this.disk = disk;
        this.underWay = new AtomicReferenceArray<>(Integer.highestOneBit(2 * lanes) << 1);
        this.durableIndex = durableIndex;
    }

    void begin(Batch batch) {
        underWay.set((int) batch.ticket & (underWay.length() - 1), batch);
    }

    /** The rule, for one batch. After an exception the log has to {@link #fail}. */
    void commit(Batch batch) throws IOException {
        write(batch); // append ...
        force(batch); // ... force ...
        acknowledgeInOrder(); // ... and only then acknowledge, after all that lies before it.
    }

    void write(Batch batch) throws IOException {
        batch.beginWrite();
        disk.enter();
        try {
            batch.writer.write();
        } finally {
            disk.leave();
        }
    }

    void force(Batch batch) throws IOException {
        batch.beginForce();
        disk.enter();
        try {
            batch.writer.force();
            batch.writer.checkClaim(); // another writer may have taken the log over meanwhile
        } finally {
            disk.leave();
        }
        batch.endForce(); // it is done now
    }

    /** Acknowledges the oldest batches, up to the first that is not done. If another thread is at it, that one looks again. */
    void acknowledgeInOrder() {
        while (done(nextTicket) != null && acknowledging.tryLock()) {
            try {
                for (Batch next = done(nextTicket); next != null; next = done(nextTicket)) {
                    if (failure != null || !acknowledge(next)) {
                        return;
                    }
                }
            } finally {
                acknowledging.unlock();
            }
        }
    }

    /** The batch with this ticket if it was written and forced, or has no records; otherwise null. */
    private @Nullable Batch done(long ticket) {
        Batch batch = underWay.get((int) ticket & (underWay.length() - 1));
        // Its turn first: the place may hold a batch that is being filled again, and is done of its turn before.
        return batch != null && batch.isOfTurn(ticket) && batch.isDone() ? batch : null;
    }

    /** Completes each append of the oldest batch. Returns false if {@link #giveUp} came first. */
    private boolean acknowledge(Batch batch) {
        durableIndex = batch.firstIndex + batch.records - 1;
        if (!notifier.begin(batch)) {
            return false;
        }
        for (int i = 0; i < batch.count; i++) {
            if (!notifier.claim(batch.firstNumber + i)) {
                return false;
            }
            if (batch.refusals[i] == null) {
                notifier.reportDurable(DURABLE, batch, i);
            } else {
                notifier.reportRefused(batch, i);
            }
        }
        synchronized (notifier) {
            nextTicket = notifier.finish(batch) ? batch.ticket + 1 : batch.ticket;
            return batch.freeBefore(nextTicket); // the last step: from here on its lane may fill it again
        }
    }

    /** Fails the log for good: no further batch is acknowledged. Returns false if it had failed before. */
    boolean fail(LogFailedException cause) {
        synchronized (notifier) {
            boolean first = failure == null;
            failure = first ? cause : failure;
            return first;
        }
    }

    /** Fails the log while a callback does not return; returns the appends that are left to complete, in log order. */
    List<AppendNotifier.Pending> giveUp(LogFailedException cause, long end, long unwritten) {
        synchronized (notifier) {
            List<Batch> durable = new ArrayList<>();
            for (Batch next = fail(cause) ? done(nextTicket) : null; next != null; next = done(next.ticket + 1)) {
                durable.add(next);
            }
            return notifier.takeOver(DURABLE, durable, failure == null ? cause : failure, end, unwritten);
        }
    }

    /** The records behind an index are no longer part of the log. For the leading lane, when every batch is acknowledged. */
    void rewindTo(long index) {
        durableIndex = index;
    }

    long nextTicket() {
        return nextTicket;
    }

    @Nullable
    LogFailedException failure() {
        return failure;
    }

    long durableIndex() {
        return durableIndex;
    }
}
