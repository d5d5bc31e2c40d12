package io.plog.report.study;

import io.plog.measure.study.Bin;
import io.plog.report.results.Check;
import io.plog.report.results.Check.Severity;
import io.plog.report.results.Claim;
import io.plog.report.results.Claim.Verdict;
import io.plog.report.study.StudyResults.Capacity;
import io.plog.report.study.StudyResults.Comparison;
import io.plog.report.study.StudyResults.Control;
import io.plog.report.study.StudyResults.Deciles;
import io.plog.report.study.StudyResults.DensityBin;
import io.plog.report.study.StudyResults.Environment;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Inversion;
import io.plog.report.study.StudyResults.Latency;
import io.plog.report.study.StudyResults.Load;
import io.plog.report.study.StudyResults.Machine;
import io.plog.report.study.StudyResults.MachineLatency;
import io.plog.report.study.StudyResults.Part;
import io.plog.report.study.StudyResults.Peak;
import io.plog.report.study.StudyResults.Plan;
import io.plog.report.study.StudyResults.Point;
import io.plog.report.study.StudyResults.Row;
import io.plog.report.study.StudyResults.SizeShare;
import io.plog.report.study.StudyResults.Stretch;
import io.plog.report.study.StudyResults.Workload;
import io.plog.stats.LatencyDeciles;
import io.plog.stats.ServiceInversion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A whole study out of {@link QueueModel}: the same seed gives the same study. */
public final class SyntheticStudy {
    /** All designs. */
    public static final List<String> DESIGNS =
            List.of("dedicated", "inline", "inline, 4 loops", "threads=150", "threads=300", "threads-shared=300");

    private static final List<Double> LEVELS = List.of(0.2, 0.4, 0.6, 0.8, 0.9, 0.95);
    private static final int CONNECTIONS = 256;
    private static final int REQUESTS = 4000;
    private static final double EVERYTHING = 1;

    private final long seed;
    private final Map<String, Double> capacity = new LinkedHashMap<>();

    private SyntheticStudy(long seed) {
        this.seed = seed;
        DESIGNS.forEach(design -> capacity.put(design, model(design).capacity(CONNECTIONS, 20_000)));
    }

    /** The study of a seed. */
    public static StudyResults of(long seed) {
        return new SyntheticStudy(seed).study();
    }

    private double capacityOf(String design) {
        return Objects.requireNonNull(capacity.get(design));
    }

    private QueueModel model(String design) {
        return QueueModel.of(design, seed + design.hashCode());
    }

    private StudyResults study() {
        double slowest =
                capacity.values().stream().min(Comparator.naturalOrder()).orElseThrow();
        List<Double> rates = List.of((double) Math.round(slowest * 0.5), (double) Math.round(slowest * 0.9), (double)
                Math.round(slowest * 1.5));
        List<Load> loads = new ArrayList<>();
        for (String design : DESIGNS) {
            LEVELS.forEach(level -> loads.add(load(design, "relative", level, level * capacityOf(design))));
            rates.forEach(rate -> loads.add(load(design, "absolute", null, rate)));
        }
        List<SizeShare> mix = Arrays.stream(QueueModel.SIZES)
                .mapToObj(size -> new SizeShare(size, size, 1.0 / QueueModel.SIZES.length))
                .toList();
        List<Machine> machines = Stream.of(0.25, 0.5, 1.0).map(this::machine).toList();
        List<Capacity> capacities = new ArrayList<>();
        DESIGNS.forEach(design -> capacities.add(capacity(design, "mix", "", 1)));
        DESIGNS.forEach(design -> capacities.add(capacity(design, "1 kB", "", 1.4)));
        machines.forEach(machine -> DESIGNS.stream()
                .limit(2)
                .forEach(design ->
                        capacities.add(capacity(design, "mix", machine.label(), Math.pow(machine.processors(), 0.6)))));
        return new StudyResults(
                StudyResults.SCHEMA_VERSION,
                "study",
                "1.2.3-test",
                "2026-11-21T20:15:30Z",
                "",
                new Environment(
                        Map.of("cpu", "client processor", "kernel", "6.1"),
                        Map.of("cpu", "server processor", "jdk", "17.0.2"),
                        Map.of("fileSystem", "ext4", "model", "a disk")),
                new Plan(
                        "plog study --designs dedicated,inline --out /tmp/study --seed " + seed,
                        DESIGNS,
                        "fdatasync",
                        "poisson",
                        CONNECTIONS,
                        5,
                        mix,
                        LEVELS,
                        rates,
                        3,
                        12.5,
                        seed),
                capacities,
                loads,
                List.of(workload("update-heavy", 0.5), workload("read-heavy", 0.05), workload("read-only", 0)),
                machines,
                DESIGNS.stream()
                        .skip(1)
                        .map(design -> comparison(design, rates.get(1), loads))
                        .toList(),
                List.of(
                        claim(
                                "R1",
                                Verdict.HOLDS,
                                "Latency is dominated by blocking",
                                "inline takes longer than dedicated."),
                        claim("R2", Verdict.FAILS, "Capacity rises far less than latency falls", "Both rise here."),
                        claim(
                                "R3",
                                Verdict.UNDECIDED,
                                "Service inversion is 0.58 for old servers",
                                "The interval is wide."),
                        claim("R4", Verdict.NOT_TESTABLE, "The data set decides", "There is no data set here.")),
                List.of(
                        new Check("lag", true, Severity.INVALID, "requests were sent in time"),
                        new Check("steady", false, Severity.WARNING, "one cell was not steady"),
                        new Check("errors", true, Severity.INVALID, "no request failed")),
                DESIGNS.stream().map(this::control).toList());
    }

    /** In memory a design carries three times as much, in an order that its model has at a low load. */
    private Control control(String design) {
        double inMemory = 3 * capacityOf(design);
        return new Control(
                design,
                new Estimate(inMemory, 0.97 * inMemory, 1.03 * inMemory),
                new Estimate(1 / 3.0, 0.31, 0.36),
                load(design, "relative", 0.95, 0.2 * capacityOf(design)));
    }

    private Capacity capacity(String design, String sizes, String machine, double factor) {
        List<Double> trials = IntStream.range(0, 3)
                .mapToObj(trial -> factor
                        * QueueModel.of(design, seed + 31L * trial + machine.hashCode())
                                .capacity(CONNECTIONS, 9000))
                .toList();
        double mean = trials.stream().mapToDouble(t -> t).average().orElseThrow();
        double half = 0.02 * mean;
        double bytes = Arrays.stream(QueueModel.SIZES).average().orElseThrow() / 1e6;
        return new Capacity(
                design,
                sizes,
                machine,
                new Estimate(mean, mean - half, mean + half),
                new Estimate(mean * bytes, (mean - half) * bytes, (mean + half) * bytes),
                trials,
                31.5,
                model(design).run(5 * mean, 2000, 1).batches().length == 0
                        ? 1
                        : 2000.0 / model(design).run(5 * mean, 2000, 1).batches().length);
    }

    private Load load(String design, String kind, @Nullable Double level, double rate) {
        QueueModel.Run run = model(design).run(rate, REQUESTS, EVERYTHING);
        long[] nanos = Arrays.stream(run.latency())
                .mapToLong(us -> Math.round(us * 1000))
                .toArray();
        ServiceInversion inversion = ServiceInversion.of(run.sizes(), nanos, seed);
        LatencyDeciles deciles = LatencyDeciles.of(run.sizes(), nanos);
        double waiting = run.mean(run.waiting());
        double force = run.mean(run.force());
        boolean sustained = rate < capacityOf(design);
        return new Load(
                design,
                kind,
                level,
                rate,
                sustained ? rate * 0.998 : capacityOf(design),
                sustained,
                latency(run.latency()),
                latency(Arrays.stream(run.latency()).map(us -> us + 3).toArray()),
                2.5,
                sustained ? 0 : 0.02,
                sustained ? Map.of() : Map.of("timeout", 3L),
                new Inversion(
                        new Estimate(inversion.value(), inversion.low(), inversion.high()),
                        new Estimate(inversion.random(), inversion.randomLow(), inversion.randomHigh())),
                new Deciles(
                        deciles.series().stream()
                                .map(c -> new SizeShare((int) c.fromBytes(), (int) c.toBytes(), c.share()))
                                .toList(),
                        deciles.shares()),
                bins(run.batches()),
                bins(Arrays.stream(run.batches()).map(n -> 1 + n / 3).toArray()),
                List.of(
                        new Part("network and client", run.mean(run.latency()) - waiting - force),
                        new Part("waiting", waiting * 0.8),
                        new Part("batch wait", waiting * 0.2),
                        new Part("write", force * 0.1),
                        new Part("force", force * 0.9)),
                20 + 900 / Math.sqrt(rate),
                ecdf(run.latency()),
                new Estimate(1 + rate / 1e4, 1 + rate / 2e4, 2 + rate / 1e4));
    }

    static Latency latency(double[] micros) {
        double[] sorted = micros.clone();
        Arrays.sort(sorted);
        double mean = Arrays.stream(sorted).average().orElse(0);
        double error = 2
                * Math.sqrt(Arrays.stream(sorted)
                        .map(us -> (us - mean) * (us - mean))
                        .sum())
                / sorted.length;
        return new Latency(
                sorted.length,
                new Estimate(mean, Math.max(mean / 3, mean - 3 * error), mean + 3 * error),
                at(sorted, 0.05),
                new Estimate(at(sorted, 0.5), at(sorted, 0.48), at(sorted, 0.52)),
                at(sorted, 0.9),
                new Estimate(at(sorted, 0.95), at(sorted, 0.94), at(sorted, 0.96)),
                at(sorted, 0.99),
                at(sorted, 0.999),
                sorted[0],
                sorted[sorted.length - 1]);
    }

    private static double at(double[] sorted, double q) {
        return sorted[(int) Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)];
    }

    static List<Point> ecdf(double[] micros) {
        double[] sorted = micros.clone();
        Arrays.sort(sorted);
        return IntStream.rangeClosed(1, 200)
                .mapToObj(i -> new Point(sorted[i * sorted.length / 200 - 1], i / 200.0))
                .toList();
    }

    private static List<Bin> bins(int[] values) {
        Map<Integer, Long> counts = new TreeMap<>();
        Arrays.stream(values).forEach(n -> counts.merge(n, 1L, Long::sum));
        return counts.entrySet().stream()
                .map(entry -> new Bin(entry.getKey(), entry.getKey(), entry.getValue()))
                .toList();
    }

    private Workload workload(String name, double loggedShare) {
        double rate = 0.6 * capacityOf("dedicated");
        QueueModel.Run run = model("dedicated").run(rate, REQUESTS, loggedShare);
        double[] service = Arrays.stream(run.force()).map(us -> us + 18).toArray();
        double[] network = IntStream.range(0, REQUESTS)
                .mapToDouble(i -> run.latency()[i] - run.waiting()[i] - run.force()[i])
                .toArray();
        double mean = run.mean(run.latency());
        return new Workload(
                name,
                "dedicated",
                loggedShare,
                rate,
                List.of(
                        row("latency", run.latency(), mean),
                        row("waiting", run.waiting(), mean),
                        row("service", service, mean),
                        row("network", network, mean)),
                List.of("The longest request of " + name + " stood behind a slow force."),
                45.5);
    }

    private static Row row(String component, double[] micros, double meanLatency) {
        double[] edges = IntStream.rangeClosed(0, 120)
                .mapToDouble(i -> Math.pow(10, 0.5 + i / 30.0))
                .toArray();
        List<DensityBin> bins = new ArrayList<>();
        for (int i = 0; i + 1 < edges.length; i++) {
            double from = edges[i];
            double to = edges[i + 1];
            long in = Arrays.stream(micros).filter(us -> us >= from && us < to).count();
            if (in > 0) {
                bins.add(new DensityBin(from, to, (double) in / micros.length));
            }
        }
        List<Peak> peaks = bins.stream()
                .max(Comparator.comparingDouble(DensityBin::share))
                .map(bin -> List.of(new Peak(Math.sqrt(bin.fromMicros() * bin.toMicros()), bin.share())))
                .orElse(List.of());
        return new Row(
                component,
                latency(micros),
                Arrays.stream(micros).average().orElse(0) / meanLatency,
                peaks,
                ecdf(micros),
                bins,
                new Estimate(0.3, 0.25, 0.35),
                List.of(new Estimate(2, 1.9, 2.1), new Estimate(3, 2.5, 4.0), new Estimate(5, 4.0, null)),
                new Estimate(component.equals("latency") ? 1 : 1 / 3.0, 0.2, 1.1),
                IntStream.range(0, 100)
                        .mapToObj(i -> new Stretch(0.125 * i, micros[i], Math.max(micros[i], micros[100 + i])))
                        .toList());
    }

    private Machine machine(double processors) {
        List<MachineLatency> latencies = new ArrayList<>();
        for (String design : DESIGNS.subList(0, 2)) {
            for (double level : List.of(0.2, 0.6, 0.95)) {
                double mean = latency(model(design)
                                        .run(level * capacityOf(design), 2000, 1)
                                        .latency())
                                .mean()
                                .value()
                        / Math.pow(processors, 0.3);
                latencies.add(new MachineLatency(design, level, new Estimate(mean, mean * 0.9, mean * 1.1)));
            }
        }
        return new Machine(Math.round(100 * processors) + " % of one processor", processors, latencies);
    }

    private static Comparison comparison(String design, double rate, List<Load> loads) {
        Latency own = at(design, rate, loads);
        Latency dedicated = at("dedicated", rate, loads);
        double mean = own.mean().value() / dedicated.mean().value();
        double median = own.p50().value() / dedicated.p50().value();
        boolean inline = design.equals("inline");
        return new Comparison(
                design,
                rate,
                new Estimate(mean, mean * 0.8, mean * 1.25),
                new Estimate(median, median * 0.9, median * 1.1),
                inline ? "Old Flash by New-Flash" : "",
                inline ? 12.2 : null,
                inline ? 47.6 : null,
                design + " takes " + StudyNumbers.times(mean) + " as long as dedicated.");
    }

    private static Latency at(String design, double rate, List<Load> loads) {
        return loads.stream()
                .filter(load -> load.kind().equals("absolute")
                        && load.design().equals(design)
                        && load.offeredPerSecond() == rate)
                .findFirst()
                .orElseThrow()
                .latency();
    }

    private static Claim claim(String id, Verdict verdict, String text, String detail) {
        return new Claim(id, null, "Ruan and Pai", text, "no figure", "", verdict, true, "", detail, null, "");
    }
}
