package io.plog.measure.load;

/** When a load begins whose connections are there. */
public interface StartSignal {
    /** The value of {@link #startNanos} until the start is known. */
    long NOT_YET = Long.MIN_VALUE;

    /** At once. */
    StartSignal NOW = () -> System.nanoTime() + 5_000_000;

    /**
     * Asked every few milliseconds, from the driving thread, once all connections are there; must return at once.
     *
     * @return when to begin, as {@link System#nanoTime}; or {@link #NOT_YET}
     */
    long startNanos();
}
