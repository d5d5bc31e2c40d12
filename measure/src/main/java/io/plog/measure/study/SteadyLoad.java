package io.plog.measure.study;

import io.plog.measure.load.LoadSummary;
import io.plog.stats.SteadyState;
import io.plog.stats.numbers.Longs;
import io.plog.stats.text.Units;

/**
 * Whether a load was the one that was asked for, and stayed so while it was counted: what a trial of a cell must keep to be judged.
 * The rules are in {@code docs/measurement.md}. Stateless.
 */
public final class SteadyLoad {
    /** A trend over a trial by more than this factor, up or down, is none of a steady cell. */
    public static final double MOST_DRIFT = 1.25;

    /** The backlog may change by this share of what was due, or by a handful of requests. */
    private static final double MOST_CHANGE = 0.01;

    private static final int HANDFUL = 5;

    /** Requests may be sent too late, in the mean, by this share of the mean latency, or by so little. */
    private static final double MOST_LAG = 0.1;

    private static final double LATE_MICROS = 100;

    /** The tolerance of a load that is too short to say exactly: a backlog comes and goes, and one that shrinks is none that grows. */
    public static final double ROUGHLY = 2;

    private SteadyLoad() {}

    /**
     * What is wrong with a load, in words; empty if nothing is, or in a closed loop. It must answer what was due in its time: not
     * less, with a growing backlog, and not more, with a backlog of its warm-up; and be sent in time.
     *
     * @param tolerance what it may lack, 1 for what a cell may
     */
    public static String problem(LoadSummary load, double tolerance) {
        Double offered = load.offeredPerSecond();
        double due = offered == null ? 0 : offered * load.seconds();
        long change = load.backlogAtEnd() - load.backlogAtStart();
        if (offered != null
                && Math.abs(change) > Math.max(HANDFUL, tolerance * MOST_CHANGE * due)
                && (change > 0 || tolerance <= 1)) {
            return change > 0
                    ? "it left " + change + " of " + Math.round(due) + " requests unanswered"
                    : "it answered " + -change + " requests of its warm-up beside the " + Math.round(due) + " due";
        }
        LoadSummary.Times lag = load.lag();
        LoadSummary.Times latency = load.latency();
        return lag != null
                        && latency != null
                        && lag.mean() > tolerance * Math.max(LATE_MICROS, MOST_LAG * latency.mean())
                ? "the client was too late"
                : "";
    }

    /**
     * The same, with what is wrong with its latencies, and some of its requests must be accepted in its time.
     *
     * @param latencies of the counted requests, in the order of time
     */
    public static String problem(LoadSummary load, Longs latencies) {
        if (load.acceptedPerSecond() == 0) {
            return "none of its " + load.sent() + " requests was accepted in its time";
        }
        String problem = problem(load, 1);
        SteadyState found = SteadyState.of(latencies);
        boolean steady = found.verdict() == SteadyState.Verdict.STEADY
                || found.verdict() == SteadyState.Verdict.TOO_FEW
                || !found.driftsBeyond(MOST_DRIFT);
        return !problem.isEmpty() || steady ? problem : "its latency drifts to " + Units.ratio(found.drift());
    }
}
