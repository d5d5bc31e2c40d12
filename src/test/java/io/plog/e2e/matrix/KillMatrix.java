package io.plog.e2e.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Acknowledged;
import io.plog.e2e.support.Directories;
import io.plog.e2e.support.KillClient;
import io.plog.e2e.support.Plog;
import io.plog.log.Checkpoint;
import io.plog.log.LogTools;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Kills a real server under load, at moments of every kind, again and again, on the same logs, and proves after it that
 * whatever was reported to any client is true.
 *
 * <p>Four targets: both services, with the whole log kept and with checkpoints that drop it; several ways of forcing. Several
 * clients send each request until it is acknowledged. As they are, in the end each record of the logs must have been
 * acknowledged once, and every answer must be what all requests before it, in log order, lead to. In between, whatever was
 * acknowledged must be in the directory that a kill left behind.
 */
final class KillMatrix {
    private static final int CLIENTS = 4;
    private static final int AUDIT_EVERY = 20;
    private static final String SMALL = ",segment=256KiB,reserve=512KiB";

    private final Path directory;
    private final SplittableRandom random;
    private final int kills;
    private final int loadRequests;
    private final List<Path> logs = new ArrayList<>();
    private final List<Acknowledged> targets = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private final List<KillMoment> moments = new ArrayList<>(); // those that are still to come in this turn
    private final Map<KillMoment, Integer> killed = new EnumMap<>(KillMoment.class);
    private final int port;
    private final long clientBase;

    /**
     * What came out of it.
     *
     * @param kills how many, by moment
     * @param acknowledged requests that were acknowledged, and audited
     * @param recorded how many of them with the recorded answer, because they were sent again
     */
    record Result(Map<KillMoment, Integer> kills, int acknowledged, int recorded) {}

    /**
     * @param directory where to make the logs' directories
     * @param kills how often to kill
     * @param loadRequests about how many acknowledgements there are between two kills at most
     */
    KillMatrix(Path directory, long seed, int kills, int loadRequests) throws IOException {
        this.directory = directory;
        this.random = new SplittableRandom(seed);
        this.kills = kills;
        this.loadRequests = loadRequests;
        this.clientBase = random.nextLong() >>> 2;
        for (int i = 0; i < 4; i++) {
            logs.add(Files.createDirectory(directory.resolve("t" + i)));
            targets.add(new Acknowledged("t" + i, i % 2 == 1));
        }
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
    }

    Result run() throws Exception {
        List<KillClient> clients = new ArrayList<>();
        try {
            for (int i = 1; i <= CLIENTS; i++) {
                clients.add(new KillClient(i, clientBase, port, targets, failures));
            }
            clients.forEach(KillClient::start);
            for (int i = 1; i <= kills; i++) {
                killOnce();
                if (i % AUDIT_EVERY == 0) {
                    audit(false);
                }
            }
            finish(clients);
        } finally {
            clients.forEach(KillClient::close);
        }
        audit(true);
        return new Result(
                killed,
                acknowledged(),
                targets.stream().mapToInt(Acknowledged::recorded).sum());
    }

    private void killOnce() throws Exception {
        if (moments.isEmpty()) {
            moments.addAll(List.of(KillMoment.values()));
        }
        KillMoment moment = moments.remove(random.nextInt(moments.size()));
        List<String> locks = KillMoment.Server.locks(logs);
        try (Plog process = startServer()) {
            moment.await(new KillMoment.Server(process, logs, locks, this::acknowledged, loadRequests), random);
            boolean alive = process.isAlive();
            process.kill();
            assertThat(alive)
                    .as("it runs until it is killed (%s):\n%s", moment, process)
                    .isTrue();
            process.withoutStackTrace();
        }
        checkNothingFailed();
        killed.merge(moment, 1, Integer::sum);
    }

    private Plog startServer() throws IOException {
        return Plog.start(
                "server --port %s --admin-port 0 --max-payload 16KiB --log t0=%s%s"
                        + " --log t1=%s%s,service=chain,force=dsync --log t2=%s%s,checkpoint=512KiB,force=direct"
                        + " --log t3=%s%s,service=chain,checkpoint=512KiB",
                port, logs.get(0), SMALL, logs.get(1), SMALL, logs.get(2), SMALL, logs.get(3), SMALL);
    }

    /** Lets everything that was sent be acknowledged, and ends in order. */
    private void finish(List<KillClient> clients) throws Exception {
        try (Plog process = startServer()) {
            clients.forEach(KillClient::stop);
            for (KillClient client : clients) {
                client.awaitAll();
            }
            checkNothingFailed();
            process.terminate();
            process.exited(0);
        }
    }

    private void audit(boolean complete) throws IOException {
        for (int i = 0; i < targets.size(); i++) {
            LogTools.Inspection found = LogTools.inspect(logs.get(i));
            assertThat(found.damage()).as("damage of %s", logs.get(i)).isEmpty();
            boolean dropsPrefix = i >= 2;
            long first = found.firstIndex();
            assertThat(first).as("first record of %s", logs.get(i)).isBetween(1L, dropsPrefix ? Long.MAX_VALUE : 1);
            if (first > 1) {
                Checkpoint checkpoint = Checkpoint.read(logs.get(i)).orElseThrow();
                assertThat(checkpoint.index()).as("checkpoint").isGreaterThanOrEqualTo(first - 1);
            }
            targets.get(i).audit(logs.get(i), clientBase, complete);
            if (complete) {
                assertThat(found.cleanlyClosed())
                        .as("closed in order: %s", logs.get(i))
                        .isTrue();
            }
        }
        checkNothingFailed();
    }

    private int acknowledged() {
        return targets.stream().mapToInt(Acknowledged::count).sum();
    }

    private void checkNothingFailed() {
        Throwable failure = failures.peek();
        if (failure != null) {
            throw new AssertionError(failures.size() + " things went wrong; the first", failure);
        }
    }

    /** Deletes the logs, for the next run on a small file system. */
    void delete() throws IOException {
        for (Path log : logs) {
            Directories.delete(log);
        }
        Files.delete(directory);
    }
}
