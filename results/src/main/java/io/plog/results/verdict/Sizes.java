package io.plog.results.verdict;

import io.plog.results.cells.CellEstimates;
import io.plog.results.model.Claim.Verdict;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/** One figure of several payload sizes, for claims about all or some of them. Immutable. */
record Sizes(List<Sized> all) {
    private static final Comparator<Sized> BY_VALUE =
            Comparator.comparingDouble(sized -> sized.estimate().value());

    /** A figure of one size. */
    record Sized(int bytes, Estimate estimate) {}

    /** A verdict and the size that decides it: of those with this verdict, the one with the least favourable figure. */
    record Decided(Verdict verdict, Sized by) {
        Estimate estimate() {
            return by.estimate;
        }

        Finding finding(String found, String holds, String fails) {
            return new Finding(verdict, found + VerdictRules.said(verdict, holds, fails), by.estimate);
        }
    }

    static Sizes of(List<CellEstimates> cells, Function<CellEstimates, Estimate> figure) {
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

    /** Of at least one size, as the next two. */
    Decided everyAtMost(double limit) {
        return decided(size -> VerdictRules.atMost(size, limit), VerdictRules::every, BY_VALUE.reversed());
    }

    Decided everyAtLeast(double limit) {
        return decided(size -> VerdictRules.atLeast(size, limit), VerdictRules::every, BY_VALUE);
    }

    Decided someAtMost(double limit) {
        return decided(size -> VerdictRules.atMost(size, limit), VerdictRules::some, BY_VALUE);
    }

    private Decided decided(
            Function<Estimate, Verdict> rule, Function<List<Verdict>, Verdict> ofAll, Comparator<Sized> decidesFirst) {
        Verdict verdict =
                ofAll.apply(all.stream().map(size -> rule.apply(size.estimate)).toList());
        return new Decided(
                verdict,
                all.stream()
                        .filter(size -> rule.apply(size.estimate) == verdict)
                        .min(decidesFirst)
                        .orElseThrow());
    }

    /** Each size with its figure. */
    String list(Function<Estimate, String> figure) {
        return all.stream()
                .map(size -> Units.size(size.bytes) + " " + figure.apply(size.estimate))
                .collect(Collectors.joining("; "));
    }
}
