package io.plog.results.study;

import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Wording;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the study found, in one sentence, and what the log costs in capacity, in another. Intervals decide the words. */
public final class Headline {
    private final StudyCells study;

    private Headline(StudyCells study) {
        this.study = study;
    }

    /** One or two sentences, the first of latencies. */
    public static List<String> sentences(StudyCells study) {
        Headline headline = new Headline(study);
        return Stream.of(headline.latencies(), headline.capacities())
                .filter(sentence -> !sentence.isEmpty())
                .toList();
    }

    private String latencies() {
        Double rate = study.commonRate();
        List<Overhead> all = rate == null
                ? List.of()
                : study.comparisons().stream()
                        .filter(each -> StudyCells.rate(each) == rate)
                        .toList();
        if (rate == null || all.isEmpty()) {
            return "No two designs were measured at one rate, so this study says nothing of what the way of waiting costs.";
        }
        if (!study.atRate(rate).stream().allMatch(StudyCells::isJudged)) {
            return "No rate was kept by all designs, so this study says nothing of what the way of waiting costs.";
        }
        String different = all.stream()
                .filter(Headline::differs)
                .map(each -> each.target() + " takes "
                        + Wording.times(each.ratioOfMeans().estimate()) + " as long as " + study.reference()
                        + " in the mean, "
                        + Wording.times(each.ratioOfMedians().estimate()) + " at the median")
                .collect(Collectors.joining("; "));
        String alike = all.stream()
                .filter(Predicate.not(Headline::differs))
                .map(Overhead::target)
                .collect(Collectors.joining("; "));
        return "At " + Wording.perSecond(rate) + " requests/s "
                + different
                + (different.isEmpty() || alike.isEmpty() ? "" : ". There ")
                + (alike.isEmpty() ? "" : "no difference from " + study.reference() + " was seen with " + alike)
                + ".";
    }

    private static boolean differs(Overhead comparison) {
        Estimate ratio = comparison.ratioOfMeans().estimate();
        return ratio.isAbove(1) || ratio.isBelow(1);
    }

    /** Empty without controls. */
    private String capacities() {
        String shares = study.designs().stream()
                .flatMap(design -> study.loggedShare(design).stream()
                        .map(share -> design + " " + Wording.of(share, Units::wholePercent)))
                .collect(Collectors.joining("; "));
        return shares.isEmpty()
                ? ""
                : "With the log a design carries this share of what it carries in memory: " + shares + ".";
    }
}
