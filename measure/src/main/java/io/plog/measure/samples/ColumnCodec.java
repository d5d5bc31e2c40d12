package io.plog.measure.samples;

import io.netty.buffer.ByteBuf;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;

/** The samples of a chunk as numbers: column after column, in the order of {@link Column}, each number as a varint. Stateless. */
@SuppressWarnings("EnumOrdinal") // columns live side by side in memory only; files name them
final class ColumnCodec {
    private ColumnCodec() {}

    /** Appends some samples. */
    static void encode(Samples samples, int from, int to, ByteBuf out) {
        long[] before = new long[to - from];
        for (Column column : Column.values()) {
            long[] values = samples.column(column, from, to);
            for (int i = 0; i < values.length; i++) {
                putVarint(out, zigzag(values[i] - base(column, values, before, i)));
            }
            before = values;
        }
    }

    /**
     * Reads so many samples, which must be all that there is.
     *
     * @throws DataFormatException if it is something else; the message says what is wrong
     */
    static Samples decode(ByteBuffer plain, int count) throws DataFormatException {
        long[][] columns = new long[Column.COUNT][count];
        long[] before = new long[count];
        try {
            for (Column column : Column.values()) {
                long[] values = columns[column.ordinal()];
                for (int i = 0; i < count; i++) {
                    values[i] = unzigzag(getVarint(plain)) + base(column, values, before, i);
                }
                before = values;
            }
        } catch (BufferUnderflowException e) {
            throw (DataFormatException)
                    new DataFormatException("they end before " + count + " samples do").initCause(e);
        }
        if (plain.hasRemaining()) {
            throw new DataFormatException("they hold more than " + count + " samples");
        }
        return new Samples(columns, count);
    }

    /**
     * What is taken off a number to make it small. Times and indexes grow steadily; {@link Column#SENT} equals the column before it in
     * a closed loop; durations scatter around a middle, and a difference of two would scatter more than either.
     */
    private static long base(Column column, long[] values, long[] before, int i) {
        return switch (column) {
            case INTENDED, LOG_INDEX -> i == 0 ? 0 : values[i - 1];
            case SENT -> before[i];
            default -> 0;
        };
    }

    /** Small for small values of either sign: 0, -1, 1, -2 become 0, 1, 2, 3. */
    private static long zigzag(long value) {
        return (value << 1) ^ (value >> 63);
    }

    private static long unzigzag(long value) {
        return (value >>> 1) ^ -(value & 1);
    }

    /** Seven bits a byte, the lowest first; the top bit says that more follow. */
    private static void putVarint(ByteBuf out, long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            out.writeByte((byte) (rest | 0x80));
            rest >>>= 7;
        }
        out.writeByte((byte) rest);
    }

    private static long getVarint(ByteBuffer in) throws DataFormatException {
        long value = 0;
        for (int shift = 0; shift < 64; shift += 7) {
            byte next = in.get();
            value |= (long) (next & 0x7F) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new DataFormatException("a varint has more than " + SampleFormat.MAX_VARINT_BYTES + " bytes");
    }
}
