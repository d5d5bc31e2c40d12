package io.plog.log;

import io.plog.log.storage.Storage;
import io.plog.log.testing.ForwardingStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/** A real directory whose every operation passes through a hook, which may record it, wait, or fail it. */
final class HookedStorage extends ForwardingStorage {
    /** Called before an operation happens; what it throws happens instead. */
    interface Hook {
        void before(String operation, String file) throws IOException;
    }

    private final List<String> events = Collections.synchronizedList(new ArrayList<>());
    private final Map<String, Long> bytesWritten = new ConcurrentHashMap<>();
    private final Map<String, List<Stretch>> stretches = new ConcurrentHashMap<>();
    private volatile Hook hook = (operation, file) -> {};
    private volatile int mostBytesPerWrite = Integer.MAX_VALUE;
    private volatile boolean checkAlignment;

    HookedStorage(Storage inner) {
        super(inner);
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

    @Override
    protected void before(String what, String name) throws IOException {
        hook.before(what, name);
        events.add(what + " " + name);
    }

    @Override
    protected Storage.FileHandle forwarding(String name, Storage.FileHandle file, Access access) {
        return new HookedFile(name, file, access == Access.WRITE_DIRECT || access == Access.WRITE_UNCACHED);
    }

    @Override
    public Storage.FileHandle open(String name, Access access) throws IOException {
        if (access != Access.READ) {
            before("open", name);
        }
        return super.open(name, access);
    }

    private final class HookedFile extends ForwardingFile {
        private final String name;
        private final boolean direct;

        HookedFile(String name, Storage.FileHandle file, boolean direct) {
            super(file);
            this.name = name;
            this.direct = direct;
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
            before("write", name);
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
                return super.write(sources, offset, length, position);
            }
            if (mostBytesPerWrite == Integer.MAX_VALUE) {
                return super.write(sources, offset, length, position);
            }
            int limit = first.limit();
            first.limit(first.position() + Math.min(first.remaining(), mostBytesPerWrite));
            try {
                return super.write(new ByteBuffer[] {first}, 0, 1, position);
            } finally {
                first.limit(limit);
            }
        }

        @Override
        public void force(boolean metadata) throws IOException {
            before(metadata ? "fsync" : "fdatasync", name);
            super.force(metadata);
        }
    }
}
