package io.plog.log;

import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.spi.AbstractInterruptibleChannel;

/**
 * Keeps a caller's interrupts apart while its thread does the log's work, and so runs callbacks of others: these do not see a flag
 * that was there before, and leave none.
 *
 * <p>An interrupt that another thread sends meanwhile is the caller's, and one that a callback sets on its own thread is dropped.
 * The flag alone does not show which it was. The virtual machine notifies an interruptible channel of the former only, so this is
 * one. (A callback that blocks in a channel of its own takes that place for the rest of the work; an interrupt that comes later
 * and in a callback is lost then.)
 */
final class CallersInterrupts extends AbstractInterruptibleChannel {
    private boolean wasInterrupted;
    private volatile boolean sent;

    /**
     * Begins, on the calling thread; to be followed by {@link #restore}.
     *
     * @return the object to be used instead of this one: this one, or a new one if an interrupt used it up
     */
    CallersInterrupts keepApart() {
        CallersInterrupts kept = sent ? new CallersInterrupts() : this;
        kept.wasInterrupted = Thread.interrupted();
        kept.begin();
        return kept;
    }

    /** Ends: the caller has the interrupts that are its own. */
    void restore() {
        try {
            end(true);
        } catch (AsynchronousCloseException e) {
            sent = true;
        }
        if (wasInterrupted || sent) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    protected void implCloseChannel() {
        sent = true;
    }
}
