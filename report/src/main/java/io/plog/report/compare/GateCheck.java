package io.plog.report.compare;

import io.plog.report.compare.Assessment.Gated;
import io.plog.report.compare.Assessment.Outcome;
import io.plog.stats.Estimate;
import io.plog.stats.Estimates;
import io.plog.stats.Quantiles;
import io.plog.stats.Replicates;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds a cell against a gate. It <em>fails</em> only if the figure is beyond the limit with its whole 95 % interval, so that a gate
 * that fails is a regression and no chance; the maximum has no interval and is judged as it is.
 */
final class GateCheck {
    private final Gate gate;
    private final String target;
    private final int payloadBytes;

    private GateCheck(Gate gate, String target, int payloadBytes) {
        this.gate = gate;
        this.target = target;
        this.payloadBytes = payloadBytes;
    }

    /**
     * What comes of it.
     *
     * @param baseline the baseline's cell; may be empty if the limit is a time
     * @param run the run's cell
     */
    static Gated of(
            Gate gate,
            String target,
            int payloadBytes,
            Optional<Replicates> baseline,
            Optional<Replicates> run,
            boolean paired) {
        GateCheck check = new GateCheck(gate, target, payloadBytes);
        if (run.isEmpty() || (gate.relative() && baseline.isEmpty())) {
            String where = run.isEmpty() ? "the run" : "the baseline";
            return check.gated(null, null, null, null, Outcome.UNDECIDED, where + " has no samples of this cell");
        }
        return gate.relative()
                ? check.relative(baseline.orElseThrow(), run.orElseThrow(), paired)
                : check.absolute(run.orElseThrow());
    }

    private Gated absolute(Replicates run) {
        Estimate found = estimate(run);
        String few = tooFew(run, "the run");
        Outcome outcome = outcome(found, few);
        String detail = Micros.text(Micros.ofNanos(found.value())) + " µs, limit "
                + Micros.text(Micros.ofNanos(gate.limit())) + " µs" + explanation(outcome, few, found);
        return gated(found, null, null, gate.limit(), outcome, detail);
    }

    private Gated relative(Replicates baseline, Replicates run, boolean paired) {
        Estimate ratio = CellComparer.ratio(run, baseline, paired && run.hasShapeOf(baseline), gate.figure());
        double before = CellComparer.value(baseline, gate.figure());
        String few = tooFew(run, "the run") + (tooFew(run, "").isEmpty() ? tooFew(baseline, "the baseline") : "");
        Outcome outcome = outcome(ratio, few);
        String detail = Micros.text(Micros.ofNanos(CellComparer.value(run, gate.figure()))) + " µs are "
                + ComparisonSentences.number(ratio.value()) + " times the baseline's "
                + Micros.text(Micros.ofNanos(before))
                + " µs"
                + (gate.figure() == Statistic.MAX
                        ? ""
                        : " (" + ComparisonSentences.ends(CellComparer.rounded(ratio)) + ")")
                + ", limit " + ComparisonSentences.number(gate.limit()) + " times" + explanation(outcome, few, ratio);
        return gated(estimate(run), before, ratio, before * gate.limit(), outcome, detail);
    }

    private Outcome outcome(Estimate estimate, String few) {
        if (gate.figure() == Statistic.MAX) {
            return gate.isBeyond(estimate.value()) ? Outcome.FAILS : Outcome.HOLDS;
        }
        Double better = gate.above() ? estimate.low() : estimate.high();
        if (better != null && gate.isBeyond(better)) {
            return Outcome.FAILS;
        }
        boolean open = !few.isEmpty() || (gate.above() ? estimate.high() : estimate.low()) == null;
        return open || gate.isBeyond(estimate.value()) ? Outcome.UNDECIDED : Outcome.HOLDS;
    }

    private String explanation(Outcome outcome, String few, Estimate estimate) {
        if (outcome != Outcome.UNDECIDED) {
            return "";
        }
        if (!few.isEmpty()) {
            return "; " + few;
        }
        return gate.isBeyond(estimate.value())
                ? "; the interval reaches back over the limit"
                : "; the samples depend on each other too much to bound the figure, more trials or requests are needed";
    }

    private Estimate estimate(Replicates cell) {
        Statistic figure = gate.figure();
        if (figure.isQuantile()) {
            return Estimates.of(cell).quantile(figure.q());
        }
        return figure == Statistic.MEAN
                ? Estimates.of(cell).mean()
                : new Estimate(CellComparer.value(cell, figure), null, null);
    }

    /** Why a tail's figure says little; empty if there are samples enough. */
    private String tooFew(Replicates cell, String whose) {
        Statistic figure = gate.figure();
        if (!figure.isQuantile() || figure.q() <= 0.5 || Quantiles.hasUpperBound(cell.count(), figure.q())) {
            return "";
        }
        long needed = (long) Math.ceil(Math.log(0.025) / Math.log(figure.q()));
        return "too few samples: the " + figure.words() + " of " + whose + "'s " + Units.count(cell.count())
                + " is little more than the maximum, " + Units.count(needed) + " are needed";
    }

    private Gated gated(
            @Nullable Estimate nanos,
            @Nullable Double baselineNanos,
            @Nullable Estimate ratio,
            @Nullable Double limitNanos,
            Outcome outcome,
            String detail) {
        return new Gated(
                gate.text(),
                target,
                payloadBytes,
                gate.measure(),
                gate.figure(),
                nanos == null ? null : CellComparer.micros(nanos),
                baselineNanos == null ? null : Double.valueOf(Micros.ofNanos(baselineNanos.doubleValue())),
                ratio == null ? null : CellComparer.rounded(ratio),
                limitNanos == null ? null : Double.valueOf(Micros.ofNanos(limitNanos.doubleValue())),
                outcome,
                detail);
    }
}
