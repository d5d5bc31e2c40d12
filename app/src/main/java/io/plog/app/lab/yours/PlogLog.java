package io.plog.app.lab.yours;

import io.plog.log.Append;
import io.plog.log.Checkpoint;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** plog's own log as a student's: lab 9 loads it with a bug, and without one it shows that the campaign asks for nothing impossible. */
public final class PlogLog implements YourLog, AutoCloseable {
    private final Storage disk;
    private @Nullable MessageLog open;
    private long told; // the last index that was acknowledged; of the log's thread
    private volatile boolean disordered;

    public PlogLog(Storage disk) {
        this.disk = disk;
    }

    @Override
    public Recovered recover() throws IOException {
        open = MessageLog.open(LogOptions.on(disk)
                .withSegmentBytes(64 * 1024)
                .withMaxRecordBytes(4096)
                .withReserveSegments(1)
                .withSpin(Duration.ZERO));
        Optional<Checkpoint> saved = log().checkpoint();
        byte[] state = new byte[saved.map(each -> each.state().remaining()).orElse(0)];
        saved.ifPresent(each -> each.state().get(state));
        return new Recovered(log().checkpointIndex(), state, log().durableIndex());
    }

    private MessageLog log() {
        MessageLog log = open;
        if (log == null) {
            throw new IllegalStateException("recover comes first");
        }
        return log;
    }

    @Override
    public long append(byte[] record) throws IOException {
        Ordered append = new Ordered();
        log().appendAndWait(append, ByteBuffer.wrap(record));
        if (disordered) {
            throw new IllegalStateException("records are acknowledged in another order than the log's");
        }
        if (append.failure != null) {
            throw append.failure;
        }
        return append.index();
    }

    /** Looks at the order in which appends are acknowledged, which callers that wait cannot see. */
    private final class Ordered extends Append {
        private @Nullable IOException failure;

        @Override
        protected void onDurable() {
            disordered |= index() < told;
            told = index();
        }

        @Override
        protected void onFailed(LogException cause) {
            failure = cause;
        }
    }

    @Override
    public byte[] read(long index) throws IOException {
        return log().get(index).orElseThrow(() -> new IOException("there is no record " + index));
    }

    @Override
    public void checkpoint(long index, byte[] state) throws IOException {
        log().saveCheckpoint(index, ByteBuffer.wrap(state));
        var unused = log().truncateBefore(index + 1);
    }

    @Override
    public void close() throws IOException {
        if (open != null) {
            open.close();
        }
    }
}
