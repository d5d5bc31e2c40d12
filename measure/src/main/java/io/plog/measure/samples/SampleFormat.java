package io.plog.measure.samples;

import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.deser.std.StdScalarDeserializer;
import com.fasterxml.jackson.databind.deser.std.StringDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.netty.buffer.ByteBuf;
import io.plog.protocol.Printable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.zip.CRC32C;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * The bytes that writer and reader agree on; {@code docs/sample-format.md} is their specification. Big-endian.
 *
 * <pre>
 * file header     0          8         12         16
 *                 +----------+---------+-----------+
 *                 | PLOGSMPL | version | CRC of    |
 *                 |          |         | bytes 0-11|
 *                 +----------+---------+-----------+
 *
 * chunk           0      4        8          12           16
 *                 +------+--------+----------+------------+------
 *                 | type | length | CRC of   | CRC of     | body
 *                 |      |        | the body | bytes 0-11 |
 *                 +------+--------+----------+------------+------
 *
 * SAMPLES body    0         4         8       12
 *                 +---------+---------+-------+---------
 *                 | target  | payload | count | packed
 *                 |   id    |  bytes  |       | columns
 *                 +---------+---------+-------+---------
 *
 * any other body  packed JSON
 *
 * packed          u32 plain bytes, the same deflated
 * </pre>
 *
 * <p>The file's header keeps its 16 bytes in every version; its CRC distinguishes a newer version from damage. A chunk's header has a CRC
 * of its own, so that a damaged length is distinguished from a file that was cut short.
 */
public final class SampleFormat {
    static final long MAGIC = 0x504C4F47_534D504CL; // "PLOGSMPL"
    static final int VERSION = 1;
    public static final int FILE_HEADER_BYTES = 16;
    static final int CHUNK_HEADER_BYTES = 16;
    static final int SAMPLES_PREFIX_BYTES = 12;

    static final int START = 1;
    static final int SAMPLES = 2;
    static final int END = 3;
    static final int EVENTS = 4;
    static final int RECORDS = 5;

    /** No chunk is larger, so a reader never allocates more for one. */
    static final int MAX_BODY_BYTES = 64 * 1024 * 1024;

    /** No chunk holds more samples; with 20 columns of at most 10 bytes it stays within the body's limit. */
    public static final int MAX_CHUNK_SAMPLES = 256 * 1024;

    /** A 64-bit number takes at most this many bytes as a varint. */
    static final int MAX_VARINT_BYTES = 10;

    /**
     * Reads and writes the run's description and what a server reports of itself. What a newer client added is ignored, what is
     * missing or of another type is an error, also within a list or a map, and so is a number that no run has: whatever computes or
     * draws relies on it. Texts are read as they may be shown to people, since they may come from elsewhere.
     */
    public static final JsonMapper JSON = JsonMapper.builder()
            .addModule(new SimpleModule()
                    .addDeserializer(double.class, new Figures())
                    .addDeserializer(String.class, new PrintableTexts())
                    .addKeyDeserializer(String.class, new PrintableNames()))
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
            .enable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .enable(DeserializationFeature.FAIL_ON_NULL_CREATOR_PROPERTIES)
            .defaultSetterInfo(JsonSetter.Value.forContentNulls(Nulls.FAIL))
            .build();

    static {
        if ((long) MAX_CHUNK_SAMPLES * MAX_VARINT_BYTES * Column.COUNT > MAX_BODY_BYTES) {
            throw new AssertionError("a full chunk must fit its limit");
        }
    }

    private SampleFormat() {}

    /**
     * Reads a record of the file.
     *
     * @throws IOException if it is none, or has numbers that no run has; the message says what is wrong
     */
    static <T extends Record> T read(byte[] json, Class<T> type) throws IOException {
        @Nullable T read = JSON.readValue(json, type);
        if (read == null) {
            throw new IOException("null, expected an object");
        }
        return read;
    }

    /** Deflates all of this behind what is there. */
    static void pack(ByteBuffer plain, Deflater deflater, ByteBuf out) {
        out.writeInt(plain.remaining());
        deflater.reset();
        deflater.setInput(plain);
        deflater.finish();
        while (!deflater.finished()) {
            out.ensureWritable(4096);
            int at = out.writerIndex();
            out.writerIndex(at + deflater.deflate(out.nioBuffer(at, out.writableBytes())));
        }
    }

    /**
     * The reverse of {@link #pack}.
     *
     * @throws DataFormatException if that is not what is there; the message says what is wrong
     */
    static ByteBuffer unpack(ByteBuffer packed, Inflater inflater) throws DataFormatException {
        int bytes = packed.remaining() < Integer.BYTES ? -1 : packed.getInt();
        if (bytes < 0 || bytes > MAX_BODY_BYTES) {
            throw new DataFormatException(
                    Integer.toUnsignedString(bytes) + " bytes are announced, expected at most " + MAX_BODY_BYTES);
        }
        ByteBuffer plain = ByteBuffer.allocate(bytes);
        inflater.reset();
        inflater.setInput(packed);
        int inflated = inflater.inflate(plain);
        // The stream's own end may lie behind the last byte of output.
        if (inflated != bytes || inflater.inflate(new byte[1]) != 0 || !inflater.finished()) {
            throw new DataFormatException("they do not inflate to the " + bytes + " bytes that are announced");
        }
        return plain.flip();
    }

    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    /** The 16 bytes at the beginning of a file of this version. */
    static ByteBuffer fileHeader() {
        ByteBuffer header =
                ByteBuffer.allocate(FILE_HEADER_BYTES).putLong(MAGIC).putInt(VERSION);
        return header.putInt(crc(header.duplicate().flip())).flip();
    }

    static String hex(int crc) {
        return String.format("%08x", crc);
    }

    static final class Times extends StdScalarDeserializer<Instant> {
        Times() {
            super(Instant.class);
        }

        @Override
        public Instant deserialize(JsonParser json, DeserializationContext context) throws IOException {
            String text = json.getText();
            try {
                // Four digits of a year: times are computed with.
                return Instant.from(DateTimeFormatter.ISO_OFFSET_DATE_TIME.parse(text));
            } catch (DateTimeException e) {
                return (Instant) context.handleWeirdStringValue(
                        Instant.class, text, "expected a time such as 2026-11-29T12:00:00Z");
            }
        }
    }

    /** JSON says numbers that no double holds, and the text {@code "NaN"} is else taken for one. */
    private static final class Figures extends StdScalarDeserializer<Double> {
        /** No figure is larger: in microseconds it is 30 years, and the product of any twenty is still a double. */
        private static final double LARGEST = 1e15;

        Figures() {
            super(double.class);
        }

        @Override
        public Double deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            double number = parser.getDoubleValue();
            if (!(Math.abs(number) <= LARGEST)) {
                throw context.weirdNumberException(number, double.class, "expected a number of at most " + LARGEST);
            }
            return number;
        }
    }

    private static final class PrintableTexts extends StdScalarDeserializer<String> {
        PrintableTexts() {
            super(String.class);
        }

        @Override
        public String deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return Printable.of(StringDeserializer.instance.deserialize(parser, context));
        }
    }

    private static final class PrintableNames extends KeyDeserializer {
        @Override
        public Object deserializeKey(String name, DeserializationContext context) {
            return Printable.of(name);
        }
    }
}
