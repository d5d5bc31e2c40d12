package io.plog.host.events;

/**
 * All events of one kind since the recording began, those included that were too short to be kept.
 *
 * @param kind the label of an {@link EventKind}
 * @param count how many
 * @param totalNanos the sum of their durations
 */
public record KindTotal(String kind, long count, long totalNanos) {
    public KindTotal plus(KindTotal other) {
        return new KindTotal(kind, count + other.count, totalNanos + other.totalNanos);
    }
}
