package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.CheckpointFile;
import io.plog.log.file.Payload;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.Trailer;
import io.plog.log.file.WriterClaim;
import io.plog.log.segment.OpenSegment;
import io.plog.log.segment.PrefixTruncation;
import io.plog.log.segment.PreparingPace;
import io.plog.log.segment.Recovery;
import io.plog.log.segment.RecoveryResult;
import io.plog.log.segment.SegmentChain;
import io.plog.log.segment.SegmentClaims;
import io.plog.log.segment.SegmentFactory;
import io.plog.log.segment.SegmentListener;
import io.plog.log.segment.SegmentOptions;
import io.plog.log.segment.SegmentPreparer;
import io.plog.log.segment.SegmentSizes;
import io.plog.log.segment.SegmentWriter;
import io.plog.log.segment.WorkThread;
import io.plog.log.storage.Force;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/**
 * A striped log over several lives, held against what it must hold. Its segments are the real ones; in the place of the log's
 * threads there is one that does what each of them might do next, as chance has it: lay a batch out, write it, force it,
 * acknowledge in order. So every interleaving can come up, and each repeats from its seed.
 */
final class StripedLog {
    private static final int MOST_BATCH_BYTES = 32 * 1024;
    private static final int GROUPS = 2;

    /** A batch that is under way. */
    private static final class Group {
        final Lane lane;
        final long lastIndex;
        final long bytes;
        boolean written;
        boolean done;

        Group(Lane lane, long lastIndex, long bytes) {
            this.lane = lane;
            this.lastIndex = lastIndex;
            this.bytes = bytes;
        }
    }

    /** What one of the log's threads has: a directory and a writer. */
    private record Lane(SegmentChain segments, SegmentWriter writer) {}

    private final SplittableRandom chance;
    private final DiskArray disks;
    final Model model;

    /**
     * Segments are prepared when the test says so, and on its thread; what is not kept of those that were dropped is
     * deleted at once.
     */
    private static final SegmentListener NOBODY = new SegmentListener() {};

    private static final PreparingPace WHEN_TOLD = new PreparingPace() {
        @Override
        public WorkThread newThread(String name) {
            return new NoThread();
        }

        @Override
        public long retryNanos() {
            return 0;
        }
    };

    /** What is left to do for a preparing thread that is to end is done by the thread that waits for the end. */
    private static final class NoThread implements WorkThread {
        private Runnable left = () -> {};

        @Override
        public void start(Runnable work) {
            left = work;
        }

        @Override
        public void unpark() {
            throw new IllegalStateException("the log waits for a segment that no thread makes");
        }

        @Override
        public boolean join(long nanos) {
            left.run();
            left = () -> {};
            return true;
        }
    }

    // An open log.
    private Force force = Force.OFF;
    private List<SegmentChain> chains = List.of();
    private final List<SegmentPreparer> preparers = new ArrayList<>();
    private final Set<SegmentPreparer> puttingAway = new HashSet<>();
    private WriterClaim claim = WriterClaim.ofThisProcess();
    private final List<Lane> lanes = new ArrayList<>();
    private @Nullable Throwable preparingFailure;
    private final List<Integer> spareSegments = new ArrayList<>(); // prepared, in each directory
    private final Deque<Group> underWay = new ArrayDeque<>();
    private java.util.UUID logId = new java.util.UUID(0, 0);
    private long firstIndex;
    private long nextIndex;
    private long marked;

    StripedLog(DiskArray disks, long seed) {
        this(disks, new Model(), seed);
    }

    private StripedLog(DiskArray disks, Model model, long seed) {
        this.disks = disks;
        this.model = model;
        this.chance = new SplittableRandom(seed);
    }

    StripedLog afterPowerLoss(long seed) {
        StripedLog after = new StripedLog(disks.afterPowerLoss(new SplittableRandom(seed)), model.copy(), seed);
        after.model.powerLost();
        endProcess();
        return after;
    }

    StripedLog afterKill(long seed) {
        StripedLog after = new StripedLog(disks.afterKill(new SplittableRandom(seed)), model.copy(), seed);
        if (disks.hasLostOne()) {
            after.model.powerLost();
        }
        endProcess();
        return after;
    }

    /** On disks of its own; the log must not be open. */
    StripedLog copy(long seed) {
        return new StripedLog(disks.copy(), model.copy(), seed);
    }

    DiskArray disks() {
        return disks;
    }

    static LogOptions options(Force force) {
        return Logs.options(Path.of("simulated"))
                .withMaxBatchBytes(MOST_BATCH_BYTES)
                .withGroupsInFlight(GROUPS)
                .withForce(force);
    }

    /** Recovers, holds what is shown against what must be there, and opens the log. */
    void open(Force opened, int reserveSegments) throws IOException {
        disks.note("-- " + opened);
        endProcess();
        force = opened;
        LogOptions options = options(force);
        claim = WriterClaim.ofThisProcess();
        RecoveryResult found = Recovery.recover(disks.storages(), options.segments(), claim);
        logId = found.logId();
        underWay.clear();
        lanes.clear();
        spareSegments.clear();
        preparingFailure = null;
        List<SegmentChain> all = new ArrayList<>();
        for (int i = 0; i < found.stripes().size(); i++) {
            all.add(openStripe(disks.storages().get(i), found.stripes().get(i), options.segments(), reserveSegments));
        }
        chains = all;
        firstIndex = found.report().firstIndex();
        nextIndex = found.report().lastIndex() + 1;
        marked = nextIndex - 1;
        check(found);
        model.opened(force);
        disks.note("-- recovered up to " + model.acknowledged());
    }

    private SegmentChain openStripe(
            Storage storage, RecoveryResult.Stripe stripe, SegmentOptions options, int reserveSegments)
            throws IOException {
        SegmentFactory factory =
                new SegmentFactory(storage, logId, stripe.id(), SegmentSizes.of(options.mostBytes()), claim);
        SegmentClaims claims = new SegmentClaims(storage, claim);
        List<SegmentHeader> spares = new ArrayList<>(stripe.spares());
        while (spares.size() < reserveSegments) {
            spares.add(factory.create(stripe.active().segment() + spares.size() + 1));
        }
        long next = stripe.active().segment() + spares.size() + 1;
        SegmentPreparer preparer =
                new SegmentPreparer(factory, hostOf(storage, claims, options), NOBODY, spares, next, 0, WHEN_TOLD);
        SegmentChain chain = new SegmentChain(storage, claims, options, NOBODY, preparer, stripe);
        preparers.add(preparer);
        chain.writers().forEach(writer -> lanes.add(new Lane(chain, writer)));
        spareSegments.add(spares.size());
        return chain;
    }

    /** It opens segments when they are needed, on the thread that needs them. */
    private SegmentPreparer.Host hostOf(Storage storage, SegmentClaims claims, SegmentOptions options) {
        return new SegmentPreparer.Host() {
            @Override
            public OpenSegment open(SegmentHeader segment) throws IOException {
                return OpenSegment.open(storage, claims, options, segment);
            }

            @Override
            public void checkStillOurs() {}

            @Override
            public void fail(Throwable cause) {
                preparingFailure = cause;
            }
        };
    }

    private void check(RecoveryResult found) throws IOException {
        List<Storage> storages = disks.storages();
        try (LogReader live =
                        StoredLogReader.ofLive(storages, chains, firstIndex, () -> firstIndex, () -> nextIndex - 1);
                LogReader stored = StoredLogReader.ofStorages(storages, 0)) {
            model.check(found.report(), Checkpoint.read(storages.get(0)), live, stored);
        }
    }

    // ---- What the log's threads do ----

    /** What one of them might do next. */
    void step() throws IOException {
        if (!force.isStable() && chance.nextInt(8) == 0) {
            putAway(chance.nextInt(chains.size()));
        }
        step(lanes.get(chance.nextInt(lanes.size())), chance.nextInt(8) > 0);
    }

    /** Goes on in one of the directories, numbered from 0: with what is under way there, or with a batch of this size. */
    void stepIn(int stripe) throws IOException {
        step(lanesOf(stripe).get(0), true);
    }

    private void step(Lane lane, boolean mayStart) throws IOException {
        Group group = current(lane);
        if (group != null) {
            goOn(group);
        } else if (mayStart) {
            start(lane, sizes());
        }
    }

    /** The payload of a record that ends where a block of the file ends, if it is the next in this directory, numbered from 0. */
    int payloadToBlockEnd(int stripe) {
        int block = SegmentHeader.BLOCK_BYTES;
        // Blocks are taken off a segment's room as a whole, so what is left of the last one is the same.
        long position = -Trailer.MOST_BYTES - chains.get(stripe).room();
        return (int) Math.floorMod(-position, (long) block) - RecordHeader.BYTES;
    }

    /** Starts a batch with records of these sizes in one of the directories, numbered from 0. */
    void start(int stripe, int... sizes) throws IOException {
        for (Lane lane : lanesOf(stripe)) {
            if (current(lane) == null) {
                start(lane, sizes);
                return;
            }
        }
        throw new AssertionError("all groups of directory " + stripe + " are under way");
    }

    /** Writes and forces what is under way in one of the directories, numbered from 0, and acknowledges what may be. */
    void finish(int stripe) throws IOException {
        for (Lane lane : lanesOf(stripe)) {
            for (Group group = current(lane); group != null; group = current(lane)) {
                goOn(group);
            }
        }
    }

    private List<Lane> lanesOf(int stripe) {
        return lanes.stream()
                .filter(lane -> lane.segments().equals(chains.get(stripe)))
                .toList();
    }

    /**
     * With {@code force=write} the files of segments that are complete are forced some time later, by another thread. Here
     * that begins as chance has it, and from then on it is done at once.
     *
     * @param stripe in which directory, numbered from 0
     */
    private void putAway(int stripe) {
        SegmentPreparer preparer = preparers.get(stripe);
        if (puttingAway.add(preparer)) {
            preparer.start();
        }
        while (preparer.attend()) {} // until nothing is left to do
        try {
            preparer.awaitRetired();
        } catch (IOException reportedWhenTheLogIsClosed) {
            end(preparer);
        }
    }

    /** Ends what prepares the segments of a log that is open; what was not begun stays undone. */
    private void endProcess() {
        preparers.forEach(StripedLog::end);
        preparers.clear();
        puttingAway.clear();
    }

    private static void end(SegmentPreparer preparer) {
        preparer.stop();
        preparer.join(Long.MAX_VALUE);
    }

    private @Nullable Group current(Lane lane) {
        return underWay.stream()
                .filter(group -> group.lane.equals(lane) && !group.done)
                .findFirst()
                .orElse(null);
    }

    private void goOn(Group group) throws IOException {
        if (!group.written) {
            group.lane.writer().write();
            group.written = true;
            return;
        }
        group.lane.writer().force();
        group.lane.segments().written(group.bytes);
        group.done = true;
        acknowledgeInOrder();
    }

    private void acknowledgeInOrder() {
        while (!underWay.isEmpty() && underWay.peek().done) {
            model.acknowledged(underWay.remove().lastIndex);
        }
    }

    private void start(Lane lane, int... sizes) throws IOException {
        SegmentChain segments = lane.segments();
        long waiting =
                underWay.stream().filter(group -> group.lane.equals(lane)).count();
        if (waiting >= 2 || !segments.canStart()) {
            return;
        }
        long bytes = 0;
        for (int size : sizes) {
            bytes += RecordHeader.encodedBytes(size);
        }
        if (bytes > segments.room()) {
            int stripe = chains.indexOf(segments);
            if (spareSegments.get(stripe) == 0 || !segments.mayChange()) {
                return;
            }
            spareSegments.set(stripe, spareSegments.get(stripe) - 1);
            segments.changeSegment(lane.writer(), nextIndex, model.acknowledged());
            if (puttingAway.contains(preparers.get(stripe))) {
                putAway(stripe);
            }
        }
        segments.begin(lane.writer(), nextIndex, model.acknowledged());
        for (int size : sizes) {
            byte[] record = new byte[size];
            chance.nextBytes(record);
            model.submitted(record);
            Payload payload = Payload.of(ByteBuffer.wrap(record), null);
            payload.consume();
            assertThat(lane.writer().add(payload)).isNull();
            payload.release(true);
        }
        boolean striped = chains.size() > 1; // then no batch takes the seal with it, even if it is the last
        long written = segments.finish(lane.writer(), sizes.length, chance.nextBoolean(), striped);
        nextIndex += sizes.length;
        underWay.add(new Group(lane, nextIndex - 1, written));
        disks.note("-- up to " + (nextIndex - 1) + " in directory " + (chains.indexOf(segments) + 1) + ", durable "
                + model.acknowledged());
    }

    private int[] sizes() {
        int[] sizes = new int[1 + chance.nextInt(3)];
        for (int i = 0; i < sizes.length; i++) {
            sizes[i] = chance.nextInt(chance.nextInt(3) == 0 ? 9_000 : 200);
        }
        return sizes;
    }

    /** Writes and forces all that is under way. */
    void finish() throws IOException {
        for (int stripe = 0; stripe < chains.size(); stripe++) {
            finish(stripe);
        }
    }

    /** At rest, the watermark is written by itself, in whichever directory. */
    void mark() throws IOException {
        finish();
        if (force.isStable() && marked < model.acknowledged()) {
            Lane lane = lanes.get(chance.nextInt(lanes.size()));
            lane.segments().mark(lane.writer(), nextIndex, model.acknowledged());
            marked = model.acknowledged();
        }
    }

    /** Saves a checkpoint at what is acknowledged, and drops what it makes superfluous. */
    void saveCheckpointAndDrop() throws IOException {
        byte[] saved = new byte[chance.nextInt(1000)];
        chance.nextBytes(saved);
        long index = model.acknowledged();
        model.savingCheckpoint(index, saved);
        CheckpointFile.write(disks.storages().get(0), logId, index, model::acknowledged, ByteBuffer.wrap(saved));
        model.savedCheckpoint();
        drop(index + 1);
    }

    /** Drops what lies before an index. */
    void drop(long index) throws IOException {
        model.drop(index);
        long checkpoint = Math.max(0, model.checkpoint());
        firstIndex = PrefixTruncation.drop(
                disks.storages(), chains, logId, firstIndex, index, checkpoint, 0, false, first -> {});
    }

    /**
     * Prepares one more segment in some directory, of a file that was dropped if one was kept there.
     *
     * @return whether the file was used before
     */
    boolean prepareOneMore() throws IOException {
        int stripe = chance.nextInt(chains.size());
        long before = usedAgain(stripe);
        if (preparers.get(stripe).prepare()) {
            spareSegments.set(stripe, spareSegments.get(stripe) + 1);
            return usedAgain(stripe) > before;
        }
        if (preparingFailure != null) {
            throw new IOException("a segment could not be prepared, and the log fails for good", preparingFailure);
        }
        return false;
    }

    private long usedAgain(int stripe) throws IOException {
        return SegmentHeaders.usedAgain(disks.disks().get(stripe));
    }

    void close() throws IOException {
        finish();
        if (!force.isStable()) {
            for (int stripe = 0; stripe < chains.size(); stripe++) {
                putAway(stripe);
                chains.get(stripe).makeStable();
            }
        }
        for (SegmentChain chain : chains) {
            chain.closeInOrder(nextIndex, model.acknowledged());
        }
        endProcess();
        model.closed();
        if (disks.hasCrashed()) {
            throw new IOException("the power went when a file was deleted, which a log reports at its next drop");
        }
    }

    /**
     * After a failure nothing is acknowledged any more, but what is under way elsewhere may still reach the disk.
     *
     * @param steps how many steps of it
     */
    void goOnAfterFailure(int steps) {
        List<Group> left = new ArrayList<>(underWay);
        for (int i = 0; i < steps && !left.isEmpty(); i++) {
            Group group = left.get(chance.nextInt(left.size()));
            try {
                if (group.done) {
                    continue;
                }
                if (group.written) {
                    group.lane.writer().force();
                    group.done = true;
                } else {
                    group.lane.writer().write();
                    group.written = true;
                }
            } catch (IOException expectedOfADiskThatIsOff) {
                left.remove(group);
            }
        }
    }
}
