package io.plog.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;

/**
 * The server's last frame before it closes the connection.
 *
 * <pre>
 *  0        4      5       6      8
 * +--------+------+-------+------+-----------------+
 * | length | type | flags | code | reason (string) |
 * |  u32   |  5   |   0   | u16  |                 |
 * +--------+------+-------+------+-----------------+
 * </pre>
 *
 * @param code why, as {@link GoodbyeCode} numbers it; a later version may send one that we do not know
 * @param reason a sentence for people; cut when encoded if it is longer than the frame takes
 */
public record Goodbye(int code, String reason) {
    private static final int MAX_REASON_BYTES = 1_024 - 6;

    public Goodbye(GoodbyeCode code, String reason) {
        this(code.code(), reason);
    }

    /** Writes the frame at the buffer's writer index. */
    public void encode(ByteBuf out) {
        int start = Frame.begin(out, FrameType.GOODBYE);
        out.writeShort(code);
        byte[] utf8 = reason.getBytes(StandardCharsets.UTF_8);
        int bytes = Utf8.cut(utf8, MAX_REASON_BYTES);
        out.writeShort(bytes).writeBytes(utf8, 0, bytes);
        Frame.end(out, start, FrameType.GOODBYE);
    }

    /**
     * Reads a whole frame and moves the reader index to its end.
     *
     * @throws ProtocolException if it is not a GOODBYE as drawn above
     */
    public static Goodbye decode(ByteBuf frame) throws ProtocolException {
        Frame.expect(frame, FrameType.GOODBYE);
        int code = frame.readUnsignedShort();
        String reason = Frame.readString(frame, "the reason");
        Frame.expectEnd(frame, FrameType.GOODBYE);
        return new Goodbye(code, reason);
    }
}
