package io.plog.measure.samples;

import io.plog.protocol.security.RegularFile;
import io.plog.stats.numbers.Longs;
import io.plog.stats.text.NewerVersion;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Reads a sample file. Opening it checks every checksum and finds the cells; samples are decoded when asked for, and what
 * the heap does not hold of them is kept as {@link io.plog.stats.numbers.Longs} says. A file cut short is read up to the cut, and says so.
 *
 * <p>Not thread-safe.
 */
@SuppressWarnings("EnumOrdinal") // columns live side by side in memory only; files name them
public final class SampleFileReader implements SampleSource, Closeable {
    private final Path file;
    private final FileChannel channel;
    private final Map<CellKey, List<Chunk>> chunks = new TreeMap<>();
    private final List<Chunk> events = new ArrayList<>();
    private final List<TrialRecord> records = new ArrayList<>();
    private final Inflater inflater = new Inflater();
    private @Nullable RunInfo info;
    private RunInfo.@Nullable End end;
    private boolean cut;
    private long wholeUntil;

    /** A chunk of samples or events: where its body is, and how many samples it holds. */
    private record Chunk(long bodyAt, int bodyBytes, int count) {}

    /** What a chunk of records holds. */
    record Records(List<TrialRecord> trials) {}

    private SampleFileReader(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Opens and checks a sample file, which must be a regular one.
     *
     * @throws SampleFileException if it is not a sample file, of a newer format, damaged, or cut so early that not even
     *     the run's description is there
     */
    public static SampleFileReader open(Path file) throws IOException {
        RegularFile.check(file, Long.MAX_VALUE);
        SampleFileReader reader = new SampleFileReader(file, FileChannel.open(file, StandardOpenOption.READ));
        try {
            reader.scan();
            return reader;
        } catch (IOException | RuntimeException e) {
            reader.close();
            throw e;
        }
    }

    /** What is read. */
    public Path file() {
        return file;
    }

    @Override
    public RunInfo info() {
        return Objects.requireNonNull(info); // scanned when it was opened
    }

    @Override
    public RunInfo.End end() {
        RunInfo.End last = Objects.requireNonNull(end); // likewise
        List<TrialRecord> all =
                Stream.concat(records.stream(), last.trials().stream()).toList();
        return new RunInfo.End(last.partial(), last.reason(), last.wallNanos(), all);
    }

    /** What only the run's end says of trials. */
    List<TrialRecord> atEnd() {
        return Objects.requireNonNull(end).trials();
    }

    /** Where more can follow: behind the last whole chunk that is not the run's end. */
    long wholeUntil() {
        return wholeUntil;
    }

    @Override
    public boolean isCut() {
        return cut;
    }

    /** The cells that have samples, by target and size. */
    public List<CellKey> cells() {
        return List.copyOf(chunks.keySet());
    }

    /** What is done with some samples. */
    @FunctionalInterface
    public interface Use {
        void with(Samples samples) throws IOException;
    }

    /**
     * Hands out the samples of a cell chunk by chunk, in the order of the file, in which they were answered.
     *
     * @param use may change them
     * @throws SampleFileException if a chunk cannot be decoded
     */
    public void each(CellKey cell, Use use) throws IOException {
        for (Chunk chunk : chunks.getOrDefault(cell, List.of())) {
            use.with(decoded(cell, chunk));
        }
    }

    private Samples decoded(CellKey cell, Chunk chunk) throws IOException {
        ByteBuffer body = read(chunk.bodyAt, chunk.bodyBytes);
        Samples samples;
        try {
            body.position(SampleFormat.SAMPLES_PREFIX_BYTES);
            samples = ColumnCodec.decode(SampleFormat.unpack(body, inflater), chunk.count);
        } catch (DataFormatException e) {
            throw new SampleFileException(
                    file + ": samples at offset " + chunk.bodyAt + " cannot be decoded: " + e.getMessage(), e);
        }
        String wrong = samples.objection();
        if (!wrong.isEmpty()) {
            throw new SampleFileException(file + ": of target " + cell.targetId() + ", " + cell.payloadBytes() + " B: "
                    + wrong + "; no run has such samples, so the file was changed");
        }
        return samples;
    }

    @Override
    public Samples samples(RunInfo.Target target, int payloadBytes) throws IOException {
        return samples(new CellKey(target.id(), payloadBytes));
    }

    /**
     * All samples of some cells, warm-up included, in the order in which they were sent; none of a cell that the file does not
     * have.
     *
     * @throws SampleFileException if a chunk cannot be decoded
     */
    public Samples samples(CellKey... cells) throws IOException {
        List<Longs.Builder> columns =
                Stream.generate(Longs.Builder::new).limit(Column.COUNT).toList();
        for (CellKey cell : cells) {
            each(cell, samples -> {
                for (Column column : Column.values()) {
                    Arrays.stream(samples.column(column)).forEach(columns.get(column.ordinal())::add);
                }
            });
        }
        return new Samples(inOrder(columns.stream().map(Longs.Builder::build).toArray(Longs[]::new)));
    }

    /** A load has them in the order of their replies. */
    private static Longs[] inOrder(Longs[] columns) {
        Longs trials = columns[Column.TRIAL.ordinal()];
        Longs sent = columns[Column.SENT.ordinal()];
        if (trials.isAscending() && sent.isAscending()) {
            return columns;
        }
        Longs bySending = sent.order();
        Longs order = trials.at(bySending).sortedWith(bySending).get(1);
        return Arrays.stream(columns).map(column -> column.at(order)).toArray(Longs[]::new);
    }

    @Override
    public List<SideEvents> events() throws IOException {
        List<SideEvents> all = new ArrayList<>();
        for (Chunk chunk : events) {
            all.add(json(chunk.bodyAt, read(chunk.bodyAt, chunk.bodyBytes), SideEvents.class));
        }
        return all;
    }

    @Override
    public void close() throws IOException {
        inflater.end();
        channel.close();
    }

    private void scan() throws IOException {
        long size = channel.size();
        checkFileHeader(size);
        long at = SampleFormat.FILE_HEADER_BYTES;
        while (at < size && end == null) {
            wholeUntil = at;
            at = scanChunk(at, size);
        }
        if (info == null) {
            throw new SampleFileException(file + ": ends at byte " + size
                    + " before the run's description does; nothing in it can be used, measure again");
        }
        if (end == null) {
            cut("ends at byte " + size + " without saying how the run ended");
            wholeUntil = at;
        } else if (!cut && at < size) {
            throw new SampleFileException(file + ": has " + (size - at) + " bytes behind its end at offset " + at
                    + "; expected none, so the file is damaged");
        }
    }

    private void cut(String where) {
        cut = true;
        end = new RunInfo.End(true, where, 0);
    }

    private void checkFileHeader(long size) throws IOException {
        if (size < SampleFormat.FILE_HEADER_BYTES) {
            throw new SampleFileException(file + ": has " + size + " bytes, a sample file begins with "
                    + SampleFormat.FILE_HEADER_BYTES + "; it is not one, or was cut at once");
        }
        ByteBuffer header = read(0, SampleFormat.FILE_HEADER_BYTES);
        long magic = header.getLong();
        if (magic != SampleFormat.MAGIC) {
            throw new SampleFileException(String.format(
                    "%s: is not a plog sample file: it begins with %016x, expected %016x",
                    file, magic, SampleFormat.MAGIC));
        }
        int version = header.getInt();
        checkCrc(
                "file's header", header.getInt(), SampleFormat.crc(header.flip().limit(12)));
        if (version != SampleFormat.VERSION) {
            throw new SampleFileException(file + ": "
                    + NewerVersion.words("sample format", Integer.toUnsignedLong(version), SampleFormat.VERSION));
        }
    }

    /** Checks one chunk and takes note of it; says where the next begins, or where this one does if it is cut. */
    private long scanChunk(long at, long size) throws IOException {
        if (size - at < SampleFormat.CHUNK_HEADER_BYTES) {
            cut("is cut at byte " + size + " in a chunk's header that begins at offset " + at);
            return at;
        }
        ByteBuffer header = read(at, SampleFormat.CHUNK_HEADER_BYTES);
        int type = header.getInt();
        int length = header.getInt();
        int bodyCrc = header.getInt();
        checkCrc(
                "header of the chunk at offset " + at,
                header.getInt(),
                SampleFormat.crc(header.flip().limit(12)));
        if (length < 0 || length > SampleFormat.MAX_BODY_BYTES) {
            throw new SampleFileException(file + ": chunk at offset " + at + " has " + Integer.toUnsignedString(length)
                    + " bytes, expected at most " + SampleFormat.MAX_BODY_BYTES);
        }
        long bodyAt = at + SampleFormat.CHUNK_HEADER_BYTES;
        if (size - bodyAt < length) {
            cut("is cut at byte " + size + " in a chunk of " + length + " bytes that begins at offset " + at);
            return at;
        }
        ByteBuffer body = read(bodyAt, length);
        checkCrc("body of the chunk at offset " + at, bodyCrc, SampleFormat.crc(body));
        take(type, at, body);
        return bodyAt + length;
    }

    private void take(int type, long at, ByteBuffer body) throws IOException {
        if ((info == null) != (type == SampleFormat.START)) {
            throw new SampleFileException(file + ": chunk at offset " + at + " is of type " + type
                    + ", but the run's description (type 1) comes first and only once");
        }
        switch (type) {
            case SampleFormat.START -> info = json(at, body, RunInfo.class);
            case SampleFormat.END -> end = json(at, body, RunInfo.End.class);
            case SampleFormat.SAMPLES -> takeSamples(at, body);
            case SampleFormat.RECORDS ->
                records.addAll(json(at, body, Records.class).trials());
            case SampleFormat.EVENTS ->
                events.add(new Chunk(at + SampleFormat.CHUNK_HEADER_BYTES, body.remaining(), 0));
            default -> {
                // A later client may add kinds of chunks; its samples are still good.
            }
        }
    }

    private void takeSamples(long at, ByteBuffer body) throws SampleFileException {
        int bytes = body.remaining();
        if (bytes < SampleFormat.SAMPLES_PREFIX_BYTES) {
            throw new SampleFileException(file + ": samples at offset " + at + " have " + bytes
                    + " bytes, expected at least " + SampleFormat.SAMPLES_PREFIX_BYTES);
        }
        CellKey cell = new CellKey(body.getInt(), body.getInt());
        int count = body.getInt();
        if (count < 0 || count > SampleFormat.MAX_CHUNK_SAMPLES) {
            throw new SampleFileException(file + ": chunk at offset " + at + " announces "
                    + Integer.toUnsignedString(count) + " samples, expected at most " + SampleFormat.MAX_CHUNK_SAMPLES);
        }
        chunks.computeIfAbsent(cell, key -> new ArrayList<>())
                .add(new Chunk(at + SampleFormat.CHUNK_HEADER_BYTES, bytes, count));
    }

    private <T extends Record> T json(long at, ByteBuffer body, Class<T> type) throws SampleFileException {
        try {
            return SampleFormat.read(SampleFormat.unpack(body, inflater).array(), type);
        } catch (IOException | DataFormatException e) {
            String reason = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
            throw new SampleFileException(
                    file + ": the JSON at offset " + at + " does not describe a run: " + reason, e);
        }
    }

    private void checkCrc(String part, int stored, int computed) throws SampleFileException {
        if (stored != computed) {
            throw new SampleFileException(
                    file + ": the " + part + " has CRC-32C " + SampleFormat.hex(computed) + ", expected "
                            + SampleFormat.hex(stored) + "; the file is damaged, restore a copy or measure again");
        }
    }

    private ByteBuffer read(long at, int bytes) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(bytes);
        while (buffer.hasRemaining()) {
            if (channel.read(buffer, at + buffer.position()) < 0) {
                throw new SampleFileException(file + ": became shorter while it was read");
            }
        }
        return buffer.flip();
    }
}
