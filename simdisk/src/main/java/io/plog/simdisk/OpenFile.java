package io.plog.simdisk;

import io.plog.log.storage.Storage;
import io.plog.log.storage.Storage.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;

/** One opening of a file on a {@link SimulatedDisk}. */
final class OpenFile implements FileHandle {
    private static final int BLOCK_BYTES = Storage.BLOCK_BYTES;

    private final SimulatedDisk disk;
    private final Faults faults;
    private final SimulatedFile file;
    private final String name;
    private final Storage.Access access;
    private boolean closed;

    OpenFile(SimulatedDisk disk, SimulatedFile file, String name, Storage.Access access) {
        this.disk = disk;
        this.faults = disk.faults();
        this.file = file;
        this.name = name;
        this.access = access;
    }

    SimulatedFile file() {
        return file;
    }

    private void checkUsable() throws IOException {
        disk.checkPower();
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        synchronized (disk) {
            checkUsable();
            return file.read(target, position);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
        synchronized (disk) {
            checkUsable();
            if (access == Storage.Access.READ) {
                throw new NonWritableChannelException();
            }
            if (isAligned()) {
                checkAlignment(sources, offset, length, position);
            }
            long bytes = 0;
            for (int i = offset; i < offset + length; i++) {
                bytes += sources[i].remaining();
            }
            boolean powerGoes = disk.begin("write", name + " at " + position + ", " + bytes + " bytes");
            boolean fails = faults.writeFails();
            long growth = Math.min(bytes, Math.max(0, position + bytes - file.size()));
            long done = powerGoes || fails
                    ? faults.partOf(bytes)
                    : faults.granted(bytes, growth, isAligned() ? BLOCK_BYTES : 1);
            put(sources, offset, position, done);
            if (powerGoes) {
                throw new PowerLostException();
            }
            if (fails) {
                if (isDirect()) {
                    file.failDirect(faults.chance());
                }
                throw disk.failure();
            }
            if (access == Storage.Access.WRITE_DSYNC || isDirect()) {
                makeStable();
            }
            return done;
        }
    }

    private boolean isAligned() {
        return isDirect() || access == Storage.Access.WRITE_UNCACHED;
    }

    private boolean isDirect() {
        return access == Storage.Access.WRITE_DIRECT;
    }

    private void put(ByteBuffer[] sources, int offset, long position, long bytes) {
        long left = bytes;
        for (int i = offset; left > 0; i++) {
            int count = (int) Math.min(left, sources[i].remaining());
            file.write(position + bytes - left, sources[i], count);
            left -= count;
        }
    }

    /** What a kernel could refuse, this one does. */
    private static void checkAlignment(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            ByteBuffer source = sources[i];
            if (position % BLOCK_BYTES != 0
                    || source.remaining() % BLOCK_BYTES != 0
                    || !source.isDirect()
                    || source.alignmentOffset(source.position(), BLOCK_BYTES) != 0) {
                throw new IOException("Invalid argument: an unaligned direct write at " + position);
            }
        }
    }

    @Override
    public void force(boolean metadata) throws IOException {
        faults.beforeForce();
        synchronized (disk) {
            checkUsable();
            if (disk.begin(metadata ? "fsync" : "fdatasync", name)) {
                throw new PowerLostException();
            }
            makeStable();
        }
    }

    private void makeStable() throws IOException {
        if (!faults.forceFails()) {
            file.force();
            return;
        }
        if (isDirect()) {
            file.failDirect(faults.chance());
        } else {
            file.failForce(faults.forceFailsPartly() ? faults.chance() : null);
        }
        throw disk.failure();
    }

    @Override
    public long size() throws IOException {
        synchronized (disk) {
            checkUsable();
            return file.size();
        }
    }

    @Override
    public void close() {
        synchronized (disk) {
            if (!closed) {
                closed = true;
                disk.fileClosed();
            }
        }
    }
}
