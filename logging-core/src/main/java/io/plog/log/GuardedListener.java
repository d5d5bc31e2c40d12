package io.plog.log;

/** Keeps the log safe from its listener: what the listener throws goes to the thread's handler and no further. */
final class GuardedListener implements LogListener {
    private final LogListener listener;

    GuardedListener(LogListener listener) {
        this.listener = listener;
    }

    @Override
    public void batchForced(int records, long bytes, long writeNanos, long forceNanos) {
        try {
            listener.batchForced(records, bytes, writeNanos, forceNanos);
        } catch (Throwable t) {
            report(t);
        }
    }

    @Override
    public void segmentChanged(long segment, long changeNanos) {
        try {
            listener.segmentChanged(segment, changeNanos);
        } catch (Throwable t) {
            report(t);
        }
    }

    @Override
    public void segmentPrepared(long segment, long prepareNanos) {
        try {
            listener.segmentPrepared(segment, prepareNanos);
        } catch (Throwable t) {
            report(t);
        }
    }

    @Override
    public void segmentNotPrepared(Throwable cause) {
        try {
            listener.segmentNotPrepared(cause);
        } catch (Throwable t) {
            report(t);
        }
    }

    @Override
    public void failed(Throwable cause) {
        try {
            listener.failed(cause);
        } catch (Throwable t) {
            report(t);
        }
    }

    /** Hands what a callback threw to the current thread's handler, so that it neither stops the log nor vanishes. */
    static void report(Throwable t) {
        Thread thread = Thread.currentThread();
        thread.getUncaughtExceptionHandler().uncaughtException(thread, t);
    }
}
