package io.plog.report.study;

import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyDesign;
import io.plog.report.study.StudyResults.Comparison;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.stats.Replicates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Designs against the reference at the same absolute rate. Cells ran at different times, so nothing is paired. Stateless. */
final class Comparisons {
    /**
     * A cell as a comparison needs it.
     *
     * @param latency of all its trials, from sending
     * @param sustained whether all of them kept the rate
     */
    record Contender(StudyCell cell, Replicates latency, boolean sustained) {
        /** Empty if no request was accepted. */
        static Optional<Contender> of(List<CellData> trials) {
            return Distributions.replicates(trials, Distributions::latency)
                    .map(latency -> new Contender(
                            trials.get(0).cell(),
                            latency,
                            trials.stream().allMatch(trial -> trial.summary().sustained())));
        }
    }

    private Comparisons() {}

    /**
     * Every design but the reference, at every rate.
     *
     * @param cells of kind absolute
     */
    static List<Comparison> of(StudyDesign reference, List<Contender> cells) {
        List<Comparison> all = new ArrayList<>();
        for (Contender treated : cells) {
            if (!treated.cell.design().equals(reference)) {
                find(cells, reference, treated.cell.ratePerSecond())
                        .ifPresent(control -> all.add(between(treated, control)));
            }
        }
        return all;
    }

    /** The most threads against the fewest, at the highest rate that both have; null if there are no two such designs. */
    static @Nullable Comparison moreProcesses(List<StudyDesign> designs, List<Contender> cells) {
        List<StudyDesign> threads = designs.stream()
                .filter(StudyDesign::isThreads)
                .sorted(Comparator.comparingInt(StudyDesign::threads))
                .toList();
        if (threads.size() < 2) {
            return null;
        }
        StudyDesign few = threads.get(0);
        StudyDesign many = threads.get(threads.size() - 1);
        return cells.stream()
                .filter(each -> each.cell.design().equals(many)
                        && find(cells, few, each.cell.ratePerSecond()).isPresent())
                .max(Comparator.comparingDouble(each -> each.cell.ratePerSecond()))
                .map(each -> between(
                        each, find(cells, few, each.cell.ratePerSecond()).orElseThrow()))
                .orElse(null);
    }

    private static Optional<Contender> find(List<Contender> cells, StudyDesign design, double ratePerSecond) {
        return cells.stream()
                .filter(each -> each.cell.design().equals(design) && each.cell.ratePerSecond() == ratePerSecond)
                .findFirst();
    }

    private static Comparison between(Contender treated, Contender control) {
        io.plog.stats.Comparison found = io.plog.stats.Comparison.of(treated.latency, control.latency, false);
        StudyDesign design = treated.cell.design();
        StudyDesign other = control.cell.design();
        Optional<PublishedServers.Server> theirs = PublishedServers.of(design);
        Optional<PublishedServers.Server> reference = PublishedServers.of(other);
        boolean known = theirs.isPresent() && reference.isPresent();
        Double mean = known
                ? (Double) StudyEstimates.rounded(
                        theirs.get().mean() / reference.get().mean(), 2)
                : null;
        Double median = known
                ? (Double) StudyEstimates.rounded(
                        theirs.get().p50() / reference.get().p50(), 2)
                : null;
        Estimate ratioOfMeans = StudyEstimates.of(found.ratioOfMeans());
        Estimate ratioOfMedians = StudyEstimates.of(found.ratioOfMedians());
        double rate = treated.cell.ratePerSecond();
        String sentence = sentence(design, other, rate, ratioOfMeans, ratioOfMedians)
                + (mean == null || median == null
                        ? " The published table has no such pair."
                        : String.format(Locale.ROOT, " Published: %.1f and %.1f times.", mean, median))
                + unsustained(treated, control);
        return new Comparison(
                design.label(),
                rate,
                ratioOfMeans,
                ratioOfMedians,
                known ? theirs.get().name() + " against " + reference.get().name() : "",
                mean,
                median,
                sentence);
    }

    private static String sentence(
            StudyDesign design, StudyDesign other, double rate, Estimate means, Estimate medians) {
        String verdict = StudyEstimates.isAbove(means, 1)
                ? "is slower than"
                : StudyEstimates.isBelow(means, 1) ? "is faster than" : "cannot be distinguished from";
        return String.format(
                Locale.ROOT,
                "At %,.0f requests a second, %s %s %s in the mean: %s times its mean and %s times its median.",
                rate,
                design.label(),
                verdict,
                other.label(),
                EstimateText.factor(means),
                EstimateText.factor(medians));
    }

    private static String unsustained(Contender treated, Contender control) {
        return treated.sustained && control.sustained
                ? ""
                : " The rate was not sustained by both, so the factor grows with the time that it ran.";
    }
}
