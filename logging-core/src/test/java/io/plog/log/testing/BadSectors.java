package io.plog.log.testing;

import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A storage on a disk that cannot read some bytes of one file any more: what stands before them is read, as the kernel does. */
public final class BadSectors extends ForwardingStorage {
    private final String file;
    private volatile long begin;
    private volatile long end;

    public BadSectors(Storage inner, String file, long begin, long bytes) {
        super(inner);
        this.file = file;
        lose(begin, bytes);
    }

    /** From now on it cannot read these. */
    public void lose(long offset, long bytes) {
        begin = offset;
        end = offset + bytes;
    }

    @Override
    protected Storage.FileHandle forwarding(String name, Storage.FileHandle opened, Access access) {
        return name.equals(file) && access == Access.READ ? new BadFile(opened) : opened;
    }

    private final class BadFile extends ForwardingFile {
        BadFile(Storage.FileHandle inner) {
            super(inner);
        }

        @Override
        public int read(ByteBuffer target, long position) throws IOException {
            if (position + target.remaining() <= begin || position >= end || position >= size()) {
                return super.read(target, position);
            }
            if (position >= begin) {
                throw new IOException("read at " + position + ": Input/output error");
            }
            int limit = target.limit();
            target.limit(target.position() + (int) (begin - position));
            try {
                return super.read(target, position);
            } finally {
                target.limit(limit);
            }
        }
    }
}
