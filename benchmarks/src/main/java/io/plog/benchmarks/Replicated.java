package io.plog.benchmarks;

import io.plog.benchmarks.result.ReplicatedResults;
import io.plog.benchmarks.result.ReplicatedResults.Recovery;
import io.plog.benchmarks.result.ReplicatedResults.Speed;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Speed and recovery of a log on bookies that run already: writes {@code replicated.json} and {@code replicated.md}. */
final class Replicated {
    private static final int ROUNDS = 5;
    private static final double SECONDS = 1.5;
    private static final int RECOVERIES = 5;

    /** What the ledgers of all bookies take for each second of a round, on a fast disk. */
    private static final double GB_OF_A_SECOND = 6;

    /** What their journals take at most. */
    private static final double GB_OF_JOURNALS = 18;

    /** A bookie takes no entries when this part of its disk is left. */
    private static final double LEFT_OVER = 0.05;

    private Replicated() {}

    /** Arguments: {@code DIR ZOOKEEPER:PORT [ROUNDS [SECONDS]]}; in DIR is {@code bookies.txt}, what the bookies' command said. */
    static void main(List<String> args) throws Exception {
        Path directory = Path.of(args.get(0)).toAbsolutePath();
        String zooKeeper = args.get(1);
        int rounds = args.size() > 2 ? Integer.parseInt(args.get(2)) : ROUNDS;
        double seconds = args.size() > 3 ? Double.parseDouble(args.get(3)) : SECONDS;
        if (rounds < 1 || !(seconds > 0)) {
            throw new IllegalArgumentException(
                    "found " + rounds + " rounds of " + seconds + " s: expected at least 1, and more than 0");
        }
        checkRoom(directory, rounds * seconds);
        long seed = Long.getLong("benchmarks.seed", System.nanoTime() & 0xffffff);
        System.err.println("seed " + seed + " (repeat with BENCHMARKS_OPTS=-Dbenchmarks.seed=" + seed + ")");
        Map<String, String> environment = Surroundings.facts(directory);
        Map<String, Long> bookies = OtherProcesses.ofOutput(Files.readString(directory.resolve("bookies.txt")));
        List<Speed> speeds = new ReplicatedSpeed(zooKeeper, bookies.values(), rounds, seconds, seed).run();
        List<Recovery> recoveries = new ReplicatedRecovery(zooKeeper, Math.min(rounds, RECOVERIES)).run();
        ReplicatedResults results = new ReplicatedResults(
                1,
                environment,
                "benchmarks/run replicated DIR " + rounds + " " + seconds,
                seed,
                rounds,
                seconds,
                speeds,
                recoveries);
        Benchmarks.JSON.writeValue(directory.resolve("replicated.json").toFile(), results);
        String page = results.markdown();
        Files.writeString(directory.resolve("replicated.md"), page);
        System.out.print(page);
        System.err.println("wrote replicated.json and replicated.md in " + directory);
    }

    private static void checkRoom(Path directory, double seconds) throws IOException {
        FileStore disk = Files.getFileStore(directory);
        double found = (disk.getUsableSpace() - LEFT_OVER * disk.getTotalSpace()) / 1e9;
        double expected = GB_OF_JOURNALS + seconds * GB_OF_A_SECOND;
        if (found < expected) {
            throw new IllegalArgumentException(String.format(
                    "found %.0f GB that bookies may use in %s: expected %.0f for so many rounds; ask for fewer or shorter ones",
                    found, directory, expected));
        }
    }
}
