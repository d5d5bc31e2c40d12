package io.plog.measure.disk;

import io.plog.log.storage.Force;
import io.plog.log.storage.Storage;
import io.plog.log.storage.Storage.FileHandle;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.DiskCell;
import io.plog.measure.plan.FileKind;
import io.plog.measure.plan.Neighbour;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The files of those who use the disk besides the log that is measured. Each is used by one thread at a time.
 *
 * @param source as for {@link AppendFile#append}
 * @param log null if no second log is measured
 * @param reads null if no reads are
 */
record NeighbourFiles(
        ByteBuffer source, @Nullable WayFiles log, @Nullable FileHandle reads) implements Closeable {
    /** What a neighbour reads or appends at once. */
    static final int OPERATION_BYTES = DiskCell.BLOCK_BYTES;

    /**
     * Creates the files of these neighbours.
     *
     * @param source as for {@link AppendFile#append}
     */
    static NeighbourFiles create(Storage storage, List<Neighbour> neighbours, ByteBuffer source) throws IOException {
        WayFiles log = null;
        if (neighbours.contains(Neighbour.LOG)) {
            log = WayFiles.create(storage, Force.FDATASYNC, List.of(FileKind.INITIALISED), "second-");
        }
        try {
            return new NeighbourFiles(
                    source,
                    log,
                    neighbours.contains(Neighbour.READS)
                            ? WayFiles.initialised(
                                    storage, "neighbour-reads", Directories.READ_BYTES, Storage.Access.WRITE_UNCACHED)
                            : null);
        } catch (IOException | RuntimeException e) {
            if (log != null) {
                log.close();
            }
            throw e;
        }
    }

    /** Starts one of the neighbours, which writes at most this much. */
    NeighbourLoad start(Neighbour neighbour, long mostBytes) throws IOException {
        return switch (neighbour) {
            case NONE -> throw new IllegalArgumentException("no neighbour cannot be started");
            case LOG -> new NeighbourLoad(appending(), TurnLimit.neighbourOperations(mostBytes));
            case READS -> new NeighbourLoad(reading(), Long.MAX_VALUE);
        };
    }

    private NeighbourLoad.Operation appending() {
        WayFiles files = Objects.requireNonNull(log);
        ByteBuffer own = source.duplicate();
        return () -> files.fileFor(FileKind.INITIALISED, OPERATION_BYTES)
                .append(OPERATION_BYTES, own, AppendFile.Timing.UNUSED, () -> 0);
    }

    private NeighbourLoad.Operation reading() {
        FileHandle file = Objects.requireNonNull(reads);
        ByteBuffer target = ByteBuffer.allocateDirect(2 * OPERATION_BYTES)
                .alignedSlice(OPERATION_BYTES)
                .slice(0, OPERATION_BYTES);
        Random places = new Random(Directories.READ_BYTES);
        int blocks = (int) (Directories.READ_BYTES / OPERATION_BYTES);
        return () -> file.read(target.clear(), (long) places.nextInt(blocks) * OPERATION_BYTES);
    }

    @Override
    public void close() {
        if (log != null) {
            log.close();
        }
        if (reads != null) {
            try {
                reads.close();
            } catch (IOException ignored) {
                // Its content does not matter; it is deleted next.
            }
        }
    }
}
