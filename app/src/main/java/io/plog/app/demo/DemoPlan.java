package io.plog.app.demo;

import io.plog.app.cli.LogOption;
import io.plog.log.Force;
import io.plog.log.LogOptions;
import io.plog.measure.MeasurePlan;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What the demo measures, and how large it makes the logs for it.
 *
 * @param forces the ways of forcing, one target each, named after it; not {@link Force#OFF}, which is measured anyway
 * @param plan the client's part; its server is not known yet
 */
record DemoPlan(List<Force> forces, MeasurePlan plan) {

    /** Counted requests of each cell on a disk that is fast enough. */
    static final long MOST_ITERATIONS = 2_000;

    private static final long FEWEST_ITERATIONS = 200;
    private static final double BUDGET_SECONDS = 20;

    /** What a request costs besides the force, roughly and generously: the two ways over loopback and the copies. */
    private static final double REQUEST_NANOS = 200_000;

    private static final double REQUEST_NANOS_PER_BYTE = 8;

    private static final long MIB = 1L << 20;

    /** Up to this size a log gets one segment for the whole run, so that none is initialised while it is measured. */
    private static final long ONE_SEGMENT_BYTES = 768 * MIB;

    private static final long SMALL_SEGMENT_BYTES = 64 * MIB;
    private static final int SMALL_SEGMENTS_KEPT = 8;

    /** A record's own header and the request's, rounded up; the way of forcing may round the whole up to a page. */
    private static final int RECORD_OVERHEAD_BYTES = 256;

    private static final int PAGE_BYTES = 4_096;

    DemoPlan {
        forces = List.copyOf(forces);
        Set<Force> seen = new HashSet<>();
        for (Force force : forces) {
            if (force == Force.OFF || !seen.add(force)) {
                throw new IllegalArgumentException("--force names " + force.label()
                        + (force == Force.OFF ? ", which is measured anyway" : " twice") + ": leave it out");
            }
        }
        if (forces.isEmpty()) {
            throw new IllegalArgumentException("--force is empty: expected at least one way of forcing");
        }
    }

    /**
     * Ways of forcing as people name them.
     *
     * @throws IllegalArgumentException if one is unknown
     */
    static List<Force> forces(List<String> labels) {
        return labels.stream().map(Force::ofLabel).toList();
    }

    /**
     * What one request to each cell takes on this disk, one after the other, in seconds; roughly and generously.
     *
     * @param directory on the disk in question
     */
    static double secondsOfOne(Path directory, List<Force> forces, List<Integer> sizesBytes) throws IOException {
        double nanos = 0;
        for (int size : sizesBytes) {
            double request = REQUEST_NANOS + REQUEST_NANOS_PER_BYTE * size;
            double force = ForceProbe.medianNanos(directory, Math.max(1, size));
            long stable = forces.stream().filter(Force::isStable).count();
            nanos += (forces.size() + 1) * request + stable * force;
        }
        return nanos / 1e9;
    }

    /**
     * How many counted requests of each cell fit into a short run.
     *
     * @param secondsOfOne as above
     */
    static long fittingIterations(double secondsOfOne) {
        // Half as many again for the warm-up.
        return Math.max(FEWEST_ITERATIONS, Math.min(MOST_ITERATIONS, (long) (BUDGET_SECONDS / (1.5 * secondsOfOne))));
    }

    /** How large the log of one target grows in a trial, if nothing is dropped. */
    long logBytes() {
        long each = 0;
        for (int size : plan.grid().sizesBytes()) {
            each += ((long) size + RECORD_OVERHEAD_BYTES + PAGE_BYTES - 1) / PAGE_BYTES * PAGE_BYTES;
        }
        return each * (plan.grid().iterationsInTrial(0) + plan.grid().warmup().requests());
    }

    private boolean fitsOneSegment() {
        return logBytes() <= ONE_SEGMENT_BYTES;
    }

    private long segmentBytes() {
        long least = Math.max(16 * MIB, 4L * largest() + MIB); // a record takes at most a quarter of a segment
        long wanted = Math.max(least, fitsOneSegment() ? logBytes() : SMALL_SEGMENT_BYTES);
        long grain = LogOptions.SEGMENT_GRAIN_BYTES;
        return (wanted / grain + 2) * grain;
    }

    private int largest() {
        return Collections.max(plan.grid().sizesBytes());
    }

    /** The disk space that the logs of all targets need at most. */
    long spaceBytes() {
        int segments = fitsOneSegment() ? 2 : SMALL_SEGMENTS_KEPT + 3;
        return forces.size() * segmentBytes() * segments;
    }

    /** The server's options for these targets, their logs in subdirectories named after them, which are created. */
    List<String> serverOptions(Path logs) throws IOException {
        List<String> options = new ArrayList<>();
        for (Force force : forces) {
            Path directory = Files.createDirectories(logs.resolve(force.label()));
            options.add("--log");
            options.add(
                    LogOption.of(force.label(), directory) + ",force=" + force.label() + ",segment=" + segmentBytes()
                            + (fitsOneSegment()
                                    ? ",prepared=1"
                                    : ",prepared=2,retain=" + SMALL_SEGMENTS_KEPT * segmentBytes()));
        }
        options.add("--unlogged");
        options.addAll(List.of("--max-payload", Long.toString(Math.max(MIB, largest()))));
        return options;
    }
}
