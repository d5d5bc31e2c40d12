package io.plog.measure.load;

import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/** Tells a listener how far a load is, from a thread of its own. */
final class LoadReports implements AutoCloseable {
    private static final long PERIOD_MILLIS = 500;

    private final LoadPlan plan;
    private final LoadEngine engine;
    private final LoadListener listener;
    private final ScheduledExecutorService timer;
    private volatile long startNanos = StartSignal.NOT_YET;
    private long before;
    private long beforeNanos = System.nanoTime();

    LoadReports(LoadPlan plan, LoadEngine engine, LoadListener listener) {
        this.plan = plan;
        this.engine = engine;
        this.listener = listener;
        timer = Executors.newSingleThreadScheduledExecutor(task -> {
            Thread thread = new Thread(task, "plog-load-progress");
            thread.setDaemon(true);
            return thread;
        });
        if (listener != LoadListener.NONE) {
            var unused = timer.scheduleAtFixedRate(this::report, PERIOD_MILLIS, PERIOD_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    void startedAt(long nanos) {
        startNanos = nanos;
    }

    private void report() {
        long now = System.nanoTime();
        long start = startNanos;
        long answered = engine.answered();
        double perSecond = (answered - before) * 1e9 / Math.max(1, now - beforeNanos);
        before = answered;
        beforeNanos = now;
        listener.progress(new LoadListener.Progress(
                plan.target(),
                start == StartSignal.NOT_YET ? Duration.ZERO : Duration.ofNanos(Math.max(0, now - start)),
                LoadRun.planned(plan),
                answered,
                perSecond,
                engine.outstanding()));
    }

    @Override
    public void close() {
        timer.shutdownNow();
    }
}
