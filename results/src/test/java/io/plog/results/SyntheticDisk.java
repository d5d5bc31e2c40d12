package io.plog.results;

import io.plog.log.storage.Force;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.FileKind;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleSource;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.TrialRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** Appends to directories whose times are known. */
public final class SyntheticDisk implements SampleSource {
    private static final int BLOCKS = 5;

    private final List<RunInfo.Target> targets = new ArrayList<>();
    private final Map<Integer, long[]> times = new LinkedHashMap<>();
    private final List<Integer> sizes;

    private SyntheticDisk(List<Integer> sizes) {
        this.sizes = sizes;
    }

    /**
     * {@code /mnt/one}: {@code write} and {@code fdatasync}, 512 B, every kind of file and neighbour, all with these times of write and
     * force together.
     */
    public static SyntheticDisk of(long... nanos) {
        return new SyntheticDisk(List.of(512)).directory("/mnt/one", nanos);
    }

    /** This many times from 1 µs in steps of 1 µs, in an order that has no trend. */
    public static long[] ramp(int count) {
        return LongStream.rangeClosed(1, count)
                .map(i -> 1000 * (1 + i * 389 % count))
                .toArray();
    }

    /** With such cells of another directory. */
    public SyntheticDisk directory(String path, long... nanos) {
        for (String file : List.of("initialised", "growing", "random")) {
            cell(path, "write", file, 1, "none", nanos);
            cell(path, "fdatasync", file, 1, "none", nanos);
        }
        cell(path, "fdatasync", "initialised", 8, "none", nanos);
        cell(path, "fdatasync", "initialised", 1, "log", nanos);
        return cell(path, "fdatasync", "initialised", 1, "reads", nanos);
    }

    /** None yet, of these sizes. */
    public static SyntheticDisk empty(Integer... sizes) {
        return new SyntheticDisk(List.of(sizes));
    }

    SyntheticDisk cell(String path, String force, String file, int appends, String neighbour, long... nanos) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put("device", "sda1");
        facts.put("disk", "sda");
        facts.put("model", "SSD");
        facts.put("rotational", "no");
        facts.put("writeCache", "write back");
        facts.put("fileSystem", "ext4");
        facts.put("freeBytes", "2147483648");
        facts.put("totalBytes", "1e400");
        facts.put("force=fdatasync", "written around the page cache");
        Map<String, String> dimensions = new LinkedHashMap<>();
        dimensions.put("file", file);
        dimensions.put("appends", Integer.toString(appends));
        dimensions.put("neighbour", neighbour);
        RunInfo.Target target = new RunInfo.Target(targets.size() + 1, path, force, facts, dimensions);
        targets.add(target);
        times.put(target.id(), nanos);
        return this;
    }

    @Override
    public RunInfo info() {
        return new RunInfo(
                "test",
                Instant.parse("2026-11-22T10:00:00Z"),
                "plog disk",
                new Directories(
                        targets.stream().map(RunInfo.Target::name).distinct().toList(),
                        List.of(Force.FDATASYNC),
                        sizes,
                        List.of(1),
                        List.of(FileKind.INITIALISED),
                        List.of(),
                        1,
                        1L << 30,
                        7),
                Map.of("cpu", "Z80", "cores", "2"),
                Map.of(),
                targets);
    }

    @Override
    public RunInfo.End end() {
        List<TrialRecord> records = new ArrayList<>();
        targets.stream()
                .filter(target -> !"none".equals(target.dimensions().get("neighbour")))
                .forEach(target -> records.add(new TrialRecord.NeighbourOperations(target.id(), 0, sizes.get(0), 77)));
        return new RunInfo.End(false, "", 1_000_000_000L, records);
    }

    @Override
    public List<SideEvents> events() {
        return List.of(SyntheticRun.quiet(SideEvents.CLIENT, List.of()));
    }

    /** Of the smallest size as given; others take no longer. */
    @Override
    public Samples samples(RunInfo.Target target, int payloadBytes) {
        long[] nanos = times.getOrDefault(target.id(), new long[0]);
        Samples samples = new Samples(nanos.length);
        long now = 0;
        for (int i = 0; i < nanos.length; i++) {
            boolean called =
                    target.force().equals("fdatasync") || target.force().equals("fsync");
            long force = called ? nanos[i] - nanos[i] / 2 : 0;
            samples.begin();
            samples.set(Column.BLOCK, i * (long) BLOCKS / nanos.length);
            samples.set(Column.INTENDED, now);
            samples.set(Column.SENT, now);
            samples.set(Column.WRITE, nanos[i] - force);
            samples.set(Column.FORCE, force);
            samples.set(Column.RESIDENCE, nanos[i]);
            samples.set(Column.END_TO_END, nanos[i]);
            samples.set(Column.BATCH_RECORDS, Long.parseLong(target.dimensions().getOrDefault("appends", "1")));
            now += nanos[i];
        }
        return samples;
    }
}
