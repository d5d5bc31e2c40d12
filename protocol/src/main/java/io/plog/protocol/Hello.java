package io.plog.protocol;

import io.netty.buffer.ByteBuf;

/**
 * A client's first frame.
 *
 * <pre>
 *  0        4      5       6         8            12         16
 * +--------+------+-------+---------+------------+----------+
 * | length | type | flags | version |   magic    | reserved |
 * |   12   |  1   |   0   | u16: 1  | "PLOG" u32 |  u32: 0  |
 * +--------+------+-------+---------+------------+----------+
 * </pre>
 *
 * @param version the version that the client speaks, 0 to 65,535
 */
public record Hello(int version) {
    /** How long the frame is, its length field included. */
    public static final int BYTES = 16;

    private static final int MAGIC = 0x504C4F47;

    /**
     * Checks the range.
     *
     * @throws IllegalArgumentException if the version is not a u16
     */
    public Hello {
        if (version < 0 || version > 0xFFFF) {
            throw new IllegalArgumentException("version is " + version + ": expected 0 to 65535");
        }
    }

    /** Writes the frame at the buffer's writer index. */
    public void encode(ByteBuf out) {
        int start = Frame.begin(out, FrameType.HELLO);
        out.writeShort(version).writeInt(MAGIC).writeInt(0);
        Frame.end(out, start, FrameType.HELLO);
    }

    /**
     * Reads a whole frame and moves the reader index to its end. The version may be one that we do not speak.
     *
     * @throws ProtocolException if it is not a HELLO as drawn above
     */
    public static Hello decode(ByteBuf frame) throws ProtocolException {
        Frame.expect(frame, FrameType.HELLO);
        if (frame.readableBytes() != BYTES - Frame.HEADER_BYTES) {
            throw ProtocolException.malformed("a HELLO of length " + (frame.readableBytes() + 2) + ": expected 12");
        }
        int version = frame.readUnsignedShort();
        int magic = frame.readInt();
        int reserved = frame.readInt();
        if (magic != MAGIC) {
            throw ProtocolException.malformed(
                    String.format("a HELLO with the magic %08x: expected %08x", magic, MAGIC));
        }
        if (reserved != 0) {
            throw ProtocolException.malformed("a HELLO whose reserved bytes are not zero");
        }
        return new Hello(version);
    }
}
