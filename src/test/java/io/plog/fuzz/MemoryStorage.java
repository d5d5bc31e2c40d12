package io.plog.fuzz;

import io.plog.log.Storage;
import io.plog.log.Storage.FileHandle;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A directory in memory, with a limit on what it takes. It keeps no forced and unforced bytes apart: fuzzing is about what
 * is read, and needs speed. Safe for use by several threads.
 */
final class MemoryStorage implements Storage {
    private final long limitBytes;
    private final Map<String, Bytes> files = new TreeMap<>();
    private long changes;
    private boolean locked;

    MemoryStorage(Map<String, byte[]> content, long limitBytes) {
        this.limitBytes = limitBytes;
        content.forEach((name, bytes) -> files.put(name, new Bytes(bytes.clone())));
    }

    private static final class Bytes {
        private byte[] content;

        private Bytes(byte[] content) {
            this.content = content;
        }
    }

    /** How often something was changed. */
    synchronized long changes() {
        return changes;
    }

    /** A copy of what there is now. */
    synchronized Map<String, byte[]> content() {
        Map<String, byte[]> content = new TreeMap<>();
        files.forEach((name, file) -> content.put(name, file.content.clone()));
        return content;
    }

    private synchronized void changed() {
        changes++;
        long bytes =
                files.values().stream().mapToLong(file -> file.content.length).sum();
        if (bytes > limitBytes) {
            throw new AssertionError(bytes + " bytes on disk: expected at most " + limitBytes);
        }
    }

    @Override
    public synchronized List<String> list() {
        return List.copyOf(files.keySet());
    }

    @Override
    public synchronized FileHandle create(String name) throws IOException {
        Bytes file = new Bytes(new byte[0]);
        if (files.putIfAbsent(name, file) != null) {
            throw new FileAlreadyExistsException(name);
        }
        changed();
        return new Open(file, true);
    }

    @Override
    public synchronized FileHandle open(String name, Access access) throws IOException {
        return new Open(existing(name), access != Access.READ);
    }

    @Override
    public synchronized void rename(String from, String to) throws IOException {
        files.put(to, existing(from));
        files.remove(from);
        changed();
    }

    @Override
    public synchronized void delete(String name) throws IOException {
        existing(name);
        files.remove(name);
        changed();
    }

    private Bytes existing(String name) throws NoSuchFileException {
        Bytes file = files.get(name);
        if (file == null) {
            throw new NoSuchFileException(name);
        }
        return file;
    }

    @Override
    public void forceDirectory() {}

    @Override
    public void forceParentDirectory() {}

    @Override
    public synchronized Closeable lock(String name) {
        if (locked) {
            throw new AssertionError("the lock is taken twice");
        }
        locked = true;
        return this::unlock;
    }

    private synchronized void unlock() {
        locked = false;
    }

    @Override
    public String describe() {
        return "memory";
    }

    @Override
    public void close() {}

    private final class Open implements FileHandle {
        private final Bytes file;
        private final boolean writable;

        private Open(Bytes file, boolean writable) {
            this.file = file;
            this.writable = writable;
        }

        @Override
        public int read(ByteBuffer target, long position) {
            synchronized (MemoryStorage.this) {
                if (position < 0) {
                    throw new AssertionError("a read at " + position);
                }
                if (position >= file.content.length) {
                    return -1;
                }
                int count = (int) Math.min(target.remaining(), file.content.length - position);
                target.put(file.content, (int) position, count);
                return count;
            }
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length, long position) {
            synchronized (MemoryStorage.this) {
                long total = 0;
                for (int i = offset; i < offset + length; i++) {
                    total += sources[i].remaining();
                }
                if (!writable || position < 0 || position + total > limitBytes) {
                    throw new AssertionError(
                            "a write of " + total + " bytes at " + position + ", writable " + writable);
                }
                int at = (int) position;
                int end = Math.toIntExact(position + total);
                if (end > file.content.length) {
                    file.content = Arrays.copyOf(file.content, end);
                }
                for (int i = offset; i < offset + length; i++) {
                    int count = sources[i].remaining();
                    sources[i].get(file.content, at, count);
                    at += count;
                }
                changed();
                return total;
            }
        }

        @Override
        public void force(boolean metadata) {}

        @Override
        public long size() {
            synchronized (MemoryStorage.this) {
                return file.content.length;
            }
        }

        @Override
        public void close() {}
    }
}
