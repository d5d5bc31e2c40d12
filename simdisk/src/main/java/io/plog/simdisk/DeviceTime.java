package io.plog.simdisk;

import java.util.concurrent.locks.LockSupport;

/**
 * When operations of a modelled device end. A disk that turns has a head over a track and an angle that follows from the time, as in
 * Ruemmler and Wilkes, "An introduction to disk drive modeling" (IEEE Computer 27(3), 1994): a small forced append just misses the
 * place behind the one before, and waits a turn. Thread-safe.
 */
final class DeviceTime {
    /** Where time comes from. */
    interface Clock {
        /** Nanoseconds. */
        long now();

        /** Returns not before this time. An interrupt does not end the wait; the thread stays interrupted. */
        void await(long nanos);
    }

    /** A thread that parks wakes up to this much too late, so the rest of the time it looks at the clock. */
    private static final long LOOK_NANOS = 100_000;

    static final Clock REAL = new Clock() {
        @Override
        public long now() {
            return System.nanoTime();
        }

        @Override
        public void await(long nanos) {
            boolean interrupted = false;
            for (long left = nanos - now(); left > 0; left = nanos - now()) {
                if (left > LOOK_NANOS) {
                    LockSupport.parkNanos(left - LOOK_NANOS);
                    interrupted |= Thread.interrupted();
                } else {
                    Thread.onSpinWait();
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    };

    /** From one track to the next, and over a third of all tracks, which is the average. */
    private static final double TRACK_SEEK_NANOS = 1e6;

    private static final double AVERAGE_SEEK_NANOS = 8.2e6;
    private static final double CAPACITY_BYTES = 2e12;

    private final DeviceModel model;
    private final Clock clock;
    private final long origin;
    private long free; // when the device has done all it was asked for
    private long headTrack;

    DeviceTime(DeviceModel model, Clock clock) {
        this.model = model;
        this.clock = clock;
        this.origin = clock.now();
        this.free = origin;
    }

    /** A write that need not be stable: the device's cache takes it, and the force that follows transfers it. */
    void write() {
        clock.await(queued(clock.now(), model.writeNanos(), 0));
    }

    /** A read around the page cache. */
    void read(long place, long bytes) {
        long now = clock.now();
        clock.await(turns() ? atPlace(now, place, bytes) : queued(now, model.readNanos(), bytes));
    }

    /**
     * When bytes that lie behind each other are stable; does not wait for it.
     *
     * @param from not begun before this time
     */
    long forced(long from, long place, long bytes) {
        return turns() ? atPlace(from, place, bytes) : queued(from, model.forceNanos(), bytes);
    }

    /** A disk that lies answers from its cache. */
    private boolean turns() {
        return model.turnsPerMinute() > 0 && !model.lies();
    }

    private long transferNanos(long bytes) {
        return (long) ((double) bytes / model.bytesPerSecond() * 1e9);
    }

    private synchronized long queued(long from, long nanos, long bytes) {
        long begin = Math.max(from, free);
        long transferred = begin + transferNanos(bytes);
        free = model.parallel() ? transferred : transferred + nanos;
        return transferred + nanos;
    }

    private synchronized long atPlace(long from, long place, long bytes) {
        long turn = model.turnNanos();
        double trackBytes = (double) model.bytesPerSecond() * turn / 1e9;
        long track = (long) (place / trackBytes);
        long there = Math.max(from, free) + model.writeNanos() + seekNanos(Math.abs(track - headTrack), trackBytes);
        long angle = (there - origin) % turn;
        long wanted = (long) (place % trackBytes / trackBytes * turn);
        free = there + Math.floorMod(wanted - angle, turn) + transferNanos(bytes);
        headTrack = (long) ((place + bytes) / trackBytes);
        return free;
    }

    private static long seekNanos(long tracks, double trackBytes) {
        if (tracks < 2) { // tracks are shifted against each other, so that the next one is reached in passing
            return 0;
        }
        double third = CAPACITY_BYTES / trackBytes / 3;
        return (long) (TRACK_SEEK_NANOS + (AVERAGE_SEEK_NANOS - TRACK_SEEK_NANOS) * Math.sqrt(tracks / third));
    }
}
