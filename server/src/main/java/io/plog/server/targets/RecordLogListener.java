package io.plog.server.targets;

import io.plog.log.DurableLog;
import io.plog.log.LogDamagedException;
import io.plog.log.LogFailedException;
import io.plog.log.LogListener;
import io.plog.log.LogLockedException;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.state.TargetState;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Passes the log's events on to the meters, and those that may call for a checkpoint to the checkpointer. */
final class RecordLogListener implements LogListener {
    private final String target;
    private final String directory;
    private volatile TargetState state;
    private final LogListener meters;
    private final ExpectedWait wait;
    private final boolean elsewhere;
    private final LogSpace space;
    private final SlowForces slow;
    private final ServerNotices notices;
    private final long begin = System.nanoTime();
    private long preparingBegan; // since begin; guarded by this, as the next
    private long preparedAt; // 0 if nothing was prepared yet
    private long lastForcedNanos = begin; // of the log's threads, one at a time
    private volatile @Nullable String failure;
    private volatile boolean standby;
    private volatile @Nullable DurableLog log;
    private volatile @Nullable Checkpointer checkpointer;
    private final CountDownLatch failing = new CountDownLatch(1);

    /** @param elsewhere whether others keep the log: its groups are under way at the same time, without a bound, and reported in order */
    RecordLogListener(
            String target,
            String directory,
            TargetState state,
            LogListener meters,
            ExpectedWait wait,
            boolean elsewhere,
            LogSpace space,
            ServerNotices notices) {
        this.target = target;
        this.directory = directory;
        this.state = state;
        this.meters = meters;
        this.wait = wait;
        this.elsewhere = elsewhere;
        this.space = space;
        this.notices = notices;
        this.slow =
                new SlowForces(target, notices, this::reserveBytes, new CompletableFuture<Void>().defaultExecutor());
    }

    private long reserveBytes() {
        DurableLog open = log;
        return open == null ? 0 : open.status().reserveBytes();
    }

    /** Of this log, which was not there when its listener was made, and which this machine will replay. */
    void listenTo(DurableLog opened, TargetState replays) {
        log = opened;
        state = replays;
    }

    /** Checkpoints are asked for from now on. */
    void saveWith(Checkpointer made) {
        checkpointer = made;
    }

    /** Waits until the log has failed or this time is over; returns which. */
    boolean awaitFailure(Duration atMost) throws InterruptedException {
        return failing.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
    }

    /** This server waits again once it has lost the log. */
    void standBy() {
        standby = true;
    }

    /** Why the log failed for good, in a sentence; {@code null} if it did not. */
    @Nullable
    String failure() {
        return failure;
    }

    @Override
    public void batchForced(int records, long bytes, long writeNanos, long forceNanos) {
        meters.batchForced(records, bytes, writeNanos, forceNanos);
        DurableLog open = log;
        if (open != null) {
            long now = System.nanoTime();
            int queued = elsewhere ? open.queuedRecords() : open.queuedRecords() - records;
            long nanos = elsewhere ? Math.min(forceNanos, now - lastForcedNanos) : writeNanos + forceNanos;
            lastForcedNanos = now;
            wait.forced(bytes, nanos, queued, now);
            slow.forced(now, records, bytes, writeNanos, elsewhere ? nanos : forceNanos, queued);
        }
        Checkpointer current = checkpointer;
        if (current != null) {
            current.written(bytes);
        }
    }

    @Override
    public void segmentChanged(long segment, long changeNanos) {
        meters.segmentChanged(segment, changeNanos);
        Checkpointer current = checkpointer;
        if (current != null) {
            current.segmentChanged();
        }
    }

    @Override
    public void segmentPrepared(long segment, long prepareNanos) {
        meters.segmentPrepared(segment, prepareNanos);
        space.prepared();
        notePreparing(System.nanoTime() - begin, prepareNanos);
    }

    private synchronized void notePreparing(long now, long nanos) {
        if (preparedAt == 0) {
            preparingBegan = now - nanos;
        }
        preparedAt = now;
    }

    /** How long preparing segments took so far, from the begin of the first to the end of the last. */
    synchronized Duration preparing() {
        return Duration.ofNanos(preparedAt - preparingBegan);
    }

    @Override
    public void segmentNotPrepared(Throwable cause) {
        meters.segmentNotPrepared(cause);
        space.notPrepared(cause);
    }

    @Override
    public void coveredRecordsChecked(long lastIndex, long bytes, long nanos) {
        notices.say("target " + target + ": the records up to " + lastIndex
                + " of its log, which the start left unread, are intact (" + (bytes >> 20) + " MiB checked in "
                + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms)");
    }

    @Override
    public void callbackStalled(long nanos, Thread thread) {
        boolean runnable = thread.getState() == Thread.State.RUNNABLE;
        notices.say("target " + target + ": its service has not returned from one record for "
                + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms (thread " + thread.getName()
                + (runnable ? " computes, or gets no processor" : " waits for something")
                + "); until it returns, no request of this target is answered");
    }

    @Override
    public void failed(Throwable cause) {
        meters.failed(cause);
        DurableLog open = log;
        LogFailedException failed = open == null ? null : open.failure();
        failed(
                LogSpace.reasonOf(cause),
                cause,
                failed == null ? LogFailedException.Reason.ERROR : failed.reason(),
                cause instanceof LogLockedException);
        failing.countDown();
    }

    /**
     * This server does not open the log again.
     *
     * @param taken whether another server has it
     */
    void lost(String why, boolean taken) {
        failed(why, null, taken ? LogFailedException.Reason.FENCED : LogFailedException.Reason.ERROR, true);
    }

    /** @param lost whether it is certain that this server does not open the log again */
    private void failed(String why, @Nullable Throwable cause, LogFailedException.Reason reason, boolean lost) {
        String what = switch (reason) {
            case FENCED -> lost ? "was taken over by another server" : "was fenced";
            case NO_QUORUM -> "has too few machines that answer since";
            case ERROR -> "failed for good";
        };
        String advice = switch (reason) {
            case FENCED -> adviceWhenFenced(lost);
            case NO_QUORUM -> "it continues by itself when they answer: look at the bookies and at ZooKeeper";
            case ERROR -> adviceAfterAnError(cause, lost);
        };
        String time = ServerNotices.time(System.currentTimeMillis());
        String sentence = "the log of target " + target + " in " + directory + " " + what
                + (reason == LogFailedException.Reason.NO_QUORUM ? " " : " at ") + time + " (" + why + "); " + advice;
        state.logFailed(sentence, reason);
        failure = sentence; // last: who reads it finds requests refused
        notices.say("target " + target + ": its log in " + directory + " "
                + (reason == LogFailedException.Reason.NO_QUORUM ? "has too few machines that answer" : what) + " ("
                + why
                + "); nothing is acknowledged any more; " + advice);
    }

    private String adviceAfterAnError(@Nullable Throwable cause, boolean lost) {
        if (cause instanceof LogDamagedException) {
            return "stop the server before anything is done about it";
        }
        if (!elsewhere) {
            return "look at its disk, then restart the server";
        }
        return lost
                ? "mend that, then restart the server"
                : standby
                        ? "this server gives it up and waits for it again as a standby"
                        : "this server opens it again";
    }

    private String adviceWhenFenced(boolean lost) {
        if (!lost) {
            return "another server is taking it over, or BookKeeper's auto-recovery has closed its ledger: "
                    + (standby
                            ? "this server waits as a standby"
                            : "this server asks each second whose it is, and continues by itself if no server has it after 10 s");
        }
        return standby
                ? "send requests to that server; this one waits as its standby"
                : "send requests to that server; this one serves the target again after a restart, which takes the log"
                        + " back";
    }
}
