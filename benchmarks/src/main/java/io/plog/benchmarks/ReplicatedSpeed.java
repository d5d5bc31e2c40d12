package io.plog.benchmarks;

import io.plog.benchmarks.journal.Journal;
import io.plog.benchmarks.journal.ReplicatedJournals;
import io.plog.benchmarks.result.Cell;
import java.net.URI;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/**
 * The log on bookies against plain use of BookKeeper's client, on the same bookies with the same settings, in one process and in
 * turn: in each round every cell, in each cell both, in an order drawn anew. Prints Markdown.
 */
final class ReplicatedSpeed {
    private static final int[] OUTSTANDING = {1, 8, 64};
    private static final int[] BYTES = {100, 1_000, 10_000, 100_000};
    private static final List<String> NAMES = List.of("plain", "plog");

    private record Figures(double perSecond, double p50Micros, double p99Micros) {}

    private final String zooKeeper;
    private final int rounds;
    private final double seconds;
    private final Random order;

    private ReplicatedSpeed(String zooKeeper, int rounds, double seconds, long seed) {
        this.zooKeeper = zooKeeper;
        this.rounds = rounds;
        this.seconds = seconds;
        order = new Random(seed);
    }

    /** Arguments: {@code ZOOKEEPER:PORT [ROUNDS [SECONDS]]}. */
    static void main(List<String> args) throws Exception {
        int rounds = args.size() > 1 ? Integer.parseInt(args.get(1)) : 3;
        double seconds = args.size() > 2 ? Double.parseDouble(args.get(2)) : 1.5;
        long seed = Long.getLong("benchmarks.seed", System.nanoTime() & 0xffffff);
        System.err.println("seed " + seed + " (repeat with BENCHMARKS_OPTS=-Dbenchmarks.seed=" + seed + ")");
        new ReplicatedSpeed(args.get(0), rounds, seconds, seed).run();
    }

    private void run() throws Exception {
        Map<String, List<Figures>> all = new TreeMap<>();
        for (int round = 0; round <= rounds; round++) {
            for (int outstanding : OUTSTANDING) {
                for (int bytes : BYTES) {
                    List<String> turn = new ArrayList<>(NAMES);
                    Collections.shuffle(turn, order);
                    for (String name : turn) {
                        Figures figures = measure(name, outstanding, bytes, round);
                        if (round > 0) { // the first warms up
                            all.computeIfAbsent(key(name, outstanding, bytes), key -> new ArrayList<>())
                                    .add(figures);
                        }
                    }
                }
            }
            System.err.println("round " + round + " of " + rounds);
        }
        print(all);
    }

    private static String key(String name, int outstanding, int bytes) {
        return outstanding + "x" + bytes + " " + name;
    }

    private Figures measure(String name, int outstanding, int bytes, int round) throws Exception {
        String log = "speed-" + System.nanoTime() + "-" + round;
        try (Journal journal = name.equals("plog")
                ? ReplicatedJournals.plog(URI.create("bookkeeper://" + zooKeeper + "/" + log + "?ensemble=3&ack=2"))
                : ReplicatedJournals.plain(zooKeeper, 3, 2)) {
            ClosedLoop loop = new ClosedLoop(journal, new Cell(outstanding, bytes, Long.MAX_VALUE));
            loop.run(Long.MAX_VALUE, (long) (seconds * 0.3e9));
            long appends = loop.run(Long.MAX_VALUE, (long) (seconds * 1e9));
            return new Figures(
                    appends / (loop.nanos() / 1e9),
                    loop.latencies().getValueAtPercentile(50) / 1e3,
                    loop.latencies().getValueAtPercentile(99) / 1e3);
        }
    }

    private static void print(Map<String, List<Figures>> all) {
        System.out.println(
                "| outstanding x bytes | plain, /s | plog, /s | plog over plain, of each round | plain p50, p99 µs"
                        + " | plog p50, p99 µs |");
        System.out.println("|---|--:|--:|---|--:|--:|");
        for (int outstanding : OUTSTANDING) {
            for (int bytes : BYTES) {
                List<Figures> plain = all.getOrDefault(key("plain", outstanding, bytes), List.of());
                List<Figures> plog = all.getOrDefault(key("plog", outstanding, bytes), List.of());
                double[] ratios = new double[plain.size()];
                for (int i = 0; i < ratios.length; i++) {
                    ratios[i] = plog.get(i).perSecond / plain.get(i).perSecond;
                }
                Arrays.sort(ratios);
                System.out.printf(
                        Locale.ROOT,
                        "| %d x %,d | %,.0f | %,.0f | %.2f (%.2f to %.2f) | %,.0f, %,.0f | %,.0f, %,.0f |%n",
                        outstanding,
                        bytes,
                        median(plain, 0),
                        median(plog, 0),
                        ratios[ratios.length / 2],
                        ratios[0],
                        ratios[ratios.length - 1],
                        median(plain, 1),
                        median(plain, 2),
                        median(plog, 1),
                        median(plog, 2));
            }
        }
    }

    private static double median(List<Figures> figures, int which) {
        double[] values = figures.stream()
                .mapToDouble(each -> which == 0 ? each.perSecond : which == 1 ? each.p50Micros : each.p99Micros)
                .sorted()
                .toArray();
        return values[values.length / 2];
    }
}
