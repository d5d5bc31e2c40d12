package io.plog.report.study;

import io.plog.report.study.StudyResults.Comparison;
import io.plog.report.study.StudyResults.Control;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What the study found, in one sentence, and what the log costs in capacity, in another. Intervals decide the words. */
public final class Headline {
    private final StudyView study;

    /** Of this study. */
    public Headline(StudyView study) {
        this.study = study;
    }

    /** One or two sentences, the first of latencies. */
    public List<String> sentences() {
        return Stream.of(latencies(), capacities())
                .filter(sentence -> !sentence.isEmpty())
                .toList();
    }

    private String latencies() {
        Double rate = study.commonRate();
        List<Comparison> all = rate == null
                ? List.of()
                : study.results().comparisons().stream()
                        .filter(each -> StudyView.isRate(each.ratePerSecond(), rate))
                        .toList();
        if (rate == null || all.isEmpty()) {
            return "No two designs were measured at one rate, so this study says nothing of what the way of waiting costs.";
        }
        String reference =
                study.first(DesignLabel.Kind.DEDICATED).orElse(study.designs().get(0));
        String different = all.stream()
                .filter(each -> isAbove(each.meanRatio()) || isBelow(each.meanRatio()))
                .map(each -> each.design() + " takes "
                        + StudyNumbers.times(each.meanRatio().value()) + " "
                        + StudyNumbers.ends(each.meanRatio(), StudyNumbers::factor))
                .collect(Collectors.joining("; "));
        String alike = all.stream()
                .filter(Predicate.not(each -> isAbove(each.meanRatio()) || isBelow(each.meanRatio())))
                .map(each -> each.design())
                .collect(Collectors.joining("; "));
        return "At " + StudyNumbers.perSecond(study.planned(rate)) + " requests/s "
                + (different.isEmpty() ? "" : different + " as long as " + reference + " in the mean")
                + (different.isEmpty() || alike.isEmpty() ? "" : ". There ")
                + (alike.isEmpty() ? "" : "no difference from " + reference + " was seen with " + alike)
                + ".";
    }

    /** Empty without controls. */
    private String capacities() {
        List<Control> known = study.results().controls().stream()
                .filter(control -> control.loggedShare().value() > 0)
                .toList();
        return known.isEmpty()
                ? ""
                : "With the log a design carries this share of what it carries in memory: "
                        + known.stream()
                                .map(control -> control.design() + " "
                                        + StudyNumbers.interval(control.loggedShare(), Units::wholePercent))
                                .collect(Collectors.joining("; "))
                        + ".";
    }

    private static boolean isAbove(Estimate ratio) {
        Double low = ratio.low();
        return low != null && low > 1;
    }

    private static boolean isBelow(Estimate ratio) {
        Double high = ratio.high();
        return high != null && high < 1;
    }
}
