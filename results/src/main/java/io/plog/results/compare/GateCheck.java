package io.plog.results.compare;

import io.plog.results.compare.Assessment.Gated;
import io.plog.results.compare.Assessment.Outcome;
import io.plog.results.model.Wording;
import io.plog.stats.Comparison;
import io.plog.stats.Estimate;
import io.plog.stats.Estimates;
import io.plog.stats.Replicates;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Holds a cell against a gate. It <em>fails</em> only if the figure is beyond the limit with its whole 95 % interval, so that a gate
 * that fails is a regression and no chance; the maximum and what is no latency have no interval and are judged as they are.
 */
final class GateCheck {
    private static final String REACHES_BACK = "; the interval reaches back over the limit";

    private final Gate gate;
    private final Map<String, String> dimensions;

    GateCheck(Gate gate, Map<String, String> dimensions) {
        this.gate = gate;
        this.dimensions = dimensions;
    }

    /**
     * What comes of it for a number of the results, or a time in microseconds.
     *
     * @param baseline null if there is none
     * @param run null if there is none
     */
    Gated ofValue(@Nullable Estimate baseline, @Nullable Estimate run) {
        if (run == null || (gate.relative() && (baseline == null || baseline.value() == 0))) {
            return nothing(run == null ? "the run" : "the baseline", "no such figure, or 0");
        }
        Estimate ratio = gate.relative() && baseline != null ? run.map(value -> value / baseline.value()) : null;
        Outcome outcome = outcome(run.low() == null && run.high() == null, ratio == null ? run : ratio);
        return gated(
                run.map(value -> Units.rounded(value, 4)),
                baseline == null ? null : (Double) baseline.value(),
                ratio,
                outcome,
                outcome == Outcome.UNDECIDED ? REACHES_BACK : "");
    }

    /**
     * What comes of it for a figure of a distribution.
     *
     * @param both the run's and the baseline's, if the limit is relative
     */
    Gated ofSamples(Statistic statistic, Replicates run, @Nullable Comparison both) {
        Estimate value = statistic.estimate(run).map(Micros::ofNanos);
        Estimate judged = value;
        Double before = null;
        if (both != null) {
            value = statistic.estimate(both.treated()).map(Micros::ofNanos);
            judged = statistic.ratio(both);
            before = Micros.ofNanos(statistic.value(both.control()));
        }
        Outcome outcome = outcome(statistic.equals(Statistic.MAX), judged);
        return gated(
                value,
                before,
                both == null ? null : judged,
                outcome,
                explanation(statistic, outcome, judged.value(), run));
    }

    private Outcome outcome(boolean exact, Estimate figure) {
        if (exact) {
            return gate.isBeyond(figure.value()) ? Outcome.FAILS : Outcome.HOLDS;
        }
        Double better = gate.above() ? figure.low() : figure.high();
        if (better != null && gate.isBeyond(better)) {
            return Outcome.FAILS;
        }
        boolean open = (gate.above() ? figure.high() : figure.low()) == null;
        return open || gate.isBeyond(figure.value()) ? Outcome.UNDECIDED : Outcome.HOLDS;
    }

    private String explanation(Statistic statistic, Outcome outcome, double value, Replicates cell) {
        if (outcome != Outcome.UNDECIDED) {
            return "";
        }
        if (gate.isBeyond(value) || !statistic.isQuantile()) {
            return REACHES_BACK;
        }
        Estimates samples = Estimates.of(cell);
        return "; too few requests, or too unlike each other, to bound the " + statistic.words() + ": "
                + Units.count(samples.enough(statistic.q())) + " are enough, in " + samples.parts()
                + " parts as here";
    }

    Gated nothing(String whose, String what) {
        return new Gated(
                gate.text(),
                dimensions,
                gate.figure().name(),
                null,
                null,
                null,
                null,
                Outcome.UNDECIDED,
                whose + " has " + what);
    }

    private Gated gated(
            Estimate value, @Nullable Double baseline, @Nullable Estimate ratio, Outcome outcome, String explanation) {
        Figure figure = gate.figure();
        String found = figure.text(value.value());
        String detail;
        if (ratio == null || baseline == null) {
            detail = found + ", limit " + figure.text(gate.limit());
        } else {
            Estimate rounded = CellComparer.rounded(ratio);
            detail = found + ", " + Wording.of(rounded, ComparisonSentences::number) + " times the baseline's "
                    + figure.text(baseline)
                    + ", limit " + ComparisonSentences.number(gate.limit()) + " times";
        }
        return new Gated(
                gate.text(),
                dimensions,
                figure.name(),
                value,
                ratio == null ? null : baseline,
                ratio == null ? null : CellComparer.rounded(ratio),
                ratio == null || baseline == null ? gate.limit() : Units.rounded(baseline * gate.limit(), 4),
                outcome,
                detail + explanation);
    }
}
