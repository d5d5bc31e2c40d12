package io.plog.results.study;

import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.measure.samples.RunInfo;
import io.plog.results.cells.BlockSeries;
import io.plog.results.cells.CellAnalysis.Found;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Wording;
import io.plog.results.verdict.Overheads;
import io.plog.stats.Comparison;
import io.plog.stats.Estimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

/**
 * Designs against the reference at the same absolute rate, and the most threads against the fewest. Cells ran at different times, so
 * nothing is paired. Stateless.
 */
public final class StudyComparisons {
    private StudyComparisons() {}

    /** Whether a cell is compared with others, for which its latencies are needed. */
    public static boolean isCompared(RunInfo.Target cell) {
        return StudyCell.ABSOLUTE.equals(cell.dimensions().get(StudyCell.LOAD));
    }

    /**
     * All comparisons, rate by rate.
     *
     * @param designs in the order of the plan
     * @param cells of any kind; those that are compared with their latencies
     */
    public static List<Overhead> of(List<String> designs, List<Found> cells) {
        List<Found> compared = cells.stream()
                .filter(cell -> isCompared(cell.target()) && cell.cell().count() > 0)
                .toList();
        String reference = StudyCells.reference(designs);
        List<StudyDesign> threads = designs.stream()
                .flatMap(design -> StudyDesign.ofLabel(design).stream())
                .filter(StudyDesign::isThreads)
                .sorted(Comparator.comparingInt(StudyDesign::threads))
                .toList();
        List<Overhead> all = new ArrayList<>();
        for (Found treated : compared) {
            String design = treated.target().name();
            if (!design.equals(reference)) {
                like(compared, reference, treated).ifPresent(control -> all.add(between(treated, control)));
            }
        }
        if (threads.size() > 1 && !threads.get(0).label().equals(reference)) {
            String most = threads.get(threads.size() - 1).label();
            compared.stream()
                    .filter(treated -> treated.target().name().equals(most))
                    .forEach(treated -> like(compared, threads.get(0).label(), treated)
                            .ifPresent(control -> all.add(between(treated, control))));
        }
        return all;
    }

    private static Optional<Found> like(List<Found> cells, String design, Found other) {
        return cells.stream()
                .filter(each -> each.target().name().equals(design)
                        && each.target().dimensions().equals(other.target().dimensions()))
                .findFirst();
    }

    private static Overhead between(Found treated, Found control) {
        Comparison found = BlockSeries.apart(
                Objects.requireNonNull(treated.endToEndBlocks()), Objects.requireNonNull(control.endToEndBlocks()));
        String design = treated.target().name();
        String other = control.target().name();
        Optional<PublishedServers.Factors> published = PublishedServers.factors(design, other);
        boolean sustained = StudyCells.load(treated.cell()).sustained()
                && StudyCells.load(control.cell()).sustained();
        String sentence = sentence(
                        design,
                        other,
                        StudyCells.number(treated.cell(), StudyCell.RATE),
                        found.ratioOfMeans(),
                        found.ratioOfQuantiles(0.5))
                + published
                        .map(factors -> String.format(
                                Locale.ROOT, " Published: %.1f and %.1f times.", factors.mean(), factors.median()))
                        .orElse(" The published table has no such pair.")
                + (sustained
                        ? ""
                        : " The rate was not sustained by both, so the factor grows with the time that it ran.");
        return Overheads.row(treated, control, found, verdict(design, other, found.ratioOfMeans()), sentence);
    }

    /** Each design is held against its own published factor; for one that nothing was published of, the least stands in. */
    private static Verdict verdict(String design, String other, Estimate ratio) {
        double limit =
                PublishedServers.LIKE * PublishedServers.like(design, other).mean();
        return Verdict.of(ratio.isAbove(limit), ratio.isBelow(limit));
    }

    private static String sentence(String design, String other, double rate, Estimate means, Estimate medians) {
        String verdict = means.isAbove(1)
                ? "is slower than"
                : means.isBelow(1) ? "is faster than" : "cannot be distinguished from";
        return String.format(
                Locale.ROOT,
                "At %,.0f requests a second, %s %s %s in the mean: %s times its mean and %s times its median.",
                rate,
                design,
                verdict,
                other,
                Wording.of(means),
                Wording.of(medians));
    }
}
