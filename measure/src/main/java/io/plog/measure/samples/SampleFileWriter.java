package io.plog.measure.samples;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.zip.Deflater;

/**
 * Writes a sample file: every sample of a run, with the description of the run at its beginning and how it ended at its
 * end. {@code docs/sample-format.md} specifies the bytes. What was written so far is readable at any moment, so a run
 * that is killed keeps its samples up to the last chunk.
 *
 * <p>Not thread-safe. It does nothing on the measuring path: the experiment calls it between blocks.
 */
public final class SampleFileWriter implements Closeable {
    /** The name of the file within a results directory. */
    public static final String FILE_NAME = "samples.plog";

    /** What a sample takes, as measured: 17 to 31 bytes, by how many come at once. */
    public static final int SAMPLE_BYTES = 25;

    /** What a sample takes that is kept in a bin, as measured: 1 byte at 40,000 a second, 9 at 1,000. */
    public static final int BINNED_BYTES = 9;

    /** A reader has one chunk in the heap: of 5 MB. */
    private static final int CHUNK_SAMPLES = 32 * 1024;

    /** What the end of a run, and what is made of its samples, need on a disk that has become full. */
    public static final int SPARE_BYTES = 4 << 20;

    private final Path file;
    private final FileChannel channel;
    private final FileChannel spare;
    private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
    private final ByteBuf plain = Unpooled.buffer(16 * 1024);
    private final ByteBuf body = Unpooled.buffer(16 * 1024);
    private boolean ended;

    private SampleFileWriter(Path file, FileChannel channel, FileChannel spare) {
        this.file = file;
        this.channel = channel;
        this.spare = spare;
    }

    /**
     * Creates the file and writes the run's description.
     *
     * @throws java.nio.file.FileAlreadyExistsException if there is such a file; it is left alone
     */
    public static SampleFileWriter create(Path file, RunInfo info) throws IOException {
        return begin(file, FileChannel.open(file, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE), info);
    }

    /**
     * Goes on behind what is whole of a file; its end is taken away, and what it says of trials is kept.
     *
     * @throws SampleFileException if it is damaged
     */
    public static SampleFileWriter append(Path file) throws IOException {
        long from;
        List<TrialRecord> before;
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            from = reader.wholeUntil();
            before = reader.atEnd();
        }
        FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE);
        SampleFileWriter writer = of(file, channel);
        try {
            writer.spare.write(ByteBuffer.allocate(SPARE_BYTES));
            channel.truncate(from).position(from);
            writer.append(before);
            return writer;
        } catch (IOException | RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    /** Adds to what a file says of trials; how its run ended stays as it is. */
    public static void add(Path file, List<TrialRecord> records) throws IOException {
        RunInfo.End end;
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            end = reader.end();
        }
        try (SampleFileWriter writer = append(file)) {
            writer.append(records);
            writer.end(new RunInfo.End(end.partial(), end.reason(), end.wallNanos()));
        }
    }

    private static SampleFileWriter of(Path file, FileChannel channel) throws IOException {
        Path room = file.resolveSibling(file.getFileName() + ".spare");
        return new SampleFileWriter(
                file,
                channel,
                FileChannel.open(
                        room, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.DELETE_ON_CLOSE));
    }

    /** Without its description a file would be in the way of whoever continues the run, so none stays. */
    static SampleFileWriter begin(Path file, FileChannel channel, RunInfo info) throws IOException {
        SampleFileWriter writer = of(file, channel);
        try {
            writer.spare.write(ByteBuffer.allocate(SPARE_BYTES));
            writer.writeFully(SampleFormat.fileHeader());
            writer.writeJson(SampleFormat.START, info);
            return writer;
        } catch (IOException | RuntimeException e) {
            writer.close();
            Files.delete(file);
            throw e;
        }
    }

    /** Appends all samples given. A cell may be appended to as often as needed, in any order: the reader joins the parts. */
    public void append(CellKey cell, Samples samples) throws IOException {
        int count = (int) samples.count(); // what is recorded is in the heap
        for (int from = 0; from < count; from += CHUNK_SAMPLES) {
            appendChunk(cell, samples, from, Math.min(count, from + CHUNK_SAMPLES));
        }
    }

    private void appendChunk(CellKey cell, Samples samples, int from, int to) throws IOException {
        body.clear();
        body.writeInt(cell.targetId());
        body.writeInt(cell.payloadBytes());
        body.writeInt(to - from);
        ColumnCodec.encode(samples, from, to, plain.clear());
        SampleFormat.pack(plain.nioBuffer(), deflater, body);
        writeChunk(SampleFormat.SAMPLES, body.nioBuffer());
    }

    /** Appends what one side recorded besides the samples of a trial. */
    public void append(SideEvents events) throws IOException {
        writeJson(SampleFormat.EVENTS, events);
    }

    /** Appends what is known of trials besides their samples. */
    public void append(List<TrialRecord> records) throws IOException {
        if (!records.isEmpty()) {
            writeJson(SampleFormat.RECORDS, new SampleFileReader.Records(records));
        }
    }

    /** Writes how the run ended and forces the file. Nothing can be appended afterwards. */
    public void end(RunInfo.End end) throws IOException {
        writeJson(SampleFormat.END, end);
        ended = true;
        channel.force(true);
    }

    /** Forces what was written, so that the system does not write it while a disk is measured. */
    public void force() throws IOException {
        channel.force(false);
    }

    private void writeJson(int type, Object value) throws IOException {
        SampleFormat.pack(ByteBuffer.wrap(SampleFormat.JSON.writeValueAsBytes(value)), deflater, body.clear());
        writeChunk(type, body.nioBuffer());
    }

    private void writeChunk(int type, ByteBuffer bytes) throws IOException {
        if (ended) {
            throw new IllegalStateException("the sample file has its end already");
        }
        ByteBuffer header = ByteBuffer.allocate(SampleFormat.CHUNK_HEADER_BYTES);
        header.putInt(type).putInt(bytes.remaining()).putInt(SampleFormat.crc(bytes));
        int crc = SampleFormat.crc(header.duplicate().flip());
        long begin = channel.position();
        try {
            writeFully(header.putInt(crc).flip());
            writeFully(bytes);
        } catch (IOException e) {
            channel.truncate(begin);
            spare.close();
            throw e;
        }
    }

    private void writeFully(ByteBuffer bytes) throws IOException {
        try {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        } catch (IOException e) {
            throw new IOException(
                    file + ": " + e.getMessage(), e); // the system says no more than "No space left on device"
        }
    }

    /** Closes the file; without {@link #end} before, readers will say that the run did not end properly. */
    @Override
    public void close() throws IOException {
        deflater.end();
        spare.close();
        channel.close();
    }
}
