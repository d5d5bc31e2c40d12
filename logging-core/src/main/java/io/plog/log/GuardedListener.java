package io.plog.log;

import io.plog.log.segment.SegmentListener;

/**
 * Keeps the log safe from its listener: what the listener throws goes to the thread's handler and no further, and how long it
 * takes is noted. One for each part of the log that calls a method from one thread at a time.
 */
final class GuardedListener implements LogListener, SegmentListener {
    private final LogListener listener;
    private final LogThreads threads;
    private final CallbackMonitor.Site batchForced;
    private final CallbackMonitor.Site segmentChanged;
    private final CallbackMonitor.Site segmentPrepared;
    private final CallbackMonitor.Site checked;
    private final CallbackMonitor.Site failed;

    GuardedListener(LogListener listener, LogThreads threads, CallbackMonitor callbacks) {
        this.listener = listener;
        this.threads = threads;
        batchForced = callbacks.newSite();
        segmentChanged = callbacks.newSite();
        segmentPrepared = callbacks.newSite();
        checked = callbacks.newSite();
        failed = callbacks.newSite();
    }

    /** Without {@link #guard}: nothing is allocated for a batch. */
    @Override
    public void batchForced(int records, long bytes, long writeNanos, long forceNanos) {
        begin(batchForced);
        try {
            listener.batchForced(records, bytes, writeNanos, forceNanos);
        } catch (Throwable t) {
            report(t);
        } finally {
            end(batchForced);
        }
    }

    @Override
    public void segmentChanged(long segment, long changeNanos) {
        guard(segmentChanged, () -> listener.segmentChanged(segment, changeNanos));
    }

    @Override
    public void segmentPrepared(long segment, long prepareNanos) {
        guard(segmentPrepared, () -> listener.segmentPrepared(segment, prepareNanos));
    }

    @Override
    public void segmentNotPrepared(Throwable cause) {
        guard(segmentPrepared, () -> listener.segmentNotPrepared(cause));
    }

    @Override
    public void coveredRecordsChecked(long lastIndex, long bytes, long nanos) {
        guard(checked, () -> listener.coveredRecordsChecked(lastIndex, bytes, nanos));
    }

    /** Without {@link #guard}: there may be no memory left to allocate anything. */
    @Override
    public void failed(Throwable cause) {
        begin(failed);
        try {
            listener.failed(cause);
        } catch (Throwable t) {
            report(t);
        } finally {
            end(failed);
        }
    }

    /** On the housekeeper's thread, which nothing of the log waits for. */
    @Override
    public void callbackStalled(long nanos, Thread thread) {
        threads.enter();
        try {
            listener.callbackStalled(nanos, thread);
        } catch (Throwable t) {
            report(t);
        } finally {
            threads.leave();
        }
    }

    private void guard(CallbackMonitor.Site site, Runnable call) {
        begin(site);
        try {
            call.run();
        } catch (Throwable t) {
            report(t);
        } finally {
            end(site);
        }
    }

    private void begin(CallbackMonitor.Site site) {
        threads.enter();
        site.begin();
    }

    private void end(CallbackMonitor.Site site) {
        site.end();
        threads.leave();
    }

    /** Hands what a callback threw to the current thread's handler, so that it neither stops the log nor vanishes. */
    static void report(Throwable t) {
        Thread thread = Thread.currentThread();
        try {
            thread.getUncaughtExceptionHandler().uncaughtException(thread, t);
        } catch (Throwable ofTheHandler) {
            // The virtual machine ignores what a handler throws, too.
        }
    }
}
