package io.plog.measure.plan;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;

/**
 * One load on one fresh server.
 *
 * @param trial from 0
 * @param level the share of the capacity, in a cell of kind {@link Kind#RELATIVE} or {@link Kind#CONTROL}; else 0
 * @param ratePerSecond 0 for infinite demand
 * @param sizes {@link #MIX}, or a single size by name
 * @param loggedShare of the requests, 0 to 1
 * @param workload its name, in a cell of kind {@link Kind#WORKLOAD}; else empty
 * @param processors that the server is limited to; 0 for no limit
 */
public record StudyCell(
        Kind kind,
        StudyDesign design,
        int trial,
        double level,
        double ratePerSecond,
        Mix mix,
        String sizes,
        double loggedShare,
        String workload,
        double processors) {
    /** What results call the sizes of the plan's mix. */
    public static final String MIX = "mix";

    /** The dimension of a cell's results that says which load it is: one of those that follow. */
    public static final String LOAD = "load";

    /** At infinite demand; its {@link #SIZES} are another dimension. */
    public static final String CAPACITY = "capacity";

    /** A share of the design's own capacity, its {@link #LEVEL}. */
    public static final String RELATIVE = "relative";

    /** A {@link #RATE} that is the same for all designs. */
    public static final String ABSOLUTE = "absolute";

    /** A mix of logged and read-only requests, by name; also the dimension that has the name. */
    public static final String WORKLOAD = "workload";

    /** A dimension: the sizes of a capacity. */
    public static final String SIZES = "sizes";

    /** A dimension: the share of the capacity. */
    public static final String LEVEL = "level";

    /** A dimension: requests a second. */
    public static final String RATE = "rate";

    /** A dimension: the share of a workload's requests that are to be logged. */
    public static final String LOGGED = "logged";

    /** A dimension: the machine, where several are compared. */
    public static final String MACHINE = "machine";

    /** A dimension: how many processors that machine has. */
    public static final String PROCESSORS = "processors";

    /** What a cell is for. */
    public enum Kind {
        /** Throughput at infinite demand. */
        CAPACITY(StudyCell.CAPACITY),
        /** A share of the design's own capacity. */
        RELATIVE(StudyCell.RELATIVE),
        /** The same rate for all designs. */
        ABSOLUTE(StudyCell.ABSOLUTE),
        /** A mix of logged and read-only requests. */
        WORKLOAD(StudyCell.WORKLOAD),
        /** Throughput at infinite demand of a server that logs nothing: the in-memory control. */
        CONTROL_CAPACITY(StudyCell.CAPACITY),
        /** A share of that throughput, on such a server. */
        CONTROL(StudyCell.RELATIVE);

        private final String load;

        Kind(String load) {
            this.load = load;
        }
    }

    /** A design at infinite demand. */
    public static StudyCell capacity(StudyDesign design, int trial, Mix mix, String sizes, double processors) {
        return new StudyCell(Kind.CAPACITY, design, trial, 0, 0, mix, sizes, 1, "", processors);
    }

    public static StudyCell relative(
            StudyDesign design, int trial, double level, double ratePerSecond, Mix mix, double processors) {
        return new StudyCell(Kind.RELATIVE, design, trial, level, ratePerSecond, mix, MIX, 1, "", processors);
    }

    /** The same where nothing is logged. */
    public static StudyCell controlCapacity(StudyDesign design, int trial, Mix mix) {
        return new StudyCell(Kind.CONTROL_CAPACITY, design, trial, 0, 0, mix, MIX, 0, "", 0);
    }

    public static StudyCell control(StudyDesign design, int trial, double level, double ratePerSecond, Mix mix) {
        return new StudyCell(Kind.CONTROL, design, trial, level, ratePerSecond, mix, MIX, 0, "", 0);
    }

    public static StudyCell absolute(StudyDesign design, int trial, double ratePerSecond, Mix mix) {
        return new StudyCell(Kind.ABSOLUTE, design, trial, 0, ratePerSecond, mix, MIX, 1, "", 0);
    }

    public static StudyCell workload(
            StudyDesign design, int trial, double ratePerSecond, Mix mix, String workload, double loggedShare) {
        return new StudyCell(Kind.WORKLOAD, design, trial, 0, ratePerSecond, mix, "", loggedShare, workload, 0);
    }

    /** Whether every connection asks again as soon as it is answered, so that the load uses the machine up. */
    public boolean isInfiniteDemand() {
        return kind == Kind.CAPACITY || kind == Kind.CONTROL_CAPACITY;
    }

    /** Whether its server has a target that logs nothing, and no log. */
    public boolean isControl() {
        return kind == Kind.CONTROL_CAPACITY || kind == Kind.CONTROL;
    }

    /** Equal for all trials of a cell: each trial has rates of its own, shares of what its servers keep. */
    public record Key(StudyDesign design, boolean control, Map<String, String> dimensions) {}

    public Key key() {
        return new Key(design, isControl(), dimensions());
    }

    /** What distinguishes its results from others of its design and way of forcing. */
    public Map<String, String> dimensions() {
        Map<String, String> dimensions = new LinkedHashMap<>();
        dimensions.put(LOAD, kind.load);
        switch (kind) {
            case CAPACITY, CONTROL_CAPACITY -> dimensions.put(SIZES, sizes);
            case RELATIVE, CONTROL -> dimensions.put(LEVEL, trimmed(level));
            case ABSOLUTE -> dimensions.put(RATE, trimmed(ratePerSecond));
            case WORKLOAD -> {
                dimensions.put(WORKLOAD, workload);
                dimensions.put(LOGGED, trimmed(loggedShare));
            }
        }
        if (processors > 0) {
            dimensions.put(MACHINE, machine(processors));
            dimensions.put(PROCESSORS, trimmed(processors));
        }
        return dimensions;
    }

    /** In words, for progress and messages. */
    public String label() {
        String what = switch (kind) {
            case CAPACITY -> "capacity, " + sizes;
            case RELATIVE -> String.format(Locale.ROOT, "load %s (%,.0f/s)", trimmed(level), ratePerSecond);
            case ABSOLUTE -> String.format(Locale.ROOT, "%,.0f/s", ratePerSecond);
            case WORKLOAD -> workload;
            case CONTROL_CAPACITY -> "capacity in memory";
            case CONTROL -> String.format(Locale.ROOT, "load %s in memory (%,.0f/s)", trimmed(level), ratePerSecond);
        };
        return design.label() + ", " + what + (processors == 0 ? "" : ", " + machine(processors))
                + (trial == 0 ? "" : ", trial " + (trial + 1));
    }

    private static String trimmed(double value) {
        return value == Math.rint(value) ? Long.toString((long) value) : Double.toString(value);
    }

    /** How a server limited to so many processors is called. */
    public static String machine(double processors) {
        return processors < 1
                ? String.format(Locale.ROOT, "%.0f %% of one processor", processors * 100)
                : String.format(
                        Locale.ROOT,
                        processors == Math.rint(processors) ? "%.0f processor%s" : "%.2f processor%s",
                        processors,
                        processors == 1 ? "" : "s");
    }
}
