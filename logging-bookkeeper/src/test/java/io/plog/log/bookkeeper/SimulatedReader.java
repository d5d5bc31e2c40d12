package io.plog.log.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/** Reads a ledger of a {@link SimulatedCluster}. */
record SimulatedReader(
        SimulatedCluster cluster, long id, LongSupplier count, LongSupplier known, LongSupplier size, boolean wasClosed)
        implements LedgerReader {
    @Override
    public long entries() {
        return count.getAsLong();
    }

    @Override
    public long confirmed() {
        return known.getAsLong();
    }

    @Override
    public long bytes() {
        return size.getAsLong();
    }

    @Override
    public List<ByteBuffer> read(long first, long last) throws IOException {
        List<ByteBuffer> found = new ArrayList<>();
        for (long entry = first; entry <= last; entry++) {
            found.add(cluster.read(id, entry));
        }
        return found;
    }

    @Override
    public void close() {}
}
