package io.plog.log;

import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link DurableLog} outside of this package is made with besides its {@link CallerSide}: its exceptions, and the form of
 * its records.
 */
public final class DurableLogSupport {
    /** The bytes before a record's payload. */
    public static final int RECORD_HEADER_BYTES = RecordHeader.BYTES;

    private DurableLogSupport() {}

    /** Refuses an append that no log has seen, on the calling thread. What the callback throws is thrown here. */
    public static void refuse(Append append, LogException cause) {
        append.failedElsewhere(cause);
    }

    // ---- Exceptions ----

    /** Something about the log went wrong, and it was not opened, or is not affected. */
    public static LogException exception(String message, @Nullable Throwable cause) {
        return new LogException(message, cause);
    }

    /**
     * The log is failed for good.
     *
     * @param indeterminate whether the append that gets it may be in the log
     */
    public static LogFailedException failed(
            String message, @Nullable Throwable cause, boolean indeterminate, LogFailedException.Reason reason) {
        return new LogFailedException(message, cause, indeterminate, reason);
    }

    /** The log is closed; the append is not in it. */
    public static LogRefusedException closed(String message) {
        return new LogRefusedException.Closed(message);
    }

    /** There is no room for another append; it is not in the log. */
    public static LogRefusedException queueFull(String message) {
        return new LogRefusedException.QueueFull(message);
    }

    /**
     * Something that was acknowledged is damaged or missing.
     *
     * @param file what is damaged
     * @param offset where in it
     */
    public static LogDamagedException damaged(String file, long offset, String expected, String found, String advice) {
        return new LogDamagedException(file, offset, expected, found, advice);
    }

    /**
     * A reader came to records that were dropped.
     *
     * @param wanted the index of the record that was to be read next
     * @param first the index of the first record that is still there
     */
    public static LogReader.RecordsDroppedException dropped(long wanted, long first, @Nullable Throwable cause) {
        return new LogReader.RecordsDroppedException(wanted, first, cause);
    }

    // ---- Records ----

    /**
     * The form of a record: the header of {@code docs/log-format.md} before the payload, without padding. An object is a cursor
     * that is used again and again. Not thread-safe.
     */
    public static final class RecordCodec {
        private final RecordHeader header = new RecordHeader();

        /**
         * Puts a record's header at the buffer's position.
         *
         * @param epoch what its check covers besides: it differs for each use of the same place
         * @param index from 1
         * @param watermark up to which index all records are durable; less than {@code index}
         * @param length of the payload, in bytes
         * @param payloadCrc the CRC-32C of the payload
         */
        public void encode(ByteBuffer target, long epoch, long index, long watermark, int length, int payloadCrc) {
            header.type = RecordHeader.DATA;
            header.padding = 0;
            header.length = length;
            header.payloadCrc = payloadCrc;
            header.index = index;
            header.watermark = watermark;
            header.encode(target, epoch);
        }

        /**
         * Checks the record between the buffer's position and limit, header and payload.
         *
         * @return what is wrong with it, a part of a sentence; null if it is the record with this index
         */
        public @Nullable String problem(ByteBuffer record, long epoch, long index) {
            if (record.remaining() < RecordHeader.BYTES) {
                return record.remaining() + " bytes";
            }
            int at = record.position();
            if (!header.decode(record, at, epoch)
                    || !header.isData()
                    || header.index != index
                    || header.totalBytes() != record.remaining()) {
                return "the header of " + header + ", in " + record.remaining() + " bytes";
            }
            int crc = Payload.crcOf(record.slice(at + RecordHeader.BYTES, header.length));
            return crc == header.payloadCrc ? null : "a payload with check " + Integer.toHexString(crc);
        }
    }
}
