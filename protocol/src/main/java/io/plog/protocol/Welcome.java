package io.plog.protocol;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The server's answer to a {@link Hello}: its limits, itself and its targets. In every version of the protocol its length, type,
 * flags and version are as here.
 *
 * <pre>
 *  0        4      5       6         8                   12                  16
 * +--------+------+-------+---------+-------------------+-------------------+
 * | length | type | flags | version | max payload bytes | max requests      |
 * |  u32   |  2   |   0   | u16: 1  |        u32        | outstanding, u32  |
 * +--------+------+-------+---------+-------------------+-------------------+
 * | facts about the server | number of targets, u16 | targets ...           |
 * +------------------------+------------------------+-----------------------+
 * </pre>
 *
 * @param maxPayloadBytes the longest payload of a request, 0 to {@link Frame#MAX_PAYLOAD_BYTES}
 * @param maxOutstanding how many requests a client may send before their replies arrive, at least 1
 * @param facts about the server's machine and JVM, in its order
 * @param targets what a request may name
 */
public record Welcome(
        int maxPayloadBytes, int maxOutstanding, Map<String, String> facts, List<TargetDescription> targets) {
    /** Targets that a client takes from one server; more are no server's. */
    public static final int MAX_TARGETS = 64;

    /** @throws IllegalArgumentException if a limit is out of its range */
    public Welcome {
        if (maxPayloadBytes < 0 || maxPayloadBytes > Frame.MAX_PAYLOAD_BYTES) {
            throw new IllegalArgumentException(
                    "maxPayloadBytes is " + maxPayloadBytes + ": expected 0 to " + Frame.MAX_PAYLOAD_BYTES);
        }
        if (maxOutstanding < 1) {
            throw new IllegalArgumentException("maxOutstanding is " + maxOutstanding + ": expected at least 1");
        }
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
        targets = List.copyOf(targets);
    }

    /**
     * Writes the frame at the buffer's writer index.
     *
     * @throws IllegalArgumentException if it is longer than a WELCOME may be
     */
    public void encode(ByteBuf out) {
        int start = Frame.begin(out, FrameType.WELCOME);
        out.writeShort(Frame.VERSION).writeInt(maxPayloadBytes).writeInt(maxOutstanding);
        Frame.writeFacts(out, facts);
        out.writeShort(targets.size());
        targets.forEach(target -> target.encode(out));
        Frame.end(out, start, FrameType.WELCOME);
    }

    /**
     * Reads a whole frame and moves the reader index to its end.
     *
     * @throws ProtocolException if it is not a WELCOME as drawn above, or its limits are out of their ranges; with
     *     {@link GoodbyeCode#VERSION} if it is one of another version, whose rest is not looked at
     */
    public static Welcome decode(ByteBuf frame) throws ProtocolException {
        Frame.expect(frame, FrameType.WELCOME);
        int version = frame.readUnsignedShort();
        if (version != Frame.VERSION) {
            throw new ProtocolException(
                    GoodbyeCode.VERSION,
                    "the server speaks protocol version " + version + ", this client speaks " + Frame.VERSION);
        }
        long maxPayloadBytes = frame.readUnsignedInt();
        long maxOutstanding = frame.readUnsignedInt();
        if (maxPayloadBytes > Frame.MAX_PAYLOAD_BYTES || maxOutstanding < 1 || maxOutstanding > Integer.MAX_VALUE) {
            throw ProtocolException.malformed("a WELCOME with limits of " + maxPayloadBytes + " bytes and "
                    + maxOutstanding + " requests: expected at most " + Frame.MAX_PAYLOAD_BYTES + ", at least 1");
        }
        Map<String, String> facts = Frame.readFacts(frame, "the server's facts");
        int count = Frame.readU16(frame, "the number of targets");
        if (count > MAX_TARGETS) {
            throw ProtocolException.malformed("a WELCOME with " + count + " targets: expected at most " + MAX_TARGETS);
        }
        List<TargetDescription> targets = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            TargetDescription target = TargetDescription.decode(frame);
            for (TargetDescription other : targets) {
                if (other.id() == target.id() || other.name().equals(target.name())) {
                    throw ProtocolException.malformed("a WELCOME with two targets of id " + target.id() + " or name '"
                            + target.name() + "': expected each once");
                }
            }
            targets.add(target);
        }
        Frame.expectEnd(frame, FrameType.WELCOME);
        return new Welcome((int) maxPayloadBytes, (int) maxOutstanding, facts, targets);
    }
}
