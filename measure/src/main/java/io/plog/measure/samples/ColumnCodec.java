package io.plog.measure.samples;

import io.netty.buffer.ByteBuf;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** One column of a chunk: numbers to deflated varints and back. One buffer is kept and grows; not thread-safe. */
final class ColumnCodec {
    private ByteBuffer plain = ByteBuffer.allocate(0);

    /** How the values of a column become small, by what they are. */
    static int codingFor(Column column) {
        return switch (column) {
            // Times and indexes grow steadily, so their differences are small.
            case INTENDED, LOG_INDEX -> SampleFormat.DELTA;
            // Stands right behind INTENDED, and equals it in a closed loop.
            case SENT -> SampleFormat.ACROSS;
            // Durations scatter around a middle; a difference of two would scatter more than either.
            default -> SampleFormat.PLAIN;
        };
    }

    /**
     * Appends the column's {@code plain bytes, deflated bytes} and its bytes to {@code out}.
     *
     * @param before the column before it in the chunk; read only if the coding is ACROSS
     */
    void encode(int coding, long[] values, long[] before, Deflater deflater, ByteBuf out) {
        plain = room(plain, values.length * SampleFormat.MAX_VARINT_BYTES);
        long previous = 0;
        for (int i = 0; i < values.length; i++) {
            long value = values[i];
            SampleFormat.putVarint(plain, SampleFormat.zigzag(value - base(coding, previous, before, i)));
            previous = value;
        }
        plain.flip();
        out.writeInt(plain.remaining());
        int lengthAt = out.writerIndex();
        out.writeInt(0);
        SampleFormat.deflate(plain, deflater, out);
        out.setInt(lengthAt, out.writerIndex() - lengthAt - Integer.BYTES);
    }

    /**
     * Decodes a column that {@link #encode} wrote.
     *
     * @throws DataFormatException if the bytes are not such a column; the message says what is wrong
     */
    long[] decode(int coding, int count, int plainBytes, ByteBuffer deflated, long[] before, Inflater inflater)
            throws DataFormatException {
        plain = room(plain, plainBytes);
        SampleFormat.inflate(deflated, inflater, plain);
        long[] values = new long[count];
        long previous = 0;
        try {
            for (int i = 0; i < count; i++) {
                previous = SampleFormat.unzigzag(SampleFormat.getVarint(plain)) + base(coding, previous, before, i);
                values[i] = previous;
            }
        } catch (BufferUnderflowException | IllegalArgumentException e) {
            throw (DataFormatException)
                    new DataFormatException("its column does not hold " + count + " numbers").initCause(e);
        }
        if (plain.hasRemaining()) {
            throw new DataFormatException("its column holds more than " + count + " numbers");
        }
        return values;
    }

    private static long base(int coding, long previous, long[] before, int i) {
        return switch (coding) {
            case SampleFormat.PLAIN -> 0;
            case SampleFormat.DELTA -> previous;
            default -> before[i];
        };
    }

    private static ByteBuffer room(ByteBuffer buffer, int bytes) {
        ByteBuffer large = buffer.capacity() >= bytes ? buffer : ByteBuffer.allocate(bytes);
        return large.clear().limit(bytes);
    }
}
