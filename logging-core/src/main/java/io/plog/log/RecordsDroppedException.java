package io.plog.log;

/**
 * A reader came to records that were dropped from the beginning of the log while it read ({@link MessageLog#truncateBefore}, by
 * whoever has the log open). Nothing is damaged: read on from {@link #firstIndex}.
 */
public final class RecordsDroppedException extends LogException {
    private static final long serialVersionUID = 1L;

    private final long wanted;
    private final long firstIndex;

    RecordsDroppedException(long wanted, long firstIndex, Throwable cause) {
        super(
                "records " + wanted + " to " + (firstIndex - 1)
                        + " are no longer there: the log was dropped up to index " + (firstIndex - 1)
                        + " while it was read; read from " + firstIndex + " on",
                cause);
        this.wanted = wanted;
        this.firstIndex = firstIndex;
    }

    /** The index of the record that was to be read next. */
    public long wantedIndex() {
        return wanted;
    }

    /** The index of the first record that is still there, or that is the next to come. */
    public long firstIndex() {
        return firstIndex;
    }
}
