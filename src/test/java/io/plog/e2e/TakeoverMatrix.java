package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.protocol.Status;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Servers that share two logs on real bookies, clients that know all servers, and faults of all kinds, one after the other. After each
 * fault everything is there again and requests are answered; in the end every answer is looked at.
 */
final class TakeoverMatrix implements AutoCloseable {
    /** What happens, and how often in comparison. */
    enum Fault {
        KILL_HOLDER(8),
        STOP_HOLDER(4),
        END_HOLDER(4),
        KILL_BOOKIE(2),
        KILL_METADATA(1),
        KILL_ALL(1),
        CUT_FROM_METADATA(2),
        CUT_FROM_BOOKIES(2),
        CUT_FROM_CLIENTS(1),
        CUT_FROM_ALL(2),
        FAILED_FORCE(1),
        FULL_DISK(1);

        private final int weight;

        Fault(int weight) {
            this.weight = weight;
        }
    }

    /** Only these, to look at them closely: {@code -Dplog.matrix.kinds=STOP_HOLDER,KILL_HOLDER}. */
    private static final String KINDS = System.getProperty("plog.matrix.kinds", "");

    private static final int SERVERS = 3;
    private static final int CLIENTS = 3;
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final int SOME = 60;
    private static final int FULL = MatrixBookies.COUNT - 1; // the bookie with a small disk
    private static final int FIRST_GROUP = 5_000;
    private static final long RAW_CLIENT = 7;

    /** What was seen of a kind of fault. */
    private static final class Seen {
        final List<Duration> gaps = new ArrayList<>();
        int takeovers;
    }

    private final Path scratch;
    private final SplittableRandom random;
    private final String takeoverWithin;
    private final boolean canCut = NetworkCut.isPossible();
    private final boolean canTrace = hasStrace();
    private final boolean hasSmallDisk;
    private final NetworkCut network = new NetworkCut();
    private final MatrixBookies bookies;
    private final TestServer[] servers = new TestServer[SERVERS];
    private final int[] ports = new int[SERVERS];
    private final Map<Fault, Seen> seen = new EnumMap<>(Fault.class);
    private int takeoversOfEnded; // told by processes that are gone
    private long rawNumber;

    TakeoverMatrix(Path scratch, long seed, String takeoverWithin) throws Exception {
        this.scratch = scratch;
        this.takeoverWithin = takeoverWithin;
        random = new SplittableRandom(seed);
        Path root = Files.createDirectories(scratch.resolve("bookies"));
        Path small = Files.createDirectories(root.resolve(MatrixBookies.name(FULL)));
        hasSmallDisk = run("mount", "-t", "tmpfs", "-o", "size=600m", "none", small.toString());
        bookies = new MatrixBookies(root);
        for (int i = 0; i < SERVERS; i++) {
            ports[i] = freePort();
            startServer(i);
        }
    }

    /** Below those that the kernel gives to connections: it must be free again when its server is started anew. */
    private int freePort() {
        while (true) {
            int port = 20_000 + random.nextInt(10_000);
            try (ServerSocket socket = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
                return socket.getLocalPort();
            } catch (IOException e) {
                continue; // taken
            }
        }
    }

    private void startServer(int i) throws Exception {
        String log = "=" + bookies.address("");
        servers[i] = TestServer.start(
                args -> canCut
                        ? Plog.startInGroup(FIRST_GROUP + i, BookieCluster.ENVIRONMENT, args)
                        : Plog.start(BookieCluster.ENVIRONMENT, args),
                scratch,
                "--standby",
                "--takeover-within",
                takeoverWithin,
                "--port",
                Integer.toString(ports[i]),
                "--log",
                "r" + log.replace("/?", "/orders?") + ",service=chain,checkpoint=1MiB",
                "--log",
                "s" + log.replace("/?", "/items?") + ",service=invert,checkpoint=1MiB",
                "--admin-port",
                "free");
    }

    /** Whoever said last that it serves the first log. */
    private int holder() throws Exception {
        int[] found = {-1};
        Await.until("a server holds the log", () -> {
            found[0] = IntStream.range(0, SERVERS)
                    .filter(i -> servers[i].process.isAlive())
                    .filter(i -> serves(servers[i]))
                    .findFirst()
                    .orElse(-1);
            return found[0] >= 0;
        });
        return found[0];
    }

    private static boolean serves(TestServer server) {
        String last = "";
        for (String line : server.process.err()) {
            last = line.contains("target r ") || line.contains("target r: its log") ? line : last;
        }
        return last.contains("target r serves the log") || last.contains(" takes requests again; ");
    }

    private int takeovers() {
        int count = takeoversOfEnded;
        for (TestServer server : servers) {
            count += takeoversOf(server);
        }
        return count;
    }

    private static int takeoversOf(TestServer server) {
        return (int) server.process.err().stream()
                .filter(line -> line.contains("serves the log"))
                .count();
    }

    /** Runs so many faults and returns a table of what was seen. */
    String run(int faults) throws Exception {
        List<Integer> all = IntStream.of(ports).boxed().toList();
        try (ChainClients chain = ChainClients.start(CLIENTS, "r", ChainClients.Service.CHAIN, PAUSE, all);
                ChainClients invert = ChainClients.start(CLIENTS, "s", ChainClients.Service.INVERT, PAUSE, all)) {
            List<ChainClients> clients = List.of(chain, invert);
            awaitMore(clients);
            for (int i = 1; i <= faults; i++) {
                Fault fault = draw();
                clients.forEach(ChainClients::takeLongestGap);
                int before = takeovers();
                inject(fault, clients);
                awaitMore(clients);
                Seen of = seen.computeIfAbsent(fault, kind -> new Seen());
                Duration gap = longestGap(clients);
                of.gaps.add(gap);
                of.takeovers += takeovers() - before;
                System.out.printf(
                        Locale.ROOT,
                        "%d of %d: %s, %d ms without an answer, %d takeovers%n",
                        i,
                        faults,
                        fault,
                        gap.toMillis(),
                        takeovers() - before);
            }
            return table(chain.endAndCheck(), invert.endAndCheck());
        } catch (Exception | AssertionError e) {
            for (TestServer server : servers) {
                System.out.println("server at " + server.address() + ", process " + server.process.pid() + ":");
                System.out.println(server.process.errText());
            }
            throw e;
        }
    }

    private static Duration longestGap(List<ChainClients> clients) {
        return clients.stream()
                .map(ChainClients::takeLongestGap)
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private static void awaitMore(List<ChainClients> clients) throws Exception {
        for (ChainClients each : clients) {
            each.awaitMore(SOME);
        }
    }

    private Fault draw() {
        List<Fault> bag = new ArrayList<>();
        for (Fault fault : Fault.values()) {
            boolean possible = switch (fault) {
                case CUT_FROM_METADATA, CUT_FROM_BOOKIES, CUT_FROM_CLIENTS, CUT_FROM_ALL -> canCut;
                case FAILED_FORCE -> canTrace;
                case FULL_DISK -> hasSmallDisk;
                default -> true;
            };
            boolean wanted = KINDS.isEmpty() || List.of(KINDS.split(",", -1)).contains(fault.name());
            for (int i = 0; possible && wanted && i < fault.weight; i++) {
                bag.add(fault);
            }
        }
        return bag.get(random.nextInt(bag.size()));
    }

    private void inject(Fault fault, List<ChainClients> clients) throws Exception {
        int holder = holder();
        int bookie = random.nextInt(MatrixBookies.COUNT);
        switch (fault) {
            case KILL_HOLDER -> {
                servers[holder].process.kill();
                awaitMore(clients);
                restart(holder);
            }
            case STOP_HOLDER -> stopAndWake(servers[holder], clients);
            case END_HOLDER -> {
                assertThat(servers[holder].stop())
                        .as("%s", servers[holder].process)
                        .isZero();
                awaitMore(clients);
                restart(holder);
            }
            case KILL_BOOKIE -> {
                bookies.killBookie(bookie);
                awaitMore(clients);
                bookies.restartBookie(bookie);
            }
            case KILL_METADATA -> {
                bookies.killZooKeeper();
                last(3_000);
                bookies.restartZooKeeper();
            }
            case KILL_ALL -> {
                bookies.killAll();
                for (TestServer server : servers) {
                    server.process.kill();
                }
                bookies.restartAll();
                for (int i = 0; i < SERVERS; i++) {
                    restart(i);
                }
            }
            case CUT_FROM_METADATA -> {
                network.cut(FIRST_GROUP + holder, "tcp dport " + bookies.port());
                awaitMore(clients);
                last(7_000);
                network.heal();
            }
            case CUT_FROM_BOOKIES -> {
                network.cut(FIRST_GROUP + holder, "tcp dport != " + bookies.port() + " tcp sport != " + ports[holder]);
                last(5_000);
                network.heal();
            }
            case CUT_FROM_CLIENTS -> {
                network.cut(FIRST_GROUP + holder, "tcp sport " + ports[holder]);
                last(2_000);
                network.heal();
            }
            case CUT_FROM_ALL -> {
                network.cut(FIRST_GROUP + holder, "");
                awaitMore(clients);
                last(4_000);
                network.heal();
            }
            case FAILED_FORCE -> {
                Process strace = failForces(bookies.pid(bookie));
                awaitMore(clients);
                strace.destroy();
                strace.onExit().join();
                bookies.restartBookie(bookie);
            }
            case FULL_DISK -> {
                Path filler = bookies.directory(FULL).resolve("filler");
                fill(filler);
                awaitMore(clients);
                Files.delete(filler);
                bookies.restartBookie(FULL);
            }
            default -> throw new AssertionError(fault);
        }
    }

    /** How long a fault lasts: up to so many milliseconds. */
    private void last(int mostMillis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500 + random.nextInt(mostMillis)));
    }

    private void restart(int server) throws Exception {
        takeoversOfEnded += takeoversOf(servers[server]);
        servers[server].close();
        startServer(server);
    }

    /** The classic split brain: the holder sleeps for longer than its session, and then wakes up. It acknowledges nothing. */
    private void stopAndWake(TestServer holder, List<ChainClients> clients) throws Exception {
        String pid = Long.toString(holder.process.pid());
        try (RawConnection connection = RawConnection.welcomed(holder.port)) {
            BookieCluster.signal("-STOP", pid);
            connection.send(RawConnection.request(0, RAW_CLIENT, ++rawNumber, new byte[] {1})); // the kernel takes it
            awaitMore(clients);
            BookieCluster.signal("-CONT", pid);
            RawConnection.Frame answer = connection.read();
            // It may say goodbye instead, which acknowledges nothing either.
            if (answer.type == RawConnection.REPLY) {
                assertThat(answer.status())
                        .as("the old holder acknowledges nothing; index %d", answer.index())
                        .isIn(Status.NOT_SERVING.code(), Status.LOG_FAILED.code(), Status.NO_QUORUM.code());
            } else {
                System.out.println(holder.address() + " answers with a frame of type " + answer.type);
            }
        } finally {
            BookieCluster.signal("-CONT", pid); // or it would not end
        }
    }

    private Process failForces(long pid) throws IOException {
        return new ProcessBuilder(
                        "strace",
                        "-f",
                        "-qq",
                        "-o",
                        scratch.resolve("strace.txt").toString(),
                        "-p",
                        Long.toString(pid),
                        "-e",
                        "trace=fdatasync,fsync",
                        "-e",
                        "inject=fdatasync,fsync:error=EIO")
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private static void fill(Path filler) throws IOException {
        byte[] chunk = new byte[1 << 20];
        try (var out = Files.newOutputStream(filler)) {
            while (true) {
                out.write(chunk);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    private String table(int chained, int inverted) {
        StringBuilder text = new StringBuilder(String.format(
                Locale.ROOT,
                "%d and %d requests, each executed once and in order; %d takeovers, --takeover-within %s%n",
                chained,
                inverted,
                takeovers() - 2, // the first server took over nothing, twice
                takeoverWithin));
        text.append("| fault | times | takeovers | longest time without an answer: median, ms | worst, ms |\n");
        text.append("|---|--:|--:|--:|--:|\n");
        seen.forEach((fault, of) -> {
            List<Duration> gaps = of.gaps.stream().sorted().toList();
            text.append(String.format(
                    Locale.ROOT,
                    "| %s | %d | %d | %d | %d |%n",
                    fault.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                    gaps.size(),
                    of.takeovers,
                    gaps.get(gaps.size() / 2).toMillis(),
                    gaps.get(gaps.size() - 1).toMillis()));
        });
        return text.toString();
    }

    private static boolean run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                        .start()
                        .waitFor()
                == 0;
    }

    private static boolean hasStrace() {
        try {
            return run("strace", "-qq", "true");
        } catch (IOException | InterruptedException e) {
            return false;
        }
    }

    @Override
    public void close() {
        for (TestServer server : servers) {
            if (server != null) {
                server.close();
            }
        }
        bookies.close();
        try {
            if (canCut) {
                network.heal();
            }
            if (hasSmallDisk) {
                run("umount", "-l", bookies.directory(FULL).toString());
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("the machine is not as it was before", e);
        }
    }
}
