package io.plog.server;

import io.plog.log.Append;
import io.plog.log.LogListener;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.log.Overflow;
import io.plog.log.RecoveryReport;
import io.plog.protocol.RequestRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The real log of a target, with the server's settings. */
final class FileRecordLog implements RecordLog {
    private final MessageLog log;
    private final @Nullable Retention retention;
    private volatile boolean closed;

    private FileRecordLog(MessageLog log, @Nullable Retention retention) {
        this.log = log;
        this.retention = retention;
    }

    /**
     * Recovers and opens the log of a target.
     *
     * @throws ServerStartException if there is no such directory, or it cannot be used
     * @throws io.plog.log.LogException if the log is locked or damaged
     * @throws IllegalArgumentException if a size is out of its range
     */
    static FileRecordLog open(TargetOptions options, Path directory, int maxPayloadBytes, LogListener meters)
            throws IOException {
        check(options.name(), directory);
        Events events = new Events(meters);
        MessageLog log =
                MessageLog.open(logOptions(options, directory, maxPayloadBytes).withListener(events));
        Retention retention = options.retainBytes() == 0 ? null : new Retention(log, options);
        events.retention = retention;
        return new FileRecordLog(log, retention);
    }

    private static LogOptions logOptions(TargetOptions options, Path directory, int maxPayloadBytes) {
        LogOptions defaults = LogOptions.in(directory);
        int maxRecordBytes = maxRecordBytes(options, maxPayloadBytes);
        return defaults.withForce(options.force())
                .withPreparedSegments(options.preparedSegments())
                .withOverflow(Overflow.REFUSE) // event loops never wait
                .withMaxBatchBytes(Math.max(defaults.maxBatchBytes(), maxRecordBytes))
                .withMaxQueuedBytes(Math.max(defaults.maxQueuedBytes(), maxRecordBytes))
                .withMaxRecordBytes(Math.min(defaults.maxRecordBytes(), maxRecordBytes))
                .withSegmentBytes(options.segmentBytes())
                .withMaxRecordBytes(maxRecordBytes);
    }

    /** A record takes at most a quarter of a segment and 64 MiB, whatever the server's payload limit is. */
    static int maxRecordBytes(TargetOptions options, int maxPayloadBytes) {
        long wanted = maxPayloadBytes + (long) RequestRecord.ENVELOPE_BYTES;
        return (int) Math.min(wanted, Math.min(64L << 20, options.segmentBytes() / 4));
    }

    private static void check(String target, Path directory) throws ServerStartException {
        String what = "log directory of target " + target + ", " + directory + ", ";
        if (!Files.exists(directory)) {
            throw new ServerStartException(what + "does not exist: create it with: mkdir -p " + directory);
        }
        if (!Files.isDirectory(directory)) {
            throw new ServerStartException(what + "is not a directory: expected an empty one, or one with a log");
        }
        if (!Files.isWritable(directory)) {
            throw new ServerStartException(what + "is not writable: expected one that this user may write to");
        }
    }

    RecoveryReport recovery() {
        return log.recovery();
    }

    @Override
    public void append(Append append, ByteBuffer... record) {
        log.append(append, record);
    }

    @Override
    public int queuedRecords() {
        return log.queuedRecords();
    }

    @Override
    public long queuedBytes() {
        return log.queuedBytes();
    }

    @Override
    public boolean isHealthy() {
        return !closed && log.failure() == null;
    }

    @Override
    public void close() throws IOException {
        closed = true;
        if (retention != null) {
            retention.close();
        }
        log.close();
    }

    /** Passes the log's events on to the meters, and changes of segment to the retention too. */
    private static final class Events implements LogListener {
        private final LogListener meters;
        private volatile @Nullable Retention retention;

        Events(LogListener meters) {
            this.meters = meters;
        }

        @Override
        public void batchForced(int records, long bytes, long writeNanos, long forceNanos) {
            meters.batchForced(records, bytes, writeNanos, forceNanos);
        }

        @Override
        public void segmentChanged(long segment, long changeNanos) {
            meters.segmentChanged(segment, changeNanos);
            Retention current = retention;
            if (current != null) {
                current.segmentChanged();
            }
        }

        @Override
        public void segmentPrepared(long segment, long prepareNanos) {
            meters.segmentPrepared(segment, prepareNanos);
        }

        @Override
        public void segmentNotPrepared(Throwable cause) {
            meters.segmentNotPrepared(cause);
        }

        @Override
        public void failed(Throwable cause) {
            meters.failed(cause);
        }
    }
}
