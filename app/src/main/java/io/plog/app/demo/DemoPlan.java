package io.plog.app.demo;

import io.plog.app.cli.DirectoryArgument;
import io.plog.app.cli.LogOption;
import io.plog.log.LogOptions;
import io.plog.log.storage.Force;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Warmup;
import io.plog.protocol.RequestRecord;
import io.plog.server.options.LogPlace;
import io.plog.simdisk.DeviceModel;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What the demo measures, and the server for it: one with the defaults of {@code plog server}, but its logs keep only their newest
 * part, in small segments whose files are used again: the warm-up has written in all of them, so none is prepared while requests are
 * counted.
 *
 * @param ways what is measured besides no logging
 * @param plan the client's part; its server is not known yet
 */
record DemoPlan(DemoWays ways, Grid plan) {

    /** So many trials warm up at the same time, each with a server and logs of its own. */
    static final int TRIALS_AT_ONCE = 3;

    /** Counted requests of each cell on a disk that is fast enough. */
    static final long MOST_ITERATIONS = 2_000;

    private static final long FEWEST_ITERATIONS = 200;
    /** For the counted requests of all trials; starts, and warm-ups, which have limits of their own, take more. */
    private static final double BUDGET_SECONDS = 12;

    /** What a request costs besides the force, roughly and generously: the two ways over loopback and the copies. */
    private static final double REQUEST_NANOS = 200_000;

    private static final double REQUEST_NANOS_PER_BYTE = 8;

    /** A server has 32 targets at most, and a page is for a few. */
    private static final int MOST_DISKS = 6;

    private static final long MIB = 1L << 20;

    private static final long SEGMENT_BYTES = 16 * MIB;

    /** A log keeps as little as is allowed. */
    private static final int RETAINED_SEGMENTS = 2;

    /** What a server takes unless another is chosen. */
    private static final long USUAL_PAYLOAD_BYTES = MIB;

    /** A record's own header and the request's, rounded up; the way of forcing may round the whole up to a page. */
    private static final int RECORD_OVERHEAD_BYTES = 256;

    private static final int PAGE_BYTES = 4_096;

    /** The longest payload that fits into a record on several machines. */
    private static final int MOST_REPLICATED_BYTES = LogPlace.Address.MOST_RECORD_BYTES - RequestRecord.ENVELOPE_BYTES;

    /** What an append to bookies costs besides the force, roughly and generously. */
    private static final double QUORUM_NANOS = 1_000_000;

    /** A bookie writes each copy to its journal, and once more to where it is read. */
    private static final int WRITES_OF_A_COPY = 2;

    /** What bookies initialise ahead, and ZooKeeper with them. */
    private static final long BOOKIES_BYTES = 256 * MIB;

    DemoPlan {
        int disks = Math.max(1, plan.logDir().size());
        if (disks > MOST_DISKS) {
            throw new IllegalArgumentException(
                    "--log-dir names " + disks + " directories: expected 1 to " + MOST_DISKS);
        }
        List<String> suffixes = suffixes(plan.logDir());
        if (suffixes.stream().distinct().count() < suffixes.size()) {
            throw new IllegalArgumentException(
                    "--log-dir gives two disks one name: " + String.join(", ", plan.logDir()));
        }
        if (!ways.quorums().isEmpty()) {
            int largest = Collections.max(plan.sizesBytes());
            if (disks > 1) {
                throw new IllegalArgumentException(
                        "--replicated keeps all copies on one disk, but --log-dir names " + disks);
            }
            if (largest > MOST_REPLICATED_BYTES) {
                throw new IllegalArgumentException("--sizes names " + largest
                        + " bytes: a log on several machines takes at most " + MOST_REPLICATED_BYTES);
            }
        }
    }

    /**
     * The demo of a plan.
     *
     * @throws IllegalArgumentException if its ways of forcing, directories and sizes cannot be measured so
     */
    static DemoPlan of(Grid plan) {
        return new DemoPlan(DemoWays.parse(plan.force()), plan);
    }

    /** The disks for the logs; none for the one with the results. */
    List<DemoDisk> disks() {
        return plan.logDir().stream().map(DemoDisk::parse).toList();
    }

    /** What a disk is a model of; null if it is a real one. */
    private @Nullable DeviceModel model(int disk) {
        return plan.logDir().isEmpty() ? null : disks().get(disk).model();
    }

    /** What follows the way of forcing in the name of a target on each disk. */
    private static List<String> suffixes(List<String> disks) {
        List<String> suffixes = new ArrayList<>();
        for (String disk : disks) {
            String name = DemoDisk.parse(disk).name();
            suffixes.add("-" + (name.isEmpty() ? String.valueOf((char) ('a' + suffixes.size())) : name));
        }
        return suffixes.isEmpty() || suffixes.equals(List.of("-a")) ? List.of("") : suffixes;
    }

    /**
     * A target that logs on this machine.
     *
     * @param name the way of forcing, followed by the disk's name, or with several disks by a letter: {@code fdatasync-a}
     * @param disk from 0
     */
    record LoggedTarget(String name, Force force, int disk) {}

    /** How many targets log. */
    int loggedTargets() {
        return logged().size() + ways.quorums().size();
    }

    /** The targets that log on this machine: those of a way of forcing next to each other. */
    List<LoggedTarget> logged() {
        List<String> suffixes = suffixes(plan.logDir());
        List<LoggedTarget> targets = new ArrayList<>();
        for (Force force : ways.forces()) {
            for (int disk = 0; disk < suffixes.size(); disk++) {
                targets.add(new LoggedTarget(force.label() + suffixes.get(disk), force, disk));
            }
        }
        return targets;
    }

    /**
     * What one request to each cell takes on this disk, one after the other, in seconds; roughly and generously.
     *
     * @param directories one on each disk
     */
    double secondsOfOne(List<Path> directories) throws IOException {
        int forces = ways.forces().size();
        long stable = ways.forces().stream().filter(Force::isStable).count() + ways.copies();
        double nanos = 0;
        for (int size : plan.sizesBytes()) {
            double request = REQUEST_NANOS + REQUEST_NANOS_PER_BYTE * size;
            nanos += (directories.size() * forces + 1) * request;
            nanos += ways.quorums().size() * (request + QUORUM_NANOS);
            for (int disk = 0; disk < directories.size(); disk++) {
                DeviceModel model = model(disk);
                nanos += stable
                        * (model == null
                                ? ForceProbe.medianNanos(directories.get(disk), Math.max(1, size))
                                : model.forcedAppendNanos(size));
            }
        }
        return nanos / 1e9;
    }

    /**
     * How many counted requests of each cell fit into a short run.
     *
     * @param secondsOfOne as above
     */
    static long fittingIterations(double secondsOfOne) {
        return Math.max(FEWEST_ITERATIONS, Math.min(MOST_ITERATIONS, (long) (BUDGET_SECONDS / secondsOfOne)));
    }

    /** How large the log of one target grows in a trial, if nothing is dropped. */
    long logBytes() {
        Warmup warmup = plan.warmup();
        long each = plan.sizesBytes().stream().mapToLong(DemoPlan::recordBytes).sum();
        return each
                        * (plan.iterationsInTrial(0)
                                + warmup.requests()
                                + warmup.afterWait()
                                + Warmup.ofOthers(warmup.ofSmallest()))
                + (Collections.min(plan.sizesBytes()) + RECORD_OVERHEAD_BYTES) * warmup.ofSmallest();
    }

    private static long recordBytes(int size) {
        return ((long) size + RECORD_OVERHEAD_BYTES + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
    }

    /** A record takes at most a quarter of it. */
    long segmentBytes() {
        long grain = LogOptions.SEGMENT_GRAIN_BYTES;
        long least = 4L * (largest() + RECORD_OVERHEAD_BYTES);
        return (Math.max(SEGMENT_BYTES, least) + grain - 1) / grain * grain;
    }

    private int largest() {
        return Collections.max(plan.sizesBytes());
    }

    /** The disk space that the logs of all targets on one disk need at most. */
    long spaceBytes() {
        // Besides those kept: the one that is written, the one prepared ahead, and the one that is dropped next.
        long each = (RETAINED_SEGMENTS + 3) * segmentBytes();
        return each * Math.min(TRIALS_AT_ONCE, plan.trials()) * ways.forces().size()
                + (ways.quorums().isEmpty() ? 0 : BOOKIES_BYTES)
                // Bookies give nothing back during a run: they look for what was dropped every quarter of an hour.
                + (long) WRITES_OF_A_COPY * ways.copies() * logBytes() * plan.trials();
    }

    /**
     * The server's options for these targets, their logs in subdirectories named after them, which are created.
     *
     * @param logs a directory for each disk
     * @param addresses where the log of a quorum is
     */
    List<String> serverOptions(List<Path> logs, Function<DemoWays.Quorum, String> addresses) throws IOException {
        List<String> options = new ArrayList<>();
        for (LoggedTarget target : logged()) {
            Path directory = Files.createDirectories(logs.get(target.disk()).resolve(target.name()));
            options.add("--log");
            options.add(LogOption.of(target.name(), new DirectoryArgument(directory, model(target.disk()))) + ",force="
                    + target.force().label()
                    + ",segment=" + segmentBytes() + ",reserve=" + segmentBytes()
                    + ",retain=" + RETAINED_SEGMENTS * segmentBytes());
        }
        for (DemoWays.Quorum quorum : ways.quorums()) {
            options.add("--log");
            options.add(quorum.label() + "=" + addresses.apply(quorum));
        }
        options.add("--unlogged");
        if (largest() > USUAL_PAYLOAD_BYTES) {
            options.addAll(List.of("--max-payload", Long.toString(largest())));
        }
        return options;
    }
}
