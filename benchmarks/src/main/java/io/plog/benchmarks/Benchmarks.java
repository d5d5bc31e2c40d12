package io.plog.benchmarks;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.journal.Regime;
import io.plog.benchmarks.result.CampaignResults;
import io.plog.benchmarks.result.Measurement;
import io.plog.benchmarks.result.ReplicatedResults;
import io.plog.benchmarks.result.SampleQuantiles;
import io.plog.benchmarks.result.SoakResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The program behind {@code benchmarks/run}. Exit codes: 0 done, 1 failed or a verdict that does not hold, 2 misused. */
public final class Benchmarks {
    static final ObjectMapper JSON = new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

    /** A run in which others had more of the processors than this, in the median, is worth nothing. */
    private static final double MOST_OTHERS = 0.05;

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
            case "quick", "full", "sustained", "growing" -> {
                return args.size() < 2 ? misused() : measure(args);
            }
            case "soak" -> {
                return args.size() < 2 ? misused() : soak(args);
            }
            case "recovery" -> {
                RecoverySpeed.main(args.subList(1, args.size()).toArray(String[]::new));
                return 0;
            }
            case "replicated" -> {
                if (args.size() < 3) {
                    return misused();
                }
                Replicated.main(args.subList(1, args.size()));
                return 0;
            }
            case "stripes" -> {
                if (args.size() < 4) {
                    return misused();
                }
                StripeSpeed.main(args.subList(1, args.size()));
                return 0;
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
        System.err.println(
                "usage: benchmarks/run quick|full|sustained|growing DIR [--only NAME,…] [--cells 1x100,…] [--rounds N]"
                        + " [--seconds N] | publish RESULTS.json"
                        + " | soak DIR [MINUTES] | recovery DIR | replicated DIR [ROUNDS [SECONDS]] | micro [JMH ARGUMENTS]");
        return 2;
    }

    private static int measure(List<String> args) throws Exception {
        if (Fio.version().isEmpty()) {
            System.err.println("found no fio on the PATH: it measures what the disk can do (Debian: apt install fio)");
            return 1;
        }
        Plan plan = PlanOptions.apply(
                switch (args.get(0)) {
                    case "quick" -> Plan.quick();
                    case "full" -> Plan.full();
                    case "sustained" -> Plan.lasting(Regime.SUSTAINED);
                    default -> Plan.lasting(Regime.GROWING);
                },
                args.subList(2, args.size()));
        Path directory = Files.createDirectories(Path.of(args.get(1))).toAbsolutePath();
        long seed = Long.getLong("benchmarks.seed", System.nanoTime() & 0xffffff);
        System.err.println("seed " + seed + " (repeat with BENCHMARKS_OPTS=-Dbenchmarks.seed=" + seed + ")");
        List<String> line = new ArrayList<>(args);
        line.set(1, "DIR");
        CampaignResults results = new Campaign(plan, directory, seed, "benchmarks/run " + String.join(" ", line)).run();
        write(directory, results);
        return 0;
    }

    private static void write(Path directory, CampaignResults results) throws IOException {
        double[] others = results.measurements().stream()
                .mapToDouble(Measurement::othersShare)
                .toArray();
        if (others.length > 0 && SampleQuantiles.median(others) > MOST_OTHERS) {
            System.err.printf(
                    Locale.ROOT,
                    "NOT VALID: others had %.0f %% of the processors meanwhile (median); measure on a quiet machine%n",
                    100 * SampleQuantiles.median(others));
        }
        Path file = directory.resolve("results.json");
        JSON.writeValue(file.toFile(), results);
        Publisher.writeBeside(results, directory);
        System.err.println("wrote " + file + ", table.md, throughput.svg and latency.svg");
    }

    private static int soak(List<String> args) throws Exception {
        Path directory = Files.createDirectories(Path.of(args.get(1))).toAbsolutePath();
        double minutes = args.size() > 2 ? Double.parseDouble(args.get(2)) : 10;
        SoakResult result = new Soak(directory, minutes, "benchmarks/run soak DIR " + minutes).run();
        Path file = directory.resolve("soak.json");
        JSON.writeValue(file.toFile(), result);
        result.verdict().forEach(System.out::println);
        System.err.println("wrote " + file);
        return result.holds() ? 0 : 1;
    }

    private static int publish(Path file) throws IOException {
        Path root = Path.of(System.getProperty("benchmarks.root", "."));
        JsonNode results = JSON.readTree(file.toFile());
        if (results.has("recoveries")) {
            Publisher.publish(JSON.treeToValue(results, ReplicatedResults.class), root);
        } else {
            Publisher.publish(JSON.treeToValue(results, CampaignResults.class), root);
        }
        return 0;
    }
}
