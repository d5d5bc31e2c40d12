package io.plog.examples;

import io.microraft.RaftEndpoint;
import io.microraft.model.RaftModelFactory;
import io.microraft.model.impl.DefaultRaftModelFactory;
import io.microraft.model.log.LogEntry;
import io.microraft.model.log.RaftGroupMembersView;
import io.microraft.model.log.SnapshotChunk;
import io.microraft.model.persistence.RaftEndpointPersistentState;
import io.microraft.model.persistence.RaftTermPersistentState;
import io.microraft.persistence.RaftStoreSerializer;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/** MicroRaft's models as bytes, by Java's serialisation: good enough for a test. Operations are anything serialisable. */
final class MicroRaftModels implements RaftStoreSerializer {
    static final RaftModelFactory FACTORY = new DefaultRaftModelFactory();

    record Member(String id) implements RaftEndpoint, Serializable {
        @Override
        public Object getId() {
            return id;
        }
    }

    private record Form<T>(Function<T, Object[]> take, Function<Object[], T> make) implements Serializer<T> {
        @Override
        public byte[] serialize(T element) {
            ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
                out.writeObject(take.apply(element));
            } catch (IOException e) {
                throw new IllegalArgumentException(e);
            }
            return bytes.toByteArray();
        }

        @Override
        public T deserialize(byte[] element) {
            try (ObjectInputStream in = new ObjectInputStream(new ByteArrayInputStream(element))) {
                return make.apply((Object[]) in.readObject());
            } catch (IOException | ClassNotFoundException e) {
                throw new IllegalArgumentException(e);
            }
        }
    }

    static LogEntry entry(long index, int term, Object operation) {
        return FACTORY.createLogEntryBuilder()
                .setIndex(index)
                .setTerm(term)
                .setOperation(operation)
                .build();
    }

    static SnapshotChunk chunk(long index, int term, Object operation, int number, int count, RaftGroupMembersView of) {
        return FACTORY.createSnapshotChunkBuilder()
                .setIndex(index)
                .setTerm(term)
                .setOperation(operation)
                .setSnapshotChunkIndex(number)
                .setSnapshotChunkCount(count)
                .setGroupMembersView(of)
                .build();
    }

    static RaftGroupMembersView members(long index, Collection<RaftEndpoint> all) {
        return FACTORY.createRaftGroupMembersViewBuilder()
                .setLogIndex(index)
                .setMembers(all)
                .setVotingMembers(all)
                .build();
    }

    static RaftTermPersistentState term(int term, RaftEndpoint vote) {
        return FACTORY.createRaftTermPersistentStateBuilder()
                .setTerm(term)
                .setVotedFor(vote)
                .build();
    }

    static RaftEndpointPersistentState endpoint(RaftEndpoint endpoint) {
        return FACTORY.createRaftEndpointPersistentStateBuilder()
                .setLocalEndpoint(endpoint)
                .setVoting(true)
                .build();
    }

    private static Object[] fields(RaftGroupMembersView view) {
        return new Object[] {view.getLogIndex(), view.getMembers().toArray(RaftEndpoint[]::new)};
    }

    private static RaftGroupMembersView view(Object[] fields) {
        return members((Long) fields[0], List.of((RaftEndpoint[]) fields[1]));
    }

    @Override
    public Serializer<RaftGroupMembersView> raftGroupMembersViewSerializer() {
        return new Form<>(MicroRaftModels::fields, MicroRaftModels::view);
    }

    @Override
    public Serializer<RaftEndpoint> raftEndpointSerializer() {
        return new Form<>(endpoint -> new Object[] {endpoint}, fields -> (RaftEndpoint) fields[0]);
    }

    @Override
    public Serializer<LogEntry> logEntrySerializer() {
        return new Form<>(
                entry -> new Object[] {entry.getIndex(), entry.getTerm(), entry.getOperation()},
                fields -> entry((Long) fields[0], (Integer) fields[1], fields[2]));
    }

    @Override
    public Serializer<SnapshotChunk> snapshotChunkSerializer() {
        return new Form<>(
                chunk -> new Object[] {
                    chunk.getIndex(),
                    chunk.getTerm(),
                    chunk.getOperation(),
                    chunk.getSnapshotChunkIndex(),
                    chunk.getSnapshotChunkCount(),
                    fields(chunk.getGroupMembersView())
                },
                fields -> chunk(
                        (Long) fields[0],
                        (Integer) fields[1],
                        fields[2],
                        (Integer) fields[3],
                        (Integer) fields[4],
                        view((Object[]) fields[5])));
    }

    @Override
    public Serializer<RaftEndpointPersistentState> raftEndpointPersistentStateSerializer() {
        return new Form<>(
                state -> new Object[] {state.getLocalEndpoint()}, fields -> endpoint((RaftEndpoint) fields[0]));
    }

    @Override
    public Serializer<RaftTermPersistentState> raftTermPersistentState() {
        return new Form<>(
                state -> new Object[] {state.getTerm(), state.getVotedFor()},
                fields -> term((Integer) fields[0], (RaftEndpoint) fields[1]));
    }
}
