package io.plog.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.result.Results;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The program behind {@code benchmarks/run}. Exit codes: 0 done, 1 failed, 2 misused. */
public final class Benchmarks {
    static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    private Benchmarks() {}

    public static void main(String[] args) throws Exception {
        int code;
        try {
            code = run(List.of(args));
        } catch (IllegalArgumentException e) {
            System.err.println("benchmarks: " + e.getMessage());
            code = 2;
        }
        System.exit(code);
    }

    private static int run(List<String> args) throws Exception {
        String command = args.isEmpty() ? "" : args.get(0);
        switch (command) {
            case "quick", "full" -> {
                return args.size() < 2 ? misused() : measure(args);
            }
            case "publish" -> {
                return args.size() != 2 ? misused() : publish(Path.of(args.get(1)));
            }
            case "forced-appends" -> {
                ForcedAppends.run(args.get(1), Path.of(args.get(2)), Integer.parseInt(args.get(3)));
                return 0;
            }
            case "count-forces" -> {
                return ForcedAppends.count(args.get(1), Path.of(args.get(2)), Path.of(args.get(3)));
            }
            case "contestants" -> {
                ForcedAppends.names().forEach(System.out::println);
                return 0;
            }
            case "worker" -> {
                Worker.run(Contestant.ofLabel(args.get(1)));
                return 0;
            }
            default -> {
                return misused();
            }
        }
    }

    private static int misused() {
        System.err.println("usage: benchmarks/run quick|full DIR | publish RESULTS.json");
        return 2;
    }

    private static int measure(List<String> args) throws Exception {
        if (Fio.version().isEmpty()) {
            System.err.println("found no fio on the PATH: it measures what the disk can do (Debian: apt install fio)");
            return 1;
        }
        Plan plan = PlanOptions.apply(
                args.get(0).equals("quick") ? Plan.quick() : Plan.full(), args.subList(2, args.size()));
        Path directory = Files.createDirectories(Path.of(args.get(1))).toAbsolutePath();
        long seed = Long.getLong("benchmarks.seed", System.nanoTime() & 0xffffff);
        System.err.println("seed " + seed + " (repeat with BENCHMARKS_OPTS=-Dbenchmarks.seed=" + seed + ")");
        List<String> line = new ArrayList<>(args);
        line.set(1, "DIR");
        Results results = new Campaign(plan, directory, seed, "benchmarks/run " + String.join(" ", line)).run();
        write(directory, results);
        return 0;
    }

    private static void write(Path directory, Results results) throws IOException {
        Path file = directory.resolve("results.json");
        JSON.writeValue(file.toFile(), results);
        Publisher.writeBeside(results, directory);
        System.err.println("wrote " + file + ", table.md, throughput.svg and latency.svg");
    }

    private static int publish(Path file) throws IOException {
        Results results = JSON.readValue(file.toFile(), Results.class);
        Publisher.publish(results, Path.of(System.getProperty("benchmarks.root", ".")));
        return 0;
    }
}
