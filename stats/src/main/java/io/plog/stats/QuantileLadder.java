package io.plog.stats;

import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Intervals of a cell's quantiles that rise with the level: neither end of a higher level's interval lies below that of a lower
 * one, and a level has no upper (lower) end if one below (above) it has none.
 *
 * <p>{@link Estimates#quantile(Batches, double, double)} alone does not see to that. How many independent samples a cell is worth
 * is estimated anew at each level, from few parts, and may come out larger at the 99th percentile than at the 90th: then the lower
 * level would have the wider interval, or none at all. Who is not sure that the 90th percentile lies below a value cannot be sure
 * that the 99th does, so each interval is stretched to what the {@link #LEVELS} on the other side of it reach. That makes none
 * narrower, so none holds the truth less often.
 *
 * <p>Immutable; safe for any thread.
 */
final class QuantileLadder {
    /** All that plog shows; the order holds for any two of them. */
    static final List<Double> LEVELS = Stream.concat(
                    Percentile.quantiles().stream(), Comparison.SHIFT_QUANTILES.stream())
            .distinct()
            .sorted()
            .toList();

    private final Batches batches;
    private final double reach;
    private final List<Estimate> steps;

    private QuantileLadder(Batches batches, double reach) {
        this.batches = batches;
        this.reach = reach;
        steps = LEVELS.stream().map(this::alone).toList();
    }

    /**
     * Of one cell.
     *
     * @param reach how many standard errors an interval reaches to either side
     */
    static QuantileLadder of(Batches batches, double reach) {
        return new QuantileLadder(batches, reach);
    }

    private Estimate alone(double q) {
        return Estimates.quantile(batches, q, reach);
    }

    /**
     * A quantile, by nearest rank.
     *
     * @param q above 0 and below 1
     */
    Estimate at(double q) {
        int step = LEVELS.indexOf(q);
        Estimate alone = step < 0 ? alone(q) : steps.get(step);
        @Nullable Double low = alone.low();
        @Nullable Double high = alone.high();
        for (int i = 0; i < steps.size(); i++) {
            if (LEVELS.get(i) < q) {
                high = reaching(high, steps.get(i).high(), 1);
            } else {
                low = reaching(low, steps.get(i).low(), -1);
            }
        }
        return new Estimate(alone.value(), low, high);
    }

    /** The end that lies further in a direction; absent if one of them is. */
    private static @Nullable Double reaching(@Nullable Double end, @Nullable Double other, int direction) {
        return end == null || other == null ? null : direction * Double.compare(end, other) >= 0 ? end : other;
    }
}
