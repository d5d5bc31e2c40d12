package io.plog.log.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;

/** Reads a ledger's entries. For any thread. */
interface LedgerReader extends AutoCloseable {
    /** How many entries there are, at present. */
    long entries();

    /** How many of these are known to have been acknowledged. */
    default long confirmed() {
        return entries();
    }

    /** Looks again how many there are; changes nothing but for a reader of {@link LedgerStore#follow}. */
    default void refresh() throws IOException {}

    /** How many bytes these have; of a ledger that is being written, about. */
    long bytes();

    /** Whether its writer had closed it in order before it was opened. */
    boolean wasClosed();

    /**
     * Reads entries, in order. Blocks.
     *
     * @param first from 0
     * @param last less than {@link #entries}
     * @throws LedgerStore.NoLedgerException if the ledger was deleted
     */
    List<ByteBuffer> read(long first, long last) throws IOException;

    @Override
    void close() throws IOException;
}
