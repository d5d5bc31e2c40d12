package io.plog.benchmarks.journal;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * A journal that is measured: open, in a directory of its own, ready for its workload.
 *
 * <p>A journal offers {@link #append}, which one thread calls, or, if {@link #isBlockingOnly}, only {@link #appendAndWait},
 * which then as many threads call at once as appends shall be outstanding. At depth 1 {@link #appendAndWait} is always used,
 * by one thread. The two are not mixed on one open journal.
 */
public interface Journal extends AutoCloseable {
    /** Appends a record and returns when it is durable. The payload's position may be changed. */
    void appendAndWait(ByteBuffer payload) throws Exception;

    /**
     * Appends the payload of {@code pending} and tells it when the record is durable, from any thread. The payload belongs to
     * the journal until then.
     */
    default void append(Pending pending) throws Exception {
        throw new UnsupportedOperationException("this journal has only a blocking append");
    }

    /**
     * Called after the warm-up, when no append is outstanding: waits until what the journal began in the background is done,
     * so that the clock starts with prepared files.
     */
    default void settle() throws InterruptedException {}

    /** Whether there is only {@link #appendAndWait}. */
    default boolean isBlockingOnly() {
        return false;
    }

    /** Closes the files. Called when no append is outstanding. */
    @Override
    void close() throws IOException;
}
