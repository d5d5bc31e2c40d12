package io.plog.stats.numbers;

import java.io.Closeable;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Numbers in an order, as many as the disk holds. A few are kept in the heap; more than a small share of the heap go to a file in the
 * directory for temporary files ({@code java.io.tmpdir}), which is mapped and deleted at once. Each takes as many bytes as the widest
 * of them: 0 while all are 0, then 1, 2, 4 or 8.
 *
 * <p>Immutable, so safe for any thread. What makes them throws {@link UncheckedIOException} if the file cannot be written.
 */
public final class Longs {
    /** So much of the heap one sequence may take, as a share: a cell has some dozens. */
    private static final int SHARE_OF_HEAP = 256;

    static final long MOST_IN_HEAP =
            Math.max(64 << 10, Math.min(64 << 20, Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP));

    private static final int PIECE_BITS = 30;
    private static final int DIGIT_BITS = 11;
    private static final int DIGITS = 1 << DIGIT_BITS;

    /** So many numbers with the same digit are written at once. */
    private static final int RUN = 128;

    /** A mapped file takes room on the disk until its buffer is collected, which no lack of heap brings about. */
    private static final long COLLECT_AFTER_BYTES = 4L << 30;

    private static final AtomicLong MAPPED = new AtomicLong();

    private final ByteBuffer[] pieces;
    private final int width;
    private final long from;
    private final long count;

    private Longs(ByteBuffer[] pieces, int width, long from, long count) {
        this.pieces = pieces;
        this.width = width;
        this.from = from;
        this.count = count;
    }

    public static Longs of(long... values) {
        return of(values.length, i -> values[(int) i]);
    }

    /** What a function gives for 0, 1, ... */
    public static Longs of(long count, LongUnaryOperator value) {
        Builder builder = new Builder();
        for (long i = 0; i < count; i++) {
            builder.add(value.applyAsLong(i));
        }
        return builder.build();
    }

    /** Those of 0, 1, ... for which something holds. */
    public static Longs where(long count, LongPredicate holds) {
        Builder builder = new Builder();
        for (long i = 0; i < count; i++) {
            if (holds.test(i)) {
                builder.add(i);
            }
        }
        return builder.build();
    }

    /** How many there are. */
    public long count() {
        return count;
    }

    /** The one at this place, from 0. */
    public long get(long at) {
        Objects.checkIndex(at, count);
        if (width == 0) {
            return 0;
        }
        long offset = (from + at) * width;
        return read(pieces[(int) (offset >>> PIECE_BITS)], (int) offset & ((1 << PIECE_BITS) - 1), width);
    }

    private static long read(ByteBuffer bytes, int at, int width) {
        return switch (width) {
            case 1 -> bytes.get(at);
            case 2 -> bytes.getShort(at);
            case 4 -> bytes.getInt(at);
            default -> bytes.getLong(at);
        };
    }

    private static void write(ByteBuffer bytes, long value, int width) {
        switch (width) {
            case 1 -> bytes.put((byte) value);
            case 2 -> bytes.putShort((short) value);
            case 4 -> bytes.putInt((int) value);
            default -> bytes.putLong(value);
        }
    }

    private static int width(long value) {
        return value == 0 ? 0 : value == (byte) value ? 1 : value == (short) value ? 2 : value == (int) value ? 4 : 8;
    }

    public long first() {
        return get(0);
    }

    public long last() {
        return get(count - 1);
    }

    /** Some that stand together; shares what is kept. */
    public Longs part(long begin, long end) {
        Objects.checkFromToIndex(begin, end, count);
        return new Longs(pieces, width, from + begin, end - begin);
    }

    /** What a function gives for each. */
    public Longs map(LongUnaryOperator value) {
        return of(count, i -> value.applyAsLong(get(i)));
    }

    /** Those for which something holds. */
    public Longs filter(LongPredicate holds) {
        return at(where(count, i -> holds.test(get(i))));
    }

    /** Those at these places, in their order. */
    public Longs at(Longs places) {
        return width == 0 ? part(0, places.count) : places.map(this::get);
    }

    /** A copy; for few. */
    public long[] toArray() {
        long[] all = new long[Math.toIntExact(count)];
        Arrays.setAll(all, this::get);
        return all;
    }

    /** In ascending order. */
    public Longs sorted() {
        if (isFew()) {
            long[] all = toArray();
            Arrays.sort(all);
            return of(all);
        }
        return sortedWith(new Longs(pieces, 0, 0, count)).get(0);
    }

    /** The places of the numbers in ascending order; equal ones stay in theirs. */
    public Longs order() {
        return sortedWith(of(count, i -> i)).get(1);
    }

    /** In ascending order, equal ones in theirs, and as many others moved alike. */
    public List<Longs> sortedWith(Longs others) {
        if (isAscending()) {
            return List.of(this, others);
        }
        if (isFew()) {
            Longs order = of(LongStream.range(0, count)
                    .boxed()
                    .sorted(Comparator.comparingLong(this::get))
                    .mapToLong(i -> i)
                    .toArray());
            return List.of(at(order), others.at(order));
        }
        // By the lowest digit first, since equal digits keep the order.
        List<Longs> both = List.of(this, others);
        for (int shift = 0; shift < Byte.SIZE * width; shift += DIGIT_BITS) {
            both = both.get(0).byDigit(shift, both.get(1));
        }
        return both;
    }

    /** Whether each is at least the one before it. */
    public boolean isAscending() {
        return LongStream.range(1, count).allMatch(i -> get(i - 1) <= get(i));
    }

    private boolean isFew() {
        return count * Long.BYTES <= MOST_IN_HEAP;
    }

    /** Each part in ascending order by itself. */
    public Longs sortedBetween(long[] ends) {
        Builder all = new Builder();
        for (int i = 1; i < ends.length; i++) {
            Longs sorted = part(ends[i - 1], ends[i]).sorted();
            for (long at = 0; at < sorted.count; at++) {
                all.add(sorted.get(at));
            }
        }
        return all.build();
    }

    private List<Longs> byDigit(int shift, Longs others) {
        long[] begin = new long[DIGITS + 1];
        for (long i = 0; i < count; i++) {
            begin[digit(get(i), shift) + 1]++;
        }
        if (Arrays.stream(begin).anyMatch(all -> all == count)) {
            return List.of(this, others);
        }
        Arrays.parallelPrefix(begin, Long::sum);
        try (Dealt own = new Dealt(width, begin);
                Dealt with = new Dealt(others.width, begin)) {
            for (long i = 0; i < count; i++) {
                long value = get(i);
                own.put(digit(value, shift), value);
                with.put(digit(value, shift), others.get(i));
            }
            return List.of(own.all(count), with.all(count));
        } catch (IOException e) {
            throw failed(e);
        }
    }

    /** Counted from the least number of this width. */
    private int digit(long value, int shift) {
        return (int) ((value + (1L << (Byte.SIZE * width - 1))) >>> shift) & (DIGITS - 1);
    }

    /** A file that numbers are dealt to by their digits, some at once. */
    private static final class Dealt implements Closeable {
        private final int width;
        private final long[] next;
        private final FileChannel file = temporary();
        private final ByteBuffer[] runs = new ByteBuffer[DIGITS];

        Dealt(int width, long[] begin) throws IOException {
            this.width = width;
            next = begin.clone();
            ByteBuffer room = ByteBuffer.allocateDirect(DIGITS * RUN * width);
            Arrays.setAll(runs, i -> room.slice(i * RUN * width, RUN * width).order(ByteOrder.nativeOrder()));
        }

        void put(int digit, long value) throws IOException {
            if (width > 0) {
                write(runs[digit], value, width);
                if (!runs[digit].hasRemaining()) {
                    writeRun(digit);
                }
            }
        }

        private void writeRun(int digit) throws IOException {
            int bytes = runs[digit].flip().remaining();
            writeFully(file, runs[digit], next[digit] * width);
            next[digit] += bytes / width;
            runs[digit].clear();
        }

        Longs all(long count) throws IOException {
            for (int digit = 0; digit < DIGITS && width > 0; digit++) {
                writeRun(digit);
            }
            return new Longs(mapped(file, count * width), width, 0, count);
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }

    private static FileChannel temporary() throws IOException {
        Path file = Files.createTempFile("plog-", ".numbers");
        return FileChannel.open(
                file, StandardOpenOption.READ, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE);
    }

    /** Written rather than mapped for writing: a full disk is then an exception. */
    private static void writeFully(FileChannel file, ByteBuffer bytes, long at) throws IOException {
        long end = at + bytes.remaining();
        while (bytes.hasRemaining()) {
            file.write(bytes, end - bytes.remaining());
        }
    }

    private static ByteBuffer[] mapped(FileChannel file, long bytes) throws IOException {
        if (MAPPED.addAndGet(bytes) > COLLECT_AFTER_BYTES) {
            MAPPED.set(0);
            System.gc();
        }
        ByteBuffer[] pieces = new ByteBuffer[(int) ((bytes + (1 << PIECE_BITS) - 1) >>> PIECE_BITS)];
        for (int i = 0; i < pieces.length; i++) {
            long at = (long) i << PIECE_BITS;
            pieces[i] = file.map(FileChannel.MapMode.READ_ONLY, at, Math.min(1 << PIECE_BITS, bytes - at))
                    .order(ByteOrder.nativeOrder());
        }
        return pieces;
    }

    private static UncheckedIOException failed(IOException cause) {
        return new UncheckedIOException(new IOException(
                "cannot keep samples in " + System.getProperty("java.io.tmpdir") + ": " + cause.getMessage()
                        + "; name a directory with more room by PLOG_JAVA_OPTS=-Djava.io.tmpdir=DIR",
                cause));
    }

    /** Collects numbers one by one. Not thread-safe. */
    public static final class Builder {
        private static final int WINDOW = 64 << 10;

        private ByteBuffer bytes = ByteBuffer.allocate(256).order(ByteOrder.nativeOrder());
        private @Nullable FileChannel file;
        private @Nullable Longs built; // in the file
        private long written;
        private int width;
        private long count;

        /** How many there are. */
        public long count() {
            return count;
        }

        /** Adds one at the end. */
        public void add(long value) {
            if (value != 0 && width < 8 && width(value) > width) {
                widen(width(value));
            }
            count++;
            if (width > 0) {
                if (bytes.remaining() < width) {
                    makeRoom();
                }
                write(bytes, value, width);
            }
        }

        private void makeRoom() {
            if (file == null && 2L * bytes.capacity() <= MOST_IN_HEAP) {
                bytes = ByteBuffer.allocate(2 * bytes.capacity())
                        .order(ByteOrder.nativeOrder())
                        .put(bytes.flip());
                return;
            }
            try {
                file = file == null ? temporary() : file;
                spill(file);
            } catch (IOException e) {
                throw failed(e);
            }
        }

        private void spill(FileChannel to) throws IOException {
            int length = bytes.position();
            writeFully(to, bytes.flip(), written);
            written += length;
            bytes = bytes.capacity() == WINDOW
                    ? bytes.clear()
                    : ByteBuffer.allocateDirect(WINDOW).order(ByteOrder.nativeOrder());
        }

        private void widen(int wider) {
            Longs narrow = build();
            bytes = ByteBuffer.allocate(256).order(ByteOrder.nativeOrder());
            file = null;
            built = null;
            written = 0;
            count = 0;
            width = wider;
            for (long i = 0; i < narrow.count; i++) {
                add(narrow.get(i));
            }
        }

        /** All of them so far. More can be added as long as the heap holds all. */
        public Longs build() {
            Longs before = built;
            if (before != null) {
                return before;
            }
            if (width == 0 || file == null) {
                return new Longs(new ByteBuffer[] {bytes}, width, 0, count);
            }
            try (FileChannel whole = file) {
                spill(whole);
                Longs all = new Longs(mapped(whole, written), width, 0, count);
                built = all;
                return all;
            } catch (IOException e) {
                throw failed(e);
            }
        }
    }
}
