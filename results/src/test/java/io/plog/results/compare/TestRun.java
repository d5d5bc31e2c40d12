package io.plog.results.compare;

import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Loop;
import io.plog.measure.plan.Mix;
import io.plog.measure.plan.Plan;
import io.plog.measure.plan.Warmup;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.SampleSource;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import io.plog.results.Analysis;
import io.plog.results.Fields;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SplittableRandom;

/**
 * A run that never happened, with log-normal latencies: 100 µs to log at scale 1, a tail, and blocks that differ as those of a real
 * run do. The same seed gives the same samples, and the blocks of all targets of a run share their good and bad luck.
 */
public final class TestRun implements SampleSource {
    private static final int ITERATIONS_OF_A_LOAD = 20;

    private final RunInfo info;
    private final Map<String, Double> scales = new LinkedHashMap<>();
    private final long seed;
    private double luck = 0.03;
    private double tail = 1;
    private int failures;
    private OptionalLong began = OptionalLong.empty();

    private TestRun(RunInfo info, long seed) {
        this.info = info;
        this.seed = seed;
        info.plan().targets().forEach(name -> scales.put(name, 1.0));
    }

    /** With targets main (fdatasync) and off, sizes 100 and 1000, {@code iterations} in 10 blocks of one trial. */
    public static TestRun of(int iterations, long seed) {
        return new TestRun(
                new RunInfo(
                        "0.1.0",
                        Instant.parse("2026-11-20T14:00:00Z"),
                        "plog measure --seed 7",
                        new Grid(
                                "",
                                List.of(),
                                List.of(),
                                List.of(100, 1000),
                                List.of("main", "off"),
                                iterations,
                                1,
                                Warmup.exactly(0),
                                10,
                                1,
                                0,
                                7),
                        Map.of("cpu", "a fast one", "network", "loopback"),
                        Map.of("cpu", "a fast one", "host", "here"),
                        List.of(target(1, "main", "fdatasync"), target(2, "off", "off"))),
                seed);
    }

    public static RunInfo.Target target(int id, String name, String force) {
        return new RunInfo.Target(
                id,
                name,
                force,
                Map.of(
                        "fileSystem",
                        "ext4",
                        "writeCache",
                        "write through",
                        "service",
                        "invert",
                        "path",
                        "/srv/" + name));
    }

    /** The same samples under another description; fields are named as in {@link Fields#changed}. */
    public TestRun with(Object... namesAndValues) {
        TestRun other = new TestRun(Fields.changed(info, namesAndValues), seed);
        other.scales.putAll(scales);
        other.tail = tail;
        other.luck = luck;
        other.failures = failures;
        other.began = began;
        return other;
    }

    public TestRun plan(Object... namesAndValues) {
        return with("plan", Fields.changed((Record) info.plan(), namesAndValues));
    }

    public TestRun targets(List<RunInfo.Target> targets) {
        return plan("targets", targets.stream().map(RunInfo.Target::name).toList())
                .with("targets", targets);
    }

    public TestRun startedAt(String time) {
        return with("startedAt", time);
    }

    /** Began at this time of the server's clock. */
    public TestRun beganAtNanos(long nanos) {
        began = OptionalLong.of(nanos);
        return this;
    }

    /** As a load of so many connections, with its own seed. */
    public TestRun load(int connections, double ratePerSecond, long loadSeed) {
        Load load = Load.on("", "main")
                .loop(new Loop.Open(connections, ratePerSecond, Arrivals.CONSTANT))
                .mix(Mix.parse("100=1,1k=1"))
                .warmUp(Duration.ZERO)
                .duration(Duration.ofSeconds(1))
                .seed(loadSeed);
        return with("plan", load);
    }

    /** Another number of trials; each has its own luck. */
    public TestRun trials(int trials) {
        return plan("trials", trials);
    }

    /** Every latency of a target by this factor. */
    public TestRun slower(String target, double factor) {
        scales.put(target, factor);
        return this;
    }

    /** How much blocks differ; 0.03 unless said. */
    public TestRun luck(double sd) {
        luck = sd;
        return this;
    }

    /** Every fiftieth latency by this factor. */
    public TestRun tail(double factor) {
        tail = factor;
        return this;
    }

    /** The first requests of each cell are refused. */
    public TestRun failing(int requests) {
        failures = requests;
        return this;
    }

    @Override
    public RunInfo info() {
        return info;
    }

    @Override
    public RunInfo.End end() {
        return new RunInfo.End(false, "", 1_000_000_000);
    }

    @Override
    public Samples samples(RunInfo.Target target, int payloadBytes) {
        return samples(target.name(), payloadBytes);
    }

    public Samples samples(String target, int payloadBytes) {
        Plan plan = info.plan();
        if (!scales.containsKey(target) || !plan.sizesBytes().contains(payloadBytes)) {
            return new Samples(0);
        }
        SplittableRandom random = new SplittableRandom(seed * 31 + target.hashCode() * 17L + payloadBytes);
        SplittableRandom ofBlocks = new SplittableRandom(seed * 31 + payloadBytes);
        double scale = scales.get(target);
        boolean logged = !target.equals("off");
        int blocks = plan.blocks() * plan.trials();
        long iterations = plan instanceof Grid grid ? grid.iterations() : ITERATIONS_OF_A_LOAD;
        Samples samples = new Samples((int) iterations);
        double ofBlock = 1;
        long block = -1;
        for (int i = 0; i < iterations; i++) {
            long now = i * (long) blocks / iterations;
            if (now != block) {
                block = now;
                ofBlock = Math.exp(luck * ofBlocks.nextGaussian());
            }
            double slow = i % 50 == 49 ? 4 * tail : 1;
            long force =
                    logged ? Math.round(100_000 * scale * slow * ofBlock * Math.exp(0.2 * random.nextGaussian())) : 0;
            long rest = Math.round(20_000 * scale * ofBlock * Math.exp(0.1 * random.nextGaussian()));
            samples.begin();
            samples.set(Column.TRIAL, block / plan.blocks());
            samples.set(Column.BLOCK, block % plan.blocks());
            samples.set(Column.STATUS, i < failures ? 2 : 0);
            samples.set(Column.SENT, i * 200_000L);
            samples.set(Column.INTENDED, i * 200_000L);
            samples.set(Column.FORCE, force);
            samples.set(Column.RESIDENCE, force + rest / 2);
            samples.set(Column.END_TO_END, force + rest);
            samples.set(Column.LOG_INDEX, logged ? i + 1 : 0);
            samples.set(Column.BATCH_RECORDS, logged ? 1 : 0);
        }
        return samples;
    }

    /** As a results directory with its samples only. */
    public Path write(Path directory) throws IOException {
        Files.createDirectories(directory);
        try (SampleFileWriter writer = SampleFileWriter.create(directory.resolve(SampleFileWriter.FILE_NAME), info)) {
            for (RunInfo.Target target : info.targets()) {
                for (int size : info.plan().sizesBytes()) {
                    writer.append(new CellKey(target.id(), size), samples(target.name(), size));
                }
            }
            if (began.isPresent()) {
                Map<String, String> facts = Map.of(SideEvents.BEGAN_AT_NANOS, Long.toString(began.getAsLong()));
                writer.append(new SideEvents(0, SideEvents.SERVER, facts, 31_000, List.of(), List.of(), List.of()));
            }
            writer.end(end());
        }
        return directory;
    }

    /** As one side of an assessment. */
    Assessor.Input input(String path) throws IOException {
        return new Assessor.Input(path, this, Analysis.results(this));
    }
}
