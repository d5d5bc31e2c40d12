package io.plog.measure.disk;

import io.plog.log.storage.Force;
import io.plog.log.storage.Storage;
import io.plog.log.storage.Storage.FileHandle;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.DiskCell;
import io.plog.measure.plan.FileKind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;

/** The files of one way of forcing in one directory, one of each kind. For one thread. */
final class WayFiles implements Closeable {
    private static final int CHUNK_BYTES = 256 * 1024;

    private final Storage storage;
    private final Force force;
    private final String prefix;
    private final Map<FileKind, AppendFile> files = new EnumMap<>(FileKind.class);
    /** The same places for each way, so that ways differ in nothing else. */
    private final Random places = new Random(1);

    private WayFiles(Storage storage, Force force, String prefix) {
        this.storage = storage;
        this.force = force;
        this.prefix = prefix;
    }

    /** Creates a file of each kind, durably. */
    static WayFiles create(Storage storage, Force force, List<FileKind> kinds) throws IOException {
        return create(storage, force, kinds, "");
    }

    /** The same with names that begin with {@code prefix}. */
    static WayFiles create(Storage storage, Force force, List<FileKind> kinds, String prefix) throws IOException {
        WayFiles files = new WayFiles(storage, force, prefix);
        try {
            for (FileKind kind : kinds) {
                files.files.put(kind, kind == FileKind.GROWING ? files.growing() : files.initialised(kind));
            }
            return files;
        } catch (IOException | RuntimeException e) {
            files.close();
            throw e;
        }
    }

    private String name(FileKind kind) {
        return prefix + kind.label() + "-" + force.label();
    }

    private AppendFile initialised(FileKind kind) throws IOException {
        FileHandle file = initialised(storage, name(kind), Directories.FILE_BYTES, force.access());
        return new AppendFile(file, force, kind, Directories.FILE_BYTES);
    }

    /** As the log makes its segments: zeros written around the page cache in parts, then all of it forced. */
    static FileHandle initialised(Storage storage, String name, long bytes, Storage.Access access) throws IOException {
        storage.create(name).close();
        ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES + DiskCell.BLOCK_BYTES)
                .alignedSlice(DiskCell.BLOCK_BYTES)
                .slice(0, CHUNK_BYTES);
        try (FileHandle file = storage.open(name, Storage.Access.WRITE_UNCACHED)) {
            for (long at = 0; at < bytes; ) {
                chunk.clear().position((int) (at % CHUNK_BYTES));
                at += file.write(new ByteBuffer[] {chunk}, 0, 1, at);
            }
            file.force(true);
        }
        storage.forceDirectory();
        FileHandle file = storage.open(name, access);
        if (!access.writesWholeBlocks()) {
            readIntoPageCache(file, chunk);
        }
        return file;
    }

    /** As the log does: to write a part of a block that is not there, the kernel would have to read it first. */
    private static void readIntoPageCache(FileHandle file, ByteBuffer chunk) throws IOException {
        int count = 0;
        for (long at = 0; count >= 0; at += count) {
            count = file.read(chunk.clear(), at);
        }
    }

    private AppendFile growing() throws IOException {
        String name = name(FileKind.GROWING);
        try (FileHandle file = storage.create(name)) {
            file.force(true);
        }
        storage.forceDirectory();
        FileHandle file = storage.open(name, force.access());
        return new AppendFile(file, force, FileKind.GROWING, Directories.FILE_BYTES);
    }

    /** The file for the next group of this size, with room for it. What it takes to make room is in no figure. */
    AppendFile fileFor(FileKind kind, int groupBytes) throws IOException {
        AppendFile file = Objects.requireNonNull(files.get(kind));
        if (kind == FileKind.RANDOM) {
            file.moveTo(places, groupBytes);
            return file;
        }
        if (file.hasRoom(groupBytes)) {
            return file;
        }
        if (kind == FileKind.INITIALISED) {
            file.rewind();
            return file;
        }
        file.close();
        storage.delete(name(kind));
        AppendFile next = growing();
        files.put(kind, next);
        return next;
    }

    @Override
    public void close() {
        for (AppendFile file : files.values()) {
            try {
                file.close();
            } catch (IOException ignored) {
                // Its content does not matter; it is deleted next.
            }
        }
    }
}
