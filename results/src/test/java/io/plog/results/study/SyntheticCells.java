package io.plog.results.study;

import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.samples.Bin;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.study.CellOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Cells that were not measured, with known answers: a design's capacity, its latency as a factor of a base, its batches. Samples are
 * written to real files. The same seed gives the same.
 */
final class SyntheticCells {
    static final long FORCE_NANOS = 100_000;

    private static final long NANOS_PER_SECOND = 1_000_000_000;

    /** Of each cell of a study. */
    private static final int BLOCKS = 20;

    private final Path directory;
    private final Designs plan;
    private final SplittableRandom random;
    private List<SideEvents> events = List.of();
    private double idleShare = 0.6;
    private double stall = 1;
    private int written;

    SyntheticCells(Path directory, Designs plan, long seed) {
        this.directory = directory;
        this.plan = plan;
        random = new SplittableRandom(seed);
    }

    /** What client and server record of themselves in every cell from now on. */
    void recording(List<SideEvents> everywhere) {
        events = everywhere;
    }

    /** What the network takes without load, of the latency under load, of which it takes two thirds. */
    void idling(double share) {
        idleShare = share;
    }

    /** In the sixth of a cell's blocks each request takes so many times as long. */
    void stalling(double factor) {
        stall = factor;
    }

    /** How a server behaves. */
    record Behaviour(
            double perSecond,
            double latencyMicros,
            boolean ordersBySize,
            int batch,
            String claimedDesign,
            int status,
            double lagShare) {
        Behaviour(
                double perSecond,
                double latencyMicros,
                boolean ordersBySize,
                int batch,
                String claimedDesign,
                int status) {
            this(perSecond, latencyMicros, ordersBySize, batch, claimedDesign, status, 0);
        }

        Behaviour at(double otherPerSecond) {
            return new Behaviour(otherPerSecond, latencyMicros, ordersBySize, batch, claimedDesign, status, lagShare);
        }

        Behaviour claiming(String design) {
            return new Behaviour(perSecond, latencyMicros, ordersBySize, batch, design, status, lagShare);
        }

        Behaviour answering(int otherStatus) {
            return new Behaviour(perSecond, latencyMicros, ordersBySize, batch, claimedDesign, otherStatus, lagShare);
        }

        Behaviour taking(double otherMicros) {
            return new Behaviour(perSecond, otherMicros, ordersBySize, batch, claimedDesign, status, lagShare);
        }

        /** The client is late: one request in fifty by this share of the latency. */
        Behaviour lagging(double share) {
            return new Behaviour(perSecond, latencyMicros, ordersBySize, batch, claimedDesign, status, share);
        }
    }

    /** The outcome of a cell whose server behaves so; each request takes the latency, 20 % up or down at random. */
    CellOutcome outcome(StudyCell cell, Behaviour behaviour) throws IOException {
        Load load = plan.loadPlan(cell, 1, "study");
        RunInfo info = info(
                cell, load, behaviour.claimedDesign.isEmpty() ? cell.design().option() : behaviour.claimedDesign);
        Path file = Files.createDirectories(directory.resolve(Integer.toString(written++)))
                .resolve(SampleFileWriter.FILE_NAME);
        List<Integer> sizes = cell.mix().cellBytes();
        long gap = Math.round(NANOS_PER_SECOND / behaviour.perSecond);
        long count = load.span().durationNanos() / gap;
        try (SampleFileWriter writer = SampleFileWriter.create(file, info)) {
            for (int size : sizes) {
                Samples samples = new Samples(16);
                for (long i = 0; i < count; i++) {
                    if (sizes.get((int) (i % sizes.size())) == size) {
                        add(samples, cell, behaviour, load, i * gap, size, sizes.indexOf(size));
                    }
                }
                writer.append(new CellKey(1, size), samples);
            }
            for (SideEvents each : events) {
                writer.append(each);
            }
            writer.append(CellOutcome.records(
                    cell,
                    info.server(),
                    count * 25_000.0,
                    behaviour.latencyMicros * 1000 * idleShare,
                    List.of(new Bin(1, 1, 30), new Bin(2, 3, 10))));
            writer.end(new RunInfo.End(false, "", load.span().durationNanos()));
        }
        return CellOutcome.read(cell, load, file);
    }

    private void add(Samples samples, StudyCell cell, Behaviour behaviour, Load load, long at, int size, int rank) {
        double spread = 0.8 + 0.4 * random.nextDouble() + (behaviour.ordersBySize ? rank : 0);
        long block = at * BLOCKS / load.span().durationNanos();
        long latency = Math.round(behaviour.latencyMicros * 1000 * spread * (block == 5 ? stall : 1));
        boolean logged = random.nextDouble() < cell.loggedShare();
        samples.begin();
        samples.set(Column.BLOCK, block);
        samples.set(Column.INTENDED, load.span().warmUpNanos() + at);
        boolean late = random.nextInt(50) == 0;
        long lag = late ? Math.round(behaviour.lagShare * behaviour.latencyMicros * 1000) : 0;
        samples.set(Column.SENT, load.span().warmUpNanos() + at + lag);
        samples.set(Column.END_TO_END, latency);
        samples.set(Column.STATUS, behaviour.status);
        samples.set(Column.PAYLOAD_BYTES, size);
        samples.set(Column.KIND, logged ? 0 : 1);
        samples.set(Column.BATCH_RECORDS, logged ? behaviour.batch : 0);
        samples.set(Column.FORCE, logged ? Math.min(FORCE_NANOS, latency / 4) : 0);
        samples.set(Column.WAITING, logged ? latency / 50 : 0);
        samples.set(Column.RESIDENCE, latency / 3);
    }

    private RunInfo info(StudyCell cell, Load load, String design) {
        return new RunInfo(
                "0.1.0",
                Instant.parse("2026-11-21T12:00:00Z"),
                "",
                load,
                Map.of("cpu", "none", "network", "loopback"),
                Map.of("design", design, "eventLoops", "1", "cores", "2", "cpu", "none"),
                List.of(new RunInfo.Target(
                        1,
                        "study",
                        cell.loggedShare() == 0 ? "off" : "fdatasync",
                        cell.loggedShare() == 0 ? Map.of("service", "invert") : Map.of("fileSystem", "ext4"))));
    }
}
