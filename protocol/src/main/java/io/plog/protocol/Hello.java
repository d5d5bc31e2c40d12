package io.plog.protocol;

import io.netty.buffer.ByteBuf;

/**
 * A client's first frame. In every version of the protocol its length, type, flags, version and magic are as here.
 *
 * <pre>
 *  0        4      5       6         8            12         16
 * +--------+------+-------+---------+------------+----------+
 * | length | type | flags | version |   magic    | reserved |
 * |   12   |  1   |   0   | u16: 1  | "PLOG" u32 |  u32: 0  |
 * +--------+------+-------+---------+------------+----------+
 * </pre>
 */
public final class Hello {
    /** How long the frame is, its length field included. */
    public static final int BYTES = 16;

    private static final int MAGIC = 0x504C4F47;

    private Hello() {}

    /** Writes the frame at the buffer's writer index. */
    public static void encode(ByteBuf out) {
        int start = Frame.begin(out, FrameType.HELLO);
        out.writeShort(Frame.VERSION).writeInt(MAGIC).writeInt(0);
        Frame.end(out, start, FrameType.HELLO);
    }

    /**
     * Checks a whole frame and moves the reader index to its end.
     *
     * @throws ProtocolException if it is not a HELLO as drawn above; with {@link GoodbyeCode#VERSION} if it is one of another
     *     version, whatever else that version means by it
     */
    public static void check(ByteBuf frame) throws ProtocolException {
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
        if (version != Frame.VERSION) {
            throw new ProtocolException(
                    GoodbyeCode.VERSION,
                    "the client speaks protocol version " + version + ", this server speaks " + Frame.VERSION);
        }
        if (reserved != 0) {
            throw ProtocolException.malformed("a HELLO whose reserved bytes are not zero");
        }
    }
}
