package io.plog.log.segment;

/** Receives what happens to the segments of an open log; {@code LogListener} says when. */
public interface SegmentListener {
    default void segmentChanged(long segment, long changeNanos) {}

    default void segmentPrepared(long segment, long prepareNanos) {}

    default void segmentNotPrepared(Throwable cause) {}

    default void coveredRecordsChecked(long lastIndex, long bytes, long nanos) {}
}
