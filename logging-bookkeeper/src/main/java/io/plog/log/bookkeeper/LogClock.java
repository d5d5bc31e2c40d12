package io.plog.log.bookkeeper;

import java.util.concurrent.TimeUnit;

/** The time, as this machine knows it. A simulation has another. */
interface LogClock {
    LogClock SYSTEM = new LogClock() {
        @Override
        public long nanos() {
            return System.nanoTime();
        }

        @Override
        public long wallSeconds() {
            return TimeUnit.MILLISECONDS.toSeconds(System.currentTimeMillis());
        }
    };

    /** Nanoseconds from any point; stands still while the machine sleeps. */
    long nanos();

    /** Seconds since 1970; may be wrong, and may jump. */
    long wallSeconds();
}
