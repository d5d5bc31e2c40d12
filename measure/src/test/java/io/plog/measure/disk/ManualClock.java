package io.plog.measure.disk;

import java.util.function.LongSupplier;

/** A clock that moves when it is asked, and by a fixed step each time that it is read. */
final class ManualClock implements LongSupplier {
    long now;
    private final long step;

    ManualClock(long step) {
        this.step = step;
    }

    @Override
    public long getAsLong() {
        now += step;
        return now;
    }
}
