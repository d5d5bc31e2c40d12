package io.plog.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The parts that all frames have in common.
 *
 * <pre>
 *  0        4      5       6
 * +--------+------+-------+----
 * | length | type | flags | ...
 * |  u32   |  u8  |  u8   |
 * +--------+------+-------+----
 * </pre>
 *
 * {@code length} counts the bytes after itself. In every method a frame begins at its buffer's reader index, and the
 * accessors move no index. All integers are big-endian.
 */
public final class Frame {
    /** The version of the protocol that this package implements. */
    public static final int VERSION = 1;

    /** Bytes before those that {@code length} counts. */
    public static final int LENGTH_BYTES = 4;

    /** Bytes that every frame begins with: length, type and flags. */
    public static final int HEADER_BYTES = 6;

    /** The largest payload limit that a server may announce: 64 MiB. */
    public static final int MAX_PAYLOAD_BYTES = 64 * 1024 * 1024;

    private static final int TYPE = 4;
    static final int FLAGS = 5;

    /** Characters of the longest name, of a target or a fact. */
    static final int MAX_NAME_CHARS = 255;

    /** Facts about one thing. */
    static final int MAX_FACTS = 256;

    private Frame() {}

    /** The value of the length field; the frame is {@link #LENGTH_BYTES} longer. */
    static long length(ByteBuf frame) {
        return frame.getUnsignedInt(frame.readerIndex());
    }

    /** The number of the frame's type; {@link FrameType#ofCode} names it. */
    public static int type(ByteBuf frame) {
        return frame.getUnsignedByte(frame.readerIndex() + TYPE);
    }

    public static int flags(ByteBuf frame) {
        return frame.getUnsignedByte(frame.readerIndex() + FLAGS);
    }

    /** Begins a frame whose length {@link #end} will know; returns where it begins. */
    static int begin(ByteBuf out, FrameType type) {
        int start = out.writerIndex();
        out.writeInt(0).writeByte(type.code()).writeByte(0);
        return start;
    }

    /**
     * Fills in the length of the frame that began at {@code start}.
     *
     * @throws IllegalArgumentException if the frame is longer than its type allows; the buffer is as before the frame
     */
    static void end(ByteBuf out, int start, FrameType type) {
        int length = out.writerIndex() - start - LENGTH_BYTES;
        if (length > type.maxLength(0)) {
            out.writerIndex(start);
            throw new IllegalArgumentException("a " + type + " of length " + length + " does not fit its limit of "
                    + type.maxLength(0) + ": shorten its facts");
        }
        out.setInt(start, length);
    }

    /** Checks that this is a frame of this type without flags, and moves past its header. */
    static void expect(ByteBuf frame, FrameType type) throws ProtocolException {
        if (frame.readableBytes() < HEADER_BYTES) {
            throw ProtocolException.malformed(
                    "a frame of " + frame.readableBytes() + " bytes: expected at least " + HEADER_BYTES);
        }
        if (type(frame) != type.code()) {
            throw ProtocolException.malformed("a frame of type " + type(frame) + ": expected " + type);
        }
        if (flags(frame) != 0) {
            throw ProtocolException.malformed("a " + type + " with flags " + flags(frame) + ": expected 0");
        }
        long length = length(frame);
        if (length != frame.readableBytes() - LENGTH_BYTES || length < type.minLength()) {
            throw ProtocolException.malformed("a " + type + " of length " + length + " in "
                    + frame.readableBytes() + " bytes: expected " + (frame.readableBytes() - LENGTH_BYTES)
                    + ", at least " + type.minLength());
        }
        frame.skipBytes(HEADER_BYTES);
    }

    /** Checks that a frame ends here. */
    static void expectEnd(ByteBuf frame, FrameType type) throws ProtocolException {
        if (frame.isReadable()) {
            throw ProtocolException.malformed("a " + type + " with " + frame.readableBytes() + " bytes too many");
        }
    }

    static int readU16(ByteBuf in, String what) throws ProtocolException {
        need(in, 2, what);
        return in.readUnsignedShort();
    }

    static void writeString(ByteBuf out, String text) {
        byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
        if (utf8.length > 0xFFFF) {
            throw new IllegalArgumentException("a string of " + utf8.length + " bytes: expected at most 65535");
        }
        out.writeShort(utf8.length).writeBytes(utf8);
    }

    /** Reads a text as it may be shown to people: see {@link Printable}. */
    static String readString(ByteBuf in, String what) throws ProtocolException {
        int bytes = readU16(in, what);
        need(in, bytes, what);
        return Printable.of(in.readCharSequence(bytes, StandardCharsets.UTF_8).toString());
    }

    /** Reads a text of at most {@value #MAX_NAME_CHARS} characters. */
    static String readName(ByteBuf in, String what) throws ProtocolException {
        String name = readString(in, what);
        if (name.length() > MAX_NAME_CHARS) {
            throw ProtocolException.malformed(
                    what + " has " + name.length() + " characters: expected at most " + MAX_NAME_CHARS);
        }
        return name;
    }

    static void writeFacts(ByteBuf out, Map<String, String> facts) {
        if (facts.size() > 0xFFFF) {
            throw new IllegalArgumentException(facts.size() + " facts: expected at most 65535");
        }
        out.writeShort(facts.size());
        facts.forEach((name, value) -> {
            writeString(out, name);
            writeString(out, value);
        });
    }

    /** Reads facts in their order. Nothing is allocated for a count that the frame cannot hold. */
    static Map<String, String> readFacts(ByteBuf in, String what) throws ProtocolException {
        int count = readU16(in, what);
        if (count > MAX_FACTS) {
            throw ProtocolException.malformed(what + " are " + count + ": expected at most " + MAX_FACTS);
        }
        Map<String, String> facts = new LinkedHashMap<>();
        for (int i = 0; i < count; i++) {
            String name = readName(in, what);
            facts.put(name, readString(in, what));
        }
        return Collections.unmodifiableMap(facts);
    }

    private static void need(ByteBuf in, int bytes, String what) throws ProtocolException {
        if (in.readableBytes() < bytes) {
            throw ProtocolException.malformed(
                    what + " needs " + bytes + " bytes: found " + in.readableBytes() + " before the frame's end");
        }
    }
}
