package io.plog.measure.load;

import io.plog.measure.Periodic;
import io.plog.measure.ProgressListener;
import io.plog.measure.plan.Load;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Tells a listener how far a load is, from a thread of its own. */
final class LoadReports implements AutoCloseable {
    private static final long PERIOD_MILLIS = 500;

    private final Load plan;
    private final LoadEngine engine;
    private final ProgressListener listener;
    private final @Nullable Periodic timer;
    private volatile @Nullable Long startNanos;
    private long before;
    private long beforeNanos = System.nanoTime();

    LoadReports(Load plan, LoadEngine engine, ProgressListener listener) {
        this.plan = plan;
        this.engine = engine;
        this.listener = listener;
        timer = listener == ProgressListener.NONE
                ? null
                : new Periodic("plog-load-progress", PERIOD_MILLIS, this::report);
    }

    void startedAt(long nanos) {
        startNanos = nanos;
    }

    private void report() {
        long now = System.nanoTime();
        Long start = startNanos;
        long answered = engine.answered();
        double perSecond = (answered - before) * 1e9 / Math.max(1, now - beforeNanos);
        before = answered;
        beforeNanos = now;
        long planned = LoadRun.planned(plan).toSeconds();
        if (start == null) {
            listener.progress(new ProgressListener.Progress(0, planned, plan.target() + ": connecting"));
            return;
        }
        long elapsed = TimeUnit.NANOSECONDS.toSeconds(Math.max(0, now - start));
        String line = String.format(
                Locale.ROOT,
                "%s: %d s%s, %,d replies, %,.0f/s, %,d without reply",
                plan.target(),
                elapsed,
                planned == 0 ? "" : " of " + planned + " s",
                answered,
                perSecond,
                engine.outstanding());
        listener.progress(new ProgressListener.Progress(elapsed, planned, line));
    }

    @Override
    public void close() {
        if (timer != null) {
            timer.close();
        }
    }
}
