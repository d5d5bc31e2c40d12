package io.plog.log;

import io.plog.log.file.CheckpointFile;
import io.plog.log.file.DiskStorage;
import io.plog.log.file.HeadFile;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Optional;

/**
 * A service's state after the records up to an index, kept next to the log, so that the records before it need not be
 * replayed and may be dropped. What the state means is the service's own business.
 *
 * @param index the last record whose effect the state holds; 0 for none
 * @param state the state, read-only; at most 1 GiB
 */
public record Checkpoint(long index, ByteBuffer state) {
    /** Keeps a read-only view, so that no receiver of the state can change it for others. */
    public Checkpoint {
        if (index < 0) {
            throw new IllegalArgumentException("a checkpoint at index " + index + ": expected 0 or more");
        }
        state = state.asReadOnlyBuffer();
    }

    /** The state, read-only; each call gives a view with a position of its own. */
    @Override
    public ByteBuffer state() {
        return state.duplicate();
    }

    /**
     * Reads the checkpoint of a log that is not open, changing nothing.
     *
     * @throws LogDamagedException if it is damaged, or the log's head is; the log itself is not looked at
     * @throws LogException if the directory does not exist or cannot be used
     */
    public static Optional<Checkpoint> read(Path directory) throws IOException {
        try (Storage storage = new DiskStorage(directory)) {
            return read(storage);
        }
    }

    /** Reads the checkpoint of a log on another storage, which stays open. */
    public static Optional<Checkpoint> read(Storage storage) throws IOException {
        HeadFile head = HeadFile.read(storage);
        CheckpointFile file = head == null ? null : CheckpointFile.read(storage, head);
        return file == null ? Optional.empty() : Optional.of(new Checkpoint(file.index(), file.state()));
    }
}
