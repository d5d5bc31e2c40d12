package io.plog.log;

import org.jspecify.annotations.Nullable;

/** The appends that share one write and one force, in log order. Reused for every batch; owned by the log's thread. */
final class Batch {
    /** No batch has more records, whatever their size. */
    static final int MOST_RECORDS = 4096;

    private final @Nullable Append[] appends = new Append[MOST_RECORDS];
    private final int mostPayloadBytes;
    private int count;
    private long payloadBytes;
    private long encodedBytes;

    Batch(int mostPayloadBytes) {
        this.mostPayloadBytes = mostPayloadBytes;
    }

    void clear() {
        for (int i = 0; i < count; i++) {
            appends[i] = null;
        }
        count = 0;
        payloadBytes = 0;
        encodedBytes = 0;
    }

    /** What a record with this payload takes in the file, padding to the next record included. */
    static long encodedBytes(int payloadBytes) {
        return RecordHeader.align((long) RecordHeader.BYTES + payloadBytes, RecordHeader.ALIGNMENT);
    }

    /**
     * Takes an append in, if it fits.
     *
     * @param room bytes left for records in the segment
     */
    boolean add(Append append, long room) {
        long encoded = encodedBytes(append.payloadBytes);
        if (count == MOST_RECORDS
                || encodedBytes + encoded > room
                || (count > 0 && payloadBytes + append.payloadBytes > mostPayloadBytes)) {
            return false;
        }
        appends[count++] = append;
        payloadBytes += append.payloadBytes;
        encodedBytes += encoded;
        return true;
    }

    int count() {
        return count;
    }

    long payloadBytes() {
        return payloadBytes;
    }

    Append get(int i) {
        Append append = appends[i];
        if (append == null || i >= count) {
            throw new IndexOutOfBoundsException(i);
        }
        return append;
    }
}
