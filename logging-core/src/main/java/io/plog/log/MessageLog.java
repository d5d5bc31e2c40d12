package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;

/** PLACEHOLDER bodies; signatures are final. */
@SuppressWarnings("DoNotCallSuggester")
public final class MessageLog implements AutoCloseable {
    private MessageLog() {}

    public static MessageLog open(LogOptions options) throws IOException {
        throw new UnsupportedOperationException();
    }

    public CompletableFuture<Long> append(ByteBuffer... payload) {
        throw new UnsupportedOperationException();
    }

    public long appendAndWait(ByteBuffer... payload) throws IOException, InterruptedException {
        throw new UnsupportedOperationException();
    }

    public void append(Append append, ByteBuffer... payload) {
        throw new UnsupportedOperationException();
    }

    /** What was found on opening. */
    public RecoveryReport recovery() {
        throw new UnsupportedOperationException();
    }

    public long firstIndex() {
        throw new UnsupportedOperationException();
    }

    /** The last durable index, 0 for none. */
    public long durableIndex() {
        throw new UnsupportedOperationException();
    }

    public LogReader read(long fromIndex) throws IOException {
        throw new UnsupportedOperationException();
    }

    /** Drops whole segments whose records all lie before index. Returns the first index still there. */
    public long truncateBefore(long index) throws IOException {
        throw new UnsupportedOperationException();
    }

    public int queuedRecords() {
        throw new UnsupportedOperationException();
    }

    public long queuedBytes() {
        throw new UnsupportedOperationException();
    }

    /** False once the log failed for good or was closed. */
    public boolean isHealthy() {
        throw new UnsupportedOperationException();
    }

    @Override
    public void close() throws IOException {
        throw new UnsupportedOperationException();
    }
}
