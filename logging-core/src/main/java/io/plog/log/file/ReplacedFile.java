package io.plog.log.file;

import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.LongSupplier;

/**
 * A file next to the segments that is never written in place: it is replaced as a whole, by another file that is forced and takes its
 * name. So at any moment one whole file is stable, the one before or the new one.
 *
 * <p>That needs space for both, and a log at its bound on a full disk needs it to give space back. So a spare file is kept, of
 * which every byte is written already: where there is no space for a new file, the spare one is overwritten and takes the name, and
 * the file before becomes the spare one, so that its space stays reserved. What a spare holds means nothing. Behind its
 * content a file may have zeros, or what is left of an earlier content: room for a longer one.
 */
public final class ReplacedFile {
    /** Writes the whole content, from the start of the file. May be called again, for another file. */
    public interface Content {
        void writeTo(Storage.FileHandle file) throws IOException;
    }

    private static final String SPARE_SUFFIX = ".spare";

    private final String name;
    private final int leastRoom;
    private final String temporary;
    private final String spare;

    /** @param leastRoom so many bytes, and a quarter of the content, are kept for a longer one; 0 for content of always the same length */
    public ReplacedFile(String name, int leastRoom) {
        this.name = name;
        this.leastRoom = leastRoom;
        this.temporary = name + LogFiles.TEMPORARY_SUFFIX;
        this.spare = name + SPARE_SUFFIX;
    }

    /**
     * Replaces the file, durably: when this returns, the new one is stable.
     *
     * @param bytes of the content
     * @param durableIndex see {@link PacedWriter}
     */
    public void replace(Storage storage, long bytes, LongSupplier durableIndex, Content content) throws IOException {
        prepare(storage, bytes, durableIndex, content);
        putInPlace(storage);
    }

    /** Makes the new file, under its temporary name, and forces it. */
    void prepare(Storage storage, long bytes, LongSupplier durableIndex, Content content) throws IOException {
        try {
            write(storage, bytes, content, capacity(bytes), durableIndex);
        } catch (IOException e) {
            if (DiskErrors.kindOf(e) != DiskErrors.Kind.NO_SPACE || spareBytes(storage) < bytes) {
                throw e;
            }
            // The spare file may be the one before, and a change of names that failed, or was not forced, may come
            // undone.
            PermanentFailure.forceDirectory(storage);
            try (Storage.FileHandle file = storage.open(spare, Storage.Access.WRITE)) {
                content.writeTo(file);
                file.force(true);
            }
            storage.rename(spare, temporary);
            keepAsSpare(storage);
        }
    }

    /** Lets the new file take the name, durably. */
    void putInPlace(Storage storage) throws IOException {
        storage.rename(temporary, name);
        PermanentFailure.forceDirectory(storage);
    }

    /** Without a second name the file before is deleted when the new one takes its name, and its space given back. */
    private void keepAsSpare(Storage storage) {
        try {
            storage.link(name, spare);
        } catch (IOException notPossible) {
            return;
        }
    }

    /** Writes a temporary file, with room behind the content, and forces it: else the file system may not have found the space. */
    private void write(Storage storage, long bytes, Content content, long end, LongSupplier durableIndex)
            throws IOException {
        if (storage.list().contains(temporary)) {
            storage.delete(temporary); // an earlier one got so far, and not its name
        }
        try (Storage.FileHandle file = storage.create(temporary)) {
            content.writeTo(file);
            PacedWriter writer = new PacedWriter(file, durableIndex);
            ByteBuffer zeros = ByteBuffer.allocateDirect((int) Math.min(PacedWriter.MOST_BYTES, end - bytes + 1));
            for (long at = bytes; at < end; at += zeros.limit()) {
                int piece = Math.min(zeros.capacity(), writer.pieceBytes());
                writer.write(zeros.clear().limit((int) Math.min(piece, end - at)), at);
            }
            file.force(true);
        } catch (IOException e) {
            try {
                storage.delete(temporary); // gives the space back; else the next one does
            } catch (IOException again) {
                e.addSuppressed(again);
            }
            throw e;
        }
    }

    private long capacity(long bytes) {
        return leastRoom == 0 ? bytes : bytes + Math.max(leastRoom, bytes / 4);
    }

    /** How much may be written over the spare file; nothing if it has another name, which a crash in the middle may leave. */
    private long spareBytes(Storage storage) throws IOException {
        return storage.list().contains(spare) && storage.linksOf(spare) == 1 ? storage.sizeOf(spare) : 0;
    }

    /**
     * Keeps a spare file, so that the next content need not find space. Without space for it, the one that is there stays.
     *
     * @param bytes of the last content
     * @param durableIndex see {@link PacedWriter}
     */
    void keepSpare(Storage storage, long bytes, LongSupplier durableIndex) throws IOException {
        if (spareBytes(storage) < bytes + (capacity(bytes) - bytes) / 2) {
            write(storage, 0, file -> {}, capacity(bytes), durableIndex);
            storage.rename(temporary, spare);
        }
    }
}
