package io.plog.log.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The writer of a ledger in a {@link SimulatedCluster}, as BookKeeper's client is one. */
final class SimulatedLedger implements LedgerWriter {
    private static final class Add {
        final long entry;
        final ByteBuffer bytes;
        final Outcome outcome;
        final Set<Integer> acknowledged = new HashSet<>();

        Add(long entry, ByteBuffer bytes, Outcome outcome) {
            this.entry = entry;
            this.bytes = bytes;
            this.outcome = outcome;
        }
    }

    private final SimulatedCluster cluster;
    private final SimulatedStore store;
    private final long id;
    private final SimulatedCluster.Metadata metadata;
    private final boolean waits; // whether each append is answered before it returns
    private final Deque<Add> pending = new ArrayDeque<>();
    private final Map<Integer, Deque<Runnable>> requests = new HashMap<>();
    private final Map<Integer, Deque<Runnable>> answers = new HashMap<>();
    private final Set<Integer> failed = new HashSet<>();
    private long nextEntry;
    private long lastConfirmed = -1;
    private long bytes;
    private @Nullable IOException failure;

    SimulatedLedger(SimulatedCluster cluster, SimulatedStore store, long id, boolean waits) throws IOException {
        this.cluster = cluster;
        this.store = store;
        this.id = id;
        this.metadata = cluster.metadata(id);
        this.waits = waits;
        cluster.addWriter(this);
    }

    @Override
    public long id() {
        return id;
    }

    @Override
    public void append(ByteBuffer entry, Outcome outcome) {
        ByteBuffer copy = ByteBuffer.allocate(entry.remaining())
                .put(entry.duplicate())
                .flip()
                .asReadOnlyBuffer();
        if (failure != null) {
            outcome.done(failure);
            return;
        }
        Add add = new Add(nextEntry++, copy, outcome);
        bytes += copy.remaining();
        pending.add(add);
        for (int bookie : metadata.copies(add.entry)) {
            send(add, bookie);
        }
        while (waits && pending.contains(add)) {
            if (!cluster.step()) {
                throw new AssertionError("nothing happens, and an entry has no outcome");
            }
        }
    }

    private void send(Add add, int number) {
        SimulatedBookie bookie = cluster.bookies.get(number);
        SimulatedBookie.Entry entry = new SimulatedBookie.Entry(add.bytes, lastConfirmed);
        requests.computeIfAbsent(number, key -> cluster.newChannel()).add(() -> {
            if (!bookie.isUp()) {
                answer(number, () -> bookieFailed(number));
            } else if (bookie.isFenced(id)) {
                answer(number, () -> fail(new LedgerStore.FencedException("fenced")));
            } else {
                bookie.add(id, add.entry, entry, () -> answer(number, () -> acknowledged(add, number)));
            }
        });
    }

    private void answer(int number, Runnable what) {
        answers.computeIfAbsent(number, key -> cluster.newChannel()).add(() -> {
            if (!store.isDead()) {
                what.run();
            }
        });
    }

    /** The connection to a bookie breaks; what was sent to it may have no answer. */
    void bookieCrashed(int number) {
        answer(number, () -> bookieFailed(number));
    }

    private void acknowledged(Add add, int bookie) {
        if (!metadata.copies(add.entry).contains(bookie)) {
            return; // it was replaced meanwhile: a recovery would not ask it
        }
        add.acknowledged.add(bookie);
        List<Add> decided = new ArrayList<>();
        while (failure == null
                && !pending.isEmpty()
                && pending.element().acknowledged.size() >= metadata.quorum.ack()) {
            Add next = pending.remove();
            lastConfirmed = next.entry;
            decided.add(next);
        }
        Collections.shuffle(decided, new Random(cluster.random.nextLong()));
        decided.forEach(each -> each.outcome.done(null));
    }

    /** A bookie does not answer: another takes its place if there is one; without, the others have to do. */
    private void bookieFailed(int number) {
        if (failure != null || failed.contains(number)) {
            return;
        }
        List<Integer> ensemble = metadata.ensembles.lastEntry().getValue();
        if (!ensemble.contains(number)) {
            return;
        }
        List<Integer> spare = cluster.upBookies();
        spare.removeAll(ensemble);
        if (spare.isEmpty()) {
            failed.add(number);
            if (failed.size() > metadata.quorum.write() - metadata.quorum.ack()) {
                fail(new IOException("too few bookies answer"));
            }
            return;
        }
        if (metadata.recovering || metadata.closed) {
            fail(new LedgerStore.FencedException("fenced"));
            return;
        }
        List<Integer> changed = new ArrayList<>(ensemble);
        changed.replaceAll(each -> each == number ? spare.get(0) : each);
        metadata.ensembles.put(lastConfirmed + 1, List.copyOf(changed));
        for (Add add : pending) {
            add.acknowledged.remove(number);
            if (metadata.copies(add.entry).contains(spare.get(0))) {
                send(add, spare.get(0));
            }
        }
    }

    private void fail(IOException why) {
        if (failure == null) {
            failure = why;
            List<Add> all = new ArrayList<>(pending);
            pending.clear();
            Collections.shuffle(all, new Random(cluster.random.nextLong()));
            all.forEach(each -> each.outcome.done(why));
        }
    }

    @Override
    public void close() throws IOException {
        store.operation();
        if (failure != null) {
            throw failure;
        }
        if (!pending.isEmpty()) {
            throw new AssertionError("closed while entries are under way");
        }
        SimulatedCluster.Metadata now = cluster.metadata(id);
        if (now.recovering && !(now.closed && now.last == lastConfirmed)) {
            throw new LedgerStore.FencedException("fenced");
        }
        now.closed = true;
        now.last = lastConfirmed;
        now.bytes = bytes;
    }

    @Override
    public LedgerReader reader() {
        return new SimulatedReader(cluster, id, () -> lastConfirmed + 1, () -> lastConfirmed + 1, () -> bytes, false);
    }
}
