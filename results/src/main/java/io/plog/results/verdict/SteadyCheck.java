package io.plog.results.verdict;

import io.plog.measure.samples.ForceLabel;
import io.plog.results.cells.CellAnalysis;
import io.plog.results.cells.Steadiness;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Whether the cells stayed as they were while they were counted, and what it means if not. What a run is about is the cost of
 * forced logging; a cell in which nothing is forced is there to be compared with, so its drift is held against that cost.
 */
final class SteadyCheck {
    /**
     * With more cells than this share, and more than one, that were not steady a run is to be read with care; it is not valid if so
     * many were far from it.
     */
    static final double MOST_UNSTEADY = 0.1;

    /**
     * Of a cell that forces nothing a trend counts whose ends are farther apart than this share of the cost of forcing: in the
     * middle of the trend the cost is then at most a quarter larger or smaller than at its ends.
     */
    static final double MOST_OF_COST = 0.5;

    private static final int MOST_NAMED = 4;

    private final List<CellAnalysis.Found> cells;

    private SteadyCheck(List<CellAnalysis.Found> cells) {
        this.cells = cells;
    }

    static Check of(List<CellAnalysis.Found> cells) {
        return new SteadyCheck(cells).check();
    }

    private Check check() {
        List<CellAnalysis.Found> unsteady = cells.stream()
                .filter(found -> found.problems().steadiness() != null
                        && !steadiness(found).reached())
                .toList();
        // Of many cells one may trend by chance, or for reasons of its own; that is marked where its figures stand.
        List<CellAnalysis.Found> far = unsteady.stream()
                .filter(found -> steadiness(found).isFar(MOST_OF_COST * costMicros(found)))
                .toList();
        double most = Math.max(1, cells.size() * MOST_UNSTEADY);
        boolean many = far.size() > most;
        int more = unsteady.size() - far.size();
        return CheckRule.STEADY.check(
                unsteady.size() <= most,
                many ? Severity.INVALID : Severity.WARNING,
                unsteady.isEmpty()
                        ? "Every cell was steady while it was counted."
                        : "No steady state in " + list(many ? far : unsteady)
                                + ": the figures depend on when one looks."
                                + (many && more > 0
                                        ? " Less so in " + more + " more " + (more == 1 ? "cell." : "cells.")
                                        : ""));
    }

    /**
     * What a cell's drift is held against: 0 for one that forces, whose own figures are what the run is about. For another, the
     * least difference of medians, forced less not logged, of its size; 0 too if the run has none to compare.
     */
    private double costMicros(CellAnalysis.Found found) {
        if (found.target().forceLabel().forces()) {
            return 0;
        }
        double least = Double.POSITIVE_INFINITY;
        for (CellAnalysis.Found forced : ofSize(found)) {
            for (CellAnalysis.Found off : ofSize(found)) {
                if (forced.target().forceLabel().forces()
                        && off.target().forceLabel().equals(ForceLabel.OFF)) {
                    least = Math.min(least, Checks.median(forced) - Checks.median(off));
                }
            }
        }
        return Double.isFinite(least) ? Math.max(0, least) : 0;
    }

    private List<CellAnalysis.Found> ofSize(CellAnalysis.Found found) {
        return cells.stream()
                .filter(other -> other.cell().payloadBytes() == found.cell().payloadBytes()
                        && other.cell().count() > 0)
                .toList();
    }

    private static String list(List<CellAnalysis.Found> unsteady) {
        String shown = unsteady.stream()
                .sorted(Comparator.comparingDouble(
                        found -> -Math.abs(Math.log(steadiness(found).worstDrift()))))
                .limit(MOST_NAMED)
                .map(found ->
                        Checks.name(found.cell()) + " (" + steadiness(found).detail() + ")")
                .collect(Collectors.joining(", "));
        return unsteady.size() <= MOST_NAMED ? shown : shown + " and " + (unsteady.size() - MOST_NAMED) + " more";
    }

    private static Steadiness steadiness(CellAnalysis.Found found) {
        return Objects.requireNonNull(found.problems().steadiness());
    }
}
