package io.plog.measure.load;

import io.plog.measure.samples.TrialRecord.RateAnswer;
import java.math.BigDecimal;
import java.math.MathContext;

/**
 * Looks for the largest rate that an open load keeps: what a closed loop carries is no such rate, since it slows down with the
 * server. A few short loads come near to it. Long loads confirm it, or go down until one is kept; if the first is kept they go up until one
 * is not. If one is kept that a short load did not keep, that met a bad moment, and short loads come near again from there. For one thread.
 */
public final class RateSearch {
    /** One step of a capacity. No search for one is nearer than this factor, since loads stay below what was found. */
    static final double PRECISION = 1.08;

    /** One step of a rate that keeps a condition. */
    static final double NARROW = 1.05;

    static final int MOST_STEPS = 32;

    /** Of what a closed loop carries. */
    private static final double FIRST = 0.9;

    /** By what it goes up or down where nothing nearer is known; each time by the square of the one before. */
    private static final double FAR = 1.2;

    private static final double FARTHEST = 4;

    private final double step;
    private final double lowest;
    private final boolean onlyConfirms;
    private double far = FAR;
    private double rate;
    private double kept;
    private double missed = Double.POSITIVE_INFINITY;
    private boolean confirming;
    private double confirmed;
    private double mostConfirming;
    private boolean refuted;
    private boolean over;
    private int steps;

    private RateSearch(double first, double step, double lowest, boolean onlyConfirms) {
        this.step = step;
        this.lowest = lowest;
        this.onlyConfirms = onlyConfirms;
        confirming = onlyConfirms;
        rate = Math.max(lowest, first);
    }

    /**
     * For the capacity of a design.
     *
     * @param closedPerSecond what the server carries in a closed loop, over 0
     * @param earlier what was found for a server of the same design, which is only confirmed; 0 if nothing was
     */
    public static RateSearch ofCapacity(double closedPerSecond, double earlier) {
        double first = earlier > 0 ? PRECISION * earlier : FIRST * closedPerSecond;
        return new RateSearch(first, PRECISION, closedPerSecond / 100, earlier > 0);
    }

    /**
     * For the largest rate that keeps a condition.
     *
     * @param closedPerSecond what the server carries in a closed loop, over 0
     * @param lowest rate that is tried, over 0
     */
    public static RateSearch ofCondition(double closedPerSecond, double lowest) {
        return new RateSearch(FIRST * closedPerSecond, NARROW, lowest, false);
    }

    /** The rate to try next, requests a second; in as few digits as people write, so that whoever repeats it has the same. */
    public double rate() {
        return rate < 100 ? new BigDecimal(rate).round(new MathContext(3)).doubleValue() : Math.rint(rate);
    }

    /** Whether the next load is to be a long one. */
    public boolean isConfirming() {
        return confirming;
    }

    /** What became of it. */
    public void answered(RateAnswer answer) {
        steps++;
        if (confirming) {
            confirm(answer);
            return;
        }
        if (answer == RateAnswer.KEPT) {
            kept = Math.max(kept, rate);
        } else {
            missed = Math.min(missed, rate);
        }
        boolean bottom = kept == 0 && rate == lowest;
        confirming = bottom || (kept > 0 && missed / kept <= step);
        far = confirming ? step : far;
        rate = confirming
                ? Math.max(lowest, kept)
                : kept == 0
                        ? Math.max(lowest, missed / farther())
                        : Double.isInfinite(missed) ? kept * farther() : Math.sqrt(kept * missed);
    }

    private void confirm(RateAnswer answer) {
        boolean isKept = answer == RateAnswer.KEPT;
        confirmed = isKept ? rate : confirmed;
        refuted |= answer == RateAnswer.MISSED;
        mostConfirming = Math.max(mostConfirming, rate);
        over = confirmed > 0 ? refuted || onlyConfirms || answer == RateAnswer.CLIENT : rate == lowest;
        if (isKept && rate >= missed) {
            confirming = false;
            kept = rate;
            missed = Double.POSITIVE_INFINITY;
            far = FAR;
            rate *= farther();
        } else {
            rate = confirmed > 0
                    ? mostConfirming * farther()
                    : Math.max(lowest, rate / (step == NARROW ? farther() : step));
        }
    }

    private double farther() {
        double now = far;
        far = Math.min(FARTHEST, far * far);
        return now;
    }

    /** Whether a rate is confirmed, or was looked for long enough. */
    public boolean isOver() {
        return over || steps == MOST_STEPS;
    }

    /** A step below the rate that was confirmed, since the load that was kept may have met a good moment; 0 if none was. */
    public double found() {
        return confirmed / step;
    }
}
