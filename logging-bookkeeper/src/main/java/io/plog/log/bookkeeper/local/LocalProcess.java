package io.plog.log.bookkeeper.local;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.spi.ToolProvider;
import org.jspecify.annotations.Nullable;

/**
 * What runs in a process of {@code plog bookies}: a ZooKeeper or a bookie, until the process is ended. The program finds it by its
 * name, because it is made without BookKeeper.
 *
 * <pre>
 * plog-bookies zookeeper DIR PORT READY            0 for any port that is free
 * plog-bookies bookie DIR NAME ZOOKEEPER-PORT READY
 * </pre>
 *
 * When it can be used, the file READY appears, with the port that it listens on, or 0 for a bookie, which ZooKeeper knows.
 */
public final class LocalProcess implements ToolProvider {
    private static final int MISUSED = 2;

    /** For {@link java.util.ServiceLoader}. */
    public LocalProcess() {}

    @Override
    public String name() {
        return "plog-bookies";
    }

    @Override
    public int run(PrintWriter out, PrintWriter err, String... args) {
        DirectoryLock lock = null; // until the process ends
        try {
            if (args.length == 4 && args[0].equals("zookeeper")) {
                lock = DirectoryLock.take(Path.of(args[1]));
                LocalZooKeeper zooKeeper = LocalZooKeeper.start(Path.of(args[1]), Integer.parseInt(args[2]));
                ready(Path.of(args[3]), zooKeeper.port());
                Thread.currentThread().join(); // until the process is ended
                return 0;
            } else if (args.length == 5 && args[0].equals("bookie")) {
                lock = DirectoryLock.take(Path.of(args[1]));
                int zooKeeperPort = Integer.parseInt(args[3]);
                LocalBookie.forgetProcessBefore(args[2], zooKeeperPort);
                LocalBookie bookie = LocalBookie.start(Path.of(args[1]), args[2], zooKeeperPort);
                ready(Path.of(args[4]), 0);
                bookie.awaitEnd(); // or it would stay half alive, and refuse what clients send to it
                err.println("the bookie in " + args[1]
                        + " has ended by itself, as without room on its disk: what it said before tells why");
                return 1;
            } else {
                err.println("expected: zookeeper DIR PORT READY, or: bookie DIR NAME ZOOKEEPER-PORT READY");
                return MISUSED;
            }
        } catch (IOException e) {
            err.println(e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return 0;
        } finally {
            close(lock);
            err.flush();
        }
    }

    private static void close(@Nullable DirectoryLock lock) {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            // the end of the process gives it free, too
        }
    }

    /** A process that waits for the file finds it whole. */
    private static void ready(Path file, int port) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.writeString(temporary, Integer.toString(port));
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
