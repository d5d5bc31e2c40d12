package io.plog.log.testing;

import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Passes everything on to another storage, and says of each operation that changes something that it is about to happen. */
public abstract class ForwardingStorage implements Storage {
    private final Storage inner;

    protected ForwardingStorage(Storage inner) {
        this.inner = inner;
    }

    /**
     * An operation on the directory is about to happen; what this throws happens instead.
     *
     * @param what {@code create}, {@code rename}, {@code link}, {@code delete} or {@code force}
     * @param name the file, after a rename or link its new name; or {@code directory} or {@code parent}
     */
    protected void before(String what, String name) throws IOException {}

    /** What stands for a file that was opened or created. */
    protected Storage.FileHandle forwarding(String name, Storage.FileHandle file, Access access) {
        return file;
    }

    @Override
    public List<String> list() throws IOException {
        return inner.list();
    }

    @Override
    public Storage.FileHandle create(String name) throws IOException {
        before("create", name);
        return forwarding(name, inner.create(name), Access.WRITE);
    }

    @Override
    public Storage.FileHandle open(String name, Access access) throws IOException {
        return forwarding(name, inner.open(name, access), access);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        before("rename", to);
        inner.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        before("delete", name);
        inner.delete(name);
    }

    @Override
    public void forceDirectory() throws IOException {
        before("force", "directory");
        inner.forceDirectory();
    }

    @Override
    public void forceParentDirectory() throws IOException {
        before("force", "parent");
        inner.forceParentDirectory();
    }

    @Override
    public Closeable lock(String name) throws IOException {
        return inner.lock(name);
    }

    @Override
    public boolean mayBeOpenIn(long pid) throws IOException {
        return inner.mayBeOpenIn(pid);
    }

    @Override
    public Object identityOf(String name) throws IOException {
        return inner.identityOf(name);
    }

    @Override
    public void link(String name, String second) throws IOException {
        before("link", second);
        inner.link(name, second);
    }

    @Override
    public int linksOf(String name) throws IOException {
        return inner.linksOf(name);
    }

    @Override
    public String describe() {
        return inner.describe();
    }

    @Override
    public void close() throws IOException {
        inner.close();
    }

    /** Passes everything on to another file. */
    public static class ForwardingFile implements Storage.FileHandle {
        private final Storage.FileHandle inner;

        protected ForwardingFile(Storage.FileHandle inner) {
            this.inner = inner;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return inner.read(target, position);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
            return inner.write(sources, offset, length, position);
        }

        @Override
        public void force(boolean metadata) throws IOException {
            inner.force(metadata);
        }

        @Override
        public long size() throws IOException {
            return inner.size();
        }

        @Override
        public void close() throws IOException {
            inner.close();
        }
    }
}
