package io.plog.log.bookkeeper;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Comparator;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;
import org.jspecify.annotations.Nullable;

/** A ZooKeeper in this process, which ends sessions when it is asked to. */
final class TestZooKeeper implements AutoCloseable {
    private static final int TICK_MILLIS = 500; // sessions of 1 s to 10 s
    private static final int CONNECTIONS = 100;

    private final Path directory;
    private ServerCnxnFactory connections;
    private ZooKeeperServer server;
    private final int port;
    private @Nullable ZooKeeper person;

    private TestZooKeeper(Path directory) throws IOException, InterruptedException {
        this.directory = directory;
        this.server = newServer();
        this.connections = listen(0, server);
        this.port = connections.getLocalPort();
    }

    static TestZooKeeper start(Path directory) throws IOException, InterruptedException {
        return new TestZooKeeper(directory);
    }

    private ZooKeeperServer newServer() throws IOException {
        return new ZooKeeperServer(
                directory.resolve("snapshots").toFile(),
                directory.resolve("log").toFile(),
                TICK_MILLIS);
    }

    private static ServerCnxnFactory listen(int port, ZooKeeperServer server) throws IOException, InterruptedException {
        ServerCnxnFactory connections = NIOServerCnxnFactory.createFactory(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECTIONS);
        connections.startup(server);
        return connections;
    }

    BookKeeperAddress address(String log) {
        return BookKeeperAddress.parse(uri(log));
    }

    URI uri(String log) {
        return URI.create("bookkeeper://127.0.0.1:" + port + "/" + log);
    }

    /** As if it had heard nothing of it for too long. */
    void expire(long session) {
        server.closeSession(session);
    }

    /** How many nodes are watched, each counted as often as it is. */
    int watches() {
        return server.getZKDatabase().getDataTree().getWatchCount();
    }

    long sessions() {
        return server.getZKDatabase().getSessionCount();
    }

    /** Removes the first node below another, as a person might. */
    void deleteFirst(String below) throws Exception {
        String first = person().getChildren(below, false).stream()
                .min(Comparator.comparing(each -> each.substring(each.length() - 10)))
                .orElseThrow();
        deleteNode(below + "/" + first);
    }

    int port() {
        return port;
    }

    /** Makes a node as a person might; one of a session stays until this is closed. */
    void makeNode(String path, String content, CreateMode mode) throws Exception {
        if (person().exists(path, false) == null) {
            person().create(path, content.getBytes(StandardCharsets.UTF_8), ZooDefs.Ids.OPEN_ACL_UNSAFE, mode);
        }
    }

    void setNode(String path, String content) throws Exception {
        person().setData(path, content.getBytes(StandardCharsets.UTF_8), -1);
    }

    void deleteNode(String path) throws Exception {
        person().delete(path, -1);
    }

    private ZooKeeper person() throws IOException {
        ZooKeeper now = person;
        if (now == null) {
            now = new ZooKeeper("127.0.0.1:" + port, TICK_MILLIS * 20, event -> {});
            person = now;
        }
        return now;
    }

    /** From now on it does not answer. */
    void stop() {
        connections.shutdown();
    }

    /** It is gone for a moment, and so are all connections. */
    void restart() throws IOException, InterruptedException {
        connections.shutdown();
        server = newServer();
        connections = listen(port, server);
    }

    @Override
    public void close() {
        ZooKeeper last = person;
        if (last != null) {
            try {
                last.close();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        connections.shutdown();
    }
}
