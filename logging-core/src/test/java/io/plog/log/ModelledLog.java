package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.storage.Force;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import io.plog.simdisk.Faults;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A log on a simulated disk over several lives, held against the {@link Model} at each opening and each outcome. Whatever
 * it does repeats exactly from its seed.
 */
final class ModelledLog {
    private static final LogOptions SMALL = Logs.options(Path.of("simulated"))
            .withMaxBatchBytes(32 * 1024)
            .withMaxQueuedRecords(64) // a queue of the usual length costs more than most of what is tried here
            .withGroupsInFlight(1);

    /** Of the lanes, where several groups may be under way. */
    private static final int LANES = 3;

    private static final Duration AT_ONCE = Duration.ofNanos(1);

    /** Of one group of at most four appends; so at most one segment change falls into each, however they are padded. */
    static final int MOST_GROUP_BYTES = 20_000;

    final Model model;
    private final SplittableRandom payloads;
    private SimulatedDisk disk;
    private @Nullable MessageLog log;
    private @Nullable TurnOrder turns;
    private @Nullable SteppedLanes lanes;
    private LaneRunner runner = newRunner();
    private boolean marksWhenIdle;
    private boolean leftUnread;
    private @Nullable LogRuntime threads;
    private long firstIndex = 1;
    private final AtomicInteger completions = new AtomicInteger();

    ModelledLog(SimulatedDisk disk, long seed) {
        this(disk, new Model(), seed);
    }

    private ModelledLog(SimulatedDisk disk, Model model, long seed) {
        this.disk = disk;
        this.model = model;
        payloads = new SplittableRandom(seed);
    }

    /** A log that begins at this index; to be said before it is made. */
    ModelledLog beginningAt(long index) {
        firstIndex = index;
        model.beginAt(index);
        return this;
    }

    private ModelledLog after(SimulatedDisk left, long seed) {
        ModelledLog after = new ModelledLog(left, model.copy(), seed);
        after.firstIndex = firstIndex;
        return after;
    }

    /** It has these threads from now on, as other logs do, and so one lane and no idle marks. */
    ModelledLog on(LogRuntime shared) {
        threads = shared;
        return this;
    }

    /** Opens and closes this log after each of these power losses, from seed 0 on: whatever it has lost fails the test. */
    void checkPowerLosses(int seeds, Force force) throws IOException {
        for (long seed = 0; seed < seeds; seed++) {
            ModelledLog after = afterPowerLoss(seed);
            after.open(Opening.of(force));
            after.close();
        }
    }

    /** The same past, from which another future may follow: after power was lost, or the process was killed. */
    ModelledLog afterPowerLoss(long seed) {
        ModelledLog after = after(disk.afterCrash(seed), seed);
        after.model.powerLost();
        return after;
    }

    /** The same when only the process was killed. */
    ModelledLog afterKill(long seed) {
        return after(disk.afterKill(), seed);
    }

    /** The same past and future, on a disk of its own; the log must not be open. */
    ModelledLog copy(long seed) {
        return after(disk.copy(), seed);
    }

    SimulatedDisk disk() {
        return disk;
    }

    MessageLog log() {
        MessageLog open = log;
        if (open == null) {
            throw new IllegalStateException("the log is not open");
        }
        return open;
    }

    private TurnOrder turns() {
        TurnOrder current = turns;
        if (current == null) {
            throw new IllegalStateException("the log is not open");
        }
        return current;
    }

    /**
     * How a log is opened.
     *
     * @param grows whether its segments do, so that its records may be as large as the first; then it prepares at once
     */
    record Opening(Force force, boolean marksWhenIdle, boolean prepareAtOnce, boolean severalLanes, boolean grows) {
        Opening(Force force, boolean marksWhenIdle, boolean prepareAtOnce) {
            this(force, marksWhenIdle, prepareAtOnce, false, false);
        }

        static Opening of(Force force) {
            return new Opening(force, false, false);
        }
    }

    /** Opens the log, and holds what it shows against the model. */
    void open(Opening opening) throws IOException {
        disk.note("-- " + opening);
        TurnOrder taken = new TurnOrder(opening.prepareAtOnce() || opening.grows(), opening.force());
        LogOptions options = SMALL.withForce(opening.force())
                .withFirstIndex(firstIndex)
                .withListener(taken)
                .withCheck(disk.operations() % 2 == 0 ? LogOptions.Check.IN_BACKGROUND : LogOptions.Check.AT_OPENING);
        if (opening.grows()) {
            options = options.withFirstSegmentBytes(Logs.SEGMENT_BYTES)
                    .withSegmentBytes(4 * Logs.SEGMENT_BYTES)
                    .withMaxRecordBytes(Logs.SEGMENT_BYTES)
                    .withMaxBatchBytes(Logs.SEGMENT_BYTES);
        }
        LogRuntime shared = threads;
        marksWhenIdle = opening.marksWhenIdle() && shared == null;
        if (marksWhenIdle) {
            options = options.withIdleMark(AT_ONCE);
        }
        lanes = null;
        runner = newRunner();
        if (shared != null) {
            options = options.withRuntime(shared);
            runner = new SharedThreads.Lanes(shared);
        } else if (opening.severalLanes()) {
            SteppedLanes stepped = new SteppedLanes(payloads.nextLong());
            options = options.withGroupsInFlight(LANES);
            lanes = stepped;
            runner = stepped;
        }
        MessageLog opened = MessageLog.open(options, List.of(disk), new LogThreading(taken, runner));
        log = opened;
        turns = taken;
        long segments =
                disk.files().stream().filter(name -> name.endsWith(".seg")).count();
        taken.opened(segments - opened.segmentFirstIndexes().size());
        model.check(opened);
        leftUnread = opened.status().uncheckedBytes() > 0;
        opened.checkCoveredRecords();
        if (opened.status().uncheckedBytes() > 0 || opened.failure() != null) {
            throw new AssertionError("what the opening left unread is damaged: " + opened.failure());
        }
        model.opened(opening.force());
        disk.note("-- recovered up to " + opened.durableIndex());
    }

    /** Whether the last opening left covered records for later. */
    boolean leftUnread() {
        return leftUnread;
    }

    private static LaneRunner newRunner() {
        return new LogThreading.LaneThreads(name -> new PooledThread());
    }

    /** Appends one record and, in the moment in which it is acknowledged, the others, as one batch. */
    void append(int... bytes) throws LogException {
        List<Outcome> others = new ArrayList<>();
        for (int i = 1; i < bytes.length; i++) {
            others.add(new Outcome(payload(bytes[i]), completions, () -> {}));
        }
        append(bytes[0], others);
    }

    /** The same with lists of records as the others, of which each may expect to stand behind the one before. */
    void appendLists(boolean expecting, int first, int[]... lists) throws LogException {
        List<Outcome> others = new ArrayList<>();
        long next = model.acknowledged() + 2;
        for (int[] sizes : lists) {
            List<byte[]> records = Arrays.stream(sizes).mapToObj(this::payload).toList();
            others.add(new Outcome(records, expecting ? next : 0, completions, () -> {}));
            next += sizes.length;
        }
        append(first, others);
    }

    private void append(int bytes, List<Outcome> others) throws LogException {
        MessageLog open = log();
        Outcome first = new Outcome(payload(bytes), completions, () -> others.forEach(other -> other.appendTo(open)));
        first.appendTo(open);
        SteppedLanes stepped = lanes;
        if (stepped != null) {
            stepped.wake();
        }
        LogException failure = first.await();
        model.outcome(first, failure);
        if (failure == null) {
            int place = first.place();
            for (Outcome other : others) {
                LogException next = other.await();
                if (other.place() != ++place) {
                    throw new AssertionError(
                            "given its outcome out of turn: " + other.place() + " instead of " + place);
                }
                model.outcome(other, next);
                if (failure == null || (next != null && next.isIndeterminate())) {
                    failure = next;
                }
            }
        }
        prepare();
        disk.note("-- appended " + (1 + others.size()) + (failure == null ? "" : ", " + failure.getClass()));
        if (failure != null) {
            throw failure;
        }
    }

    /** Gives the preparing thread its turn; before and after it an idle mark, which the log's thread may be about to write. */
    private void prepare() {
        awaitIdleMark();
        turns().prepare();
        awaitIdleMark();
    }

    private void awaitIdleMark() {
        if (marksWhenIdle) {
            LaneRunner used = runner;
            turns().awaitIdle(() -> used.join(0));
        }
    }

    private byte[] payload(int bytes) {
        byte[] payload = new byte[bytes];
        payloads.nextBytes(payload);
        return payload;
    }

    /** Drops what lies before an index. */
    void truncateBefore(long index) throws IOException {
        model.drop(index);
        log().truncateBefore(index);
    }

    /**
     * Drops what lies behind an index.
     *
     * @param bytes of records that are appended just before, and go with the rest
     */
    void truncateAfter(long index, int... bytes) throws IOException {
        model.cutting(index, false, null);
        cut(index, bytes, () -> log().truncateAfter(index));
    }

    /** Drops everything, for a state of so many bytes, or for none; the next record has this index. */
    void reset(long nextIndex, int... bytes) throws IOException {
        byte[][] state = Arrays.stream(bytes).mapToObj(this::payload).toArray(byte[][]::new);
        model.cutting(nextIndex - 1, true, state.length == 0 ? null : state[0]);
        ByteBuffer[] buffers = Arrays.stream(state).map(ByteBuffer::wrap).toArray(ByteBuffer[]::new);
        cut(nextIndex - 1, new int[0], () -> log().reset(nextIndex, buffers));
    }

    private interface Act {
        void run() throws IOException;
    }

    private void cut(long index, int[] bytes, Act act) throws IOException {
        MessageLog open = log();
        prepare();
        boolean atOnce = turns().prepareAtOnce(true); // the appends may take the one segment that is ready
        SteppedLanes stepped = lanes;
        if (stepped != null) {
            stepped.poll(true);
        }
        List<Outcome> before = new ArrayList<>();
        for (int length : bytes) {
            before.add(new Outcome(payload(length), completions, () -> {}));
        }
        try {
            before.forEach(append -> append.appendTo(open));
            act.run();
            told(before);
            model.hasCut();
        } catch (IOException e) {
            told(before);
            if (open.failure() == null && !disk.hasCrashed()) { // it says what became of it
                model.mayHaveCut(open.firstIndex(), open.durableIndex(), open.checkpoint());
            }
            throw e;
        } finally {
            if (stepped != null) {
                stepped.poll(false);
            }
            turns().prepareAtOnce(atOnce);
            disk.note("-- cut behind " + index);
        }
        prepare();
    }

    private void told(List<Outcome> appends) {
        appends.forEach(append -> model.outcome(append, append.await()));
        appends.clear();
    }

    /** Puts a cell; with no bytes it is removed. */
    void putCell(String name, int bytes) throws IOException {
        byte[] value = payload(bytes);
        model.puttingCell(name, value);
        log().putCell(name, value);
        model.hasPutCell(name);
        disk.note("-- put cell " + name);
    }

    /** Saves a checkpoint at an index. */
    void saveCheckpoint(long index, int bytes) throws IOException {
        byte[] state = payload(bytes);
        model.savingCheckpoint(index, state);
        log().saveCheckpoint(index, ByteBuffer.wrap(state));
        model.savedCheckpoint();
    }

    /**
     * The same, but the caller changes its state in the middle of the n-th operation on the disk.
     *
     * @return whether the log refused it
     */
    boolean saveCheckpointThatChanges(long index, int bytes, int n) throws IOException {
        byte[] state = payload(bytes);
        model.savingCheckpoint(index, state.clone());
        int at = payloads.nextInt(bytes);
        disk.faults().runAtOperation(n, () -> state[at]++);
        try {
            log().saveCheckpoint(index, ByteBuffer.wrap(state));
        } catch (LogRefusedException.StateChanged refused) {
            model.refusedCheckpoint();
            return true;
        }
        model.savedCheckpoint(); // what it was at the call: the bytes were copied before they changed
        return false;
    }

    /** A stranger cuts a segment in use while the log is open. When it is looked at next, it must fail and say so. */
    void cutSegment(SplittableRandom chance) throws IOException {
        List<String> segments =
                disk.files().stream().filter(name -> name.endsWith(".seg")).toList();
        String cut = segments.get(chance.nextInt(log().segmentFirstIndexes().size()));
        int bytes = chance.nextInt(Logs.SEGMENT_BYTES);
        disk.note("-- cut " + cut + " to " + bytes);
        disk.damage().truncate(cut, bytes);
        log().housekeeper().look();
        LogFailedException failure = log().failure();
        if (failure == null || !String.valueOf(failure.getMessage()).contains(cut)) {
            throw new AssertionError(cut + " was cut to " + bytes + " bytes, and the log says: " + failure);
        }
        abandon();
    }

    /** There was no space for the next segment; after this there is, and the log goes on by itself. */
    void giveSpaceBack() {
        long failures = failures(disk);
        disk.faults().giveSpaceBack();
        prepare();
        // The log may have failed meanwhile, at an idle mark for which there was no space either.
        if (failures(disk) == failures && !disk.hasCrashed() && log().failure() == null) {
            assertThat(turns().isHungry()).as("a segment is still missing").isFalse();
        }
    }

    /** How many operations of a disk failed so far, a crash included. */
    static long failures(SimulatedDisk disk) {
        Faults faults = disk.faults();
        return faults.failedForces()
                + faults.failedWrites()
                + faults.failedOperations()
                + faults.refusedForSpace()
                + (disk.hasCrashed() ? 1 : 0);
    }

    /** Closes the log in order. */
    void close() throws IOException {
        MessageLog open = log();
        log = null;
        turns().shut();
        open.close();
        model.closed();
    }

    /** The process dies, now or in the middle of what it was doing; the machine goes on. */
    void kill() {
        disk.note("-- killed");
        SimulatedDisk after = disk.afterKill();
        endProcess();
        disk = after;
    }

    /** The machine loses power, and starts again. */
    void losePower(SplittableRandom chance) {
        disk.note("-- power lost");
        SimulatedDisk after = disk.afterCrash(chance);
        endProcess();
        disk = after;
        model.powerLost();
    }

    /** Ends the threads of a log that is open, without a word to the disk. */
    void endProcess() {
        disk.crash();
        abandon();
    }

    /** Closes a log that failed, or whose disk is off. */
    void abandon() {
        MessageLog open = log;
        log = null;
        if (open != null) {
            turns().shut();
            try {
                open.close();
            } catch (IOException expectedOfAnEndLikeThis) {
                return;
            }
        }
    }
}
