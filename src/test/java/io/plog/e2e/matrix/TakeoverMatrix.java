package io.plog.e2e.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Acknowledged;
import io.plog.e2e.support.BookieCluster;
import io.plog.e2e.support.KillClient;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.Mounts;
import io.plog.e2e.support.NetworkCut;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.RawConnection;
import io.plog.e2e.support.SystemCommand;
import io.plog.e2e.support.TestServer;
import io.plog.protocol.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

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

    private static final int CLIENTS = 3; // of each target
    private static final long CLIENT_BASE = 1_000;
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
    private final boolean canTrace = SystemCommand.succeeds("strace", "-qq", "true");
    private final boolean hasSmallDisk;
    private final NetworkCut network = new NetworkCut();
    private final MatrixBookies bookies;
    private final MatrixServers servers;
    private final List<Acknowledged> targets = List.of(new Acknowledged("r", true), new Acknowledged("s", false));
    private final List<KillClient> clients = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
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
        hasSmallDisk = SystemCommand.succeeds("mount", "-t", "tmpfs", "-o", "size=600m", "none", small.toString());
        bookies = new MatrixBookies(root);
        servers = new MatrixServers(scratch, bookies, canCut, takeoverWithin, random);
    }

    /** Runs so many faults. */
    void run(int faults) throws Exception {
        try {
            for (Acknowledged target : targets) {
                for (int i = 0; i < CLIENTS; i++) {
                    clients.add(new KillClient(
                            clients.size() + 1, CLIENT_BASE, servers.ports(), List.of(target), 1, PAUSE, failures));
                }
            }
            clients.forEach(KillClient::start);
            awaitMore();
            for (int i = 1; i <= faults; i++) {
                Fault fault = draw();
                longestGap();
                int before = servers.takeovers();
                inject(fault);
                awaitMore();
                System.out.println(
                        i + " of " + faults + ": " + fault + ", " + longestGap().toMillis() + " ms without an answer, "
                                + (servers.takeovers() - before) + " takeovers");
            }
            clients.forEach(KillClient::stop);
            for (KillClient client : clients) {
                client.awaitAll();
            }
            assertThat(failures).isEmpty();
            for (Acknowledged target : targets) {
                target.audit(log(target), CLIENT_BASE);
                System.out.println(
                        target.count() + " requests, each executed once and in order, by " + target.target());
            }
            System.out.println(servers.takeovers() + " takeovers, --takeover-within " + takeoverWithin);
        } catch (Exception | AssertionError e) {
            servers.print();
            throw e;
        }
    }

    private List<LogContents.Entry> log(Acknowledged of) throws Exception {
        String address = bookies.address(of.target());
        try (Plog dump = Plog.start(BookieCluster.ENVIRONMENT, "log dump --json %s", address)) {
            dump.exited(0);
            return LogContents.entries(dump);
        }
    }

    private Duration longestGap() {
        return targets.stream()
                .map(Acknowledged::takeLongestGap)
                .max(Duration::compareTo)
                .orElseThrow();
    }

    private void awaitMore() throws Exception {
        for (Acknowledged each : targets) {
            each.awaitMore(SOME, failures);
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

    private void inject(Fault fault) throws Exception {
        int holder = servers.holder();
        TestServer holding = servers.get(holder);
        int group = servers.group(holder);
        int port = servers.port(holder);
        int bookie = random.nextInt(MatrixBookies.COUNT);
        switch (fault) {
            case KILL_HOLDER -> {
                holding.process.kill();
                awaitMore();
                servers.restart(holder);
            }
            case STOP_HOLDER -> stopAndWake(holding);
            case END_HOLDER -> {
                assertThat(holding.stop()).as("%s", holding.process).isZero();
                awaitMore();
                servers.restart(holder);
            }
            case KILL_BOOKIE -> {
                bookies.killBookie(bookie);
                awaitMore();
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
                awaitMore();
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
                awaitMore();
                last(4_000);
                network.heal();
            }
            case FAILED_FORCE -> {
                Process strace = failForces(bookies.pid(bookie));
                awaitEffect(fault, this::hasForceFailed);
                strace.destroy();
                strace.onExit().join();
                bookies.restartBookie(bookie);
            }
            case FULL_DISK -> {
                Path filler = bookies.directory(FULL).resolve("filler");
                long before = bookies.timesOutOfRoom(FULL);
                Mounts.fill(filler);
                awaitEffect(fault, () -> bookies.timesOutOfRoom(FULL) > before);
                Files.delete(filler);
                bookies.restartBookie(FULL);
            }
            default -> throw new AssertionError(fault);
        }
    }

    /** Lets requests pass until a fault was met, or says that it was not: a bookie may have no part in a ledger. */
    private void awaitEffect(Fault fault, Callable<Boolean> met) throws Exception {
        for (int i = 0; i < MOST_ROUNDS && !met.call(); i++) {
            awaitMore();
        }
        if (!met.call()) {
            System.out.println(fault + " was not met by any request");
        }
        awaitMore(); // with it
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
    private void stopAndWake(TestServer holder) throws Exception {
        long pid = holder.process.pid();
        try (RawConnection connection = RawConnection.welcomed(holder.port)) {
            BookieCluster.stop(pid);
            connection.send(RawConnection.request(0, RAW_CLIENT, ++rawNumber, new byte[] {1})); // the kernel takes it
            awaitMore();
            SystemCommand.signal("-CONT", pid);
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
            SystemCommand.signal("-CONT", pid); // or it would not end
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

    @Override
    public void close() {
        clients.forEach(KillClient::close);
        servers.close();
        bookies.close();
        try {
            if (canCut) {
                network.close();
            }
            if (hasSmallDisk) {
                SystemCommand.succeeds("umount", "-l", bookies.directory(FULL).toString());
            }
        } catch (IOException e) {
            throw new IllegalStateException("the machine is not as it was before", e);
        }
    }
}
