package io.plog.simdisk;

import io.plog.log.storage.Storage;
import io.plog.log.storage.Storage.FileHandle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;

/** One opening of a file on a {@link ModelledDisk}: that of a {@link SimulatedDisk}, with time. */
final class ModelledFile implements FileHandle {
    private final ModelledDisk disk;
    private final OpenFile opened;
    private final Storage.Access access;
    private boolean closed;

    ModelledFile(ModelledDisk disk, OpenFile opened, Storage.Access access) {
        this.disk = disk;
        this.opened = opened;
        this.access = access;
        ((RealFile) opened.file().stable()).opened();
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        opened.size(); // if it is closed, or the power is gone, that takes no time
        if (access.writesWholeBlocks()) {
            disk.time().read(disk.placeOf(opened.file()) + position, target.remaining());
        }
        try {
            return opened.read(target, position);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
        long written;
        try {
            written = opened.write(sources, offset, length, position);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        if (access == Storage.Access.WRITE_UNCACHED) {
            disk.time().write();
        }
        if (access == Storage.Access.WRITE_DSYNC || access == Storage.Access.WRITE_DIRECT) {
            disk.force(opened.file());
        } else {
            disk.writeBack(opened.file());
        }
        return written;
    }

    @Override
    public void force(boolean metadata) throws IOException {
        opened.size();
        disk.force(opened.file());
    }

    @Override
    public long size() throws IOException {
        return opened.size();
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            opened.close();
            disk.closed(opened.file());
        }
    }
}
