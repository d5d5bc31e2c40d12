package io.plog.server.targets;

import io.plog.log.DurableLog;
import io.plog.log.LogFailedException;
import io.plog.log.LogLockedException;
import io.plog.server.state.StateMachine;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Looks after a log that others keep, each second and when it fails, on a thread of its own: asks whether another server has taken it
 * over, so that this one refuses requests before it is given any; and when too few machines answered, tries to recover it, and lets
 * requests in again. It does the same when the log was fenced and no other server has it some seconds later: BookKeeper's auto-recovery
 * fences a ledger that has lost a bookie. Its thread ends when there is nothing left to look after: the log is another server's, or
 * should be, or the target failed for good.
 */
final class LogKeeper implements AutoCloseable {
    private static final long PAUSE_NANOS = TimeUnit.SECONDS.toNanos(1);

    /** A server that opens the log enters itself into its list sooner; if it takes longer, it is refused, and nothing is harmed. */
    private static final long FENCED_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final String target;
    private final DurableLog log;
    private final StateMachine machine;
    private final RecordLogListener events;
    private final Succession succession;
    private final Thread thread;
    private long failingSince; // of the thread; 0 while there are enough machines
    private String lastProblem = ""; // of the thread
    private volatile boolean closed;

    /**
     * Starts its thread.
     *
     * @param succession when it stops trying, because another server may reach more of the machines that keep the log
     */
    LogKeeper(String target, DurableLog log, StateMachine machine, RecordLogListener events, Succession succession) {
        this.succession = succession;
        this.target = target;
        this.log = log;
        this.machine = machine;
        this.events = events;
        this.thread = new Thread(this::work, "plog-keeper-" + target);
        thread.setDaemon(true);
        events.wakeOnFailure(() -> LockSupport.unpark(thread)); // one second less without answers
        thread.start();
    }

    private void work() {
        boolean goesOn = true;
        while (goesOn && !closed) {
            LockSupport.parkNanos(this, PAUSE_NANOS);
            goesOn = closed || look();
        }
    }

    /** Looks once; whether it makes sense to look again. */
    private boolean look() {
        try {
            LogFailedException failed = log.failure();
            if (machine.failure() != null) {
                return false;
            }
            if (failed == null) {
                log.checkHeld();
                return !isOthers(log.stalledNanos());
            }
            if (isForGood(failed) || isOthers(failingNanos())) {
                return false;
            }
            if (failed.reason() == LogFailedException.Reason.FENCED && failingNanos() < FENCED_NANOS) {
                log.checkHeld();
                return true;
            }
            recover();
            failingSince = 0;
            return true;
        } catch (LogLockedException e) {
            events.lost(LogSpace.reasonOf(e));
            return false;
        } catch (IOException e) {
            return true; // nobody answers yet
        } catch (InterruptedException e) {
            return false;
        } catch (RuntimeException e) {
            machine.fail(e);
            return false;
        }
    }

    private boolean isForGood(LogFailedException failed) {
        return switch (failed.reason()) {
            case ERROR -> true;
            case NO_QUORUM -> false;
            case FENCED -> succession.waitsAgain() || failed.getCause() instanceof LogLockedException;
        };
    }

    private long failingNanos() {
        long now = System.nanoTime();
        failingSince = failingSince == 0 ? now : failingSince;
        return now - failingSince;
    }

    /** Whether another server should try after so long without an outcome. */
    private boolean isOthers(long nanos) {
        return nanos > succession.after().toNanos() && succession.waitedFor().getAsBoolean();
    }

    /**
     * The order matters. Since the log failed no request is let in; when none is in flight any more, nothing can be appended to the
     * recovered log before the state holds all that is in it.
     */
    private void recover() throws IOException, InterruptedException {
        machine.awaitIdle();
        try {
            log.recoverInPlace();
        } catch (LogLockedException e) {
            throw e;
        } catch (IOException e) {
            tellWhy(LogSpace.reasonOf(e));
            throw e;
        }
        lastProblem = "";
        long replayed = StateRecovery.runTail(target, log, machine);
        events.recovered(replayed);
        machine.logRecovered();
    }

    /** It tries again and again, and tells each reason once. */
    private void tellWhy(String problem) {
        if (!problem.equals(lastProblem)) {
            lastProblem = problem;
            events.notRecovered(problem);
        }
    }

    /** Waits until its thread has ended, by itself or because it was closed. */
    void awaitEnd() throws InterruptedException {
        thread.join();
    }

    /** Ends the thread, after what it is at. */
    @Override
    public void close() {
        closed = true;
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
