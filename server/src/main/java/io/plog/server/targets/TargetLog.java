package io.plog.server.targets;

import io.plog.host.MountInfo;
import io.plog.log.DurableLog;
import io.plog.log.LogFailedException;
import io.plog.log.LogListener;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.log.spi.RemoteLog;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogLockedException;
import io.plog.protocol.RequestRecord;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.DesignOption;
import io.plog.server.options.LogPlace;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TargetOptions;
import io.plog.server.state.TargetState;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The real log of a target, in directories or at an address, with the server's settings, and the checkpoints next to it. What the
 * log reports goes to the meters, to what estimates its speed, and to the notices.
 */
public final class TargetLog implements RecordLog, LogListener {
    /** The most records that the log writes and forces together. */
    private static final int GROUP_RECORDS = 4_096;

    private final String target;
    private final String where;

    /** Others keep the log: its groups are under way at the same time, without a bound, and reported in order. */
    private final boolean elsewhere;

    private final boolean standby; // this server waits again once it has lost the log
    private final TargetState fresh;
    private final TargetMeters meters;
    private final ServerNotices notices;
    private final ExpectedWait wait;
    private final LogSpace space;
    private final SlowForces slow;
    private final long begin = System.nanoTime();
    private final CountDownLatch failing = new CountDownLatch(1);
    private long preparingBegan; // since begin; guarded by this, as the next
    private long preparedAt; // 0 if nothing was prepared yet
    private long lastForcedNanos = begin; // of the log's threads, one at a time
    private volatile @Nullable String failure;
    private volatile @Nullable Opened opened; // null until it is

    private record Opened(DurableLog log, TargetState state, Checkpointer checkpointer, OpeningReport report) {}

    TargetLog(
            TargetOptions options,
            ServerOptions server,
            LogOptions settings,
            TargetState fresh,
            TargetMeters meters,
            ServerNotices notices) {
        this.target = options.name();
        this.where = where(options);
        this.elsewhere = options.place() instanceof LogPlace.Address;
        this.standby = server.isStandby();
        this.fresh = fresh;
        this.meters = meters;
        this.notices = notices;
        int directories = options.directories().size();
        this.wait = new ExpectedWait(
                server.maxWait().toNanos(),
                GROUP_RECORDS,
                settings.maxBatchBytes(),
                elsewhere ? 1 : settings.groupsInFlight() * directories);
        this.space = new LogSpace(target, where, directories > 1, notices, System::currentTimeMillis);
        this.slow =
                new SlowForces(target, notices, this::reserveBytes, new CompletableFuture<Void>().defaultExecutor());
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
     * @throws io.plog.log.storage.LogException if the log is locked or damaged
     * @throws IllegalArgumentException if a size is out of its range
     */
    public static TargetLog open(
            TargetOptions options,
            ServerOptions server,
            TargetState fresh,
            @Nullable FollowedState followed,
            TargetMeters meters,
            ServerNotices notices)
            throws IOException {
        check(options);
        LogOptions settings = logOptions(options, server.design(), server.maxPayloadBytes());
        TargetLog made = new TargetLog(options, server, settings, fresh, meters, notices);
        long began = System.nanoTime();
        DurableLog log = open(options, settings.withListener(made));
        Duration duration = Duration.ofNanos(System.nanoTime() - began);
        try {
            made.recover(options, settings, log, duration, followed);
            return made;
        } catch (Throwable e) {
            try {
                log.close();
            } catch (IOException suppressed) {
                e.addSuppressed(suppressed);
            }
            throw e;
        }
    }

    private void recover(
            TargetOptions options,
            LogOptions settings,
            DurableLog log,
            Duration opening,
            @Nullable FollowedState followed)
            throws IOException {
        Duration preparing = preparing();
        FollowedState.Followed beginning = followed == null ? null : followed.take(log);
        TargetState state = beginning == null ? fresh : beginning.state();
        ReplayReport replay = StateRecovery.run(target, log, state, beginning);
        meters.replayed(replay);
        Checkpointer checkpointer = new Checkpointer(log, state, options, meters, notices, replay.bytes());
        if (log.durableIndex() == 0 && log.checkpointIndex() == 0) {
            checkpointer.save(); // says from the first record on which service the log is for
        }
        long wantedReserveBytes = elsewhere
                ? 0
                : settings.segmentBytes()
                        * settings.reserveSegments()
                        * options.directories().size();
        OpeningReport report = new OpeningReport(
                opening, log.recovery(), log.status().reserveBytes(), wantedReserveBytes, preparing, replay);
        opened = new Opened(log, state, checkpointer, report);
        LogFailedException failed = log.failure();
        if (failed != null
                && elsewhere) { // another server may have it; if it is this server's own, its target fails alone
            checkpointer.close();
            throw failed; // maybe only the machine that is not used noticed
        }
    }

    private Opened opened() {
        return Objects.requireNonNull(opened, "the log is not open yet");
    }

    @Override
    public DurableLog records() {
        return opened().log;
    }

    public OpeningReport opening() {
        return opened().report;
    }

    public TargetState state() {
        return opened().state;
    }

    /** The log itself, if other machines keep it. */
    private @Nullable RemoteLog remote() {
        return opened().log instanceof RemoteLog kept ? kept : null;
    }

    /**
     * Waits until the log fails or this time is over, and asks then whether it is still this server's, so that requests are refused
     * before it is given any. Blocks.
     *
     * @return whether the log or its service has failed: for good, unless the log is opened again
     */
    public boolean failsWithin(Duration atMost) throws InterruptedException {
        if (!failing.await(atMost.toNanos(), TimeUnit.NANOSECONDS)) {
            try {
                checkHeld();
            } catch (IOException e) {
                // no server answers; the log continues
            }
        }
        return opened().log.failure() != null || state().failure() != null;
    }

    /** See {@link RemoteLog#checkHeld}; a log in directories is always held. */
    public void checkHeld() throws IOException {
        RemoteLog remote = remote();
        if (remote != null) {
            remote.checkHeld();
        }
    }

    /** See {@link RemoteLog#isInReach}; a log in directories always is. */
    public boolean isInReach(Duration atMost) {
        RemoteLog remote = remote();
        return remote == null || remote.isInReach(atMost);
    }

    @Override
    public boolean isSurelyHeld() {
        RemoteLog remote = remote();
        return remote == null || remote.isSurelyHeld();
    }

    /** Why the log failed; {@code null} if it did not. */
    public LogFailedException.@Nullable Reason failureReason() {
        LogFailedException failed = opened().log.failure();
        return failed == null ? null : failed.reason();
    }

    @Override
    public @Nullable String tooLongWait() {
        DurableLog log = opened().log;
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
        return opened().log.status().stalledNanos();
    }

    @Override
    public long callbackNanos() {
        return opened().log.status().callbackNanos();
    }

    @Override
    public void refusedForSpace() {
        space.refused();
    }

    @Override
    public @Nullable String problem() {
        String problem = failure == null ? space.problem() : failure;
        return problem == null ? opened().checkpointer.problem() : problem;
    }

    @Override
    public CheckpointReport checkpoint() throws IOException {
        return opened().checkpointer.checkpointOnDemand();
    }

    @Override
    public void close() throws IOException {
        Opened open = opened();
        open.checkpointer.close();
        saveLast(open);
        open.log.close();
    }

    /**
     * Spares the next start the replay. Nothing is dropped for it. Without it nothing is lost but time, so a failure is no
     * failure of closing.
     */
    private void saveLast(Opened open) {
        try {
            open.state.awaitIdle();
            if (open.log.failure() == null
                    && open.state.failure() == null
                    && open.state.appliedIndex() > open.log.checkpointIndex()) {
                open.checkpointer.save();
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

    // ---- What the log reports ----

    private long reserveBytes() {
        Opened open = opened;
        return open == null ? 0 : open.log.status().reserveBytes();
    }

    @Override
    public void batchForced(int records, long bytes, long writeNanos, long forceNanos) {
        meters.ofLog().batchForced(records, bytes, writeNanos, forceNanos);
        meters.events().batchForced(records, writeNanos, forceNanos);
        Opened open = opened;
        if (open != null) {
            long now = System.nanoTime();
            int queued = open.log.queuedRecords() - (elsewhere ? 0 : records);
            long nanos = elsewhere ? Math.min(forceNanos, now - lastForcedNanos) : writeNanos + forceNanos;
            lastForcedNanos = now;
            wait.forced(bytes, nanos, queued, now);
            slow.forced(now, records, bytes, writeNanos, elsewhere ? nanos : forceNanos, queued);
            open.checkpointer.written(bytes);
        }
    }

    @Override
    public void segmentChanged(long segment, long changeNanos) {
        meters.ofLog().segmentChanged(segment, changeNanos);
        meters.events().segmentChanged(segment, changeNanos);
        Opened open = opened;
        if (open != null) {
            open.checkpointer.segmentChanged();
        }
    }

    @Override
    public void segmentPrepared(long segment, long prepareNanos) {
        meters.events().segmentPrepared(segment, prepareNanos);
        space.prepared();
        notePreparing(System.nanoTime() - begin, prepareNanos);
    }

    private synchronized void notePreparing(long now, long nanos) {
        if (preparedAt == 0) {
            preparingBegan = now - nanos;
        }
        preparedAt = now;
    }

    /** How long preparing segments took so far, from the begin of the first to the end of the last. */
    private synchronized Duration preparing() {
        return Duration.ofNanos(preparedAt - preparingBegan);
    }

    @Override
    public void segmentNotPrepared(Throwable cause) {
        meters.ofLog().segmentNotPrepared(cause);
        space.notPrepared(cause);
    }

    @Override
    public void coveredRecordsChecked(long lastIndex, long bytes, long nanos) {
        notices.say("target " + target + ": the records up to " + lastIndex
                + " of its log, which the start left unread, are intact (" + (bytes >> 20) + " MiB checked in "
                + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms)");
    }

    @Override
    public void callbackStalled(long nanos, Thread thread) {
        boolean runnable = thread.getState() == Thread.State.RUNNABLE;
        notices.say("target " + target + ": its service has not returned from one record for "
                + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms (thread " + thread.getName()
                + (runnable ? " computes, or gets no processor" : " waits for something")
                + "); until it returns, no request of this target is answered");
    }

    @Override
    public void failed(Throwable cause) {
        meters.ofLog().failed(cause);
        Opened open = opened;
        LogFailedException failed = open == null ? null : open.log.failure();
        failed(
                LogSpace.reasonOf(cause),
                cause,
                failed == null ? LogFailedException.Reason.ERROR : failed.reason(),
                cause instanceof LogLockedException);
        failing.countDown();
    }

    /** Says that this server does not open the log again, for its requests and in a notice. */
    public void lost(String why, boolean taken) {
        failed(why, null, taken ? LogFailedException.Reason.FENCED : LogFailedException.Reason.ERROR, true);
    }

    /** @param lost whether it is certain that this server does not open the log again */
    private void failed(String why, @Nullable Throwable cause, LogFailedException.Reason reason, boolean lost) {
        String what = switch (reason) {
            case FENCED -> lost ? "was taken over by another server" : "was fenced";
            case NO_QUORUM -> "has too few machines that answer since";
            case ERROR -> "failed for good";
        };
        String advice = switch (reason) {
            case FENCED -> adviceWhenFenced(lost);
            case NO_QUORUM -> "it continues by itself when they answer: look at the bookies and at ZooKeeper";
            case ERROR -> adviceAfterAnError(cause, lost);
        };
        String time = ServerNotices.time(System.currentTimeMillis());
        String sentence = "the log of target " + target + " in " + where + " " + what
                + (reason == LogFailedException.Reason.NO_QUORUM ? " " : " at ") + time + " (" + why + "); " + advice;
        Opened open = opened;
        (open == null ? fresh : open.state).logFailed(sentence, reason);
        failure = sentence; // last: who reads it finds requests refused
        notices.say("target " + target + ": its log in " + where + " "
                + (reason == LogFailedException.Reason.NO_QUORUM ? "has too few machines that answer" : what) + " ("
                + why
                + "); nothing is acknowledged any more; " + advice);
    }

    private String adviceAfterAnError(@Nullable Throwable cause, boolean lost) {
        if (cause instanceof LogDamagedException) {
            return "stop the server before anything is done about it";
        }
        if (!elsewhere) {
            return "look at its disk, then restart the server";
        }
        return lost
                ? "mend that, then restart the server"
                : standby
                        ? "this server gives it up and waits for it again as a standby"
                        : "this server opens it again";
    }

    private String adviceWhenFenced(boolean lost) {
        if (!lost) {
            return "another server is taking it over, or BookKeeper's auto-recovery has closed its ledger: "
                    + (standby
                            ? "this server waits as a standby"
                            : "this server asks each second whose it is, and continues by itself if no server has it after 10 s");
        }
        return standby
                ? "send requests to that server; this one waits as its standby"
                : "send requests to that server; this one serves the target again after a restart, which takes the log"
                        + " back";
    }

    // ---- Its settings ----

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

    /** Looks whether the directories of targets can be used, each for one log; changes nothing. */
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
            String what = "log directory of target " + options.name() + ", " + directory + ", ";
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
    }
}
