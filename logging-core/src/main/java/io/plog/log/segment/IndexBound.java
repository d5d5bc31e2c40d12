package io.plog.log.segment;

import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;

/**
 * How high the index of a record can be behind the place where the valid records of a segment end. Each record takes at least the
 * bytes of its header. So bytes that are right by chance, or made to be, are no evidence of more records than fit. A block of
 * records more may be hidden: a disk that writes a block of marks into the place of the next one makes valid what ends behind it.
 *
 * @param least the index with which the log begins
 * @param elsewhere how many records the other directories of a striped log can hold
 */
record IndexBound(long least, long elsewhere) {
    /** For a log of one directory. */
    static final IndexBound ONE_DIRECTORY = new IndexBound(0, 0);

    /** Lets every index pass. */
    static final IndexBound NONE = new IndexBound(Long.MAX_VALUE / 2, Long.MAX_VALUE / 2);

    /**
     * The highest index of a header.
     *
     * @param expected the index that the first record of the bytes in front of it has, at least
     * @param bytesBefore how many bytes these are
     */
    long highest(long expected, long bytesBefore) {
        long first = Math.max(expected, least);
        long records = (bytesBefore + SegmentHeader.BLOCK_BYTES) / RecordHeader.BYTES;
        return records > Long.MAX_VALUE - elsewhere - first ? Long.MAX_VALUE : first + records + elsewhere;
    }
}
