package io.plog.host.events;

/**
 * Something that lasted a while. Times are those of {@link System#nanoTime} of the process that recorded it, until a reader
 * moves them to its own.
 *
 * @param kind the label of an {@link EventKind}; a newer recorder may know more of them
 * @param startNanos when it began
 * @param durationNanos how long it lasted, at least 0
 * @param withinNanos it lay somewhere within so long from {@code startNanos}: the duration where both ends are known,
 *     longer where only a stretch is
 * @param detail in a few words; may be empty
 */
public record Event(String kind, long startNanos, long durationNanos, long withinNanos, String detail) {
    /** One whose ends are both known. */
    public static Event of(EventKind kind, long startNanos, long durationNanos, String detail) {
        return new Event(kind.label(), startNanos, durationNanos, durationNanos, detail);
    }

    /** When the stretch that it lay in ended. */
    public long endNanos() {
        return startNanos + withinNanos;
    }

    /** The event by a clock that shows so much more. */
    public Event shifted(long nanos) {
        return new Event(kind, startNanos + nanos, durationNanos, withinNanos, detail);
    }

    /**
     * How long it lasted together with the time from {@code from} to {@code to}: exactly where its ends are known, at most
     * so long where they are not.
     */
    public long overlapNanos(long from, long to) {
        long together = Math.min(to, endNanos()) - Math.max(from, startNanos);
        return Math.max(0, Math.min(durationNanos, together));
    }
}
