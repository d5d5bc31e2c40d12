package io.plog.app;

import io.plog.client.cli.Interrupts;
import io.plog.client.load.drive.ArrivalTimes;
import io.plog.client.load.drive.Mix;
import io.plog.client.report.Report;
import io.plog.client.report.study.StudyReport;
import io.plog.client.study.StudyFile;
import io.plog.client.study.StudyMerge;
import io.plog.client.study.StudyPlan;
import io.plog.client.study.StudyResults;
import io.plog.client.study.StudyText;
import io.plog.log.Force;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code plog study}: where latency comes from, by design and load, with a fresh server for each cell. */
@Command(
        name = "study",
        mixinStandardHelpOptions = true,
        description = {
            "Loads servers that wait for the force of their log in different places, and shows what each costs: capacity,"
                    + " latency against load, fairness, bursts, components.",
            "Each cell gets a server of its own, in a process of its own, on loopback."
        },
        exitCodeListHeading = "Exit codes:%n",
        exitCodeList = {
            "0:measured as planned",
            "1:failed, or ended early, or a cell failed: what was measured is written, marked as partial",
            "2:misused",
            "5:measured, but the study is not valid; the text says why"
        })
@SuppressWarnings("NullAway.Init") // picocli sets the fields
final class StudyCommand implements Callable<Integer> {
    private static final int NOT_VALID = 5;
    private static final int REQUESTS_ON_EACH = 5;

    @Option(
            names = "--designs",
            paramLabel = "LIST",
            split = ",",
            description = "Server designs, as plog server --design takes them; default"
                    + " dedicated,inline,threads=150,threads=300,threads-shared=150.")
    private @Nullable List<String> designs;

    @Option(
            names = "--event-loops",
            paramLabel = "LIST",
            split = ",",
            description = "Numbers of event loops of dedicated and inline; default 1, with --full 1,4.")
    private @Nullable List<Integer> eventLoops;

    @Option(
            names = "--force",
            paramLabel = "MODE",
            defaultValue = "fdatasync",
            description = "Way of forcing (${DEFAULT-VALUE}).")
    private String force;

    @Option(
            names = "--dir",
            paramLabel = "DIR",
            description =
                    "A directory on the disk to measure; each log gets a fresh one inside. Default: within --out.")
    private @Nullable Path dir;

    @Option(
            names = "--mix",
            paramLabel = "MIX",
            defaultValue = Mix.STUDY,
            description = "Sizes with weights, as 100=25,1k=75, or study (${DEFAULT-VALUE}).")
    private String mix;

    @Option(
            names = "--loads",
            paramLabel = "LIST",
            split = ",",
            description =
                    "Shares of each design's own capacity; default 0.5,0.95, with --full 0.2,0.4,0.6,0.8,0.9,0.95.")
    private @Nullable List<Double> loads;

    @Option(
            names = "--rates",
            paramLabel = "LIST",
            split = ",",
            description =
                    "Requests a second for all designs alike; default 0.5 and 0.9 of the slowest design's capacity.")
    private @Nullable List<Double> rates;

    @Option(
            names = "--connections",
            paramLabel = "N",
            description =
                    "At once; a design with fewer threads gets as many as it has threads. Default 300, with --full 1020.")
    private @Nullable Integer connections;

    @Option(
            names = "--requests-per-connection",
            paramLabel = "R",
            description =
                    "When a load makes a connection anew (partly open, default 5 as in the study); 0 for never (open).")
    private @Nullable Integer requestsPerConnection;

    @Option(
            names = "--arrivals",
            paramLabel = "WORD",
            defaultValue = "poisson",
            description = "poisson or constant (${DEFAULT-VALUE}).")
    private String arrivals;

    @Option(
            names = "--seconds",
            paramLabel = "S",
            description = "How long each cell counts; default 2, with --full 10.")
    private @Nullable Double seconds;

    @Option(names = "--trials", paramLabel = "N", description = "Repetitions of each cell; default 1, with --full 5.")
    private @Nullable Integer trials;

    @Option(
            names = "--processors",
            paramLabel = "LIST",
            split = ",",
            description = "Also limits each server to so many processors' worth of time, step by step, as 0.5,1,2"
                    + " (control groups; takes root).")
    private @Nullable List<Double> processors;

    @Option(
            names = "--full",
            description = "The study's loads and connections, single sizes, more trials, longer; takes hours.")
    private boolean full;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "Decides order, arrivals, sizes and payloads; default random.")
    private @Nullable Long seed;

    @Option(
            names = "--dry-run",
            description = "Says what it would do, how long that takes and what it writes, and does not.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print study.json instead of text.")
    private boolean json;

    @Option(names = "--out", paramLabel = "DIR", description = "Where the results go: a new or empty directory.")
    private @Nullable Path out;

    @Option(
            names = "--merge",
            paramLabel = "DIR",
            arity = "2..*",
            description =
                    "Lay studies of several machines side by side instead of measuring; LABEL=DIR names a machine.")
    private @Nullable List<String> merge;

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (merge != null) {
            return merge(merge);
        }
        StudyPlan plan = plan();
        if (dryRun) {
            Path disk =
                    dir != null ? checked(dir) : Path.of(".").toAbsolutePath().normalize();
            print(StudyDefaults.text(plan, disk));
            return 0;
        }
        if (out == null) {
            throw new IllegalArgumentException(
                    "--out DIR is missing: expected a new or empty directory for the results");
        }
        checkLimits(plan);
        Path parent = dir == null ? null : checked(dir);
        Path results = newDirectory(out);
        Path logs = parent == null
                ? Files.createDirectories(results.resolve("log"))
                : Files.createTempDirectory(parent, "plog-study-");
        try {
            checkSpace(plan, logs, Files.getFileStore(logs).getUsableSpace());
            return measure(plan, results, logs);
        } finally {
            Files.deleteIfExists(logs);
        }
    }

    private int measure(StudyPlan plan, Path results, Path logs) throws IOException, InterruptedException {
        say(StudyDefaults.text(plan, logs).stripTrailing());
        StudyRun run = new StudyRun(plan, results, logs, this::say);
        Interrupts.onFirst(run::stop);
        StudyResults found = run.run();
        StudyReport.render(found, results);
        print(json ? StudyFile.json(found) : StudyText.of(found));
        say("results: " + results.resolve(StudyFile.NAME) + ", report: " + results.resolve(Report.HTML_FILE));
        return exitCode(found);
    }

    private StudyPlan plan() {
        StudyDefaults defaults = full ? StudyDefaults.FULL : StudyDefaults.SHORT;
        long drawn = seed != null ? seed : new SecureRandom().nextInt(Integer.MAX_VALUE);
        List<String> named = designs != null ? designs : StudyDefaults.DESIGNS;
        List<Integer> loops = eventLoops != null ? eventLoops : defaults.eventLoops();
        double counted = seconds != null ? seconds : defaults.duration().toMillis() / 1e3;
        if (!(counted >= 0.1) || counted > 3600) {
            throw new IllegalArgumentException("--seconds is " + counted + ": expected 0.1 to 3600");
        }
        Duration duration = Duration.ofMillis(Math.round(counted * 1e3));
        Duration warmUp = duration.compareTo(defaults.warmUp()) < 0 ? duration : defaults.warmUp();
        Force way = Force.ofLabel(force);
        if (way == Force.OFF) {
            throw new IllegalArgumentException("--force is off: a study is about the force, expected another way");
        }
        return new StudyPlan(
                command(drawn),
                StudyDefaults.designs(named, loops),
                way.label(),
                Mix.parse(mix),
                connections != null ? connections : defaults.connections(),
                requestsPerConnection != null ? requestsPerConnection : REQUESTS_ON_EACH,
                ArrivalTimes.Kind.of(arrivals),
                loads != null ? loads : defaults.relativeLoads(),
                rates != null ? rates : List.of(),
                trials != null ? trials : defaults.trials(),
                warmUp,
                duration,
                defaults.singleSizesBytes(),
                full,
                processors != null ? processors : List.of(),
                drawn);
    }

    /** As it was typed, with the seed. */
    private String command(long drawn) {
        String typed = spec.commandLine().getParseResult().originalArgs().stream()
                .filter(word -> !word.equals("--dry-run"))
                .collect(Collectors.joining(" "));
        String begin = typed.startsWith("study") ? "plog " + typed : "plog study " + typed;
        return seed != null ? begin : begin.stripTrailing() + " --seed " + drawn;
    }

    private int merge(List<String> studies) throws IOException {
        Map<String, StudyResults> all = new LinkedHashMap<>();
        for (String each : studies) {
            int equals = each.indexOf('=');
            Path directory = Path.of(equals < 0 ? each : each.substring(equals + 1));
            StudyResults study = StudyFile.read(directory);
            String label = equals > 0 ? each.substring(0, equals) : label(directory, study);
            if (all.put(label, study) != null) {
                throw new IllegalArgumentException(
                        "--merge has two machines called '" + label + "': name them, as fast=DIR slow=DIR");
            }
        }
        StudyResults merged = StudyMerge.of(all);
        if (out != null) {
            StudyReport.write(merged, newDirectory(out));
        }
        print(json ? StudyFile.json(merged) : StudyText.of(merged));
        return exitCode(merged);
    }

    private static String label(Path directory, StudyResults study) {
        return directory + ": " + study.environment().server().getOrDefault("cpu", "unknown") + ", "
                + study.environment().server().getOrDefault("cores", "?") + " cores";
    }

    private void checkLimits(StudyPlan plan) throws IOException {
        if (!plan.processors().isEmpty()) {
            CpuGroup.make(plan.processors().get(0)).close();
        }
    }

    /** Refuses a study whose log has no room, before anything starts. */
    static void checkSpace(StudyPlan plan, Path logs, long freeBytes) throws IOException {
        long needed = StudyServer.spaceBytes(plan);
        if (freeBytes < needed) {
            throw new IOException(
                    "the log of a cell needs up to " + (needed >> 20) + " MiB, but " + logs.getParent() + " has "
                            + (freeBytes >> 20) + " free; name another place with --dir, or a --mix of smaller sizes");
        }
    }

    private static Path checked(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        if (!Files.isDirectory(absolute)) {
            throw new IOException("--dir " + directory
                    + (Files.exists(absolute) ? " is not a directory" : " does not exist")
                    + ": expected a directory on the disk to measure");
        }
        return absolute;
    }

    private static Path newDirectory(Path directory) throws IOException {
        Path absolute = directory.toAbsolutePath().normalize();
        if (Files.exists(absolute) && !Files.isDirectory(absolute)) {
            throw new IOException("--out " + directory + " is a file, expected a directory");
        }
        Files.createDirectories(absolute);
        try (Stream<Path> files = Files.list(absolute)) {
            if (files.findAny().isPresent()) {
                throw new IOException("--out " + directory + " is not empty; name a directory that is new or empty");
            }
        }
        return absolute;
    }

    private int exitCode(StudyResults results) {
        if (!results.partialReason().isEmpty()) {
            say("plog study: the study is partial: " + results.partialReason());
            return Failures.FAILED;
        }
        for (StudyResults.Check check : results.validity()) {
            if (check.level().equals("invalid")) {
                say("plog study: the study is not valid: " + check.detail());
                return NOT_VALID;
            }
        }
        return 0;
    }

    private void print(String text) {
        PrintWriter stdout = spec.commandLine().getOut();
        stdout.print(text);
        stdout.flush();
    }

    private void say(String line) {
        spec.commandLine().getErr().println(line);
        spec.commandLine().getErr().flush();
    }
}
