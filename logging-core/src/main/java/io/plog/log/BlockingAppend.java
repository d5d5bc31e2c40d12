package io.plog.log;

import io.plog.log.storage.LogException;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * An append whose caller waits for the outcome; there is no callback. A caller that is interrupted may leave early. Then the
 * buffers belong to it again at once:
 *
 * <pre>
 *   WAITING --- a lane lays it out ---> TAKEN --- copied ---> COPIED      the caller leaves from here: outcome unknown
 *      '------- the caller leaves ----> LEFT                              no lane looks at the buffers any more
 * </pre>
 */
final class BlockingAppend extends Append {
    /** How long to wait before looking again whether a record was copied. */
    private static final long COPYING_NANOS = 10_000;

    private static final int WAITING = 0;
    private static final int TAKEN = 1;
    private static final int COPIED = 2;
    private static final int LEFT = 3;

    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(BlockingAppend.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private volatile int state = WAITING;
    private @Nullable LogException failure;

    BlockingAppend() {
        super(true);
    }

    // ---- For the lane that lays it out ----

    /** Why a batch leaves out an append whose caller left. No caller waits for this outcome. */
    static LogException withdrawn() {
        return new LogException("the caller left before the record was laid out");
    }

    /** Whether it may be copied: its caller is still there, and waits from now on until it was. */
    boolean take() {
        return STATE.compareAndSet(this, WAITING, TAKEN);
    }

    /** Its buffers are not looked at any more. */
    void copied() {
        state = COPIED;
    }

    // ---- For its caller ----

    /**
     * Waits for the outcome, or for an interrupt.
     *
     * @throws AppendInterruptedException if the caller was interrupted first; its buffers are its own again
     */
    void await(Waiter itsWaiter) throws AppendInterruptedException {
        if (!itsWaiter.awaitOrInterrupt()) {
            AppendInterruptedException left = leave();
            Thread.currentThread().interrupt(); // it was consumed, or this thread could not wait until then
            throw left;
        }
    }

    private AppendInterruptedException leave() {
        if (STATE.compareAndSet(this, WAITING, LEFT)) {
            return new AppendInterruptedException(
                    "interrupted while waiting for an append; the record was not written and will not be", false);
        }
        // A lane is at it, or was: that takes as long as copying a record.
        while (state == TAKEN) {
            LockSupport.parkNanos(this, COPYING_NANOS);
        }
        return new AppendInterruptedException(
                "interrupted while waiting for an append; the record may be in the log", true);
    }

    /** The record's index; valid once the waiter is done. */
    long outcome() throws LogException {
        LogException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return index();
    }

    @Override
    protected void onDurable() {
        // the waiter is notified
    }

    @Override
    protected void onFailed(LogException cause) {
        failure = cause;
    }
}
