package io.plog.benchmarks.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A journal that is measured: open, in a directory of its own, ready for its workload.
 *
 * <p>One thread calls {@link #append}; at depth 1 it calls {@link #appendAndWait} instead, when nothing is outstanding.
 */
public interface Journal extends AutoCloseable {
    /** Appends a record and returns when it is durable. The payload's position may be changed. */
    void appendAndWait(ByteBuffer payload) throws Exception;

    /**
     * Appends the payload of {@code pending} and tells it when the record is durable, from any thread. The payload belongs to
     * the journal until then.
     */
    void append(Pending pending) throws Exception;

    /** Closes the files. Called when no append is outstanding. */
    @Override
    void close() throws IOException;
}
