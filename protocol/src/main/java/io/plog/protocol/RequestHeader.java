package io.plog.protocol;

import io.netty.buffer.ByteBuf;

/**
 * The header of a REQUEST, read and written in place.
 *
 * <pre>
 *  0  u32  length = 84 + payload bytes
 *  4  u8   type = 3
 *  5  u8   flags
 *  6  u16  target id
 *  8       56 bytes, zero (room for the reply's header)
 * 64       the record: its envelope of 24 bytes ({@link RequestRecord}) and
 * 88       the payload
 * </pre>
 *
 * A frame begins at its buffer's reader index. Nothing here allocates or moves an index, but for {@link #write}.
 */
public final class RequestHeader {
    /** Bytes before the payload, in a request and in its reply. */
    public static final int BYTES = 88;

    /** Where the record begins that is appended to the log. */
    public static final int RECORD = 64;

    /** Flag: the request changes nothing, and is to be executed without being logged. */
    public static final int FLAG_READ_ONLY = 1;

    private static final int TARGET = 6;
    private static final int RESERVED = 8;
    private static final int CLIENT = RECORD + RequestRecord.CLIENT;
    private static final int REQUEST = RECORD + RequestRecord.REQUEST;

    private RequestHeader() {}

    /**
     * Writes a header at the buffer's writer index and moves it; the payload is to follow.
     *
     * @param target the target's id, 0 to 65,535
     * @param client the client's id, a u64
     * @param request the client's number for the request, a u64
     * @param payloadBytes how long the payload will be, 0 to {@link Frame#MAX_PAYLOAD_BYTES}
     */
    public static void write(ByteBuf out, int target, long client, long request, int payloadBytes) {
        out.writeInt(BYTES - Frame.LENGTH_BYTES + payloadBytes);
        out.writeByte(FrameType.REQUEST.code()).writeByte(0).writeShort(target);
        out.writeZero(RECORD - RESERVED);
        out.writeByte(RequestRecord.KIND).writeZero(7);
        out.writeLong(client).writeLong(request);
    }

    /** Flags a request that was written as read-only, or takes the flag away. */
    public static void setReadOnly(ByteBuf frame, boolean readOnly) {
        frame.setByte(frame.readerIndex() + Frame.FLAGS, readOnly ? FLAG_READ_ONLY : 0);
    }

    public static boolean isReadOnly(ByteBuf frame) {
        return (Frame.flags(frame) & FLAG_READ_ONLY) != 0;
    }

    /** Whether a flag is set that this version does not know. */
    public static boolean hasUnknownFlags(ByteBuf frame) {
        return (Frame.flags(frame) & ~FLAG_READ_ONLY) != 0;
    }

    /** Sets the length to that of the frame as it is now, for one whose payload turned out shorter than it was announced. */
    public static void updateLength(ByteBuf frame) {
        frame.setInt(frame.readerIndex(), frame.readableBytes() - Frame.LENGTH_BYTES);
    }

    /** Checks what {@link FrameDecoder} did not: the bytes that must be zero. */
    public static void checkReserved(ByteBuf frame) throws ProtocolException {
        int start = frame.readerIndex();
        long bits = 0;
        for (int at = RESERVED; at < RECORD; at += Long.BYTES) {
            bits |= frame.getLong(start + at);
        }
        bits |= frame.getLong(start + RECORD) & 0x00FF_FFFF_FFFF_FFFFL;
        if (bits != 0) {
            throw ProtocolException.malformed("a REQUEST whose reserved bytes (8 to 63, 65 to 71) are not zero");
        }
    }

    public static int target(ByteBuf frame) {
        return frame.getUnsignedShort(frame.readerIndex() + TARGET);
    }

    /** The kind of the record; {@link RequestRecord#KIND} in this version. */
    public static int recordKind(ByteBuf frame) {
        return frame.getUnsignedByte(frame.readerIndex() + RECORD);
    }

    public static long client(ByteBuf frame) {
        return frame.getLong(frame.readerIndex() + CLIENT);
    }

    public static long request(ByteBuf frame) {
        return frame.getLong(frame.readerIndex() + REQUEST);
    }

    public static int payloadBytes(ByteBuf frame) {
        return frame.readableBytes() - BYTES;
    }
}
