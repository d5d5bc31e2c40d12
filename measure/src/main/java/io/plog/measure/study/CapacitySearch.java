package io.plog.measure.study;

/**
 * Looks for the largest rate that an open load keeps: what a closed loop carries is no such rate, since it slows down with the
 * server. A few short loads come near to it. Loads as long as a cell confirm it, or go down a little until one is kept; if the first is kept
 * they go up, since short loads may have met a bad moment. What is found is one step below, since the load that was kept may have met a good
 * moment. For one thread.
 */
public final class CapacitySearch {
    /** One step. No search is nearer than this factor, since loads stay below what was found. */
    static final double PRECISION = 1.08;

    static final int MOST_STEPS = 16;

    /** Of what a closed loop carries. */
    private static final double FIRST = 0.9;

    /** By what it goes up or down where nothing nearer is known. */
    private static final double FAR = 1.2;

    private double rate;
    private double kept;
    private double missed = Double.POSITIVE_INFINITY;
    private boolean confirming;
    private double confirmed;
    private boolean over;
    private boolean climbs;
    private int steps;

    /**
     * Begins.
     *
     * @param closedPerSecond what the server carries in a closed loop, over 0
     * @param earlier what was found for a server of the same design; 0 if nothing was
     */
    public CapacitySearch(double closedPerSecond, double earlier) {
        confirming = earlier > 0;
        climbs = !confirming;
        rate = confirming ? PRECISION * earlier : FIRST * closedPerSecond;
    }

    /** The rate to try next, requests a second. */
    public double rate() {
        return rate;
    }

    /** Whether the next load is to be as long as a cell. */
    public boolean isConfirming() {
        return confirming;
    }

    /** What became of it. */
    public void answered(boolean isKept) {
        steps++;
        if (confirming) {
            confirmed = isKept ? rate : confirmed;
            over = confirmed > 0 && !(isKept && climbs);
            climbs &= isKept;
            rate = isKept ? rate * FAR : rate / PRECISION;
            return;
        }
        if (isKept) {
            kept = Math.max(kept, rate);
        } else {
            missed = Math.min(missed, rate);
        }
        confirming = kept > 0 && missed / kept <= PRECISION;
        rate = confirming
                ? kept
                : kept == 0 ? missed / FAR : Double.isInfinite(missed) ? kept * FAR : Math.sqrt(kept * missed);
    }

    /** Whether a rate is confirmed, or was looked for long enough. */
    public boolean isOver() {
        return over || steps == MOST_STEPS;
    }

    /** A step below the rate that was confirmed; 0 if none was. */
    public double found() {
        return confirmed / PRECISION;
    }
}
