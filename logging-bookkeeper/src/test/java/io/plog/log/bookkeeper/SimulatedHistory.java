package io.plog.log.bookkeeper;

import io.plog.log.Append;
import io.plog.log.Checkpoint;
import io.plog.log.LogFailedException;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A random history of a log over several servers that take it over from each other, from one seed. What was acknowledged, by
 * whomever, must be there after each opening: in its place, byte for byte. A server that another has
 * replaced acknowledges nothing that it is given afterwards, and learns of it when it asks.
 */
final class SimulatedHistory {
    private static final Quorum[] QUORUMS = {
        new Quorum(3, 3, 2), new Quorum(3, 3, 2), new Quorum(3, 2, 2), new Quorum(4, 3, 2), new Quorum(3, 3, 3)
    };
    private static final int MOST_STEPS = 400;
    private static final int LONGEST_RECORD = 16_000;

    /** A server and its log. */
    private static final class Server {
        final SimulatedStore store;
        final ReplicatedLog log;
        final UUID writer; // as the log's list calls it
        int replacedAt = -1; // the node's version when another server had entered its ledger behind this one's
        long replacedNanos; // when that was

        Server(SimulatedStore store, ReplicatedLog log, UUID writer) {
            this.store = store;
            this.log = log;
            this.writer = writer;
        }

        boolean isReplaced() {
            return replacedAt >= 0;
        }
    }

    /** A state that a checkpoint may have. */
    private record State(long index, ByteBuffer bytes) {}

    private final SplittableRandom random;
    private final SimulatedCluster cluster;
    private final Quorum quorum;
    private final SimulatedCounts counts;
    private final FollowingServer following;

    private final Map<Long, byte[]> acknowledged = new HashMap<>();
    private long mostAcknowledged;
    private long dropped = 1; // records before it may be gone
    private final List<State> possibleStates = new ArrayList<>(); // of the checkpoint that is there; none: maybe none
    private boolean checkpointSaved;

    private final List<Server> servers = new ArrayList<>();
    private @Nullable Server holder;
    private long nextPayload = 1;
    private @Nullable Runnable copy; // of metadata, to be put back

    SimulatedHistory(long seed, SimulatedCounts counts) {
        random = new SplittableRandom(seed);
        this.counts = counts;
        quorum = QUORUMS[random.nextInt(QUORUMS.length)];
        cluster = new SimulatedCluster(quorum.ensemble() + random.nextInt(3), random.split());
        following = new FollowingServer(cluster, counts, this::shown);
    }

    /** Runs it all; throws if the log breaks its promise. */
    void run() throws IOException {
        counts.histories.increment();
        int steps = 20 + random.nextInt(MOST_STEPS);
        for (int i = 0; i < steps; i++) {
            act();
        }
        // In the end everything is up again, and one server finds it all.
        for (SimulatedBookie bookie : cluster.bookies) {
            bookie.restart();
        }
        cluster.loseAnswers(0);
        cluster.loseReads(0);
        holder = null;
        long since = cluster.node() == null ? -1 : OrphanedLedgers.since(list());
        open(new SimulatedStore(cluster));
        if (holder == null) {
            throw new AssertionError("with all bookies up the log cannot be opened");
        }
        following.follow(Integer.MAX_VALUE);
        following.check(holder.log);
        checkNothingIsLeft(since);
    }

    /** A server that created a ledger and died left nothing behind. */
    private void checkNothingIsLeft(long since) throws IOException {
        LedgerList list = list();
        for (long ledger : cluster.ledgers.keySet()) {
            if (ledger > since && !list.names(ledger)) {
                throw new AssertionError("ledger " + ledger + " is in no list: " + list);
            }
        }
    }

    private LedgerList list() throws IOException {
        return LedgerList.decode("r", Objects.requireNonNull(cluster.node()).content());
    }

    /** ZooKeeper cannot be reached for a moment, or for so long that the one that asked gives up. */
    private void loseAnswers() {
        cluster.loseAnswers(random.nextInt(5));
        cluster.loseReads(random.nextInt(3));
        counts.lostAnswers.increment();
    }

    private void act() throws IOException {
        Server now = holder;
        switch (random.nextInt(44)) {
            case 0 -> crashOrRestart();
            case 1 -> restartAll();
            case 2 -> killHolder();
            case 3 -> openAnother();
            case 4 -> closeHolder();
            case 5 -> inHolder(this::saveCheckpoint);
            case 6 -> inHolder(this::truncate);
            case 7 -> loseAnswers();
            case 8 -> appendToReplaced();
            case 9 -> cluster.pass(random.nextInt(3) > 0 ? random.nextInt(1_000) : random.nextInt(200_000));
            case 10 -> askReplaced();
            case 11 -> inHolder(this::look);
            case 12 -> autoRecoverNowAndThen();
            case 13, 14, 15 -> follow();
            case 16 -> copyMetadataOrPutThemBack();
            default -> {
                if (now == null) {
                    openAnother();
                } else if (hasFailed(now) && random.nextInt(3) > 0) {
                    restartOneOrOpenAgain();
                } else if (random.nextInt(3) == 0) {
                    inHolder(this::append);
                } else {
                    pass(1 + random.nextInt(12));
                }
            }
        }
    }

    /** Time passes: messages arrive, bookies force, servers change ledgers. */
    private void pass(int steps) {
        for (int i = 0; i < steps; i++) {
            cluster.step();
            if (random.nextInt(4) == 0) {
                for (Server each : List.copyOf(servers)) {
                    runTask(each);
                }
            }
        }
    }

    private void runTask(Server server) {
        try {
            if (server.store.runTask()) {
                counts.changes.increment();
            }
        } catch (SimulatedStore.Killed e) {
            forget(server);
        }
    }

    private void forget(Server server) {
        servers.remove(server);
        if (holder == server) {
            holder = null;
        }
    }

    // ---- Faults ----

    /** Who puts an older copy of the metadata back gets no log, and the log when the last ones are back. */
    private void copyMetadataOrPutThemBack() throws IOException {
        Runnable old = copy;
        if (old == null || holder != null || cluster.upBookies().size() < cluster.bookies.size()) {
            copy = copy == null || random.nextInt(3) == 0 ? cluster.copyMetadata() : copy;
            return;
        }
        Runnable now = cluster.copyMetadata();
        old.run();
        // A change that was not noted is one that nothing was built on.
        boolean isOlder = cluster.notedChange() > (cluster.node() == null ? 0 : list().changes());
        try {
            if (isOlder) {
                ReplicatedLog.open("r", new SimulatedStore(cluster), null, options(), task -> {}, cluster.clock());
                throw new AssertionError("a log was opened whose metadata are not the last ones");
            }
        } catch (IOException e) {
            counts.olderData.increment();
        } finally {
            now.run();
        }
    }

    private void crashOrRestart() {
        int chosen = random.nextInt(cluster.bookies.size());
        SimulatedBookie bookie = cluster.bookies.get(chosen);
        if (bookie.isUp()) {
            cluster.crash(chosen);
            counts.bookieCrashes.increment();
        } else {
            bookie.restart();
        }
    }

    private void restartAll() {
        boolean powerCut = random.nextInt(4) == 0;
        for (int i = 0; i < cluster.bookies.size(); i++) {
            if (powerCut && cluster.bookies.get(i).isUp()) {
                cluster.crash(i);
            }
        }
        if (powerCut) {
            counts.powerCuts.increment();
        }
        cluster.bookies.forEach(SimulatedBookie::restart);
    }

    private void killHolder() {
        Server now = holder;
        if (now == null) {
            return;
        }
        if (random.nextBoolean()) {
            now.store.kill();
            forget(now);
            counts.kills.increment();
        } else {
            now.store.killAt(random.nextInt(6)); // in the middle of whatever it does next
        }
    }

    /** BookKeeper's auto-recovery closes the ledger that is being written, and does not take the log. */
    private void autoRecoverNowAndThen() throws IOException {
        if (random.nextInt(3) == 0) {
            inHolder(server -> {
                cluster.recover(server.log.currentLedger());
                counts.fences.increment();
            });
        }
    }

    /** What a server does each second. It must not take its own change of ledger for somebody else's. */
    private void look(Server server) throws IOException {
        boolean failedBefore = server.log.failure() != null;
        server.log.checkHeld();
        LogFailedException failed = server.log.failure();
        if (!failedBefore
                && failed != null
                && failed.getCause() instanceof LedgerStore.FencedException
                && !cluster.metadata(server.log.currentLedger()).recovering) {
            throw new AssertionError("no server fenced the log", failed);
        }
    }

    // ---- Opening again ----

    private static boolean hasFailed(Server server) {
        return server.log.failure() != null;
    }

    /** What a server does whose bookies come back one after the other: it asks whose the log is, opens it again, and tries again. */
    private void restartOneOrOpenAgain() throws IOException {
        if (random.nextBoolean()) {
            inHolder(server -> {
                if (ask(server) == Whose.ITS_OWN) {
                    closeFailed(server);
                    openAnother();
                }
            });
            return;
        }
        int from = random.nextInt(cluster.bookies.size());
        for (int i = 0; i < cluster.bookies.size(); i++) {
            SimulatedBookie bookie = cluster.bookies.get((from + i) % cluster.bookies.size());
            if (!bookie.isUp()) {
                bookie.restart();
                return;
            }
        }
    }

    private void closeFailed(Server server) throws IOException {
        if (server.log.queuedRecords() > 0) {
            throw new Broken("the log has failed, and appends were not completed");
        }
        forget(server);
        try {
            server.log.close();
        } catch (LogException e) {
            counts.reopenings.increment();
        }
    }

    /** Servers whose log another one has ask whose it is, too; maybe they were not informed. */
    private void askReplaced() throws IOException {
        for (Server each : List.copyOf(servers)) {
            if (each.isReplaced() && hasFailed(each)) {
                try {
                    if (ask(each) == Whose.ITS_OWN) {
                        throw new Broken("a server that was replaced believes that the log is its own");
                    }
                } catch (SimulatedStore.Killed e) {
                    forget(each);
                }
            }
        }
    }

    private enum Whose {
        ITS_OWN,
        ANOTHERS,
        UNKNOWN
    }

    private Whose ask(Server server) throws IOException {
        try {
            server.log.checkHeld();
            return Whose.ITS_OWN;
        } catch (LogLockedException e) {
            if (whoseNode().equals(server.writer)) {
                throw new AssertionError("no other server has the log, and its server is informed", e);
            }
            counts.reportedReplaced.increment();
            return Whose.ANOTHERS;
        } catch (IOException e) {
            return Whose.UNKNOWN;
        }
    }

    private UUID whoseNode() throws IOException {
        return list().writer();
    }

    // ---- Servers ----

    /** A server that waits follows the log, in its own time. */
    private void follow() throws IOException {
        if (random.nextInt(20) == 0) {
            following.killAt(random.nextInt(5));
        }
        following.follow(random.nextInt(3) > 0 ? Integer.MAX_VALUE : random.nextInt(5));
    }

    private void openAnother() throws IOException {
        SimulatedStore store = new SimulatedStore(cluster);
        if (random.nextInt(10) == 0) {
            store.killAt(random.nextInt(8));
        }
        if (random.nextInt(6) == 0) {
            store.beforeOperation(() -> later(store, random.nextInt(4)));
        }
        open(store);
    }

    /** Another server opens the log in the middle of an operation of this one. */
    private void later(SimulatedStore store, int operations) {
        if (operations > 0) {
            store.beforeOperation(() -> later(store, operations - 1));
            return;
        }
        counts.races.increment();
        try {
            open(new SimulatedStore(cluster));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private void open(SimulatedStore store) throws IOException {
        Quorum asked = cluster.node() == null || random.nextBoolean() ? quorum : null;
        ReplicatedLog log;
        try {
            log = ReplicatedLog.open("r", store, asked, options(), store::execute, cluster.clock());
        } catch (SimulatedStore.Killed e) {
            counts.kills.increment();
            return;
        } catch (LogDamagedException e) {
            throw e;
        } catch (IOException e) {
            counts.notOpened.increment();
            return;
        }
        counts.openings.increment();
        if (holder != null) {
            counts.takeovers.increment();
        }
        Server opened = new Server(store, log, store.writer());
        for (Server each : servers) {
            if (each.store.enteredAt() < store.enteredAt()) {
                each.replacedAt = store.enteredAt();
                each.replacedNanos = cluster.clock().nanos();
            } else {
                opened.replacedAt = each.store.enteredAt();
            }
        }
        servers.add(opened);
        if (opened.isReplaced()) {
            return; // another was faster, in the middle of this opening
        }
        holder = opened;
        checkReadable(opened);
    }

    private void checkReadable(Server server) throws IOException {
        try {
            following.check(server.log);
            check(server.log);
        } catch (SimulatedStore.Killed e) {
            forget(server);
        } catch (LogDamagedException e) {
            throw e;
        } catch (IOException e) {
            counts.notRead.increment(); // too many bookies are down at present
        }
    }

    private LogOptions options() {
        return LogOptions.in(Path.of("."))
                .withSegmentBytes(LogOptions.SEGMENT_GRAIN_BYTES)
                .withMaxRecordBytes(LONGEST_RECORD)
                .withOverflow(LogOptions.Overflow.REFUSE);
    }

    private void closeHolder() throws IOException {
        Server now = holder;
        if (now == null) {
            return;
        }
        for (int i = 0; i < 1_000 && isBusy(now) && holder == now; i++) {
            cluster.settle();
            runTask(now);
        }
        if (holder != now || isBusy(now)) {
            return; // bookies are missing
        }
        forget(now);
        try {
            now.log.close();
            counts.closes.increment();
        } catch (SimulatedStore.Killed | LogException e) {
            counts.kills.increment();
        } catch (IOException e) {
            counts.notClosed.increment();
        }
    }

    private static boolean isBusy(Server server) {
        return server.log.queuedRecords() > 0 || server.store.hasTask();
    }

    private interface Use {
        void of(Server server) throws IOException;
    }

    private void inHolder(Use use) throws IOException {
        Server now = holder;
        if (now == null) {
            return;
        }
        if (random.nextInt(8) == 0) {
            now.store.beforeOperation(() -> later(now.store, random.nextInt(4)));
        }
        try {
            use.of(now);
        } catch (SimulatedStore.Killed e) {
            counts.kills.increment();
            forget(now);
        } catch (LogDamagedException e) {
            throw e;
        } catch (IOException e) {
            counts.failures.increment();
        }
    }

    // ---- Appends ----

    private void append(Server server) {
        int many = 1 + random.nextInt(6);
        for (int i = 0; i < many; i++) {
            appendOne(server);
        }
    }

    private void appendToReplaced() {
        for (Server each : List.copyOf(servers)) {
            checkNotSure(each);
            if (each.isReplaced() && random.nextInt(4) == 0) {
                counts.afterTakeover.increment();
                try {
                    appendOne(each);
                } catch (SimulatedStore.Killed e) {
                    forget(each);
                }
            }
        }
    }

    /** A server that another has replaced is sure of the log for less than the time of a session. */
    private void checkNotSure(Server server) {
        long nanos = cluster.clock().nanos() - server.replacedNanos;
        if (server.isReplaced()
                && nanos >= TimeUnit.MILLISECONDS.toNanos(SimulatedStore.SESSION_MILLIS)
                && server.log.isSurelyHeld()) {
            throw new AssertionError("a server that was replaced is still sure of the log");
        }
    }

    private void appendOne(Server server) {
        byte[] payload = new byte[random.nextInt(4) == 0 ? random.nextInt(LONGEST_RECORD) : 8 + random.nextInt(100)];
        ByteBuffer bytes = ByteBuffer.wrap(payload);
        if (payload.length >= Long.BYTES) {
            bytes.putLong(0, nextPayload++);
        }
        boolean tooLate = server.isReplaced();
        long before = server.log.durableIndex();
        server.log.append(
                new Append() {
                    @Override
                    protected void onDurable() {
                        if (tooLate) {
                            throw new Broken("record " + index() + " was acknowledged by a server that was replaced");
                        }
                        if (index() <= before || index() != server.log.durableIndex()) {
                            throw new Broken("record " + index() + " was acknowledged out of order");
                        }
                        byte[] other = acknowledged.putIfAbsent(index(), payload);
                        if (other != null && !Arrays.equals(other, payload)) {
                            throw new Broken("index " + index() + " was acknowledged twice");
                        }
                        mostAcknowledged = Math.max(mostAcknowledged, index());
                        counts.acknowledged.increment();
                    }

                    @Override
                    protected void onFailed(LogException cause) {
                        if (cause instanceof LogRefusedException && cause.isIndeterminate()) {
                            throw new Broken("a refusal that may be in the log");
                        }
                    }
                },
                bytes);
    }

    /** Callbacks' exceptions go to the thread's handler; the campaign's handler keeps these. */
    static final class Broken extends Error {
        private static final long serialVersionUID = 1L;

        Broken(String message) {
            super(message);
        }
    }

    // ---- The start of the log ----

    private void saveCheckpoint(Server server) throws IOException {
        long least = server.log.checkpointIndex();
        long most = server.log.durableIndex();
        if (most < least) {
            return;
        }
        State state =
                new State(least + random.nextLong(most - least + 1), ByteBuffer.allocate(9 + random.nextInt(200)));
        state.bytes().putLong(0, nextPayload++);
        possibleStates.add(state);
        ByteBuffer given = ByteBuffer.wrap(state.bytes().array().clone());
        if (random.nextInt(4) == 0) { // another thread of the server goes on changing it
            server.store.beforeOperation(() -> given.put(8, (byte) ~given.get(8)));
        }
        server.store.waitForEntries(true);
        try {
            server.log.saveCheckpoint(state.index(), given);
        } catch (LogRefusedException.StateChanged refused) {
            counts.changedStates.increment();
            possibleStates.remove(possibleStates.size() - 1);
            return;
        } finally {
            server.store.waitForEntries(false);
        }
        counts.checkpoints.increment();
        if (!server.isReplaced()) {
            possibleStates.clear();
            possibleStates.add(state);
        }
        checkpointSaved = true;
    }

    private void truncate(Server server) throws IOException {
        long index = server.log.checkpointIndex() + 1;
        if (index > server.log.durableIndex() + 1) {
            return;
        }
        dropped = Math.max(dropped, index);
        server.log.truncateBefore(index);
        counts.truncations.increment();
    }

    // ---- What must hold ----

    private void check(ReplicatedLog log) throws IOException {
        long first = log.firstIndex();
        long last = log.durableIndex();
        if (first > dropped) {
            throw new AssertionError(
                    "the log begins with " + first + ", and only what lies before " + dropped + " was to be dropped");
        }
        if (last < mostAcknowledged) {
            throw new AssertionError("recovered up to " + last + ", acknowledged up to " + mostAcknowledged);
        }
        try (LogReader reader = log.read(first)) {
            for (long index = first; index <= last; index++) {
                if (!reader.next() || reader.index() != index) {
                    throw new AssertionError("record " + index + " is not there");
                }
                shown(index, reader.payload().duplicate());
            }
        }
        checkCheckpoint(log);
    }

    /** Once a record was shown it must stay. */
    private void shown(long index, ByteBuffer payload) {
        byte[] shown = new byte[payload.remaining()];
        payload.get(shown);
        byte[] expected = acknowledged.putIfAbsent(index, shown);
        if (expected != null && !Arrays.equals(expected, shown)) {
            throw new AssertionError("record " + index + " has another payload");
        }
        mostAcknowledged = Math.max(mostAcknowledged, index);
    }

    private void checkCheckpoint(ReplicatedLog log) throws IOException {
        Optional<Checkpoint> found = log.checkpoint();
        if (found.isEmpty()) {
            if (checkpointSaved) {
                throw new AssertionError("the checkpoint is gone");
            }
            possibleStates.clear();
            return;
        }
        State match = null;
        for (State each : possibleStates) {
            if (each.index() == found.get().index()
                    && each.bytes().equals(found.get().state())) {
                match = each;
            }
        }
        if (match == null) {
            throw new AssertionError("the checkpoint at " + found.get().index() + " is none that was saved last");
        }
        possibleStates.clear();
        possibleStates.add(match);
        checkpointSaved = true;
    }
}
