package io.plog.log;

import io.plog.log.file.Payload;
import io.plog.log.file.RecordHeader;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * The form of a record, for a {@link DurableLog} outside of this package: the header of {@code docs/log-format.md} before the payload,
 * without padding. An object is a cursor that is used again and again. Not thread-safe.
 */
public final class RecordCodec {
    /** The bytes before a record's payload. */
    public static final int HEADER_BYTES = RecordHeader.BYTES;

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
