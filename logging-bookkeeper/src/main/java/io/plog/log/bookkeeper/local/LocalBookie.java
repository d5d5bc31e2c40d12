package io.plog.log.bookkeeper.local;

import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.apache.bookkeeper.bookie.SortedLedgerStorage;
import org.apache.bookkeeper.conf.ServerConfiguration;
import org.apache.bookkeeper.server.EmbeddedServer;
import org.apache.bookkeeper.server.conf.BookieConfiguration;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.ZooKeeper;

/** A bookie on loopback, in this process. It forces its journal before it answers. */
public final class LocalBookie implements AutoCloseable {
    private static final int JOURNAL_WAIT_MILLIS = 1;
    private static final int SESSION_MILLIS = 10_000;
    private static final long LOOK_MILLIS = 500;
    private static final int JOURNAL_FILE_MIB = 2_048;
    private static final int MEMTABLE_BYTES = 16 * 1024 * 1024;
    private static final float FULL = 0.98f;
    private static final long LEAST_ROOM_BYTES = 64L * 1024 * 1024;

    private final EmbeddedServer server;

    private LocalBookie(EmbeddedServer server) {
        this.server = server;
    }

    /**
     * Starts it, on what it wrote before if there is anything. Returns when it can be used.
     *
     * @param directory where its journal and its ledgers live
     * @param name its name among the bookies; the port it listens on may be another at each start
     * @param zooKeeperPort of the metadata service, on loopback
     * @throws IOException if it cannot be started
     */
    public static LocalBookie start(Path directory, String name, int zooKeeperPort) throws IOException {
        return start(directory, settings(directory, name, zooKeeperPort));
    }

    /**
     * Deletes what ZooKeeper still says of an earlier process of this bookie, which has ended without a word. Otherwise a start waits
     * until that one's session is over, 10 s. Call it only if no such process can be there any more.
     *
     * @param name its name among the bookies
     */
    public static void forgetProcessBefore(String name, int zooKeeperPort) throws IOException, InterruptedException {
        ZooKeeper zooKeeper = new ZooKeeper("127.0.0.1:" + zooKeeperPort, SESSION_MILLIS, event -> {});
        try {
            zooKeeper.delete("/ledgers/available/" + name, -1);
        } catch (KeeperException.NoNodeException e) {
            // it ended in order, or never was there
        } catch (KeeperException e) {
            throw new IOException("cannot tell ZooKeeper that bookie " + name + " starts again: " + e.getMessage(), e);
        } finally {
            zooKeeper.close();
        }
    }

    /** Starts one with these settings. */
    static LocalBookie start(Path directory, ServerConfiguration settings) throws IOException {
        try {
            EmbeddedServer server =
                    EmbeddedServer.builder(new BookieConfiguration(settings)).build();
            server.getLifecycleComponentStack().start();
            return new LocalBookie(server);
        } catch (IOException e) {
            throw e;
        } catch (Exception e) {
            throw new IOException("cannot start a bookie in " + directory + ": " + e.getMessage(), e);
        }
    }

    static ServerConfiguration settings(Path directory, String name, int zooKeeperPort) {
        ServerConfiguration settings = new ServerConfiguration();
        settings.setMetadataServiceUri(LocalZooKeeper.metadataUri(zooKeeperPort));
        settings.setBookieId(name); // so that its data are its own, whatever its port
        settings.setAllowLoopback(true);
        settings.setAdvertisedAddress("127.0.0.1");
        settings.setListeningInterface("lo");
        settings.setAllowEphemeralPorts(true);
        settings.setBookiePort(0);
        settings.setJournalDirsName(new String[] {directory.resolve("journal").toString()});
        settings.setLedgerDirNames(new String[] {directory.resolve("ledgers").toString()});
        settings.setLedgerStorageClass(SortedLedgerStorage.class.getName());
        settings.setSkipListSizeLimit(MEMTABLE_BYTES);
        settings.setJournalSyncData(true);
        settings.setMaxJournalSizeMB(JOURNAL_FILE_MIB); // a change of the file is when it may answer before it forces
        settings.setMaxBackupJournals(1); // of those whose entries are in the ledgers, for room
        settings.setJournalFlushWhenQueueEmpty(true); // a lone append does not wait for others
        settings.setJournalMaxGroupWaitMSec(JOURNAL_WAIT_MILLIS);
        settings.setDiskUsageThreshold(FULL);
        settings.setDiskUsageWarnThreshold(FULL);
        settings.setMinUsableSizeForEntryLogCreation(LEAST_ROOM_BYTES);
        settings.setMinUsableSizeForIndexFileCreation(LEAST_ROOM_BYTES);
        settings.setEntryLogFilePreAllocationEnabled(false);
        settings.setAutoRecoveryDaemonEnabled(false);
        settings.setHttpServerEnabled(false);
        return settings;
    }

    /** Waits until it has ended by itself, as a bookie does whose journal cannot be written. */
    void awaitEnd() throws InterruptedException {
        while (server.getBookieService().getServer().isBookieRunning()) {
            TimeUnit.MILLISECONDS.sleep(LOOK_MILLIS);
        }
    }

    @Override
    public void close() {
        server.getLifecycleComponentStack().close();
    }
}
