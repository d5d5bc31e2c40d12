package io.plog.server.targets;

import io.plog.log.LogListener;
import io.plog.log.MessageLog;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.state.StateMachine;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Passes the log's events on to the meters, and those that may call for a checkpoint to the checkpointer. */
final class FileLogListener implements LogListener {
    private final String target;
    private final String directory;
    private final StateMachine machine;
    private final LogListener meters;
    private final ExpectedWait wait;
    private final LogSpace space;
    private final ServerNotices notices;
    private final long begin = System.nanoTime();
    private long preparingBegan; // since begin; guarded by this, as the next
    private long preparedAt; // 0 if nothing was prepared yet
    private volatile @Nullable String failure;
    private volatile @Nullable MessageLog log;
    private volatile @Nullable Checkpointer checkpointer;

    FileLogListener(
            String target,
            String directory,
            StateMachine machine,
            LogListener meters,
            ExpectedWait wait,
            LogSpace space,
            ServerNotices notices) {
        this.target = target;
        this.directory = directory;
        this.machine = machine;
        this.meters = meters;
        this.wait = wait;
        this.space = space;
        this.notices = notices;
    }

    /** Of this log, which was not there when its listener was made. */
    void listenTo(MessageLog opened) {
        log = opened;
    }

    /** Checkpoints are asked for from now on. */
    void saveWith(Checkpointer made) {
        checkpointer = made;
    }

    /** Why the log failed for good, in a sentence; {@code null} if it did not. */
    @Nullable
    String failure() {
        return failure;
    }

    @Override
    public void batchForced(int records, long bytes, long writeNanos, long forceNanos) {
        meters.batchForced(records, bytes, writeNanos, forceNanos);
        MessageLog open = log;
        if (open != null) {
            wait.forced(bytes, writeNanos + forceNanos, open.queuedRecords() - records, System.nanoTime());
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
    public void callbackStalled(long nanos, Thread thread) {
        notices.say("target " + target + ": its service has been executing one record for "
                + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms (on thread " + thread.getName()
                + "); until it returns, no request of this target is answered");
    }

    @Override
    public void failed(Throwable cause) {
        meters.failed(cause);
        String why = LogSpace.reasonOf(cause);
        String sentence = "the log of target " + target + " in " + directory + " failed for good at "
                + ServerNotices.time(System.currentTimeMillis()) + " (" + why
                + "); look at its disk, then restart the server";
        failure = sentence;
        machine.logFailed(sentence);
        notices.say("target " + target + ": its log in " + directory + " failed for good (" + why
                + "); nothing is acknowledged any more. Look at its disk, then restart the server");
    }
}
