package io.plog.log.bookkeeper;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Ledgers of a {@link SimulatedCluster}, and the node in a real ZooKeeper. */
final class NodeStore extends SimulatedStore {
    private final ZooKeeperNode node;
    private final ZooKeeperSession session;

    NodeStore(SimulatedCluster cluster, ZooKeeperNode node, ZooKeeperSession session) {
        super(cluster);
        this.node = node;
        this.session = session;
    }

    @Override
    public @Nullable Node readNode() throws IOException {
        operation();
        return node.read();
    }

    @Override
    public void createNode(String content) throws IOException {
        operation();
        node.create(content);
    }

    @Override
    public void replaceNode(String content, int expectedVersion) throws IOException {
        operation();
        node.replace(content, expectedVersion);
    }

    @Override
    public int sessionMillis() {
        return session.sessionMillis();
    }
}
