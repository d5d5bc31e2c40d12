package io.plog.benchmarks;

import io.plog.benchmarks.journal.Journal;
import io.plog.benchmarks.journal.ReplicatedJournals;
import io.plog.benchmarks.result.Cell;
import io.plog.benchmarks.result.ReplicatedResults;
import io.plog.benchmarks.result.ReplicatedResults.Speed;
import io.plog.host.events.MachineLoad;
import java.io.IOException;
import java.net.URI;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The log on bookies against plain use of BookKeeper's client, on the same bookies with the same settings, in one process and in
 * turn: in each round every cell, in each cell both, in an order drawn anew. A first round warms up.
 */
final class ReplicatedSpeed {
    private static final int[] OUTSTANDING = {1, 8, 64};
    private static final int[] BYTES = {100, 1_000, 10_000, 100_000};
    private static final double WARM_UP = 0.3; // of a measurement's time, before it

    private final String zooKeeper;
    private final Collection<Long> bookies;
    private final int rounds;
    private final double seconds;
    private final Random order;

    /**
     * @param bookies the processes that serve this one
     * @param seconds how long each measurement takes
     * @param seed of the order
     */
    ReplicatedSpeed(String zooKeeper, Collection<Long> bookies, int rounds, double seconds, long seed) {
        this.zooKeeper = zooKeeper;
        this.bookies = bookies;
        this.rounds = rounds;
        this.seconds = seconds;
        order = new Random(seed);
    }

    List<Speed> run() throws Exception {
        List<Speed> all = new ArrayList<>();
        for (int round = 0; round <= rounds; round++) {
            for (int outstanding : OUTSTANDING) {
                for (int bytes : BYTES) {
                    List<String> turn = new ArrayList<>(List.of(ReplicatedResults.PLAIN, ReplicatedResults.PLOG));
                    Collections.shuffle(turn, order);
                    for (String way : turn) {
                        Speed speed = measure(way, outstanding, bytes, round);
                        if (round > 0) {
                            all.add(speed);
                        }
                    }
                }
            }
            System.err.println("round " + round + " of " + rounds);
        }
        return all;
    }

    private Speed measure(String way, int outstanding, int bytes, int round) throws Exception {
        writeBack();
        String log = "speed-" + System.nanoTime() + "-" + round;
        try (Journal journal = way.equals(ReplicatedResults.PLOG)
                ? ReplicatedJournals.plog(URI.create("bookkeeper://" + zooKeeper + "/" + log + "?ensemble=3&ack=2"))
                : ReplicatedJournals.plain(zooKeeper, 3, 2)) {
            ClosedLoop loop = new ClosedLoop(journal, new Cell(outstanding, bytes));
            loop.run((long) (seconds * WARM_UP * 1e9));
            MachineLoad.Mark machine = MachineLoad.mark();
            long before = cpuNanos();
            long appends = loop.run((long) (seconds * 1e9));
            double others = Surroundings.othersShare(machine, cpuNanos() - before, loop.nanos());
            return new Speed(
                    way,
                    outstanding,
                    bytes,
                    round,
                    appends / (loop.nanos() / 1e9),
                    loop.latencies().getValueAtPercentile(50) / 1e3,
                    loop.latencies().getValueAtPercentile(99) / 1e3,
                    others);
        }
    }

    /** Processor time of this process and the bookies. */
    private long cpuNanos() {
        return OtherProcesses.cpuNanos(ProcessHandle.current().pid())
                + bookies.stream().mapToLong(OtherProcesses::cpuNanos).sum();
    }

    /** No one pays for what another has left to the page cache. */
    private static void writeBack() throws IOException, InterruptedException {
        new ProcessBuilder("sync").start().waitFor();
    }
}
