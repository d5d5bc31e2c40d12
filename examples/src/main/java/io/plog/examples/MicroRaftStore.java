package io.plog.examples;

import io.microraft.lifecycle.RaftNodeLifecycleAware;
import io.microraft.model.RaftModelFactory;
import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.log.SnapshotEntry;
import io.microraft.model.persistence.RaftEndpointPersistentState;
import io.microraft.model.persistence.RaftTermPersistentState;
import io.microraft.persistence.RaftStore;
import io.microraft.persistence.RaftStoreSerializer;
import io.microraft.persistence.RaftStoreSerializer.Serializer;
import io.microraft.persistence.RestoredRaftState;
import io.plog.log.Checkpoint;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * What a MicroRaft node persists: its entry n is record n of a log, whose cells are the term, the members and the endpoint, and whose
 * checkpoint is the snapshot. For one thread at a time; the node closes the store.
 */
public final class MicroRaftStore implements RaftStore, RaftNodeLifecycleAware {
    private static final String ENDPOINT = "endpoint";
    private static final String MEMBERS = "members";
    private static final String TERM = "term";

    private final RaftModelFactory models = new DefaultRaftModelFactory();
    private final RaftStoreSerializer serializer;
    private final MessageLog log;
    private final Map<Long, Map<Integer, SnapshotChunk>> incoming = new TreeMap<>(); // not written yet
    private CompletableFuture<Long> lastEntry = CompletableFuture.completedFuture(0L);

    /**
     * Opens the log.
     *
     * @param options of the log; {@code maxRecordBytes} bounds an entry
     */
    public MicroRaftStore(LogOptions options, RaftStoreSerializer serializer) throws IOException {
        this.serializer = serializer;
        log = MessageLog.open(options);
    }

    /** What the node is to begin with; empty if it never began. */
    public Optional<RestoredRaftState> restored() throws IOException {
        Optional<RaftEndpointPersistentState> endpoint =
                cell(ENDPOINT, serializer.raftEndpointPersistentStateSerializer());
        Optional<RaftGroupMembersView> members = cell(MEMBERS, serializer.raftGroupMembersViewSerializer());
        if (endpoint.isEmpty() || members.isEmpty()) {
            return Optional.empty();
        }
        RaftTermPersistentState term = cell(TERM, serializer.raftTermPersistentState())
                .orElseGet(models.createRaftTermPersistentStateBuilder()::build);
        List<LogEntry> entries = new ArrayList<>();
        try (LogReader reader = log.read(log.firstIndex())) {
            while (reader.next()) {
                entries.add(serializer.logEntrySerializer().deserialize(reader.bytes()));
            }
        }
        return Optional.of(new RestoredRaftState(endpoint.get(), members.get(), term, lastSnapshot(), entries));
    }

    private <T> Optional<T> cell(String name, Serializer<T> type) throws IOException {
        return log.cell(name).map(type::deserialize);
    }

    private @Nullable SnapshotEntry lastSnapshot() throws IOException {
        Checkpoint checkpoint = log.checkpoint().orElse(null);
        if (checkpoint == null) {
            return null;
        }
        List<SnapshotChunk> chunks = new ArrayList<>();
        for (ByteBuffer state = checkpoint.state(); state.hasRemaining(); ) {
            byte[] chunk = new byte[state.getInt()];
            state.get(chunk);
            chunks.add(serializer.snapshotChunkSerializer().deserialize(chunk));
        }
        SnapshotChunk one = chunks.get(0);
        return models.createSnapshotEntryBuilder()
                .setIndex(one.getIndex())
                .setTerm(one.getTerm())
                .setGroupMembersView(one.getGroupMembersView())
                .setSnapshotChunks(chunks)
                .build();
    }

    @Override
    public void persistAndFlushLocalEndpoint(RaftEndpointPersistentState endpoint) throws IOException {
        log.putCell(ENDPOINT, serializer.raftEndpointPersistentStateSerializer().serialize(endpoint));
    }

    @Override
    public void persistAndFlushInitialGroupMembers(RaftGroupMembersView members) throws IOException {
        log.putCell(MEMBERS, serializer.raftGroupMembersViewSerializer().serialize(members));
    }

    @Override
    public void persistAndFlushTerm(RaftTermPersistentState term) throws IOException {
        log.putCell(TERM, serializer.raftTermPersistentState().serialize(term));
    }

    /** Sent one behind the other, each with the index that it must get: if one is refused, so are all behind it, and the flush tells. */
    @Override
    public void persistLogEntries(List<LogEntry> logEntries) {
        for (LogEntry entry : logEntries) {
            byte[] record = serializer.logEntrySerializer().serialize(entry);
            lastEntry = log.append(entry.getIndex(), List.of(ByteBuffer.wrap(record)));
        }
    }

    private void awaitEntries() throws IOException {
        try {
            lastEntry.join();
        } catch (CompletionException e) {
            throw new IOException("not persisted: " + e.getCause().getMessage(), e.getCause());
        }
    }

    /** The engine flushes when it has all of a snapshot. Until then, and after a crash, a part of one is worth nothing. */
    @Override
    public void persistSnapshotChunk(SnapshotChunk chunk) {
        incoming.computeIfAbsent(chunk.getIndex(), index -> new TreeMap<>()).put(chunk.getSnapshotChunkIndex(), chunk);
    }

    @Override
    public void deleteSnapshotChunks(long logIndex, int snapshotChunkCount) {
        incoming.remove(logIndex);
    }

    @Override
    public void flush() throws IOException {
        awaitEntries();
        for (Map<Integer, SnapshotChunk> snapshot : List.copyOf(incoming.values())) {
            List<ByteBuffer> state = new ArrayList<>();
            for (SnapshotChunk chunk : snapshot.values()) {
                byte[] bytes = serializer.snapshotChunkSerializer().serialize(chunk);
                state.add(ByteBuffer.allocate(Integer.BYTES).putInt(0, bytes.length));
                state.add(ByteBuffer.wrap(bytes));
                if (state.size() == 2 * chunk.getSnapshotChunkCount()) { // all there
                    install(chunk.getIndex(), state.toArray(ByteBuffer[]::new));
                    incoming.remove(chunk.getIndex());
                }
            }
        }
    }

    private void install(long index, ByteBuffer[] state) throws IOException {
        if (index > log.durableIndex()) { // from the leader, ahead of the entries
            log.reset(index + 1, state);
        } else {
            log.saveCheckpoint(index, state);
        }
    }

    @Override
    public void truncateLogEntriesFrom(long logIndexInclusive) throws IOException {
        log.truncateAfter(logIndexInclusive - 1); // behind all that were sent before
    }

    /** Whole segments go; the engine passes over what is before its snapshot. */
    @Override
    public void truncateLogEntriesUntil(long logIndexInclusive) throws IOException {
        log.truncateBefore(logIndexInclusive + 1);
    }

    @Override
    public void onRaftNodeTerminate() {
        try {
            log.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e); // which the node logs
        }
    }
}
