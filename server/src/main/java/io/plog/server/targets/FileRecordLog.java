package io.plog.server.targets;

import io.plog.host.MountInfo;
import io.plog.log.Append;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.log.RecoveryReport;
import io.plog.protocol.RequestRecord;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.DesignOption;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TargetOptions;
import io.plog.server.state.StateMachine;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The real log of a target, with the server's settings, and the checkpoints beside it. */
public final class FileRecordLog implements RecordLog {
    /** The most records that the log writes and forces together. */
    private static final int GROUP_RECORDS = 4_096;

    private final String target;
    private final MessageLog log;
    private final StateMachine machine;
    private final ReplayReport replay;
    private final ReserveReport reserve;
    private final Checkpointer checkpointer;
    private final ExpectedWait wait;
    private final ServerNotices notices;
    private final LogSpace space;
    private final FileLogListener events;
    private volatile boolean closed;

    private FileRecordLog(
            String target,
            MessageLog log,
            StateMachine machine,
            ReplayReport replay,
            ReserveReport reserve,
            Checkpointer checkpointer,
            ExpectedWait wait,
            ServerNotices notices,
            LogSpace space,
            FileLogListener events) {
        this.target = target;
        this.log = log;
        this.machine = machine;
        this.replay = replay;
        this.reserve = reserve;
        this.checkpointer = checkpointer;
        this.wait = wait;
        this.notices = notices;
        this.space = space;
        this.events = events;
    }

    /**
     * Recovers and opens the log of a target, and makes its state again.
     *
     * @param server how the server runs, which waits for it
     * @param machine in its first state
     * @param notices where what happens to it later is told
     * @throws ServerStartException if there is no such directory, or it cannot be used, or its checkpoint is not one of this
     *     service
     * @throws io.plog.log.LogException if the log is locked or damaged
     * @throws IllegalArgumentException if a size is out of its range
     */
    public static FileRecordLog open(
            TargetOptions options,
            ServerOptions server,
            StateMachine machine,
            TargetMeters meters,
            ServerNotices notices)
            throws IOException {
        for (Path directory : options.directories()) {
            check(options.name(), directory);
        }
        LogOptions logOptions = logOptions(options, server.design(), server.maxPayloadBytes());
        ExpectedWait wait = new ExpectedWait(
                server.maxWait().toNanos(),
                GROUP_RECORDS,
                logOptions.maxBatchBytes(),
                logOptions.groupsInFlight() * options.directories().size());
        String directory = options.directories().stream().map(Path::toString).collect(Collectors.joining("+"));
        LogSpace space = new LogSpace(
                options.name(), directory, options.directories().size() > 1, notices, System::currentTimeMillis);
        FileLogListener events = new FileLogListener(options.name(), directory, machine, meters, wait, space, notices);
        MessageLog log = MessageLog.open(logOptions.withListener(events));
        ReserveReport reserve = new ReserveReport(
                log.reserveBytes(),
                logOptions.segmentBytes()
                        * logOptions.reserveSegments()
                        * logOptions.directories().size(),
                events.preparing());
        events.listenTo(log);
        try {
            ReplayReport replay = StateRecovery.run(options.name(), log, machine);
            meters.replayed(replay);
            Checkpointer checkpointer = new Checkpointer(log, machine, options, meters, notices, replay.bytes());
            events.saveWith(checkpointer);
            if (log.durableIndex() == 0 && log.checkpointIndex() == 0) {
                checkpointer.save(); // says from the first record on which service the log is for
            }
            return new FileRecordLog(
                    options.name(), log, machine, replay, reserve, checkpointer, wait, notices, space, events);
        } catch (Throwable e) {
            try {
                log.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static LogOptions logOptions(TargetOptions options, DesignOption design, int maxPayloadBytes) {
        LogOptions defaults = LogOptions.in(options.directories());
        if (design.forcesAlone()) {
            // One append at a time: its caller does the work, so the log's thread is not to linger and take it from
            // him.
            defaults = defaults.withGroupsInFlight(1).withSpin(Duration.ZERO);
        } else if (design.kind() == DesignOption.Kind.TURN) {
            defaults =
                    defaults.withSpin(Duration.ZERO); // the loop has all that there is, and nobody is to wait for more
        }
        int maxRecordBytes = maxRecordBytes(options, maxPayloadBytes);
        return defaults.withForce(options.force())
                .withReserveSegments(options.reserveSegments())
                .withOverflow(LogOptions.Overflow.REFUSE) // event loops never wait
                .withMaxBatchBytes(Math.max(defaults.maxBatchBytes(), maxRecordBytes))
                .withMaxQueuedBytes(Math.max(defaults.maxQueuedBytes(), maxRecordBytes))
                .withMaxRecordBytes(Math.min(defaults.maxRecordBytes(), maxRecordBytes))
                .withSegmentBytes(options.segmentBytes())
                .withMaxRecordBytes(maxRecordBytes);
    }

    /** The longest record: what the payload limit needs, but at most a quarter of a segment and at most 64 MiB. */
    public static int maxRecordBytes(TargetOptions options, int maxPayloadBytes) {
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
            throw new ServerStartException(what + MountInfo.notWritable(MountInfo.ofDirectory(directory)));
        }
    }

    /** What was found when the log was opened. */
    public RecoveryReport recovery() {
        return log.recovery();
    }

    /** What the state was made of. */
    public ReplayReport replay() {
        return replay;
    }

    /** What was initialised ahead of time when the log was opened. */
    public ReserveReport reserve() {
        return reserve;
    }

    @Override
    public void append(Append append, ByteBuffer... record) {
        log.append(append, record);
    }

    @Override
    public void appendAndWait(Append append, ByteBuffer... record) {
        log.appendAndWait(append, record);
    }

    @Override
    public void appendQuietly(Append append, ByteBuffer... record) {
        log.appendQuietly(append, record);
    }

    @Override
    public void commitHere() {
        log.commitHere();
    }

    @Override
    public int queuedRecords() {
        return log.queuedRecords();
    }

    @Override
    public long reserveBytes() {
        return log.reserveBytes();
    }

    @Override
    public long queuedBytes() {
        return log.queuedBytes();
    }

    @Override
    public @Nullable String tooLongWait() {
        int queued = log.queuedRecords();
        long bytes = log.queuedBytes();
        long now = System.nanoTime();
        if (!wait.isTooLong(queued, bytes, now)) {
            return null;
        }
        return queued + " requests wait for the log of target " + target + ", which takes about "
                + wait.nanos(queued, bytes, now) / 1_000_000 + " ms for them; this one was not logged. Try again later";
    }

    @Override
    public long stalledNanos() {
        return log.stalledNanos();
    }

    @Override
    public long callbackNanos() {
        return log.callbackNanos();
    }

    @Override
    public void refusedForSpace() {
        space.refused();
    }

    @Override
    public @Nullable String problem() {
        String failure = events.failure();
        if (failure != null) {
            return failure;
        }
        return closed ? "the log of target " + target + " is closed" : space.problem();
    }

    @Override
    public CheckpointReport checkpoint() throws IOException {
        return checkpointer.checkpointOnDemand();
    }

    @Override
    public void close() throws IOException {
        closed = true;
        checkpointer.close();
        saveLast();
        log.close();
    }

    /**
     * Spares the next start the replay. Nothing is dropped for it. Without it nothing is lost but time, so a failure is no
     * failure of closing.
     */
    private void saveLast() {
        try {
            machine.awaitIdle();
            if (log.failure() == null && machine.failure() == null && machine.appliedIndex() > log.checkpointIndex()) {
                checkpointer.save();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            notices.say("target " + target + ": no last checkpoint was saved (" + e.getMessage()
                    + "); the next start replays the log instead");
        } catch (RuntimeException e) {
            notices.say(
                    "target " + target + ": no last checkpoint was saved; the next start replays the log instead", e);
        }
    }
}
