package io.plog.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.result.CampaignResults;
import io.plog.benchmarks.result.CampaignSummary;
import io.plog.benchmarks.result.Measurement;
import io.plog.benchmarks.result.Medians;
import io.plog.benchmarks.result.SoakResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** The program behind {@code benchmarks/run}. Exit codes: 0 done, 1 failed or a verdict that does not hold, 2 misused. */
public final class Benchmarks {
    static final ObjectMapper LINE = new ObjectMapper();
    static final ObjectWriter JSON = LINE.writerWithDefaultPrettyPrinter();

    /** A run in which others, and the kernel for the disk, had more of the processors than this, in the median, is worth nothing. */
    private static final double MOST_OTHERS = 0.15;

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
            case "sustained" -> {
                return args.size() < 2 ? misused() : measure(args);
            }
            case "soak" -> {
                return args.size() < 2 ? misused() : soak(args);
            }
            case "replicated" -> {
                if (args.size() < 3) {
                    return misused();
                }
                Replicated.main(args.subList(1, args.size()));
                return 0;
            }
            case "engine-storages" -> {
                if (args.size() != 2) {
                    return misused();
                }
                EngineStorages.run(Files.createDirectories(Path.of(args.get(1))));
                return 0;
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
                "usage: benchmarks/run sustained DIR [--only NAME,…] [--cells 1x1024,…] [--rounds N] [--seconds N]"
                        + " | soak DIR [MINUTES] | engine-storages DIR | replicated DIR [ROUNDS [SECONDS]]");
        return 2;
    }

    private static int measure(List<String> args) throws Exception {
        if (Fio.version().isEmpty()) {
            System.err.println("found no fio on the PATH: it measures what the disk can do (Debian: apt install fio)");
            return 1;
        }
        Plan plan = Plan.sustained();
        for (int i = 2; i < args.size(); i += 2) {
            if (i + 1 == args.size()) {
                throw new IllegalArgumentException(args.get(i) + " needs a value");
            }
            plan = plan.with(args.get(i), args.get(i + 1));
        }
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
        Double others = Medians.of(results.measurements(), Measurement::othersShare);
        if (others != null && others > MOST_OTHERS) {
            System.err.printf(
                    Locale.ROOT,
                    "NOT VALID: others had %.0f %% of the processors meanwhile (median); measure on a quiet machine%n",
                    100 * others);
        }
        Path file = directory.resolve("results.json");
        JSON.writeValue(file.toFile(), results);
        Files.writeString(
                directory.resolve("table.md"), CampaignSummary.of(results).markdown(results));
        System.err.println("wrote " + file + " and table.md");
    }

    private static int soak(List<String> args) throws Exception {
        Path directory = Files.createDirectories(Path.of(args.get(1))).toAbsolutePath();
        double minutes = args.size() > 2 ? Double.parseDouble(args.get(2)) : 10;
        SoakResult result = new Soak(directory, minutes).run();
        result.verdict().forEach(System.out::println);
        return result.holds() ? 0 : 1;
    }
}
