package io.plog.log.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A ledger that is being written. */
interface LedgerWriter {
    /** What became of an entry. Called once, on any thread, maybe before {@link #append} returns. */
    interface Outcome {
        /**
         * The entry is stored, or not.
         *
         * @param failure null if so many bookies as the ack quorum asks for have forced it, and every entry before it
         */
        void done(@Nullable IOException failure);
    }

    long id();

    /** Appends an entry and returns at once; entries are numbered from 0 in the order of the calls. One call at a time. */
    void append(ByteBuffer entry, Outcome outcome);

    /** Closes it for good; the entries that were acknowledged are all that it holds. Blocks. */
    void close() throws IOException;

    /** Reads what was acknowledged, while it is being written. It is not to be closed. */
    LedgerReader reader();
}
