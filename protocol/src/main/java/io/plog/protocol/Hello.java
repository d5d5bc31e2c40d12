package io.plog.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * A client's first frame. In every version of the protocol its length, type, flags, version and magic are as here.
 *
 * <pre>
 *  0        4      5       6         8            12         16
 * +--------+------+-------+---------+------------+----------+-------+
 * | length | type | flags | version |   magic    | bytes of | token |
 * |  u32   |  1   |   0   | u16: 1  | "PLOG" u32 | it, u32  |       |
 * +--------+------+-------+---------+------------+----------+-------+
 * </pre>
 */
public final class Hello {
    /** How long the frame is without a token, its length field included. */
    public static final int BYTES = 16;

    private static final int MAGIC = 0x504C4F47;

    private Hello() {}

    public static final int MAX_TOKEN_BYTES = 512;

    /**
     * Writes the frame at the buffer's writer index.
     *
     * @param token by which the server knows what the client may do: ASCII, at most {@link #MAX_TOKEN_BYTES}; "" for none
     */
    public static void encode(ByteBuf out, String token) {
        int start = Frame.begin(out, FrameType.HELLO);
        byte[] bytes = token.getBytes(StandardCharsets.ISO_8859_1);
        out.writeShort(Frame.VERSION).writeInt(MAGIC).writeInt(bytes.length).writeBytes(bytes);
        Frame.end(out, start, FrameType.HELLO);
    }

    /**
     * Reads a whole frame and moves the reader index to its end.
     *
     * @return the token, "" if there is none
     * @throws ProtocolException if it is not a HELLO as drawn above; with {@link GoodbyeCode#VERSION} if it is one of another
     *     version, whatever else that version means by it
     */
    public static String read(ByteBuf frame) throws ProtocolException {
        Frame.expect(frame, FrameType.HELLO);
        int version = frame.readUnsignedShort();
        int magic = frame.readInt();
        if (magic != MAGIC) {
            throw ProtocolException.malformed(
                    String.format("a HELLO with the magic %08x: expected %08x", magic, MAGIC));
        }
        if (version != Frame.VERSION) {
            throw new ProtocolException(
                    GoodbyeCode.VERSION,
                    "the client speaks protocol version " + version + ", this server speaks " + Frame.VERSION);
        }
        if (frame.readableBytes() < Integer.BYTES) {
            throw ProtocolException.malformed(
                    "a HELLO that ends " + frame.readableBytes() + " bytes behind its magic: expected at least 4");
        }
        long bytes = frame.readUnsignedInt();
        if (bytes != frame.readableBytes()) {
            throw ProtocolException.malformed("a HELLO with a token of " + bytes + " bytes: expected "
                    + frame.readableBytes() + ", as there are");
        }
        String token =
                frame.readCharSequence((int) bytes, StandardCharsets.ISO_8859_1).toString();
        if (token.chars().anyMatch(c -> c > 0x7F)) {
            throw ProtocolException.malformed("a HELLO with a token of other characters than ASCII: expected ASCII");
        }
        return token;
    }
}
