package io.plog.protocol;

import java.nio.ByteBuffer;

/**
 * The record that a server appends for each request: bytes 64 to the end of the REQUEST frame, unchanged.
 *
 * <pre>
 *  0           1             8             16                24
 * +-----------+-------------+-------------+----------------+---------
 * | kind      | zero        | client id   | request number | payload
 * | u8: 1     | 7 bytes     | u64         | u64            |
 * +-----------+-------------+-------------+----------------+---------
 * </pre>
 *
 * The accessors take a record as a log gives it back: big-endian, from the buffer's position to its limit.
 */
public final class RequestRecord {
    /** The kind of record that this version writes. */
    public static final int KIND = 1;

    /** Bytes before the payload. */
    public static final int ENVELOPE_BYTES = 24;

    static final int CLIENT = 8;
    static final int REQUEST = 16;

    private RequestRecord() {}

    /** Whether this is a whole envelope of the kind that this version writes. */
    public static boolean isRequest(ByteBuffer record) {
        return record.remaining() >= ENVELOPE_BYTES && record.get(record.position()) == KIND;
    }

    /** The client's id, a u64. */
    public static long client(ByteBuffer record) {
        return bigEndianLong(record, record.position() + CLIENT);
    }

    /** The client's number for the request, a u64. */
    public static long request(ByteBuffer record) {
        return bigEndianLong(record, record.position() + REQUEST);
    }

    public static ByteBuffer payload(ByteBuffer record) {
        return record.slice(record.position() + ENVELOPE_BYTES, record.remaining() - ENVELOPE_BYTES);
    }

    private static long bigEndianLong(ByteBuffer record, int at) {
        long value = record.getLong(at);
        return record.order() == java.nio.ByteOrder.BIG_ENDIAN ? value : Long.reverseBytes(value);
    }
}
