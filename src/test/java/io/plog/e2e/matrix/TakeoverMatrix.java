package io.plog.e2e.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.BookieCluster;
import io.plog.e2e.support.ChainClients;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.NetworkCut;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RawConnection;
import io.plog.e2e.support.TestServer;
import io.plog.protocol.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.ToIntFunction;

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

    private static final int CLIENTS = 3;
    private static final Duration PAUSE = Duration.ofMillis(5);
    private static final int SOME = 60;
    private static final int FULL = MatrixBookies.COUNT - 1; // the bookie with a small disk
    private static final long RAW_CLIENT = 7;
    private static final int MOST_ROUNDS = 300; // of requests that may pass until a fault is met
    private static final String FORCES = "strace.txt";

    private final Path scratch;
    private final SplittableRandom random;
    private final String takeoverWithin;
    private final boolean canCut = NetworkCut.isPossible();
    private final boolean canTrace = hasStrace();
    private final boolean hasSmallDisk;
    private final NetworkCut network = new NetworkCut();
    private final MatrixBookies bookies;
    private final MatrixServers servers;
    private final MatrixTable table = new MatrixTable();
    private final Set<Fault> injected = EnumSet.noneOf(Fault.class);
    private long rawNumber;

    TakeoverMatrix(Path scratch, long seed, String takeoverWithin) throws Exception {
        this.scratch = scratch;
        this.takeoverWithin = takeoverWithin;
        random = new SplittableRandom(seed);
        Path root = Files.createDirectories(scratch.resolve("bookies"));
        Path small = Files.createDirectories(root.resolve(MatrixBookies.name(FULL)));
        if (canCut) {
            network.prepare();
        }
        hasSmallDisk = run("mount", "-t", "tmpfs", "-o", "size=600m", "none", small.toString());
        bookies = new MatrixBookies(root);
        servers = new MatrixServers(scratch, bookies, canCut, takeoverWithin, random);
    }

    /** Runs so many faults and returns a table of what was seen. */
    String run(int faults) throws Exception {
        List<Integer> all = servers.ports();
        try (ChainClients chain = ChainClients.start(CLIENTS, "r", ChainClients.Service.CHAIN, PAUSE, all);
                ChainClients invert = ChainClients.start(CLIENTS, "s", ChainClients.Service.INVERT, PAUSE, all)) {
            List<ChainClients> clients = List.of(chain, invert);
            awaitMore(clients);
            for (int i = 1; i <= faults; i++) {
                Fault fault = draw();
                clients.forEach(ChainClients::takeLongestGap);
                int before = servers.takeovers().size();
                int answeredBefore = sum(clients, ChainClients::answered);
                int attemptsBefore = sum(clients, ChainClients::retries);
                inject(fault, clients);
                awaitMore(clients);
                Duration gap = longestGap(clients);
                int takeovers = servers.takeovers().size() - before;
                table.add(
                        fault,
                        gap,
                        takeovers,
                        sum(clients, ChainClients::answered) - answeredBefore,
                        sum(clients, ChainClients::retries) - attemptsBefore);
                System.out.printf(
                        Locale.ROOT,
                        "%d of %d: %s, %d ms without an answer, %d takeovers%n",
                        i,
                        faults,
                        fault,
                        gap.toMillis(),
                        takeovers);
            }
            int chained = chain.endAndCheck();
            int inverted = invert.endAndCheck();
            chain.checkLog(log("orders"));
            invert.checkLog(log("items"));
            return summary(chained, inverted, chain.retries() + invert.retries());
        } catch (Exception | AssertionError e) {
            servers.print();
            throw e;
        }
    }

    private List<LogContents.Entry> log(String name) throws Exception {
        try (Plog dump = Plog.start(BookieCluster.ENVIRONMENT, "log dump --json %s", bookies.address(name))) {
            assertThat(dump.awaitExit()).as("%s", dump).isZero();
            return LogContents.entries(dump);
        }
    }

    private static int sum(List<ChainClients> clients, ToIntFunction<ChainClients> count) {
        return clients.stream().mapToInt(count).sum();
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

    /** Each that is possible once, and then by their weights. */
    private Fault draw() {
        List<Fault> bag = new ArrayList<>();
        List<Fault> first = new ArrayList<>();
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
            if (possible && wanted && !injected.contains(fault)) {
                first.add(fault);
            }
        }
        List<Fault> from = first.isEmpty() ? bag : first;
        Fault drawn = from.get(random.nextInt(from.size()));
        injected.add(drawn);
        return drawn;
    }

    private void inject(Fault fault, List<ChainClients> clients) throws Exception {
        int holder = servers.holder();
        TestServer holding = servers.get(holder);
        int group = servers.group(holder);
        int port = servers.port(holder);
        int bookie = random.nextInt(MatrixBookies.COUNT);
        switch (fault) {
            case KILL_HOLDER -> {
                holding.process.kill();
                awaitMore(clients);
                servers.restart(holder);
            }
            case STOP_HOLDER -> stopAndWake(holding, clients);
            case END_HOLDER -> {
                assertThat(holding.stop()).as("%s", holding.process).isZero();
                awaitMore(clients);
                servers.restart(holder);
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
                servers.killAll();
                bookies.restartAll();
                for (int i = 0; i < MatrixServers.COUNT; i++) {
                    servers.restart(i);
                }
            }
            case CUT_FROM_METADATA -> {
                network.cut(group, "tcp dport " + bookies.port());
                awaitMore(clients);
                last(7_000);
                network.heal();
            }
            case CUT_FROM_BOOKIES -> {
                network.cut(group, "tcp dport != " + bookies.port() + " tcp sport != " + port);
                last(5_000);
                network.heal();
            }
            case CUT_FROM_CLIENTS -> {
                network.cut(group, "tcp sport " + port);
                last(2_000);
                network.heal();
            }
            case CUT_FROM_ALL -> {
                network.cut(group, "");
                awaitMore(clients);
                last(4_000);
                network.heal();
            }
            case FAILED_FORCE -> {
                Process strace = failForces(bookies.pid(bookie));
                awaitEffect(fault, this::hasForceFailed, clients);
                strace.destroy();
                strace.onExit().join();
                bookies.restartBookie(bookie);
            }
            case FULL_DISK -> {
                Path filler = bookies.directory(FULL).resolve("filler");
                long before = bookies.timesOutOfRoom(FULL);
                fill(filler);
                awaitEffect(fault, () -> bookies.timesOutOfRoom(FULL) > before, clients);
                Files.delete(filler);
                bookies.restartBookie(FULL);
            }
            default -> throw new AssertionError(fault);
        }
    }

    /** Lets requests pass until a fault was met, or says that it was not: a bookie may have no part in a ledger. */
    private static void awaitEffect(Fault fault, Callable<Boolean> met, List<ChainClients> clients) throws Exception {
        for (int i = 0; i < MOST_ROUNDS && !met.call(); i++) {
            awaitMore(clients);
        }
        if (!met.call()) {
            System.out.println(fault + " was not met by any request");
        }
        awaitMore(clients); // with it
    }

    private boolean hasForceFailed() throws IOException {
        Path calls = scratch.resolve(FORCES);
        return Files.exists(calls) && Files.readString(calls).contains("(INJECTED)");
    }

    /** How long a fault lasts: up to so many milliseconds. */
    private void last(int mostMillis) {
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(500 + random.nextInt(mostMillis)));
    }

    /** The classic split brain: the holder sleeps for longer than its session, and then wakes up. It acknowledges nothing. */
    private void stopAndWake(TestServer holder, List<ChainClients> clients) throws Exception {
        String pid = Long.toString(holder.process.pid());
        try (RawConnection connection = RawConnection.welcomed(holder.port)) {
            BookieCluster.stop(pid);
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
        Files.deleteIfExists(scratch.resolve(FORCES));
        return new ProcessBuilder(
                        "strace",
                        "-f",
                        "-qq",
                        "-o",
                        scratch.resolve(FORCES).toString(),
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

    private String summary(int chained, int inverted, int retries) {
        List<String> takeovers = servers.takeovers();
        return String.format(
                        Locale.ROOT,
                        "%d and %d requests, each executed once and in order; %d attempts that failed; %d takeovers,"
                                + " --takeover-within %s%n",
                        chained,
                        inverted,
                        retries,
                        takeovers.size(),
                        takeoverWithin)
                + table.render()
                + TakeoverSteps.of(takeovers).table();
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
        servers.close();
        bookies.close();
        try {
            if (canCut) {
                network.close();
            }
            if (hasSmallDisk) {
                run("umount", "-l", bookies.directory(FULL).toString());
            }
        } catch (IOException | InterruptedException e) {
            throw new IllegalStateException("the machine is not as it was before", e);
        }
    }
}
