package io.plog.log.bookkeeper;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.data.Stat;
import org.jspecify.annotations.Nullable;

/** The node of a log's list in ZooKeeper, {@code /plog/NAME}. For any thread; all methods block. */
final class ZooKeeperNode {
    private static final String ROOT = "/plog";

    private final ZooKeeperSession session;
    private final String servers; // for messages
    private final String path;

    ZooKeeperNode(ZooKeeperSession session, BookKeeperAddress address) {
        this.session = session;
        this.servers = address.servers();
        this.path = ROOT + "/" + address.name();
    }

    /** See {@link LedgerStore#readNode}. */
    LedgerStore.@Nullable Node read() throws IOException {
        try {
            return session.sendUntilAnswered(to -> {
                to.sync(path); // a change whose answer was lost may have reached the leader, and this server not yet
                Stat stat = new Stat();
                byte[] content = to.getData(path, false, stat);
                String text = content == null ? "" : new String(content, StandardCharsets.US_ASCII);
                return new LedgerStore.Node(text, stat.getVersion());
            });
        } catch (KeeperException.NoNodeException e) {
            return null;
        } catch (KeeperException e) {
            throw failed("read", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** See {@link LedgerStore#createNode}. */
    void create(String content) throws IOException {
        try {
            createRoot();
            session.sendOnce(to -> to.create(
                    path,
                    content.getBytes(StandardCharsets.US_ASCII),
                    ZooDefs.Ids.OPEN_ACL_UNSAFE,
                    CreateMode.PERSISTENT));
        } catch (KeeperException.NodeExistsException e) {
            throw new LedgerStore.ConflictException("the node " + path + " is there");
        } catch (KeeperException e) {
            throw failed("create", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    /** It may be there, and that it was made twice makes no difference. */
    private void createRoot() throws IOException, KeeperException, InterruptedException {
        try {
            session.sendUntilAnswered(
                    to -> to.create(ROOT, new byte[0], ZooDefs.Ids.OPEN_ACL_UNSAFE, CreateMode.PERSISTENT));
        } catch (KeeperException.NodeExistsException e) {
            // another log is there
        }
    }

    /** See {@link LedgerStore#replaceNode}. */
    void replace(String content, int expectedVersion) throws IOException {
        try {
            session.sendOnce(to -> to.setData(path, content.getBytes(StandardCharsets.US_ASCII), expectedVersion));
        } catch (KeeperException.BadVersionException | KeeperException.NoNodeException e) {
            throw new LedgerStore.ConflictException("the node " + path + " was changed");
        } catch (KeeperException e) {
            throw failed("change", e);
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private IOException failed(String what, KeeperException e) {
        return new IOException("cannot " + what + " " + path + " in ZooKeeper at " + servers + ": " + e.code(), e);
    }

    private static IOException interrupted(InterruptedException e) {
        Thread.currentThread().interrupt();
        return new IOException("interrupted while waiting for ZooKeeper", e);
    }
}
