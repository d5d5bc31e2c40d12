package io.plog.measure.disk;

import io.plog.log.storage.Storage.FileHandle;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** A file that notes what is asked of it, and takes as long as it is reported by moving the clock. */
final class RecordedFile implements FileHandle {
    final List<String> calls = new ArrayList<>();
    final ManualClock clock;
    int mostBytesAtOnce = Integer.MAX_VALUE;

    RecordedFile(ManualClock clock) {
        this.clock = clock;
    }

    @Override
    public int read(ByteBuffer target, long position) {
        return -1;
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length, long position) {
        ByteBuffer source = sources[offset];
        int count = Math.min(mostBytesAtOnce, source.remaining());
        source.position(source.position() + count);
        clock.now += 10;
        calls.add("write " + count + " at " + position);
        return count;
    }

    @Override
    public void force(boolean metadata) throws IOException {
        clock.now += 300;
        calls.add(metadata ? "fsync" : "fdatasync");
    }

    @Override
    public long size() {
        return 0;
    }

    @Override
    public void close() {}
}
