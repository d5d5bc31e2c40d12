package io.plog.measure.disk;

import io.plog.log.Storage;
import io.plog.log.Storage.FileHandle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;

/** A real directory whose file system has no O_DIRECT, or which is full after so many writes. */
final class FailingStorage implements Storage {
    private final Storage storage;
    private final boolean hasDirect;
    private int writesLeft;

    FailingStorage(Path directory, boolean hasDirect, int writesLeft) throws IOException {
        storage = Storage.onDisk(directory);
        this.hasDirect = hasDirect;
        this.writesLeft = writesLeft;
    }

    @Override
    public List<String> list() throws IOException {
        return storage.list();
    }

    @Override
    public FileHandle create(String name) throws IOException {
        return storage.create(name);
    }

    @Override
    public FileHandle open(String name, Access access) throws IOException {
        if (access == Access.WRITE_DIRECT && !hasDirect) {
            throw new IOException("force=direct is not possible in " + storage.describe());
        }
        FileHandle file = storage.open(name, access == Access.READ ? access : Access.WRITE); // a real disk takes long
        return new FileHandle() {
            @Override
            public int read(ByteBuffer target, long position) throws IOException {
                return file.read(target, position);
            }

            @Override
            public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
                if (writesLeft-- <= 0) {
                    throw new IOException("No space left on device");
                }
                return file.write(sources, offset, length, position);
            }

            @Override
            public void force(boolean metadata) {
                // Not what is tested here, and slow.
            }

            @Override
            public long size() throws IOException {
                return file.size();
            }

            @Override
            public void close() throws IOException {
                file.close();
            }
        };
    }

    @Override
    public void rename(String from, String to) throws IOException {
        storage.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        storage.delete(name);
    }

    @Override
    public void forceDirectory() {}

    @Override
    public void forceParentDirectory() {}

    @Override
    public Closeable lock(String name) throws IOException {
        return storage.lock(name);
    }

    @Override
    public String describe() {
        return storage.describe();
    }

    @Override
    public void close() throws IOException {
        storage.close();
    }
}
