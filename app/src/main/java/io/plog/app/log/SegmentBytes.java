package io.plog.app.log;

import io.plog.protocol.security.RegularFile;
import java.io.EOFException;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.UUID;
import java.util.zip.CRC32C;

/**
 * A segment's file as {@code docs/log-format.md} lays it out, for people: a reader of its own, so that what it shows does not depend
 * on what recovery believes. For one thread.
 */
record SegmentBytes(FileChannel channel, ByteBuffer header) implements AutoCloseable {
    private static final long MAGIC = 0x504C4F4753454731L;
    private static final int BLOCK = 4096;
    private static final int HEADER = 64;
    private static final int CHECK_AT = 12;
    private static final int RECORD = 32;
    private static final int ROW = 16;
    private static final int MOST_ROWS = 8;
    private static final String[] TYPES = {"none", "record", "mark", "closing mark", "seal", "trailer"};

    /** Opens a file; {@code IOException} if it is no segment. */
    static SegmentBytes open(Path file) throws IOException {
        RegularFile.check(file, Long.MAX_VALUE);
        FileChannel channel = FileChannel.open(file, StandardOpenOption.READ);
        try {
            if (channel.size() < BLOCK) {
                throw new IOException(
                        file + " has " + channel.size() + " bytes: expected a segment, " + BLOCK + " or more");
            }
            return new SegmentBytes(channel, read(channel, 0, BLOCK));
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Shows the segment's header; returns where its first record begins. */
    long showHeader(PrintWriter out) {
        out.println("segment header, at 0");
        long magic = header.getLong(0);
        field(out, header, 0, 8, "magic", ascii(header, 0, 8) + (magic == MAGIC ? "" : ", expected PLOGSEG1"));
        field(out, header, 8, 4, "version", unsigned(header.getInt(8)));
        field(out, header, CHECK_AT, 4, "check", verdict(header.getInt(CHECK_AT), headerCheck()));
        field(out, header, 16, 16, "log id", new UUID(header.getLong(16), header.getLong(24)).toString());
        field(out, header, 32, 8, "segment", Long.toUnsignedString(header.getLong(32)));
        field(out, header, 40, 8, "epoch", "random, in the check of each record");
        field(out, header, 48, 8, "bytes", Long.toUnsignedString(header.getLong(48)));
        field(out, header, 56, 8, "stripe", Long.toUnsignedString(header.getLong(56)));
        return BLOCK;
    }

    /** Shows the record at an offset; returns where the next begins, or -1 where the valid ones end. */
    long showRecord(long at, PrintWriter out) throws IOException {
        if (at + RECORD > channel.size()) {
            throw new IOException(
                    "offset " + at + " is behind the end of the file, which has " + channel.size() + " bytes");
        }
        ByteBuffer record = read(channel, at, RECORD);
        int check = recordCheck(record);
        boolean right = record.getInt(0) == check;
        int type = record.get(4);
        long length = Integer.toUnsignedLong(record.getInt(8));
        out.println(
                (right && type < TYPES.length && type > 0 ? TYPES[type] : "no header of this segment") + ", at " + at);
        field(out, record, 0, 4, "check", verdict(record.getInt(0), check));
        field(out, record, 4, 1, "type", type >= 0 && type < TYPES.length ? TYPES[type] : "unknown");
        field(out, record, 5, 1, "flags", "");
        int padding = Short.toUnsignedInt(record.getShort(6));
        field(out, record, 6, 2, "padding", Integer.toString(padding));
        field(out, record, 8, 4, "length", Long.toString(length));
        boolean fits = at + RECORD + length + padding <= channel.size();
        ByteBuffer payload = fits ? read(channel, at + RECORD, (int) length) : ByteBuffer.allocate(0);
        field(
                out,
                record,
                12,
                4,
                "payload crc",
                fits
                        ? verdict(record.getInt(12), crc(payload, 0, payload.limit()))
                        : "the length leads out of the file");
        long index = record.getLong(16);
        field(out, record, 16, 8, "index", Long.toUnsignedString(index));
        long behind = Integer.toUnsignedLong(record.getInt(24));
        field(
                out,
                record,
                24,
                4,
                "behind",
                behind == 0 ? "nothing known to be durable" : "durable up to record " + (index - behind));
        int salt = (int) (header.getLong(40) >>> 32);
        field(out, record, 28, 4, "salt", verdict(record.getInt(28), salt));
        rows(out, payload, at + RECORD);
        return right && fits ? at + RECORD + length + padding : -1;
    }

    private static void rows(PrintWriter out, ByteBuffer payload, long at) {
        for (int row = 0; row * ROW < payload.limit() && row < MOST_ROWS; row++) {
            int from = row * ROW;
            int count = Math.min(ROW, payload.limit() - from);
            out.printf(
                    Locale.ROOT,
                    "%10d  %-47s  %s%n",
                    at + from,
                    hex(payload, from, count),
                    ascii(payload, from, count));
        }
        int shown = MOST_ROWS * ROW;
        if (payload.limit() > shown) {
            out.printf(Locale.ROOT, "%10d  ... %d more bytes of the payload%n", at + shown, payload.limit() - shown);
        }
    }

    private static void field(PrintWriter out, ByteBuffer bytes, int at, int count, String name, String value) {
        out.println(String.format(Locale.ROOT, "%10s  %-47s  %-11s  %s", "+" + at, hex(bytes, at, count), name, value)
                .stripTrailing());
    }

    private int headerCheck() {
        ByteBuffer zeroed = ByteBuffer.allocate(HEADER);
        zeroed.put(0, header, 0, HEADER).putInt(CHECK_AT, 0);
        return crc(zeroed, 0, HEADER);
    }

    private int recordCheck(ByteBuffer record) {
        ByteBuffer covered = ByteBuffer.allocate(Long.BYTES + RECORD - 4);
        covered.putLong(0, header.getLong(40)).put(Long.BYTES, record, 4, RECORD - 4);
        return crc(covered, 0, covered.limit());
    }

    private static String verdict(int found, int expected) {
        return found == expected ? "right" : String.format(Locale.ROOT, "WRONG, expected %08x", expected);
    }

    private static String unsigned(int value) {
        return Integer.toUnsignedString(value);
    }

    private static int crc(ByteBuffer bytes, int from, int count) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.slice(from, count));
        return (int) crc.getValue();
    }

    private static String hex(ByteBuffer bytes, int from, int count) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < count; i++) {
            text.append(i == 0 ? "" : " ").append(String.format(Locale.ROOT, "%02x", bytes.get(from + i)));
        }
        return text.toString();
    }

    private static String ascii(ByteBuffer bytes, int from, int count) {
        byte[] some = new byte[count];
        bytes.get(from, some);
        return new String(some, StandardCharsets.ISO_8859_1).replaceAll("[^ -~]", ".");
    }

    private static ByteBuffer read(FileChannel channel, long at, int count) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining()) {
            if (channel.read(bytes, at + bytes.position()) < 0) {
                throw new EOFException("the file ends within what it says to hold");
            }
        }
        return bytes.flip();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
