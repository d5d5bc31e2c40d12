package io.plog.server.net;

import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A time limit for a peer. Time in which this process did not run (it was stopped, its machine had no processor for it) is not the
 * peer's: a limit that is noticed more than half of itself too late begins anew. One limit at a time. Event loop only.
 */
public final class FairTimer {
    private final LongSupplier nanoClock;
    private @Nullable Future<?> timer;

    public FairTimer(LongSupplier nanoClock) {
        this.nanoClock = nanoClock;
    }

    /** Runs this once after the limit, instead of what was to be run before. */
    public void start(EventExecutor loop, Duration limit, Runnable late) {
        stop();
        long begun = nanoClock.getAsLong();
        timer = loop.schedule(
                () -> {
                    if (nanoClock.getAsLong() - begun > limit.toNanos() * 3 / 2) {
                        start(loop, limit, late);
                    } else {
                        late.run();
                    }
                },
                limit.toNanos(),
                TimeUnit.NANOSECONDS);
    }

    public void stop() {
        if (timer != null) {
            timer.cancel(false);
        }
    }
}
