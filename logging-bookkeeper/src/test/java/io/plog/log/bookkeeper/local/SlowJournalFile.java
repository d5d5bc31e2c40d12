package io.plog.log.bookkeeper.local;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.ReadableByteChannel;
import java.nio.channels.WritableByteChannel;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A file of a {@link SlowJournal}: finds the numbers in what is written, and takes its time to force them. */
final class SlowJournalFile extends FileChannel {
    private static final int LENGTH = 2 * Long.BYTES;

    private final FileChannel file;
    private final int number;
    private final long forceNanos;
    private final Set<Long> written = new HashSet<>(); // guarded by this
    private byte[] tail = new byte[0]; // of what was written last: a number may be in two writes; guarded by this

    /**
     * @param number of the file, counted from 1
     * @param forceMillis how long it takes to force data, in milliseconds
     */
    SlowJournalFile(FileChannel file, int number, long forceMillis) {
        this.file = file;
        this.number = number;
        this.forceNanos = TimeUnit.MILLISECONDS.toNanos(forceMillis);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        ByteBuffer bytes = source.duplicate();
        int count = file.write(source);
        note(bytes.limit(bytes.position() + count));
        return count;
    }

    private synchronized void note(ByteBuffer bytes) {
        ByteBuffer all = ByteBuffer.allocate(tail.length + bytes.remaining());
        all.put(tail).put(bytes).flip();
        for (int i = 0; i + LENGTH <= all.limit(); i++) {
            if (all.getLong(i) == SlowJournal.MAGIC) {
                written.add(all.getLong(i + Long.BYTES));
            }
        }
        tail = new byte[Math.min(LENGTH - 1, all.limit())];
        all.get(all.limit() - tail.length, tail);
    }

    /** The header of a new file, which is forced with its metadata, takes no time: it is the order of the other forces that matters. */
    @Override
    public void force(boolean metaData) throws IOException {
        Set<Long> before;
        synchronized (this) {
            before = Set.copyOf(written);
        }
        if (!metaData) {
            LockSupport.parkNanos(forceNanos);
            if (SlowJournal.fails(number)) {
                throw new IOException("Input/output error");
            }
        }
        file.force(metaData);
        if (!metaData) {
            SlowJournal.forced(number, before);
        }
    }

    // ---- As the file does ----

    @Override
    public int read(ByteBuffer target) throws IOException {
        return file.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return file.read(targets, offset, length);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) {
        throw new UnsupportedOperationException("no journal writes so");
    }

    @Override
    public long position() throws IOException {
        return file.position();
    }

    @Override
    public FileChannel position(long newPosition) throws IOException {
        file.position(newPosition);
        return this;
    }

    @Override
    public long size() throws IOException {
        return file.size();
    }

    @Override
    public FileChannel truncate(long size) throws IOException {
        file.truncate(size);
        return this;
    }

    @Override
    public long transferTo(long position, long count, WritableByteChannel target) throws IOException {
        return file.transferTo(position, count, target);
    }

    @Override
    public long transferFrom(ReadableByteChannel source, long position, long count) throws IOException {
        return file.transferFrom(source, position, count);
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return file.read(target, position);
    }

    /** Room that the journal takes ahead of time: zeros. */
    @Override
    public int write(ByteBuffer source, long position) throws IOException {
        return file.write(source, position);
    }

    @Override
    public MappedByteBuffer map(MapMode mode, long position, long size) throws IOException {
        return file.map(mode, position, size);
    }

    @Override
    public FileLock lock(long position, long size, boolean shared) throws IOException {
        return file.lock(position, size, shared);
    }

    @Override
    public FileLock tryLock(long position, long size, boolean shared) throws IOException {
        return file.tryLock(position, size, shared);
    }

    @Override
    protected void implCloseChannel() throws IOException {
        file.close();
    }
}
