package io.plog.measure.disk;

import io.plog.log.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Those who use a disk beside a server's log while a run measures it. Their files are in a directory of their own, which is
 * removed at the end. For one thread.
 */
public final class DiskNeighbours implements Closeable {
    /** How much space they need at most. */
    public static final long BYTES = NeighbourFiles.READ_BYTES + DiskPlan.FILE_BYTES;

    private final Path scratch;
    private final NeighbourFiles files;

    private DiskNeighbours(Path scratch, NeighbourFiles files) {
        this.scratch = scratch;
        this.files = files;
    }

    /**
     * Makes the files of these neighbours, which takes a second or two.
     *
     * @param directory on the disk of the log
     * @throws IOException if that is not possible, or the page cache would answer the reads
     */
    public static DiskNeighbours open(Path directory, List<Neighbour> neighbours) throws IOException {
        Path scratch = Files.createTempDirectory(directory, "plog-neighbours-");
        try {
            Storage storage = Storage.onDisk(scratch);
            if (neighbours.contains(Neighbour.READS) && !MeasuredDirectory.canWriteUncached(storage)) {
                throw new IOException(
                        "the file system of " + directory
                                + " has no O_DIRECT, so the page cache would answer the neighbour's reads; measure without --shared");
            }
            return new DiskNeighbours(scratch, NeighbourFiles.create(storage, neighbours, source()));
        } catch (IOException | RuntimeException e) {
            remove(scratch);
            throw e;
        }
    }

    private static ByteBuffer source() {
        ByteBuffer source = ByteBuffer.allocateDirect(4 * DiskCell.BLOCK_BYTES).alignedSlice(DiskCell.BLOCK_BYTES);
        Random random = new Random(1);
        while (source.remaining() >= Long.BYTES) {
            source.putLong(random.nextLong());
        }
        return source;
    }

    /** What a neighbour does until it is closed; closing waits for its last operation and throws if one failed. */
    public Closeable start(Neighbour neighbour) throws IOException {
        return files.start(neighbour, Long.MAX_VALUE);
    }

    @Override
    public void close() throws IOException {
        files.close();
        remove(scratch);
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> all = Files.walk(directory)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }
}
