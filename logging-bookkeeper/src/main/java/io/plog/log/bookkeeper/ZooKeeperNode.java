package io.plog.log.bookkeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Op;
import org.apache.zookeeper.OpResult;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** The node of a log's list in ZooKeeper, {@code /plog/NAME}. For any thread; all methods block. */
final class ZooKeeperNode {
    private static final String ROOT = "/plog";

    private final ZooKeeperSession session;
    private final String path;

    ZooKeeperNode(ZooKeeperSession session, BookKeeperAddress address) {
        this.session = session;
        this.path = ROOT + "/" + address.name();
    }

    /**
     * See {@link LedgerStore#readNode}. A check alone is a transaction all the same, which a majority of servers has to accept; the
     * server that answers has it then, and whatever came before. {@code sync} is none: a leader that was cut off answers it for as long as
     * it takes itself for one (ZooKeeper's issue 2069).
     */
    LedgerStore.@Nullable Node read() throws IOException {
        return read(to -> to.multi(List.of(Op.check(path, -1))));
    }

    /** See {@link LedgerStore#lookAtNode}. */
    LedgerStore.@Nullable Node look() throws IOException {
        return read(to -> {
            to.sync(path);
            return List.of();
        });
    }

    private LedgerStore.@Nullable Node read(ZooKeeperSession.Request<List<OpResult>> first) throws IOException {
        Optional<LedgerStore.Node> found = session.sendUntilAnswered("read " + path, to -> {
            try {
                first.send(to); // a change whose answer was lost may have reached the leader, and this server not yet
                Stat stat = new Stat();
                byte[] content = to.getData(path, false, stat);
                String text = content == null ? "" : new String(content, StandardCharsets.US_ASCII);
                return Optional.of(new LedgerStore.Node(text, stat.getVersion()));
            } catch (KeeperException.NoNodeException e) {
                return Optional.empty();
            }
        });
        return found.orElse(null);
    }

    /** See {@link LedgerStore#createNode}. */
    void create(String content) throws IOException {
        session.sendUntilAnswered("create " + ROOT, to -> {
            try {
                return to.create(ROOT, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT);
            } catch (KeeperException.NodeExistsException e) {
                return ROOT; // another log is there; that it was made twice makes no difference
            }
        });
        session.sendOnce(
                "create " + path,
                to -> to.create(
                        path,
                        content.getBytes(StandardCharsets.US_ASCII),
                        ZooDefs.Ids.OPEN_ACL_UNSAFE,
                        CreateMode.PERSISTENT));
    }

    /** See {@link LedgerStore#replaceNode}. */
    void replace(String content, int expectedVersion) throws IOException {
        byte[] bytes = content.getBytes(StandardCharsets.US_ASCII);
        session.sendOnce("change " + path, to -> to.setData(path, bytes, expectedVersion));
    }
}
