package io.plog.log.bookkeeper;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Ledgers of a {@link SimulatedCluster}, and the node in a real ZooKeeper. */
final class NodeStore implements LedgerStore {
    private final SimulatedStore ledgers;
    private final ZooKeeperNode node;
    private final ZooKeeperSession session;

    NodeStore(SimulatedCluster cluster, ZooKeeperNode node, ZooKeeperSession session) {
        this.ledgers = new SimulatedStore(cluster);
        this.node = node;
        this.session = session;
    }

    void execute(Runnable task) {
        ledgers.execute(task);
    }

    boolean runTask() {
        return ledgers.runTask();
    }

    void killAt(int n) {
        ledgers.killAt(n);
    }

    void waitForEntries(boolean wait) {
        ledgers.waitForEntries(wait);
    }

    @Override
    public Map<String, String> facts() {
        return ledgers.facts();
    }

    @Override
    public @Nullable Node readNode() throws IOException {
        ledgers.operation();
        return node.read();
    }

    @Override
    public void createNode(String content) throws IOException {
        ledgers.operation();
        node.create(content);
    }

    @Override
    public void replaceNode(String content, int expectedVersion) throws IOException {
        ledgers.operation();
        node.replace(content, expectedVersion);
    }

    @Override
    public int sessionMillis() {
        return session.sessionMillis();
    }

    @Override
    public LedgerWriter createLedger(Quorum quorum) throws IOException {
        return ledgers.createLedger(quorum);
    }

    @Override
    public List<String> queue() throws IOException {
        return ledgers.queue();
    }

    @Override
    public Place placeOf(long ledger, Quorum wanted) throws IOException {
        return ledgers.placeOf(ledger, wanted);
    }

    @Override
    public LedgerReader recoverLedger(long ledger) throws IOException {
        return ledgers.recoverLedger(ledger);
    }

    @Override
    public LedgerReader openLedger(long ledger) throws IOException {
        return ledgers.openLedger(ledger);
    }

    @Override
    public LedgerReader lookInto(long ledger) throws IOException {
        return ledgers.lookInto(ledger);
    }

    @Override
    public LedgerReader follow(long ledger) throws IOException {
        return ledgers.follow(ledger);
    }

    @Override
    public List<Long> ledgersAfter(long ledger) {
        return ledgers.ledgersAfter(ledger);
    }

    @Override
    public List<String> holdersOf(long ledger) {
        return ledgers.holdersOf(ledger);
    }

    @Override
    public void deleteLedger(long ledger) {
        ledgers.deleteLedger(ledger);
    }

    @Override
    public void close() {}
}
