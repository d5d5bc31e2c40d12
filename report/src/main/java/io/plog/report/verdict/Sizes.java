package io.plog.report.verdict;

import io.plog.report.results.Claim.Verdict;
import io.plog.report.verdict.Claims.Measured;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One figure of several payload sizes, for claims about all or some of them. Immutable. */
record Sizes(List<Sized> all) {
    private static final Comparator<Sized> BY_VALUE =
            Comparator.comparingDouble(sized -> sized.estimate().value());

    /** A figure of one size. */
    record Sized(int bytes, Estimate estimate) {
        double value() {
            return estimate.value();
        }
    }

    static Sizes of(List<Measured> cells, Function<Measured, Estimate> figure) {
        return new Sizes(cells.stream()
                .map(cell -> new Sized(cell.bytes(), figure.apply(cell)))
                .toList());
    }

    boolean isEmpty() {
        return all.isEmpty();
    }

    Sizes between(int least, int most) {
        return new Sizes(all.stream()
                .filter(size -> size.bytes >= least && size.bytes <= most)
                .toList());
    }

    Sized least() {
        return Collections.min(all, BY_VALUE);
    }

    Sized most() {
        return Collections.max(all, BY_VALUE);
    }

    Verdict everyAtMost(double limit) {
        return VerdictRules.every(each(size -> VerdictRules.atMost(size.estimate, limit)));
    }

    Verdict everyAtLeast(double limit) {
        return VerdictRules.every(each(size -> VerdictRules.atLeast(size.estimate, limit)));
    }

    Verdict someAtMost(double limit) {
        return VerdictRules.some(each(size -> VerdictRules.atMost(size.estimate, limit)));
    }

    private <T> List<T> each(Function<Sized, T> rule) {
        return all.stream().map(rule).toList();
    }

    /** Each size with its figure. */
    String list(Function<Estimate, String> figure) {
        return all.stream()
                .map(size -> Units.size(size.bytes) + " " + figure.apply(size.estimate))
                .collect(Collectors.joining("; "));
    }
}
