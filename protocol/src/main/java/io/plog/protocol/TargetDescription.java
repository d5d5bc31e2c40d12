package io.plog.protocol;

import io.netty.buffer.ByteBuf;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * One target as the server describes it in its {@link Welcome}.
 *
 * @param id the number that a request names it by, 0 to 65,535
 * @param name its name for people
 * @param force the label of its way of forcing, {@code off} if it does not log
 * @param facts about its directory: file system, device and so on, in the server's order; empty without one
 */
public record TargetDescription(int id, String name, String force, Map<String, String> facts) {
    /** @throws IllegalArgumentException if the id is not a u16 */
    public TargetDescription {
        if (id < 0 || id > 0xFFFF) {
            throw new IllegalArgumentException("the target's id is " + id + ": expected 0 to 65535");
        }
        facts = Collections.unmodifiableMap(new LinkedHashMap<>(facts));
    }

    /** With no other facts than these. */
    public TargetDescription with(Set<String> names) {
        Map<String, String> left = new LinkedHashMap<>(facts);
        left.keySet().retainAll(names);
        return new TargetDescription(id, name, force, left);
    }

    void encode(ByteBuf out) {
        out.writeShort(id);
        Frame.writeString(out, name);
        Frame.writeString(out, force);
        Frame.writeFacts(out, facts);
    }

    static TargetDescription decode(ByteBuf in) throws ProtocolException {
        int id = Frame.readU16(in, "a target's id");
        String name = Frame.readName(in, "a target's name");
        String force = Frame.readName(in, "a target's way of forcing");
        return new TargetDescription(id, name, force, Frame.readFacts(in, "a target's facts"));
    }
}
