package io.plog.e2e.matrix;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.BookieCluster;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.TestServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** The servers of a {@link TakeoverMatrix}: each a process, and a group of its own for the firewall, if that can cut it off. */
final class MatrixServers implements AutoCloseable {
    static final int COUNT = 3;

    // Another matrix on the same machine has other groups, or each would cut the other's servers off.
    private static final int FIRST_GROUP =
            5_000 + (int) (ProcessHandle.current().pid() % 10_000) * COUNT;

    private static final int LOGS = 2; // the first server took over nothing, once for each

    private final Path scratch;
    private final MatrixBookies bookies;
    private final boolean inGroups;
    private final String takeoverWithin;
    private final TestServer[] servers = new TestServer[COUNT];
    private final int[] ports = new int[COUNT];
    private int servedByEnded; // how often processes that are gone did

    MatrixServers(Path scratch, MatrixBookies bookies, boolean inGroups, String takeoverWithin, SplittableRandom random)
            throws Exception {
        this.scratch = scratch;
        this.bookies = bookies;
        this.inGroups = inGroups;
        this.takeoverWithin = takeoverWithin;
        for (int i = 0; i < COUNT; i++) {
            ports[i] = freePort(random);
            start(i);
        }
    }

    /** Below those that the kernel gives to connections: it must be free again when its server is started anew. */
    private static int freePort(SplittableRandom random) {
        while (true) {
            int port = 20_000 + random.nextInt(10_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                continue; // taken
            }
        }
    }

    private void start(int i) throws Exception {
        String log = "=" + bookies.address("");
        servers[i] = TestServer.start(
                (line, words) -> inGroups
                        ? Plog.startInGroup(group(i), BookieCluster.ENVIRONMENT, line, words)
                        : Plog.start(BookieCluster.ENVIRONMENT, line, words),
                scratch,
                "--standby --takeover-within %s --port %s --log r%s,service=chain,checkpoint=1MiB"
                        + " --log s%s,service=invert,checkpoint=1MiB --admin-port free",
                takeoverWithin,
                ports[i],
                log.replace("/?", "/r?"),
                log.replace("/?", "/s?"));
    }

    TestServer get(int server) {
        return servers[server];
    }

    int group(int server) {
        return FIRST_GROUP + server;
    }

    int port(int server) {
        return ports[server];
    }

    List<Integer> ports() {
        return IntStream.of(ports).boxed().toList();
    }

    void killAll() throws InterruptedException {
        for (TestServer server : servers) {
            server.process.kill();
        }
    }

    /** Ends it, if it has not ended, and starts it anew at the same port. */
    void restart(int server) throws Exception {
        servedByEnded += timesServed(servers[server]);
        servers[server].close();
        start(server);
    }

    /** The server that said last that it serves the first log. */
    int holder() throws Exception {
        int[] found = {-1};
        Await.until("a server holds the log", () -> {
            // One that has just woken up, or was cut off, may not have noticed yet that another serves since.
            String latest = "";
            for (int i = 0; i < COUNT; i++) {
                String said = saidThatItServes(servers[i]);
                if (servers[i].process.isAlive() && said.compareTo(latest) > 0) {
                    latest = said;
                    found[0] = i;
                }
            }
            return !latest.isEmpty();
        });
        return found[0];
    }

    /** The line, which begins with its time, or an empty one if it said something else since. */
    private static String saidThatItServes(TestServer server) {
        String last = "";
        for (String line : server.process.err()) {
            last = line.contains("target r ") || line.contains("target r: its log") ? line : last;
        }
        return last.contains("target r serves the log") ? last : "";
    }

    /** How often servers took a log over. */
    int takeovers() {
        int served = servedByEnded;
        for (TestServer server : servers) {
            served += timesServed(server);
        }
        return Math.max(0, served - LOGS);
    }

    private static int timesServed(TestServer server) {
        return (int) server.process.err().stream()
                .filter(line -> line.contains("serves the log"))
                .count();
    }

    /** All that they said, to look for a mistake. */
    void print() {
        for (TestServer server : servers) {
            System.out.println("server at " + server.address() + ", process " + server.process.pid() + ":");
            System.out.println(server.process.errText());
        }
    }

    @Override
    public void close() {
        for (TestServer server : servers) {
            if (server != null) {
                server.close();
            }
        }
    }
}
