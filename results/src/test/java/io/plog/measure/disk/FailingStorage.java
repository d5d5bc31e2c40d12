package io.plog.measure.disk;

import io.plog.log.LogOptions;
import io.plog.log.testing.ForwardingStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/** A real directory whose file system has no O_DIRECT, or which is full after so many writes. */
final class FailingStorage extends ForwardingStorage {
    private final boolean hasDirect;
    private int writesLeft;

    FailingStorage(Path directory, boolean hasDirect, int writesLeft) throws IOException {
        super(LogOptions.ON_DISK.open(directory));
        this.hasDirect = hasDirect;
        this.writesLeft = writesLeft;
    }

    @Override
    public FileHandle open(String name, Access access) throws IOException {
        if (access == Access.WRITE_DIRECT && !hasDirect) {
            throw new IOException("force=direct is not possible in " + describe());
        }
        FileHandle file = super.open(name, access == Access.READ ? access : Access.WRITE); // a real disk takes long
        return new ForwardingFile(file) {
            @Override
            public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
                if (writesLeft-- <= 0) {
                    throw new IOException("No space left on device");
                }
                return super.write(sources, offset, length, position);
            }

            @Override
            public void force(boolean metadata) {
                // Not what is tested here, and slow.
            }
        };
    }

    @Override
    public void forceDirectory() {}

    @Override
    public void forceParentDirectory() {}
}
