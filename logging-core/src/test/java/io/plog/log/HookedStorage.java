package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A real directory whose every operation passes through a hook, which may record it, wait, or fail it. */
final class HookedStorage implements Storage {
    /** Called before an operation happens; what it throws happens instead. */
    interface Hook {
        void before(String operation, String file) throws IOException;
    }

    private final Storage inner;
    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, Long> bytesWritten = new ConcurrentHashMap<>();
    private final Map<String, List<Stretch>> stretches = new ConcurrentHashMap<>();
    private volatile Hook hook = (operation, file) -> {};
    private volatile int mostBytesPerWrite = Integer.MAX_VALUE;
    private volatile boolean checkAlignment;

    HookedStorage(Storage inner) {
        this.inner = inner;
    }

    void hook(Hook newHook) {
        hook = newHook;
    }

    /** Makes every write short, as the operating system may. */
    void writeAtMost(int bytes) {
        mostBytesPerWrite = bytes;
    }

    /** Makes a write to a file opened with O_DIRECT fail if the kernel could refuse it. */
    void checkAlignment() {
        checkAlignment = true;
    }

    /** What happened so far, as "operation file", in order. */
    List<String> events() {
        synchronized (events) {
            return new ArrayList<>(events);
        }
    }

    /** How many bytes were written to the file of this name. */
    long bytesWritten(String file) {
        return bytesWritten.getOrDefault(file, 0L);
    }

    /** What was written by one call: from {@code begin} to before {@code end}. */
    record Stretch(long begin, long end) {}

    /** What was written to a file of this name since the events were cleared, in order. */
    List<Stretch> written(String file) {
        return List.copyOf(stretches.getOrDefault(file, List.of()));
    }

    void event(String text) {
        events.add(text);
    }

    void clearEvents() {
        events.clear();
        stretches.clear();
    }

    private void pass(String operation, String file) throws IOException {
        hook.before(operation, file);
        events.add(operation + " " + file);
    }

    @Override
    public List<String> list() throws IOException {
        return inner.list();
    }

    @Override
    public StorageFile create(String name) throws IOException {
        pass("create", name);
        return new HookedFile(name, inner.create(name), false);
    }

    @Override
    public StorageFile open(String name, Access access) throws IOException {
        if (access != Access.READ) {
            pass("open", name);
        }
        return hooked(name, inner.open(name, access), access);
    }

    @Override
    public @Nullable StorageFile openUninterruptible(String name, Access access) throws IOException {
        StorageFile file = inner.openUninterruptible(name, access);
        return file == null ? null : hooked(name, file, access);
    }

    private StorageFile hooked(String name, StorageFile file, Access access) {
        return new HookedFile(name, file, access == Access.WRITE_DIRECT || access == Access.WRITE_UNCACHED);
    }

    @Override
    public void rename(String from, String to) throws IOException {
        pass("rename", to);
        inner.rename(from, to);
    }

    @Override
    public void delete(String name) throws IOException {
        pass("delete", name);
        inner.delete(name);
    }

    @Override
    public void forceDirectory() throws IOException {
        pass("force", "directory");
        inner.forceDirectory();
    }

    @Override
    public void forceParentDirectory() throws IOException {
        pass("force", "parent");
        inner.forceParentDirectory();
    }

    @Override
    public Closeable lock(String name) throws IOException {
        return inner.lock(name);
    }

    @Override
    public String describe() {
        return inner.describe();
    }

    @Override
    public void close() throws IOException {
        inner.close();
    }

    private final class HookedFile implements StorageFile {
        private final String name;
        private final StorageFile file;
        private final boolean direct;

        HookedFile(String name, StorageFile file, boolean direct) {
            this.name = name;
            this.file = file;
            this.direct = direct;
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            return file.read(target, position);
        }

        @Override
        public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
            long written = writeHooked(sources, offset, length, position);
            bytesWritten.merge(name, written, Long::sum);
            stretches
                    .computeIfAbsent(name, file -> new CopyOnWriteArrayList<>())
                    .add(new Stretch(position, position + written));
            return written;
        }

        private long writeHooked(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
            pass("write", name);
            if (direct && checkAlignment) {
                for (int i = offset; i < offset + length; i++) {
                    if (position % 4096 != 0
                            || sources[i].remaining() % 4096 != 0
                            || sources[i].alignmentOffset(sources[i].position(), 4096) != 0) {
                        throw new IOException("unaligned direct write at " + position);
                    }
                }
            }
            ByteBuffer first = sources[offset];
            if (length == 1 && first.remaining() <= mostBytesPerWrite) {
                return file.write(sources, offset, length, position);
            }
            if (mostBytesPerWrite == Integer.MAX_VALUE) {
                return file.write(sources, offset, length, position);
            }
            int limit = first.limit();
            first.limit(first.position() + Math.min(first.remaining(), mostBytesPerWrite));
            try {
                return file.write(new ByteBuffer[] {first}, 0, 1, position);
            } finally {
                first.limit(limit);
            }
        }

        @Override
        public void force(boolean metadata) throws IOException {
            pass(metadata ? "fsync" : "fdatasync", name);
            file.force(metadata);
        }

        @Override
        public long size() throws IOException {
            return file.size();
        }

        @Override
        public void close() throws IOException {
            file.close();
        }
    }
}
