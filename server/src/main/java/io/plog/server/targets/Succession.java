package io.plog.server.targets;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/**
 * When a server that has a log leaves it to another one.
 *
 * @param after how long appends may have had no outcome, or too few machines may have answered
 * @param waitedFor whether another server waits for the log; without one it makes no sense to give it up
 */
public record Succession(Duration after, BooleanSupplier waitedFor) {
    /** The log has one server. */
    public static final Succession NONE = new Succession(Duration.ZERO, () -> false);

    /** Whether this server waits for the log again when it has lost it. */
    public boolean waitsAgain() {
        return !after.isZero();
    }
}
