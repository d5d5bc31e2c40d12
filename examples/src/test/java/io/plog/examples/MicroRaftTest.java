package io.plog.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.microraft.RaftConfig;
import io.microraft.RaftEndpoint;
import io.microraft.RaftNode;
import io.microraft.RaftNode.RaftNodeBuilder;
import io.microraft.exception.RaftException;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.message.RaftMessage;
import io.microraft.persistence.RestoredRaftState;
import io.microraft.report.RaftLogStats;
import io.microraft.statemachine.StateMachine;
import io.microraft.transport.Transport;
import io.plog.examples.MicroRaftModels.Member;
import io.plog.log.LogOptions;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** MicroRaft runs on plog, and restores what it persisted and flushed, through a power cut at each operation, too. */
@Timeout(120)
final class MicroRaftTest {
    private static final List<RaftEndpoint> MEMBERS = List.of(new Member("a"), new Member("b"), new Member("c"));

    @TempDir
    Path directory;

    private final Map<RaftEndpoint, RaftNode> nodes = new ConcurrentHashMap<>();
    private final Map<RaftEndpoint, Counter> counters = new ConcurrentHashMap<>();
    private final Object changed = new Object();

    /** Each value is one more than the one before, or the same again. */
    private final class Counter implements StateMachine {
        volatile long value;
        volatile int installed;

        private void set(long newValue) {
            synchronized (changed) {
                value = newValue;
                changed.notifyAll();
            }
        }

        @Override
        public Object runOperation(long commitIndex, Object operation) {
            if (operation instanceof Long next) {
                set(next == value + 1 || next == value ? next : Long.MIN_VALUE);
            }
            return value;
        }

        @Override
        public void takeSnapshot(long commitIndex, Consumer<Object> chunks) {
            chunks.accept(value);
            chunks.accept("the second of two chunks");
        }

        @Override
        public void installSnapshot(long commitIndex, List<Object> chunks) {
            installed += chunks.size();
            set((Long) chunks.get(0));
        }

        @Override
        public Object getNewTermOperation() {
            return "a new term";
        }
    }

    private final class Network implements Transport {
        @Override
        public void send(RaftEndpoint target, RaftMessage message) {
            RaftNode node = nodes.get(target);
            if (node != null) {
                node.handle(message);
            }
        }

        @Override
        public boolean isReachable(RaftEndpoint endpoint) {
            return nodes.containsKey(endpoint);
        }
    }

    private MicroRaftStore store(RaftEndpoint member) throws IOException {
        Path of = Files.createDirectories(directory.resolve((String) member.getId()));
        return new MicroRaftStore(LogOptions.small(of), new MicroRaftModels());
    }

    private void start(RaftEndpoint member) throws IOException {
        MicroRaftStore store = store(member);
        Optional<RestoredRaftState> restored = store.restored();
        RaftNodeBuilder builder = RaftNode.newBuilder()
                .setGroupId("counter")
                .setConfig(RaftConfig.newBuilder()
                        .setCommitCountToTakeSnapshot(50)
                        .setLeaderElectionTimeoutMillis(300)
                        .setLeaderHeartbeatPeriodSecs(1)
                        .setLeaderHeartbeatTimeoutSecs(2)
                        .build())
                .setStore(store)
                .setTransport(new Network())
                .setStateMachine(counters.compute(member, (same, old) -> new Counter()))
                .setRaftNodeReportListener(report -> tell());
        if (restored.isPresent()) {
            builder.setRestoredState(restored.get());
        } else {
            builder.setLocalEndpoint(member).setInitialGroupMembers(MEMBERS);
        }
        RaftNode node = builder.build();
        nodes.put(member, node);
        node.start();
    }

    private void tell() {
        synchronized (changed) {
            changed.notifyAll();
        }
    }

    private void await(BooleanSupplier condition) throws InterruptedException {
        synchronized (changed) {
            while (!condition.getAsBoolean()) {
                changed.wait();
            }
        }
    }

    private void stop(RaftEndpoint member) {
        nodes.remove(member).terminate().join();
    }

    private RaftEndpoint leader() throws InterruptedException {
        await(() -> nodes.values().stream().anyMatch(this::leads));
        return nodes.values().stream()
                .filter(this::leads)
                .findFirst()
                .orElseThrow()
                .getLocalEndpoint();
    }

    private boolean leads(RaftNode node) {
        return node.getLocalEndpoint().equals(node.getTerm().getLeaderEndpoint());
    }

    /** These values in order, each after the one before was acknowledged; again, if the leader changed meanwhile. */
    private void replicate(long from, long to) throws InterruptedException {
        for (long value = from; value <= to; ) {
            try {
                assertThat(nodes.get(leader()).<Long>replicate(value).get().getResult())
                        .isEqualTo(value);
                value++;
            } catch (ExecutionException e) {
                assertThat(e).hasCauseInstanceOf(RaftException.class);
            }
        }
    }

    private void awaitValue(RaftEndpoint member, long value) throws InterruptedException {
        Counter counter = counters.get(member);
        await(() -> counter.value >= value || counter.value < 0);
        assertThat(counter.value).isEqualTo(value);
    }

    @Test
    void threeNodesKeepWhatTheyAcknowledgedThroughStopsConflictsSnapshotsAndRestarts() throws Exception {
        for (RaftEndpoint member : MEMBERS) {
            start(member);
        }
        replicate(1, 70);
        RaftEndpoint old = leader();
        stop(old);
        replicate(71, 80); // by another leader

        // As if the leader of then had logged more before it died, which nobody else got.
        MicroRaftStore store = store(old);
        List<LogEntry> entries = store.restored().orElseThrow().getLogEntries();
        LogEntry last = entries.get(entries.size() - 1);
        store.persistLogEntries(LongStream.rangeClosed(1, 5)
                .mapToObj(i -> MicroRaftModels.entry(last.getIndex() + i, last.getTerm(), -i))
                .toList());
        store.flush();
        store.onRaftNodeTerminate();
        start(old);
        awaitValue(old, 80);

        stop(old);
        replicate(81, 250); // the others drop what it needs next
        start(old);
        awaitValue(old, 250);
        assertThat(counters.get(old).installed).isGreaterThanOrEqualTo(2);
        RaftLogStats log = nodes.get(old).getReport().get().getResult().getLog();
        assertThat(log.getInstallSnapshotCount()).isEqualTo(1);

        MEMBERS.forEach(this::stop);
        for (RaftEndpoint member : MEMBERS) {
            start(member);
        }
        replicate(251, 260);
        for (RaftEndpoint member : MEMBERS) {
            awaitValue(member, 260);
        }
        MEMBERS.forEach(this::stop);
    }

    /** What is restored: the term, the snapshot's index, and the operations of the entries behind it. */
    private record State(long term, long snapshot, List<Object> values) {
        static State of(RestoredRaftState restored) {
            boolean with = restored.getSnapshotEntry() != null;
            long snapshot = with ? restored.getSnapshotEntry().getIndex() : 0;
            assertThat(!with || restored.getSnapshotEntry().getSnapshotChunkCount() == 2)
                    .isTrue();
            List<LogEntry> behind = restored.getLogEntries().stream()
                    .filter(entry -> entry.getIndex() > snapshot)
                    .toList();
            for (int i = 0; i < behind.size(); i++) {
                assertThat(behind.get(i).getIndex()).isEqualTo(snapshot + 1 + i);
            }
            return new State(
                    restored.getTermPersistentState().getTerm(),
                    snapshot,
                    behind.stream().map(LogEntry::getOperation).toList());
        }
    }

    private interface Change {
        void make(MicroRaftStore store) throws IOException;
    }

    private record Step(Change change, UnaryOperator<State> effect) {
        static Step term(int term) {
            return new Step(
                    store -> store.persistAndFlushTerm(MicroRaftModels.term(term, MEMBERS.get(0))),
                    state -> new State(term, state.snapshot, state.values));
        }

        static Step entries(int term, int from, int to) {
            List<LogEntry> entries = IntStream.rangeClosed(from, to)
                    .mapToObj(index -> MicroRaftModels.entry(index, term, 100L * term + index))
                    .toList();
            return new Step(
                    store -> {
                        store.persistLogEntries(entries);
                        store.flush();
                    },
                    state -> new State(
                            state.term,
                            state.snapshot,
                            Stream.concat(
                                            state.values.stream(),
                                            entries.stream().map(LogEntry::getOperation))
                                    .toList()));
        }

        static Step snapshot(long index) {
            RaftGroupMembersView members = MicroRaftModels.members(0, MEMBERS);
            return new Step(
                    store -> {
                        store.persistSnapshotChunk(MicroRaftModels.chunk(index, 1, "1", 1, 2, members));
                        store.flush(); // nothing yet
                        store.persistSnapshotChunk(MicroRaftModels.chunk(index, 1, "0", 0, 2, members));
                        store.flush();
                    },
                    state -> new State(
                            state.term,
                            index,
                            state.values.subList(
                                    (int) Math.min(index - state.snapshot, state.values.size()), state.values.size())));
        }
    }

    private static final State NEW = new State(0, 0, List.of());

    private static final List<Step> SCRIPT = List.of(
            Step.term(1),
            Step.entries(1, 1, 5),
            Step.entries(1, 6, 9),
            new Step(
                    store -> store.truncateLogEntriesFrom(8),
                    state -> new State(state.term, 0, state.values.subList(0, 7))),
            Step.entries(2, 8, 10),
            Step.snapshot(9),
            new Step(store -> store.truncateLogEntriesUntil(7), state -> state),
            Step.term(3),
            Step.entries(3, 11, 12),
            Step.snapshot(40), // from a leader, ahead
            new Step(store -> store.truncateLogEntriesUntil(40), state -> state),
            Step.entries(3, 41, 43));

    private static MicroRaftStore store(SimulatedDisk disk) throws IOException {
        LogOptions options = LogOptions.on(disk).withSegmentBytes(64 * 1024).withMaxRecordBytes(8 * 1024);
        return new MicroRaftStore(options, new MicroRaftModels());
    }

    @Test
    void aStoreRestoresWhatWasFlushedAfterAPowerCutAtEachOperation() throws Exception {
        int crashes = 0;
        for (long seed = 0; seed < 2; seed++) {
            boolean crashed = true;
            for (int operation = 1; crashed; operation++) {
                SimulatedDisk disk = new SimulatedDisk(512);
                disk.faults().crashAtOperation(operation);
                State[] between = run(disk);
                crashed = disk.hasCrashed();
                disk.crash();
                crashes++;
                MicroRaftStore store = store(disk.afterCrash(seed));
                State found = store.restored().map(State::of).orElse(NEW);
                assertThat(isBetween(found, between[0], between[1]))
                        .as(
                                "crash at operation %d, seed %d: %s, not %s or %s",
                                operation, seed, found, between[0], between[1])
                        .isTrue();
                Step next = Step.entries(
                        9,
                        (int) found.snapshot + found.values.size() + 1,
                        (int) found.snapshot + found.values.size() + 2);
                next.change.make(store);
                if (store.restored().isPresent()) {
                    assertThat(State.of(store.restored().get())).isEqualTo(next.effect.apply(found));
                }
                store.onRaftNodeTerminate();
            }
        }
        assertThat(crashes).isGreaterThan(100);
    }

    /** Until the power fails: what was restorable before the step that did not end, and what it would be behind it. */
    private State[] run(SimulatedDisk disk) {
        State before = NEW;
        State after = NEW;
        try {
            MicroRaftStore store = store(disk);
            try {
                store.persistAndFlushLocalEndpoint(MicroRaftModels.endpoint(MEMBERS.get(0)));
                store.persistAndFlushInitialGroupMembers(MicroRaftModels.members(0, MEMBERS));
                for (Step step : SCRIPT) {
                    after = step.effect.apply(before);
                    step.change.make(store);
                    before = after;
                }
            } finally {
                store.onRaftNodeTerminate();
            }
        } catch (IOException | RuntimeException powerIsGone) {
            assertThat(disk.hasCrashed()).isTrue();
        }
        return new State[] {before, after};
    }

    private static boolean isBetween(State found, State before, State after) {
        boolean appended = found.term == before.term
                && found.snapshot == after.snapshot
                && found.values.size() >= before.values.size()
                && found.values.size() <= after.values.size()
                && after.values.subList(0, found.values.size()).equals(found.values);
        return found.equals(before) || found.equals(after) || appended;
    }
}
