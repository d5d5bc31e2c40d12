package io.plog.server;

import io.plog.log.LogFailedException;
import io.plog.log.LogLockedException;
import io.plog.log.spi.HolderElection;
import io.plog.server.targets.DurableRecordLog;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The queue of a server that is no standby: no other server waits, and its turn comes when no other server has the log. Of one thread, but
 * for what does not block.
 */
final class QueueOfOne implements HolderElection, HolderElection.Place {
    /**
     * BookKeeper's auto-recovery fences a ledger that has lost a bookie, and does not want the log. A server that opens the log enters
     * itself into its list sooner than this; if it takes longer, it is refused, and nothing is harmed.
     */
    private static final long FENCED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private @Nullable DurableRecordLog lost;
    private long lostNanos;

    /** This server lost the log, just now. Until another one has it, it may be opened again. */
    void lost(DurableRecordLog log) {
        lost = log;
        lostNanos = System.nanoTime();
    }

    @Override
    public Place join(String self, Duration notice) {
        return this;
    }

    /** @throws LogLockedException if another server has the log: this one does not take it back */
    @Override
    public boolean awaitTurn(Duration atMost) throws LogLockedException, InterruptedException {
        if (isFree()) {
            return true;
        }
        TimeUnit.NANOSECONDS.sleep(atMost.toNanos());
        return isFree();
    }

    private boolean isFree() throws LogLockedException {
        DurableRecordLog log = lost;
        if (log == null) {
            return true;
        }
        try {
            log.checkHeld();
        } catch (LogLockedException e) {
            throw e;
        } catch (IOException e) {
            return false; // no server answers yet
        }
        return log.failureReason() != LogFailedException.Reason.FENCED || System.nanoTime() - lostNanos > FENCED_NANOS;
    }

    /** The server that takes the log over asks no other. */
    @Override
    public boolean isSurelyFirst() {
        return true;
    }

    @Override
    public String holder() {
        return "";
    }

    @Override
    public boolean isWaitedFor() {
        return false;
    }

    @Override
    public Duration notice() {
        return Duration.ZERO;
    }

    @Override
    public void close() {}
}
