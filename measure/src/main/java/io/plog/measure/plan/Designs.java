package io.plog.measure.plan;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;
import java.util.stream.Stream;

/**
 * What a load study is to measure. Checked once, here.
 *
 * @param designs at least one, none twice; that with option {@code dedicated} is what the others are compared with
 * @param force the way of forcing
 * @param traffic what every load sends
 * @param levels which loads there are
 * @param trials repetitions of each cell, 1 to 1000
 * @param warmUpNanos before counting, in each cell
 * @param durationNanos of counting, in each cell, 100 ms to 1 h
 * @param seed decides order, arrivals, sizes and payloads
 */
public record Designs(
        List<StudyDesign> designs,
        String force,
        Traffic traffic,
        Levels levels,
        int trials,
        long warmUpNanos,
        long durationNanos,
        long seed)
        implements Plan {
    /** No load is as high. */
    public static final double HIGHEST_LOAD = 10;

    /**
     * Of what the slowest design kept in the first trial. With less room it misses the rate in one of the other trials; 2300 requests a
     * second were about 0.9 of it in the study.
     */
    public static final List<Double> ABSOLUTE_SHARES = List.of(0.75);

    /** The trial with the controls, which decide nothing. */
    public static final int CONTROL_TRIAL = 0;

    /** Payload of the requests of the third study's workloads: its records were of 1 kB. */
    static final int WORKLOAD_BYTES = 1_000;

    private static final int IDLE_REQUESTS = 400;

    private static final int BLOCKS = 20;
    private static final int MOST_STEPS = 50;
    private static final Duration SHORTEST = Duration.ofMillis(100);
    private static final Duration LONGEST = Duration.ofHours(1);

    /**
     * What every load sends.
     *
     * @param mix sizes of the capacity cells and the loads
     * @param connections at once, 1 to {@link Loop#MOST_CONNECTIONS}; a design with fewer threads gets as many as it has
     *     threads
     * @param requestsPerConnection after which a connection is made anew, at infinite demand too; 0 for never
     * @param arrivals how intended times follow each other
     */
    public record Traffic(Mix mix, int connections, int requestsPerConnection, Arrivals arrivals) {
        /**
         * Checks every value.
         *
         * @throws IllegalArgumentException if one is out of its range; the message names it, its value and what is expected
         */
        public Traffic {
            Values.inRange("connections", connections, 1, Loop.MOST_CONNECTIONS);
            Values.inRange("requests-per-connection", requestsPerConnection, 0, 1_000_000);
        }
    }

    /**
     * Which loads there are besides each design's capacity.
     *
     * @param relativeLoads shares of each design's own capacity, over 0 and below {@value #HIGHEST_LOAD}
     * @param absoluteRates for all designs alike, requests a second; empty for {@link #ABSOLUTE_SHARES} of the slowest design's
     *     capacity
     * @param singleSizesBytes sizes whose capacity is measured besides that of the mix
     * @param workloadsOfAll whether the mixes of logged and read-only requests go to all designs, not to the dedicated one only
     * @param processors to how many processors' worth of time servers are limited, step by step; empty for no such comparison
     */
    public record Levels(
            List<Double> relativeLoads,
            List<Double> absoluteRates,
            List<Integer> singleSizesBytes,
            boolean workloadsOfAll,
            List<Double> processors) {
        /**
         * Checks every value and copies the lists.
         *
         * @throws IllegalArgumentException if one is out of its range; the message names it, its value and what is expected
         */
        public Levels {
            relativeLoads = List.copyOf(relativeLoads);
            absoluteRates = List.copyOf(absoluteRates);
            singleSizesBytes = List.copyOf(singleSizesBytes);
            processors = List.copyOf(processors);
            checkEach("loads", relativeLoads, HIGHEST_LOAD, "shares of the capacity, over 0 and below 10, as 0.5,0.9");
            checkEach("rates", absoluteRates, 1e7, "requests a second, over 0 and below 10000000");
            checkEach("processors", processors, 1_024, "processors, over 0 and below 1024, as 0.5,1,2");
        }
    }

    /**
     * Checks every value and copies the list.
     *
     * @throws IllegalArgumentException if one is out of its range; the message names it, its value and what is expected
     */
    public Designs {
        designs = List.copyOf(designs);
        checkDesigns(designs);
        Values.inRange("trials", trials, 1, 1_000);
        Values.inRange("duration", Duration.ofNanos(durationNanos), SHORTEST, LONGEST);
    }

    private static void checkDesigns(List<StudyDesign> designs) {
        if (designs.isEmpty() || designs.size() > MOST_STEPS) {
            throw new IllegalArgumentException(
                    "designs has " + designs.size() + " designs: expected 1 to " + MOST_STEPS);
        }
        Values.distinct("design", designs.stream().map(StudyDesign::label).toList());
    }

    private static void checkEach(String name, List<Double> values, double below, String expected) {
        if (values.size() > MOST_STEPS) {
            throw new IllegalArgumentException(
                    name + " has " + values.size() + " values: expected at most " + MOST_STEPS);
        }
        Values.distinct(name, values);
        for (double value : values) {
            if (!(value > 0) || value >= below) {
                throw new IllegalArgumentException(name + " has " + value + ": expected " + expected);
            }
        }
    }

    /** The design that the others are compared with; the first one if none is {@code dedicated}. */
    public StudyDesign reference() {
        return designs.stream().filter(StudyDesign::isDedicated).findFirst().orElse(designs.get(0));
    }

    /** To how many processors servers are limited, step by step; the first is 0, for no limit. */
    public List<Double> machines() {
        return Stream.concat(Stream.of(0.0), levels.processors().stream()).toList();
    }

    /** Which designs the mixes of logged and read-only requests go to. */
    public List<StudyDesign> workloadDesigns() {
        return levels.workloadsOfAll() ? designs : List.of(reference());
    }

    /** The largest payload of any cell. */
    public int mostBytes() {
        int single = levels.singleSizesBytes().stream()
                .mapToInt(Integer::intValue)
                .max()
                .orElse(0);
        return Math.max(Math.max(single, WORKLOAD_BYTES), traffic.mix().mostBytes());
    }

    /** The relative load at which each design is measured in memory, too: the highest. Empty if the plan has none. */
    public OptionalDouble controlLevel() {
        return levels.relativeLoads().stream().mapToDouble(Double::doubleValue).max();
    }

    /** How many cells there are, trials included. */
    public int cells() {
        int rates = levels.absoluteRates().isEmpty()
                ? ABSOLUTE_SHARES.size()
                : levels.absoluteRates().size();
        int each = designs.size()
                        * (1
                                + levels.singleSizesBytes().size()
                                + levels.relativeLoads().size()
                                + rates)
                + workloadDesigns().size() * Workloads.SHARES.size()
                + levels.processors().size()
                        * designs.size()
                        * (1 + levels.relativeLoads().size());
        int controls = designs.size() * (controlLevel().isPresent() ? 2 : 1);
        return each * trials + controls;
    }

    /**
     * The load of a cell.
     *
     * @param port of the cell's server, on loopback
     */
    public Load loadPlan(StudyCell cell, int port, String target) {
        int own = cell.design().connections(traffic.connections());
        int most = cell.kind() == StudyCell.Kind.WORKLOAD ? 0 : traffic.requestsPerConnection();
        // What is called the capacity must be reached with all that the loads ask for.
        Loop loop = cell.isInfiniteDemand()
                ? new Loop.Closed(own, 1, most)
                : most > 0
                        ? new Loop.PartlyOpen(own, cell.ratePerSecond(), traffic.arrivals(), most)
                        : new Loop.Open(own, cell.ratePerSecond(), traffic.arrivals());
        return on(port, target, cell)
                .loop(loop)
                .warmUp(Duration.ofNanos(warmUpNanos))
                .duration(Duration.ofNanos(durationNanos))
                .blocks(BLOCKS)
                .seed(seed + 7919L * cell.trial())
                .checked();
    }

    private static Load on(int port, String target, StudyCell cell) {
        // A control's target logs nothing, whatever its requests say.
        return Load.on("127.0.0.1:" + port, target)
                .mix(cell.mix())
                .loggedShare(cell.isControl() ? 1 : cell.loggedShare());
    }

    /**
     * A load that looks whether a design keeps a rate. It is as those that are measured then.
     *
     * @param capacity the design's cell at infinite demand
     */
    public Load loadPlan(StudyCell capacity, double ratePerSecond, int port, String target) {
        StudyCell load = StudyCell.relative(
                capacity.design(), capacity.trial(), 1, ratePerSecond, capacity.mix(), capacity.processors());
        return loadPlan(load, port, target);
    }

    /** The same requests as a cell's, one after the other on one connection. */
    public Load idlePlan(StudyCell cell, int port, String target) {
        return on(port, target, cell)
                .warmUp(Duration.ZERO)
                .requests(IDLE_REQUESTS)
                .seed(seed)
                .checked();
    }

    /** The same plan of these designs in so many trials. */
    public Designs of(List<StudyDesign> others, int inTrials) {
        return new Designs(others, force, traffic, levels, inTrials, warmUpNanos, durationNanos, seed);
    }

    /** How long each cell's load is. */
    public Load.Span span() {
        return new Load.Span(warmUpNanos, durationNanos, 0, BLOCKS);
    }

    /** The loop of a cell with a rate. */
    public Loop loop(double ratePerSecond) {
        int most = traffic.requestsPerConnection();
        return most > 0
                ? new Loop.PartlyOpen(traffic.connections(), ratePerSecond, traffic.arrivals(), most)
                : new Loop.Open(traffic.connections(), ratePerSecond, traffic.arrivals());
    }

    @Override
    public int blocks() {
        return BLOCKS;
    }

    @Override
    public List<Integer> sizesBytes() {
        return Stream.concat(
                        levels.singleSizesBytes().stream(),
                        Stream.of(traffic.mix().mostBytes(), WORKLOAD_BYTES))
                .distinct()
                .sorted()
                .toList();
    }

    @Override
    public List<String> targets() {
        return designs.stream().map(StudyDesign::label).toList();
    }

    @Override
    public boolean isScheduled() {
        return true;
    }
}
