package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.measure.study.SteadyLoad;
import io.plog.results.model.Results;
import io.plog.stats.SteadyState;
import io.plog.stats.numbers.Longs;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Whether a cell was steady while it was counted, trial by trial: what the warm-up promised.
 *
 * @param trials how many there were
 * @param sameWay in how many of them it was not, and trended in the same direction, up or down: in the one that has more
 * @param drifts of those that were not, how many microseconds the ends of the trend are apart; those with a trend by less than
 *     {@link #MOST_DRIFT} are left out
 * @param worstDrift the largest trend of those that were not, as a factor; 1 if all were steady
 * @param detail what was seen, in a sentence
 */
public record Steadiness(int trials, int sameWay, List<Double> drifts, double worstDrift, String detail) {
    /** A cell with a trend over a trial by more than this factor, up or down, is not steady. */
    public static final double MOST_DRIFT = SteadyLoad.MOST_DRIFT;

    /**
     * Of a cell's counted requests.
     *
     * @param counted indices of counted samples, in the order of time
     * @return null if there are none
     */
    static @Nullable Steadiness of(Samples samples, Longs counted) {
        Groups byTrial = Groups.of(counted, i -> samples.get(Column.TRIAL, i));
        int all = byTrial.numbers().length;
        if (all == 0) {
            return null;
        }
        int steady = 0;
        int tooShort = 0;
        int slower = 0;
        double worst = 1;
        List<Double> far = new ArrayList<>();
        List<String> others = new ArrayList<>();
        for (int trial = 0; trial < all; trial++) {
            SteadyState found = SteadyState.of(byTrial.of(trial).map(i -> samples.get(Column.END_TO_END, i)));
            switch (found.verdict()) {
                case STEADY -> steady++;
                case TOO_FEW -> tooShort++;
                case DRIFTS, NEVER -> {
                    if (found.driftsBeyond(MOST_DRIFT)) {
                        far.add(found.driftNanos() / 1000);
                    }
                    slower += found.drift() > 1 ? 1 : 0;
                    worst = found.driftsBeyond(Math.max(worst, 1 / worst)) ? found.drift() : worst;
                    others.add("trial " + (byTrial.numbers()[trial] + 1) + " "
                            + (found.verdict() == SteadyState.Verdict.DRIFTS
                                    ? "drifts to " + Units.ratio(found.drift())
                                    : "does not come to rest in its first half, trend to "
                                            + Units.ratio(found.drift())));
                }
            }
        }
        int sameWay = Math.max(slower, others.size() - slower);
        return new Steadiness(all, sameWay, List.copyOf(far), worst, detail(all, steady, tooShort, others));
    }

    private static String detail(int all, int steady, int tooShort, List<String> others) {
        List<String> parts = new ArrayList<>();
        if (steady > 0) {
            parts.add("steady in " + (all == 1 ? "its one trial" : steady + " of " + all + " trials"));
        }
        if (tooShort > 0) {
            parts.add((all == 1 ? "" : tooShort + " of " + all + " trials ") + "too short to say");
        }
        parts.addAll(
                all == 1
                        ? others.stream()
                                .map(text -> text.substring("trial 1 ".length()))
                                .toList()
                        : others);
        return String.join("; ", parts);
    }

    /**
     * Whether less than half of the trials trended one way. What makes a cell change does so in every trial; that a machine is now
     * slower and now faster is in the intervals, which go by how the trials differ.
     */
    public boolean reached() {
        return 2 * sameWay < trials;
    }

    /**
     * Whether the cell was far from steady in at least half of its trials, so that its figures depend on the time.
     *
     * @param beyondMicros a trend whose ends are no farther apart than this is none that matters; 0 if each does
     */
    public boolean isFar(double beyondMicros) {
        return 2 * drifts.stream().filter(micros -> micros > beyondMicros).count() >= trials;
    }

    Results.Steady result() {
        return new Results.Steady(reached(), detail);
    }
}
