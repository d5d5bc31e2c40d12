package io.plog.log;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Runs the lanes of a log on one thread, a step at a time, in an order that repeats from a seed: so groups of appends are
 * under way at once, are written and forced in any order, and a disk can fail or crash between any two steps.
 */
final class SteppedLanes implements LaneRunner {
    private final SplittableRandom random;
    private final List<Batch> taken = new ArrayList<>();
    private final List<Batch> written = new ArrayList<>();
    private @Nullable Thread thread;

    SteppedLanes(long seed) {
        random = new SplittableRandom(seed);
    }

    @Override
    public void start(Committer committer) {
        Thread started = new Thread(() -> run(committer), "plog-steps");
        started.setDaemon(true);
        thread = started;
        started.start();
    }

    @Override
    public int mostRecords() {
        return 1 + random.nextInt(3);
    }

    /** To be called after an append and before a join: the thread looks again. */
    void wake() {
        LockSupport.unpark(thread);
    }

    @Override
    public boolean join(long nanos) {
        wake();
        Thread started = thread;
        return started == null || Joins.join(started, nanos);
    }

    private void run(Committer committer) {
        List<Lane> lanes = committer.lanes();
        committer.atWork().enter();
        while (!committer.isOver() || (committer.failure() == null && isUnderWay())) {
            // Nothing is drawn at rest, whenever and however often this thread looks.
            boolean rests = !isUnderWay() && !committer.hasPublished();
            Lane lane = lanes.get(rests ? 0 : random.nextInt(lanes.size()));
            try {
                if (rests) {
                    rest(committer, lane);
                } else {
                    step(committer, lane);
                }
            } catch (Throwable cause) {
                committer.fail(lane, cause);
            }
        }
        finishUnderWay(committer);
        lanes.forEach(Lane::leave);
    }

    private boolean isUnderWay() {
        return !taken.isEmpty() || !written.isEmpty();
    }

    private void step(Committer committer, Lane lane) throws Exception {
        switch (random.nextInt(3)) {
            case 0 -> take(committer, lane);
            case 1 -> {
                if (!taken.isEmpty()) {
                    Batch batch = taken.remove(random.nextInt(taken.size()));
                    committer.write(batch);
                    written.add(batch);
                }
            }
            default -> {
                if (!written.isEmpty()) {
                    Batch batch = written.remove(random.nextInt(written.size()));
                    committer.force(batch);
                    if (random.nextBoolean() || !isUnderWay()) { // or whoever comes next acknowledges it, too
                        committer.acknowledgeInOrder();
                    }
                    committer.back();
                }
            }
        }
    }

    private void take(Committer committer, Lane lane) throws Exception {
        if (committer.hasPublished() && isIdle(lane) && committer.tryLead(lane)) {
            try {
                Batch batch = committer.take(lane);
                if (batch != null) {
                    taken.add(batch);
                }
            } finally {
                committer.resign();
            }
        }
    }

    private boolean isIdle(Lane lane) {
        return taken.stream().noneMatch(batch -> batch.lane.equals(lane))
                && written.stream().noneMatch(batch -> batch.lane.equals(lane));
    }

    private void rest(Committer committer, Lane lane) throws Exception {
        if (committer.isMarkDue() && committer.tryLead(lane)) {
            try {
                committer.writeIdleMark(lane);
            } finally {
                committer.resign();
            }
        } else if (!committer.hasWaiting()) {
            long deadline = committer.idleDeadline();
            if (deadline == Long.MAX_VALUE) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, deadline - System.nanoTime());
            }
        }
    }

    /** After a failure the other lanes come back from what they were at, or fail, too; nobody is told anything but failure. */
    private void finishUnderWay(Committer committer) {
        for (Batch batch : taken) {
            attempt(committer, batch, () -> committer.write(batch));
        }
        for (Batch batch : written) {
            attempt(committer, batch, () -> {
                committer.force(batch);
                committer.acknowledgeInOrder();
            });
        }
    }

    private void attempt(Committer committer, Batch batch, Step step) {
        try {
            if (random.nextBoolean()) {
                step.run();
            }
        } catch (Throwable cause) {
            committer.fail(batch.lane, cause);
        }
    }

    private interface Step {
        void run() throws Exception;
    }
}
