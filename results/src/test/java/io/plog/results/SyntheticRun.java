package io.plog.results;

import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Warmup;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleSource;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.SideUsage;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * A run that never happened, with latencies like real ones: log-normal around what a solid-state disk takes, growing with
 * the size, with a tail and a few requests that take milliseconds. The same seed gives the same samples.
 */
public final class SyntheticRun implements SampleSource {
    static final List<Integer> SIZES = List.of(100, 1000, 10_000, 50_000, 100_000);

    private static final int BLOCKS = 10;

    private final RunInfo info;
    private final RunInfo.End end;

    private SyntheticRun(RunInfo info, RunInfo.End end) {
        this.info = info;
        this.end = end;
    }

    public static SyntheticRun of(int iterations, long seed) {
        return of(iterations, seed, List.of("fdatasync", "write", "off"), SIZES);
    }

    public static SyntheticRun of(int iterations, long seed, List<String> targets, List<Integer> sizes) {
        return new SyntheticRun(
                new RunInfo(
                        "0.1.0",
                        Instant.parse("2026-11-20T14:00:00Z"),
                        "plog demo --iterations " + iterations + " --seed " + seed,
                        new Grid(
                                "",
                                List.of(),
                                List.of(),
                                sizes,
                                targets,
                                iterations,
                                1,
                                Warmup.exactly(50),
                                BLOCKS,
                                1,
                                0,
                                seed),
                        clientFacts(),
                        serverFacts(),
                        targets.stream()
                                .map(name -> target(targets.indexOf(name) + 1, name))
                                .toList()),
                new RunInfo.End(false, "", 1_000_000_000L));
    }

    /** What was to be measured. */
    public Grid grid() {
        return (Grid) info.plan();
    }

    SyntheticRun with(RunInfo other) {
        return new SyntheticRun(other, end);
    }

    public SyntheticRun ending(RunInfo.End other) {
        return new SyntheticRun(info, other);
    }

    /** The same with other facts about each logged target's directory and another client. */
    public SyntheticRun on(Map<String, String> disk, String network) {
        List<RunInfo.Target> targets = info.targets().stream()
                .map(t -> t.force().equals("off") ? t : new RunInfo.Target(t.id(), t.name(), t.force(), disk))
                .toList();
        return with(Fields.changed(info, "client", Map.of("network", network), "targets", targets));
    }

    /** The same with another fact about the client. */
    public SyntheticRun withClientFact(String name, String value) {
        Map<String, String> client = new LinkedHashMap<>(info.client());
        client.put(name, value);
        return with(Fields.changed(info, "client", client));
    }

    /** What a number of a sample becomes; samples of a cell are counted from 0. */
    public interface Change {
        long of(RunInfo.Target target, int sample, Column column, long value);
    }

    /** The same samples with other numbers in them, and without what either side recorded of itself. */
    public SampleSource changed(Change change) {
        return new SampleSource() {
            @Override
            public RunInfo info() {
                return info;
            }

            @Override
            public RunInfo.End end() {
                return end;
            }

            @Override
            public Samples samples(RunInfo.Target target, int payloadBytes) {
                Samples samples = SyntheticRun.this.samples(target, payloadBytes);
                Samples changed = new Samples((int) samples.count());
                for (int i = 0; i < samples.count(); i++) {
                    changed.begin();
                    for (Column each : Column.values()) {
                        changed.set(each, change.of(target, i, each, samples.get(each, i)));
                    }
                }
                return changed;
            }
        };
    }

    private static RunInfo.Target target(int id, String name) {
        return new RunInfo.Target(id, name, name, name.equals("off") ? Map.of() : diskFacts("ext4", "no"));
    }

    public static Map<String, String> diskFacts(String fileSystem, String rotational) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("path", "/srv/plog/log-<a>&b");
        facts.put("fileSystem", fileSystem);
        facts.put("mountOptions", "rw,relatime,discard");
        facts.put("device", "nvme0n1");
        facts.put("model", "FAST DISK 1TB");
        facts.put("rotational", rotational);
        facts.put("writeCache", "write back");
        return facts;
    }

    private static Map<String, String> serverFacts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("kernel", "Linux 6.12.0-amd64");
        facts.put("cpu", "a processor with </script> in its name, 8 cores");
        facts.put("jdk", "17.0.15+6");
        facts.put("jvmFlags", "-XX:+UseSerialGC -Xmx512m");
        facts.put("transport", "epoll");
        return facts;
    }

    private static Map<String, String> clientFacts() {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("network", "loopback");
        facts.put("clockStepNanos", "25");
        return facts;
    }

    /** Nothing disturbed either side. */
    @Override
    public List<SideEvents> events() {
        return List.of(
                quiet(SideEvents.CLIENT, List.of()),
                quiet(SideEvents.SERVER, List.of(new SideUsage.Disk("nvme0n1", 0, 1000, 10))));
    }

    static SideEvents quiet(String side, List<SideUsage.Disk> disks) {
        SideUsage usage = new SideUsage(60, 8, 1, 0.3, 0, 9L << 30, 16L << 30, 80_000, 400_000, 25, 0, 0, 0, disks);
        return new SideEvents(0, side, Map.of("events", "recorded"), 0, List.of(), List.of(usage), List.of());
    }

    @Override
    public RunInfo info() {
        return info;
    }

    @Override
    public RunInfo.End end() {
        return end;
    }

    @Override
    public Samples samples(RunInfo.Target target, int payloadBytes) {
        return samples(target.name(), payloadBytes);
    }

    public Samples samples(String target, int payloadBytes) {
        SplittableRandom random = new SplittableRandom(info.plan().seed() + target.hashCode() * 31L + payloadBytes);
        long count = grid().warmup().requests() + grid().iterations();
        Samples samples = new Samples((int) count);
        String force = info.targets().stream()
                .filter(t -> t.name().equals(target))
                .findFirst()
                .orElseThrow()
                .force();
        long now = random.nextLong(1_000_000);
        for (int i = 0; i < count; i++) {
            now += sample(samples, random, force, payloadBytes, now, i);
        }
        return samples;
    }

    private long sample(Samples samples, SplittableRandom random, String force, int bytes, long now, int i) {
        boolean logged = !force.equals("off");
        boolean forced = logged && !force.equals("write");
        long warmup = grid().warmup().requests();
        int counted = (int) Math.max(0, i - warmup);
        long write = logged ? around(random, 4_000 + bytes * 0.25, 0.15) : 0;
        long sync = forced ? around(random, 85_000 + bytes * 0.9, 0.12) + slow(random) : 0;
        long waiting = logged ? around(random, 3_000, 0.3) : 0;
        long batchWait = logged ? around(random, 200, 0.2) : 0;
        long execution = around(random, 300 + bytes * 0.03, 0.2);
        long rest = around(random, 9_000 + bytes * 0.05, 0.25);
        long residence = waiting + batchWait + write + sync + rest + (logged ? 0 : execution);
        long network = around(random, 32_000 + bytes * 0.6, 0.18) + (random.nextInt(3000) == 0 ? 900_000 : 0);
        samples.begin();
        samples.set(Column.TRIAL, 0);
        samples.set(Column.BLOCK, counted * (long) BLOCKS / Math.max(1, grid().iterations()));
        samples.set(Column.PHASE, i < warmup ? 1 : 0);
        samples.set(Column.INTENDED, now);
        samples.set(Column.SENT, now);
        samples.set(Column.END_TO_END, residence + network);
        samples.set(Column.LOG_INDEX, logged ? i + 1 : 0);
        samples.set(Column.WAITING, waiting);
        samples.set(Column.BATCH_WAIT, batchWait);
        samples.set(Column.WRITE, write);
        samples.set(Column.FORCE, sync);
        samples.set(Column.EXECUTION, execution);
        samples.set(Column.RESIDENCE, residence);
        samples.set(Column.BATCH_RECORDS, logged ? 1 : 0);
        return residence + network;
    }

    /** Now and then the device is busy with something of its own. */
    private static long slow(SplittableRandom random) {
        return switch (random.nextInt(1000)) {
            case 0 -> 2_000_000L + random.nextLong(9_000_000);
            case 1, 2, 3, 4, 5, 6, 7, 8 -> random.nextLong(600_000);
            default -> 0;
        };
    }

    private static long around(SplittableRandom random, double median, double spread) {
        return Math.round(median * Math.exp(spread * random.nextGaussian()));
    }
}
