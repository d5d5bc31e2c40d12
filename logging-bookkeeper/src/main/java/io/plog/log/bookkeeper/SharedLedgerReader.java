package io.plog.log.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** A ledger's reader that several readers of the log share, and that none of them closes. */
record SharedLedgerReader(LedgerReader reader) implements LedgerReader {
    @Override
    public long entries() {
        return reader.entries();
    }

    @Override
    public long bytes() {
        return reader.bytes();
    }

    @Override
    public boolean wasClosed() {
        return reader.wasClosed();
    }

    @Override
    public List<ByteBuffer> read(long first, long last) throws IOException {
        return reader.read(first, last);
    }

    @Override
    public void close() {}
}
