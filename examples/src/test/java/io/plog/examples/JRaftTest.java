package io.plog.examples;

import static org.assertj.core.api.Assertions.assertThat;

import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.PeerId;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.option.NodeOptions;
import com.alipay.sofa.jraft.option.RaftMetaStorageOptions;
import io.plog.log.LogOptions;
import io.plog.simdisk.SimulatedDisk;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** SOFAJRaft runs on plog, and its storages keep what they acknowledged through a power cut at each of their operations. */
@Timeout(120)
final class JRaftTest {
    @TempDir
    Path directory;

    static LogStorageOptions initial(ConfigurationManager manager) {
        LogStorageOptions options = new LogStorageOptions();
        options.setGroupId("test");
        options.setConfigurationManager(manager);
        options.setLogEntryCodecFactory(LogEntryV2CodecFactory.getInstance());
        return options;
    }

    static LogEntry entry(long index, long term, long value) {
        LogEntry entry = new LogEntry(EntryType.ENTRY_TYPE_DATA);
        entry.setId(new LogId(index, term));
        entry.setData(ByteBuffer.allocate(5000).putLong(0, value)); // a few fill a segment of the simulated disk
        return entry;
    }

    @Test
    void jraftFindsThePlogServicesByItself() {
        assertThat(new NodeOptions().getServiceFactory()).isInstanceOf(JRaftServices.class);
    }

    @Test
    void threeNodesKeepWhatTheyAcknowledgedThroughStopsConflictsSnapshotsAndRestarts() throws Exception {
        try (JRaftCluster cluster = new JRaftCluster(directory)) {
            cluster.startAll();
            cluster.apply(1, 100);
            PeerId old = cluster.leader();
            cluster.stop(old);
            cluster.apply(101, 200); // by another leader

            // As if the leader of then had logged more before it died, which nobody else got.
            JRaftLogStorage storage = new JRaftLogStorage(JRaftCluster.options(cluster.log(old)));
            assertThat(storage.init(initial(new ConfigurationManager()))).isTrue();
            long last = storage.getLastLogIndex();
            long term = storage.getEntry(last).getId().getTerm();
            List<LogEntry> lost = LongStream.rangeClosed(last + 1, last + 20)
                    .mapToObj(index -> entry(index, term, -index))
                    .toList();
            assertThat(storage.appendEntries(lost)).isEqualTo(lost.size());
            storage.shutdown();
            cluster.start(old);
            cluster.awaitApplied(old, 200);

            cluster.stop(old);
            cluster.delete(old);
            cluster.snapshotAll();
            cluster.apply(201, 300);
            cluster.snapshotAll(); // from the second on JRaft drops what is before the one before
            cluster.apply(301, 310);
            cluster.start(old);
            cluster.awaitApplied(old, 310);
            assertThat(cluster.snapshotsLoaded(old)).isEqualTo(1);

            for (PeerId peer : cluster.peers) {
                cluster.stop(peer);
            }
            cluster.startAll();
            cluster.apply(311, 320);
            for (PeerId peer : cluster.peers) {
                cluster.awaitApplied(peer, 320); // each value in order: the state machine looks
            }
        }
    }

    /** What the storages show: the first index, the values of the entries from there on, the term and the vote. */
    private record State(long first, List<Long> values, long term, String vote) {
        State with(long newFirst, List<Long> newValues) {
            return new State(newFirst, newValues, term, vote);
        }

        State after(long term, LongStream indexes) {
            return with(
                    first,
                    Stream.concat(values.stream(), indexes.mapToObj(index -> 100 * term + index))
                            .toList());
        }

        State from(long index) {
            return with(
                    index,
                    index - first > values.size() ? List.of() : values.subList((int) (index - first), values.size()));
        }

        State to(long index) {
            return with(first, values.subList(0, (int) (index + 1 - first)));
        }
    }

    private static final State NEW =
            new State(1, List.of(), 0, PeerId.emptyPeer().toString());

    private record Step(Predicate<Storages> change, UnaryOperator<State> effect) {
        static Step append(long term, long from, long to) {
            return new Step(
                    on -> on.append(term, LongStream.rangeClosed(from, to)) == to + 1 - from,
                    state -> state.after(term, LongStream.rangeClosed(from, to)));
        }
    }

    private static final List<Step> SCRIPT = List.of(
            new Step(
                    on -> on.meta.setTermAndVotedFor(1, new PeerId("a", 1)),
                    state -> new State(1, List.of(), 1, "a:1")),
            Step.append(1, 1, 4),
            Step.append(1, 5, 17),
            Step.append(1, 18, 20),
            new Step(on -> on.log.truncateSuffix(16), state -> state.to(16)),
            Step.append(2, 17, 19),
            new Step(on -> on.log.truncatePrefix(9), state -> state.from(9)),
            new Step(
                    on -> on.meta.setTermAndVotedFor(2, new PeerId("b", 2)),
                    state -> new State(9, state.values, 2, "b:2")),
            new Step(on -> on.log.reset(40), state -> state.with(40, List.of())),
            Step.append(3, 40, 42),
            new Step(on -> on.log.truncatePrefix(50), state -> state.from(50)), // a snapshot that is ahead
            Step.append(3, 50, 51),
            new Step(on -> on.log.truncateSuffix(49), state -> state.to(49)),
            Step.append(4, 50, 50));

    /** Both storages on a simulated disk. */
    private final class Storages implements AutoCloseable {
        final JRaftLogStorage log;
        final JRaftMetaStorage meta;
        final ConfigurationManager configurations = new ConfigurationManager();
        final boolean open;

        Storages(SimulatedDisk disk) {
            log = new JRaftLogStorage(LogOptions.on(disk)
                    .withSegmentBytes(LogOptions.SEGMENT_GRAIN_BYTES)
                    .withMaxRecordBytes(8 * 1024)
                    .withMaxBatchBytes(32 * 1024));
            meta = new JRaftMetaStorage(log);
            open = log.init(initial(configurations)) && meta.init(new RaftMetaStorageOptions());
        }

        int append(long term, LongStream indexes) {
            return log.appendEntries(indexes.mapToObj(index -> entry(index, term, 100 * term + index))
                    .toList());
        }

        State state() {
            long first = log.getFirstLogIndex();
            List<Long> values = LongStream.rangeClosed(first, log.getLastLogIndex())
                    .mapToObj(index -> Objects.requireNonNull(log.getEntry(index))
                            .getData()
                            .getLong(0))
                    .toList();
            return new State(first, values, meta.getTerm(), meta.getVotedFor().toString());
        }

        @Override
        public void close() {
            log.shutdown();
        }
    }

    @Test
    void aNodeThatStartsLearnsEveryConfigurationThatItsLogHolds() {
        SimulatedDisk disk = new SimulatedDisk(512);
        try (Storages storages = new Storages(disk)) {
            storages.append(1, LongStream.rangeClosed(1, 3));
            LogEntry configuration = new LogEntry(EntryType.ENTRY_TYPE_CONFIGURATION);
            configuration.setId(new LogId(4, 1));
            configuration.setPeers(List.of(new PeerId("a", 1), new PeerId("b", 2)));
            assertThat(storages.log.appendEntry(configuration)).isTrue();
            storages.append(1, LongStream.rangeClosed(5, 6));
        }
        try (Storages storages = new Storages(disk)) {
            assertThat(storages.configurations.get(6).getId()).isEqualTo(new LogId(4, 1));
            assertThat(storages.configurations.get(6).getConf().getPeers()).hasSize(2);
        }
    }

    @Test
    void bothStoragesShowEachChangeAtOnce() {
        State expected = NEW;
        try (Storages storages = new Storages(new SimulatedDisk(512))) {
            for (Step step : SCRIPT) {
                expected = step.effect.apply(expected);
                assertThat(step.change.test(storages)).isTrue();
                assertThat(storages.state()).isEqualTo(expected);
            }
            assertThat(storages.append(9, LongStream.of(77)))
                    .as("behind a hole")
                    .isZero();
            assertThat(storages.append(9, LongStream.of(50)))
                    .as("a second time")
                    .isZero();
            assertThat(storages.state()).isEqualTo(expected);
        }
    }

    @Test
    void bothStoragesKeepWhatTheyAcknowledgedThroughAPowerCutAtEachOperation() {
        int crashes = 0;
        for (long seed = 0; seed < 3; seed++) {
            boolean crashed = true;
            for (int operation = 1; crashed; operation++) {
                SimulatedDisk disk = new SimulatedDisk(512);
                disk.faults().crashAtOperation(operation);
                State before = NEW;
                State after = NEW;
                try (Storages storages = new Storages(disk)) {
                    for (int i = 0; storages.open && i < SCRIPT.size(); i++) {
                        after = SCRIPT.get(i).effect.apply(before);
                        if (!SCRIPT.get(i).change.test(storages)) {
                            break;
                        }
                        before = after;
                    }
                }
                crashed = disk.hasCrashed();
                disk.crash();
                crashes++;
                try (Storages storages = new Storages(disk.afterCrash(seed))) {
                    assertThat(storages.open).isTrue();
                    State found = storages.state();
                    assertThat(isBetween(found, before, after))
                            .as(
                                    "crash at operation %d, seed %d: %s, not %s or %s",
                                    operation, seed, found, before, after)
                            .isTrue();
                    long next = found.first + found.values.size();
                    assertThat(storages.append(9, LongStream.of(next))).isEqualTo(1);
                    assertThat(storages.state()).isEqualTo(found.after(9, LongStream.of(next)));
                }
            }
        }
        assertThat(crashes).isGreaterThan(100);
    }

    /** One of the two, or a part of the list that was appended. What was dropped from the beginning may show again. */
    private static boolean isBetween(State shown, State before, State after) {
        State found = shown.first < before.first ? shown.from(before.first) : shown;
        boolean appended = after.values.size() > found.values.size()
                && after.values.subList(0, found.values.size()).equals(found.values)
                && found.values.size() >= before.values.size();
        return found.equals(before)
                || (shown.first <= after.first && shown.from(after.first).equals(after))
                || (appended && found.with(0, List.of()).equals(before.with(0, List.of())));
    }
}
