package io.plog.report.verdict;

import io.plog.report.results.Results.Claim;
import io.plog.report.results.Results.Target;
import io.plog.report.results.Results.Verdict;
import io.plog.report.verdict.Claims.Sized;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.Collections;
import java.util.List;
import java.util.Objects;

/** Z1 and Z2: how long logging takes. */
final class LoggingClaims {
    static final double GREAT_MAJORITY = 0.99;
    static final double SMALL_MICROS = 100;

    private LoggingClaims() {}

    static Claim z1(Claims.RunFacts run, Target target) {
        List<Sized> shares = run.cells(target).stream()
                .map(cell -> cell.of(Objects.requireNonNull(cell.figures().loggedWithinLimit())))
                .toList();
        Sized worst = Collections.min(shares, Sized.BY_VALUE);
        Verdict verdict = VerdictRules.every(shares.stream()
                .map(size -> VerdictRules.atLeast(size.estimate(), GREAT_MAJORITY))
                .toList());
        return Claims.about(
                "Z1",
                target,
                "The great majority of logging operations finish within 1000 µs, up to 100 kB.",
                verdict,
                worst.estimate().value() == 1
                        ? "all within 1000 µs"
                        : "within 1000 µs: at least "
                                + Units.percent(worst.estimate().value()),
                "Logged within 1000 µs: " + Claims.list(shares, VerdictSentences::share)
                        + ". The rule asks for more than 99 % at every size.",
                worst.estimate(),
                "Of the requests of " + Units.size(worst.bytes()) + ", " + VerdictSentences.share(worst.estimate())
                        + " were in the log within 1000 µs; no size has fewer."
                        + VerdictSentences.verdict(
                                verdict,
                                "That is the great majority, as the book says (we ask for 99 %).",
                                "That is not the great majority that the book speaks of (we ask for 99 %)."));
    }

    static Claim z2(Claims.RunFacts run, Target target) {
        List<Claims.Measured> small = run.small(target);
        String text = "Small messages are logged within 100 µs.";
        if (small.isEmpty()) {
            return Claims.notMeasured("Z2", target, text, "no size up to 1 kB was measured");
        }
        List<Sized> medians = small.stream()
                .map(cell -> cell.of(VerdictRules.quantile(
                        cell.logging(), 0.5, cell.logging().p50())))
                .toList();
        List<Sized> tails = small.stream()
                .map(cell -> cell.of(VerdictRules.quantile(
                        cell.logging(), 0.95, cell.logging().p95())))
                .toList();
        Sized worst = Collections.max(medians, Sized.BY_VALUE);
        Verdict verdict = VerdictRules.every(medians.stream()
                .map(size -> VerdictRules.atMost(size.estimate(), SMALL_MICROS))
                .toList());
        return Claims.about(
                "Z2",
                target,
                text,
                verdict,
                "median " + Micros.text(worst.estimate().value()) + " µs, 95 % "
                        + Micros.text(Collections.max(tails, Sized.BY_VALUE)
                                .estimate()
                                .value())
                        + " µs",
                "Logging latency, median: " + Claims.list(medians, VerdictSentences::micros) + ". 95th percentile: "
                        + Claims.list(tails, VerdictSentences::micros) + ". The rule asks for a median below 100 µs.",
                worst.estimate(),
                "Half of the requests of " + Units.size(worst.bytes()) + " were in the log within "
                        + VerdictSentences.micros(worst.estimate()) + "; no other small size took longer."
                        + VerdictSentences.verdict(
                                verdict,
                                "The book's 100 µs are kept.",
                                "The book says 100 µs, which this disk does not reach."));
    }
}
