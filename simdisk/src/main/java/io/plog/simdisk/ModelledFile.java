package io.plog.simdisk;

import io.plog.log.storage.Storage;
import io.plog.log.storage.Storage.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.NonWritableChannelException;

/** One opening of a file on a {@link ModelledDisk}. */
final class ModelledFile implements FileHandle {
    private final ModelledDisk disk;
    private final CachedFile file;
    private final Storage.Access access;
    private boolean closed;

    ModelledFile(ModelledDisk disk, CachedFile file, Storage.Access access) {
        this.disk = disk;
        this.file = file;
        this.access = access;
        file.opened();
    }

    private void checkOpen() throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        checkOpen();
        disk.read(file, position, target.remaining(), access.writesWholeBlocks());
        return file.read(target, position);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
        checkOpen();
        if (access == Storage.Access.READ) {
            throw new NonWritableChannelException();
        }
        long written = 0;
        long grown = 0;
        for (int i = offset; i < offset + length; i++) {
            int bytes = sources[i].remaining();
            grown += file.write(sources[i], position + written);
            written += bytes;
        }
        disk.written(file, grown, access == Storage.Access.WRITE_UNCACHED);
        if (access == Storage.Access.WRITE_DSYNC || access == Storage.Access.WRITE_DIRECT) {
            disk.force(file);
        }
        return written;
    }

    @Override
    public void force(boolean metadata) throws IOException {
        checkOpen();
        disk.force(file);
    }

    @Override
    public long size() throws IOException {
        checkOpen();
        return file.size();
    }

    @Override
    public void close() throws IOException {
        if (!closed) {
            closed = true;
            file.closed();
        }
    }
}
