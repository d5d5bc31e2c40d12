package io.plog.log;

/** Is told what happens to the segments of an open log; {@link LogListener} says when. */
interface SegmentListener {
    default void segmentChanged(long segment, long changeNanos) {}

    default void segmentPrepared(long segment, long prepareNanos) {}

    default void segmentNotPrepared(Throwable cause) {}

    default void coveredRecordsChecked(long lastIndex, long bytes, long nanos) {}
}
