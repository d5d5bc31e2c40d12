package io.plog.log.bookkeeper.local;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.apache.bookkeeper.client.BookKeeperAdmin;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.zookeeper.server.NIOServerCnxnFactory;
import org.apache.zookeeper.server.ServerCnxnFactory;
import org.apache.zookeeper.server.ZooKeeperServer;

/** A ZooKeeper of one server on loopback, in this process, with room for BookKeeper's metadata. */
public final class LocalZooKeeper implements AutoCloseable {
    private static final int TICK_MILLIS = 1_000;
    private static final int CONNECTIONS = 1_000;

    private final ServerCnxnFactory connections;

    private LocalZooKeeper(ServerCnxnFactory connections) {
        this.connections = connections;
    }

    /**
     * Starts it, on what it wrote before if there is anything.
     *
     * @param directory where its data live
     * @param port 0 for any that is free
     * @throws IOException if the port is taken, or the directory cannot be used
     */
    public static LocalZooKeeper start(Path directory, int port) throws IOException, InterruptedException {
        ServerCnxnFactory connections = listen(port);
        ZooKeeperServer server = new ZooKeeperServer(
                directory.resolve("snapshots").toFile(),
                directory.resolve("log").toFile(),
                TICK_MILLIS);
        connections.startup(server);
        LocalZooKeeper started = new LocalZooKeeper(connections);
        try {
            started.makeRoomForLedgers();
            return started;
        } catch (Throwable t) {
            started.close();
            throw t;
        }
    }

    private static ServerCnxnFactory listen(int port) throws IOException {
        try {
            return NIOServerCnxnFactory.createFactory(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECTIONS);
        } catch (BindException e) {
            throw new IOException(
                    "port " + port + " is in use: stop what listens there, or choose another with --port", e);
        }
    }

    private void makeRoomForLedgers() throws IOException {
        try {
            ServerConfiguration settings = new ServerConfiguration();
            settings.setMetadataServiceUri(metadataUri(port()));
            BookKeeperAdmin.initNewCluster(settings); // false if it was done before
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("cannot initialise BookKeeper's metadata: " + e, e);
        }
    }

    static String metadataUri(int port) {
        return "zk+hierarchical://127.0.0.1:" + port + "/ledgers";
    }

    public int port() {
        return connections.getLocalPort();
    }

    @Override
    public void close() {
        connections.shutdown();
    }
}
