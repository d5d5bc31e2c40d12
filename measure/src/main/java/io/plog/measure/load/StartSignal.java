package io.plog.measure.load;

import io.plog.measure.PlanException;
import java.time.Duration;
import java.time.Instant;

/** When a load begins whose connections are there. */
public interface StartSignal {
    /** The value of {@link #startNanos} until the start is known. */
    long NOT_YET = Long.MIN_VALUE;

    /** At once. */
    StartSignal NOW = () -> System.nanoTime() + 5_000_000;

    /** At a time by this machine's clock, which is looked at until shortly before. */
    static StartSignal at(Instant time) {
        return () -> {
            long now = System.nanoTime();
            long left = Duration.between(Instant.now(), time).toNanos();
            if (left < 0) {
                throw new PlanException("the load was to begin at " + time + ", and its connections were made "
                        + -left / 1_000_000 + " ms later: choose a later time for all of them");
            }
            return left > 50_000_000 ? NOT_YET : now + left;
        };
    }

    /**
     * Asked every few milliseconds, from the driving thread, once all connections are there; must return at once.
     *
     * @return when to begin, as {@link System#nanoTime}; or {@link #NOT_YET}
     * @throws PlanException if it is too late
     */
    long startNanos() throws PlanException;
}
