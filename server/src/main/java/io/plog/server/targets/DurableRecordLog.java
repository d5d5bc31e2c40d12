package io.plog.server.targets;

import io.plog.host.MountInfo;
import io.plog.log.Append;
import io.plog.log.DurableLog;
import io.plog.log.LogFailedException;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.log.spi.RemoteLog;
import io.plog.protocol.RequestRecord;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.DesignOption;
import io.plog.server.options.LogPlace;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TargetOptions;
import io.plog.server.state.TargetState;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The real log of a target, in directories or at an address, with the server's settings, and the checkpoints next to it. */
public final class DurableRecordLog implements RecordLog {
    /** The most records that the log writes and forces together. */
    private static final int GROUP_RECORDS = 4_096;

    private final String target;
    private final DurableLog log;
    private final @Nullable RemoteLog remote; // the same, if other machines keep it
    private final TargetState state;
    private final OpeningReport opening;
    private final Checkpointer checkpointer;
    private final ExpectedWait wait;
    private final ServerNotices notices;
    private final LogSpace space;
    private final RecordLogListener events;
    private volatile BooleanSupplier turn = () -> true;
    private volatile boolean closed;

    private DurableRecordLog(
            String target,
            DurableLog log,
            TargetState state,
            OpeningReport opening,
            Checkpointer checkpointer,
            ExpectedWait wait,
            ServerNotices notices,
            LogSpace space,
            RecordLogListener events) {
        this.target = target;
        this.log = log;
        this.remote = log instanceof RemoteLog kept ? kept : null;
        this.state = state;
        this.opening = opening;
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
     * @param fresh a machine in its first state
     * @param followed what a standby made of the log's beginning; {@code null} if it made nothing
     * @param notices where what happens to it later is reported
     * @throws ServerStartException if there is no such directory, or it cannot be used, or its checkpoint is not one of this
     *     service
     * @throws io.plog.log.LogException if the log is locked or damaged
     * @throws IllegalArgumentException if a size is out of its range
     */
    public static DurableRecordLog open(
            TargetOptions options,
            ServerOptions server,
            TargetState fresh,
            @Nullable FollowedState followed,
            TargetMeters meters,
            ServerNotices notices)
            throws IOException {
        check(options);
        LogOptions logOptions = logOptions(options, server.design(), server.maxPayloadBytes());
        boolean elsewhere = options.place() instanceof LogPlace.Address;
        ExpectedWait wait = new ExpectedWait(
                server.maxWait().toNanos(),
                GROUP_RECORDS,
                logOptions.maxBatchBytes(),
                elsewhere
                        ? 1
                        : logOptions.groupsInFlight() * options.directories().size());
        String where = where(options);
        LogSpace space = new LogSpace(
                options.name(), where, options.directories().size() > 1, notices, System::currentTimeMillis);
        RecordLogListener events =
                new RecordLogListener(options.name(), where, fresh, meters, wait, elsewhere, space, notices);
        if (server.standby() != null) {
            events.standBy();
        }
        long began = System.nanoTime();
        DurableLog log = open(options, logOptions.withListener(events));
        Duration duration = Duration.ofNanos(System.nanoTime() - began);
        long wantedReserveBytes = elsewhere
                ? 0
                : logOptions.segmentBytes()
                        * logOptions.reserveSegments()
                        * options.directories().size();
        Duration preparing = events.preparing();
        try {
            FollowedState.Taken taken = followed == null ? null : followed.take(log);
            TargetState state = taken == null ? fresh : taken.state();
            events.listenTo(log, state);
            LogFailedException failed = log.failure();
            if (failed != null) {
                throw failed; // maybe only the machine that is not used noticed
            }
            ReplayReport replay = StateRecovery.run(options.name(), log, state, taken);
            meters.replayed(replay);
            Checkpointer checkpointer = new Checkpointer(log, state, options, meters, notices, replay.bytes());
            events.saveWith(checkpointer);
            if (log.durableIndex() == 0 && log.checkpointIndex() == 0) {
                checkpointer.save(); // says from the first record on which service the log is for
            }
            OpeningReport opening = new OpeningReport(
                    duration, log.recovery(), log.status().reserveBytes(), wantedReserveBytes, preparing, replay);
            return new DurableRecordLog(
                    options.name(), log, state, opening, checkpointer, wait, notices, space, events);
        } catch (Throwable e) {
            try {
                log.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private static DurableLog open(TargetOptions options, LogOptions logOptions) throws IOException {
        return options.place() instanceof LogPlace.Address address
                ? DurableLog.open(address.uri(), logOptions)
                : MessageLog.open(logOptions);
    }

    private static String where(TargetOptions options) {
        return options.place() instanceof LogPlace.Address address
                ? address.uri().toString()
                : options.directories().stream().map(Path::toString).collect(Collectors.joining("+"));
    }

    private static LogOptions logOptions(TargetOptions options, DesignOption design, int maxPayloadBytes)
            throws IOException {
        if (!(options.place() instanceof LogPlace.Directories own)) {
            return common(options, LogOptions.in(Path.of("")), maxPayloadBytes); // its directories are not looked at
        }
        LogOptions defaults = LogOptions.in(own.paths());
        if (design.forcesAlone()) {
            // One append at a time: its caller does the work, so the log's thread is not to linger and take it from
            // him.
            defaults = defaults.withGroupsInFlight(1).withSpin(Duration.ZERO);
        }
        return common(options, defaults, maxPayloadBytes)
                .withForce(own.force())
                .withCheck(
                        segmentBytes(own.paths()) > options.checkAtStartBytes()
                                ? LogOptions.Check.IN_BACKGROUND
                                : LogOptions.Check.AT_OPENING)
                .withReserveSegments(options.reserveSegments())
                .withStorage(options.storage());
    }

    /** The settings of every kind of log. */
    private static LogOptions common(TargetOptions options, LogOptions defaults, int maxPayloadBytes) {
        int maxRecordBytes = maxRecordBytes(options, maxPayloadBytes);
        return defaults.withOverflow(LogOptions.Overflow.REFUSE) // event loops never wait
                .withMaxBatchBytes(Math.max(defaults.maxBatchBytes(), maxRecordBytes))
                .withMaxQueuedBytes(Math.max(defaults.maxQueuedBytes(), maxRecordBytes))
                .withMaxRecordBytes(Math.min(defaults.maxRecordBytes(), maxRecordBytes))
                .withSegmentBytes(options.segmentBytes())
                .withMaxRecordBytes(maxRecordBytes);
    }

    /** What the files of all segments take, those that are prepared included. */
    private static long segmentBytes(List<Path> directories) throws IOException {
        long bytes = 0;
        for (Path directory : directories) {
            try (DirectoryStream<Path> segments = Files.newDirectoryStream(directory, "*.seg")) {
                for (Path segment : segments) {
                    bytes += Files.size(segment);
                }
            }
        }
        return bytes;
    }

    /** The longest record: what the payload limit needs, but at most a quarter of a segment, and what such a log takes. */
    public static int maxRecordBytes(TargetOptions options, int maxPayloadBytes) {
        long wanted = maxPayloadBytes + (long) RequestRecord.ENVELOPE_BYTES;
        long taken = options.place() instanceof LogPlace.Address ? LogPlace.Address.MOST_RECORD_BYTES : 64L << 20;
        return (int) Math.min(wanted, Math.min(taken, options.segmentBytes() / 4));
    }

    /**
     * Looks whether the directories of targets can be used, each for one log; changes nothing.
     *
     * @throws ServerStartException if one cannot
     */
    public static void check(List<TargetOptions> targets) throws IOException {
        Map<Path, String> users = new HashMap<>();
        for (TargetOptions target : targets) {
            check(target);
            for (Path directory : target.directories()) {
                String other = users.put(directory.toRealPath(), target.name());
                if (other != null) {
                    throw new ServerStartException("log directory of target " + target.name() + ", " + directory
                            + ", is also one of target " + other + ": give each place in a log a directory of its own");
                }
            }
        }
    }

    private static void check(TargetOptions options) throws ServerStartException {
        for (Path directory : options.directories()) {
            check(options.name(), directory);
        }
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

    @Override
    public DurableLog durableLog() {
        return log;
    }

    /** What was found and made when it was opened. */
    public OpeningReport opening() {
        return opening;
    }

    /**
     * Waits until the log fails or this time is over, and asks then whether it is still this server's, so that requests are refused
     * before it is given any. Blocks.
     *
     * @return whether the log or its service has failed: for good, unless the log is opened again
     */
    public boolean failsWithin(Duration atMost) throws InterruptedException {
        if (!events.awaitFailure(atMost)) {
            try {
                checkHeld();
            } catch (IOException e) {
                // no server answers; the log continues
            }
        }
        return log.failure() != null || state.failure() != null;
    }

    /** See {@link RemoteLog#checkHeld}; a log in directories is always held. */
    public void checkHeld() throws IOException {
        if (remote != null) {
            remote.checkHeld();
        }
    }

    /** See {@link RemoteLog#isInReach}; a log in directories always is. */
    public boolean isInReach(Duration atMost) {
        return remote == null || remote.isInReach(atMost);
    }

    /**
     * Serves only while it is this server's turn.
     *
     * @param isTurn whether that is certain; asked on event loops, after each read
     */
    public void servesWhile(BooleanSupplier isTurn) {
        turn = isTurn;
    }

    @Override
    public boolean isSurelyHeld() {
        return (remote == null || remote.isSurelyHeld()) && turn.getAsBoolean();
    }

    /** Why the log failed; {@code null} if it did not. */
    public LogFailedException.@Nullable Reason failureReason() {
        LogFailedException failed = log.failure();
        return failed == null ? null : failed.reason();
    }

    /**
     * Says that this server does not open the log again, for its requests and in a notice.
     *
     * @param why a part of a sentence
     * @param taken whether another server has it
     */
    public void lost(String why, boolean taken) {
        events.lost(why, taken);
    }

    public TargetState state() {
        return state;
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
        return log.status().stalledNanos();
    }

    @Override
    public long callbackNanos() {
        return log.status().callbackNanos();
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
        if (closed) {
            return "the log of target " + target + " is closed";
        }
        String full = space.problem();
        return full == null ? checkpointer.problem() : full;
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
            state.awaitIdle();
            if (log.failure() == null && state.failure() == null && state.appliedIndex() > log.checkpointIndex()) {
                checkpointer.save();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (IOException e) {
            notices.say("target " + target + ": no last checkpoint was saved (" + e.getMessage()
                    + "); the next start replays the log instead");
        } catch (RuntimeException | Error e) { // of the service: the log is still to be closed
            notices.say(
                    "target " + target + ": no last checkpoint was saved; the next start replays the log instead", e);
        }
    }
}
