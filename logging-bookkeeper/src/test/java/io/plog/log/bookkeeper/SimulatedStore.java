package io.plog.log.bookkeeper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One process's way to a {@link SimulatedCluster}: it may die at any operation. */
class SimulatedStore implements LedgerStore {
    /** The process was killed: nothing of it runs any more. */
    static final class Killed extends Error {
        private static final long serialVersionUID = 1L;

        Killed() {
            super("killed", null, false, false);
        }
    }

    static final int SESSION_MILLIS = 10_000;

    private final SimulatedCluster cluster;
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private @Nullable Runnable beforeOperation;
    private int killAt = -1;
    private int enteredAt = -1;
    private String entered = ""; // the list that it wrote then
    private boolean dead;
    private boolean waits;

    SimulatedStore(SimulatedCluster cluster) {
        this.cluster = cluster;
    }

    /** For the log's changes of ledgers, which run when {@link #runTask} is called. */
    void execute(Runnable task) {
        tasks.add(task);
    }

    boolean hasTask() {
        return !dead && !tasks.isEmpty();
    }

    boolean runTask() {
        if (!hasTask()) {
            return false;
        }
        tasks.remove().run();
        return true;
    }

    /** At the n-th operation from now, 0 being the next, the process is killed. */
    void killAt(int n) {
        killAt = n;
    }

    void kill() {
        dead = true;
    }

    boolean isDead() {
        return dead;
    }

    /** What happens before the next operation, once. */
    void beforeOperation(Runnable what) {
        beforeOperation = what;
    }

    /** Whether entries of ledgers that are created from now on have their outcome when append returns. */
    void waitForEntries(boolean wait) {
        waits = wait;
    }

    private void changed(String content) {
        Node now = cluster.node();
        if (enteredAt < 0 && now != null && now.content().equals(content)) {
            enteredAt = now.version();
            entered = content;
        }
    }

    /** What the list calls this process, which has entered a ledger into it. */
    UUID writer() throws IOException {
        return LedgerList.decode("r", entered).writer();
    }

    /** The node's version when this process had entered its ledger into the list; -1 if it has not. */
    int enteredAt() {
        return enteredAt;
    }

    void operation() {
        Runnable first = beforeOperation;
        beforeOperation = null;
        if (first != null) {
            first.run();
        }
        if (killAt >= 0 && killAt-- == 0) {
            dead = true;
        }
        if (dead) {
            throw new Killed();
        }
    }

    /** Killed after what it asked for was done, too. */
    private void afterwards() {
        operation();
    }

    @Override
    public Map<String, String> facts() {
        return Map.of("engine", "simulated bookies");
    }

    @Override
    public @Nullable Node readNode() throws IOException {
        operation();
        return cluster.readNode();
    }

    @Override
    public void createNode(String content) throws IOException {
        operation();
        try {
            cluster.createNode(content);
        } finally {
            changed(content);
        }
        afterwards();
    }

    @Override
    public void replaceNode(String content, int expectedVersion) throws IOException {
        operation();
        try {
            cluster.replaceNode(content, expectedVersion);
        } finally {
            changed(content);
        }
        afterwards();
    }

    @Override
    public LedgerWriter createLedger(Quorum quorum) throws IOException {
        operation();
        LedgerWriter writer = new SimulatedLedger(cluster, this, cluster.createLedger(quorum), waits);
        afterwards();
        return writer;
    }

    @Override
    public Place placeOf(long ledger, Quorum wanted) throws IOException {
        operation();
        return cluster.placeOf(ledger, wanted);
    }

    @Override
    public List<String> queue() {
        return List.of();
    }

    @Override
    public LedgerReader recoverLedger(long ledger) throws IOException {
        operation();
        boolean wasClosed = cluster.metadata(ledger).closed;
        cluster.recover(ledger);
        afterwards();
        return reader(ledger, wasClosed);
    }

    @Override
    public LedgerReader openLedger(long ledger) throws IOException {
        operation();
        return reader(ledger, true);
    }

    @Override
    public LedgerReader lookInto(long ledger) throws IOException {
        operation();
        return cluster.metadata(ledger).closed ? reader(ledger, true) : cluster.lookInto(ledger);
    }

    @Override
    public LedgerReader follow(long ledger) throws IOException {
        operation();
        long[] entries = {cluster.confirmed(ledger)};
        SimulatedReader reader =
                new SimulatedReader(cluster, ledger, () -> entries[0], () -> entries[0], () -> 0, false);
        return new LedgerReader() {
            @Override
            public long entries() {
                return reader.entries();
            }

            @Override
            public void refresh() throws IOException {
                operation();
                entries[0] = Math.max(entries[0], cluster.confirmed(ledger));
            }

            @Override
            public long bytes() {
                return reader.bytes();
            }

            @Override
            public boolean wasClosed() {
                return false;
            }

            @Override
            public List<ByteBuffer> read(long first, long last) throws IOException {
                return reader.read(first, last);
            }

            @Override
            public void close() {}
        };
    }

    private LedgerReader reader(long ledger, boolean wasClosed) throws IOException {
        SimulatedCluster.Metadata found = cluster.metadata(ledger);
        return new SimulatedReader(
                cluster, ledger, () -> found.last + 1, () -> found.last + 1, () -> found.bytes, wasClosed);
    }

    @Override
    public List<Long> ledgersAfter(long ledger) {
        operation();
        return cluster.ledgers.keySet().stream().filter(each -> each > ledger).toList();
    }

    @Override
    public int sessionMillis() {
        return SESSION_MILLIS;
    }

    @Override
    public List<String> holdersOf(long ledger, int silent) {
        operation();
        return IntStream.range(0, cluster.bookies.size())
                .filter(i ->
                        cluster.bookies.get(i).isUp() && cluster.bookies.get(i).read(ledger, 0) != null)
                .mapToObj(i -> "bookie " + i)
                .toList();
    }

    @Override
    public long notedChange(int silent) {
        operation();
        return cluster.notedChange();
    }

    @Override
    public boolean areBookiesInReach(int silent, Duration atMost) {
        cluster.askedWhetherInReach++;
        return cluster.inReach;
    }

    @Override
    public void noteChange(long change, Quorum quorum) throws IOException {
        operation();
        cluster.noteChange(change, quorum.ack());
        afterwards();
    }

    @Override
    public void deleteLedger(long ledger) {
        operation();
        cluster.deleteLedger(ledger);
        afterwards();
    }

    @Override
    public void close() {}
}
