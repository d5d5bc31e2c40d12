package io.plog.log;

import io.plog.log.segment.WorkThread;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * Runs the lanes of a log on one thread, a step at a time, in an order that repeats from a seed: so groups of appends are
 * under way at once, are written and forced in any order, and a disk can fail or crash between any two steps.
 */
final class SteppedLanes implements LaneRunner {
    private static final long POLL_NANOS = 20_000;

    private final SplittableRandom random;
    private final List<Batch> taken = new ArrayList<>();
    private final List<Batch> written = new ArrayList<>();
    private final WorkThread thread = new PooledThread();
    private volatile boolean polls;

    SteppedLanes(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public void start(AppendEngine engine) {
        thread.start(() -> run(engine));
    }

    @Override
    public int mostRecords() {
        return 1 + random.nextInt(3);
    }

    /** Whether the thread looks again and again, for a caller that waits as soon as it has put something in. */
    void poll(boolean on) {
        polls = on;
        wake();
    }

    /** To be called after an append and before a join: the thread looks again. */
    void wake() {
        thread.unpark();
    }

    @Override
    public boolean join(long nanos) {
        if (nanos > 0) {
            wake();
        }
        return thread.join(nanos);
    }

    private void run(AppendEngine engine) {
        List<Lane> lanes = engine.scheduler.lanes();
        engine.threads.enter();
        while (!engine.scheduler.isOver() || (engine.commit.failure() == null && isUnderWay())) {
            // Nothing is drawn at rest, whenever and however often this thread looks.
            boolean rests = !isUnderWay() && !engine.scheduler.hasPublished();
            Lane lane = lanes.get(rests ? 0 : random.nextInt(lanes.size()));
            try {
                if (rests) {
                    rest(engine, lane);
                } else {
                    step(engine, lane);
                }
            } catch (Throwable cause) {
                engine.shutdown.fail(lane, cause);
            }
        }
        finishUnderWay(engine);
        lanes.forEach(Lane::leave);
        engine.threads.leave();
    }

    private boolean isUnderWay() {
        return !taken.isEmpty() || !written.isEmpty();
    }

    private void step(AppendEngine engine, Lane lane) throws Exception {
        switch (random.nextInt(3)) {
            case 0 -> take(engine, lane);
            case 1 -> {
                if (!taken.isEmpty()) {
                    Batch batch = taken.remove(random.nextInt(taken.size()));
                    engine.commit.write(batch);
                    written.add(batch);
                }
            }
            default -> {
                if (!written.isEmpty()) {
                    Batch batch = written.remove(random.nextInt(written.size()));
                    engine.commit.force(batch);
                    if (random.nextBoolean() || !isUnderWay()) { // or the next one acknowledges it, too
                        engine.commit.acknowledgeInOrder();
                    }
                    engine.scheduler.lookAgain();
                }
            }
        }
    }

    private void take(AppendEngine engine, Lane lane) throws Exception {
        if (engine.scheduler.hasPublished() && isIdle(lane) && engine.scheduler.tryLead(lane)) {
            try {
                Batch batch = engine.scheduler.take(lane);
                if (batch != null) {
                    taken.add(batch);
                }
            } finally {
                engine.scheduler.resign();
            }
        }
    }

    private boolean isIdle(Lane lane) {
        return taken.stream().noneMatch(batch -> batch.writer.equals(lane.writer))
                && written.stream().noneMatch(batch -> batch.writer.equals(lane.writer));
    }

    private void rest(AppendEngine engine, Lane lane) throws Exception {
        if (engine.idleMark.isDue() && engine.scheduler.tryLead(lane)) {
            try {
                engine.idleMark.write(lane.segments, lane.writer);
            } finally {
                engine.scheduler.resign();
            }
        } else if (!engine.scheduler.hasWaiting()) {
            long deadline = engine.idleMark.deadline();
            if (polls) {
                LockSupport.parkNanos(this, POLL_NANOS);
            } else if (deadline == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, deadline - System.nanoTime());
            }
        }
    }

    /** After a failure the other lanes come back from what they were at, or fail, too; no caller gets anything but failure. */
    private void finishUnderWay(AppendEngine engine) {
        for (Batch batch : taken) {
            attempt(engine, () -> engine.commit.write(batch));
        }
        for (Batch batch : written) {
            attempt(engine, () -> {
                engine.commit.force(batch);
                engine.commit.acknowledgeInOrder();
            });
        }
    }

    private void attempt(AppendEngine engine, Step step) {
        try {
            if (random.nextBoolean()) {
                step.run();
            }
        } catch (Throwable cause) {
            engine.shutdown.fail(cause);
        }
    }

    private interface Step {
        void run() throws Exception;
    }
}
