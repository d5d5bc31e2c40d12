package io.plog.report.verdict;

import io.plog.report.results.Results.Claim;
import io.plog.report.results.Results.Target;
import io.plog.report.results.Results.Verdict;
import io.plog.report.verdict.Claims.Sized;
import io.plog.stats.Estimate;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Z1 and Z2: how long logging takes. */
final class LoggingClaims {
    static final double GREAT_MAJORITY = 0.99;

    /** The book's second half: 100 kB within 1000 µs are over 100 MB/s. */
    static final double LEAST_MEGABYTES_PER_SECOND = 100;

    /** The least size that the rate is judged at, in bytes. */
    static final int LARGE_BYTES = 100_000;

    static final double SMALL_MICROS = 100;

    private LoggingClaims() {}

    static Claim z1(Claims.RunFacts run, Target target) {
        List<Sized> shares = run.cells(target).stream()
                .map(cell -> cell.of(Objects.requireNonNull(cell.figures().loggedWithinLimit())))
                .toList();
        Sized worst = Collections.min(shares, Sized.BY_VALUE);
        List<Sized> rates =
                run.cells(target).stream().map(cell -> cell.of(rate(cell))).toList();
        List<Sized> judged =
                rates.stream().filter(size -> size.bytes() >= LARGE_BYTES).toList();
        Verdict verdict = VerdictRules.every(Stream.concat(
                        shares.stream().map(size -> VerdictRules.atLeast(size.estimate(), GREAT_MAJORITY)),
                        judged.stream().map(size -> VerdictRules.atLeast(size.estimate(), LEAST_MEGABYTES_PER_SECOND)))
                .toList());
        String rate = judged.isEmpty()
                ? "no size of 100 kB was measured, so only the first half of the claim is judged"
                : judged.stream()
                        .map(size -> Micros.text(size.estimate().value()) + " MB/s at " + Units.size(size.bytes()))
                        .collect(Collectors.joining(", "));
        return Claims.about(
                "Z1",
                target,
                "The great majority of logging operations finish within 1000 µs, up to 100 kB, which is over 100 MB/s.",
                verdict,
                (worst.estimate().value() == 1
                                ? "all within 1000 µs"
                                : "within 1000 µs: at least "
                                        + Units.percent(worst.estimate().value()))
                        + (judged.isEmpty() ? "" : "; " + rate),
                "Logged within 1000 µs: " + Claims.list(shares, VerdictSentences::share)
                        + ". Rate of logging, payload by mean logging latency, in MB/s: "
                        + Claims.list(rates, LoggingClaims::megabytes)
                        + ". The rule asks for more than 99 % at every size, and for more than 100 MB/s at 100 kB"
                        + (judged.isEmpty() ? ": " + rate : "") + ".",
                worst.estimate(),
                "Of the requests of " + Units.size(worst.bytes()) + ", " + VerdictSentences.share(worst.estimate())
                        + " were in the log within 1000 µs; no size has fewer. Logged at a time: " + rate + "."
                        + VerdictSentences.verdict(
                                verdict,
                                "That is the great majority at over 100 MB/s, as the book says (we ask for 99 %).",
                                "That is not what the book says: the great majority (we ask for 99 %) at over 100 MB/s."));
    }

    /** Payload by the mean logging latency: bytes per microsecond are millions of bytes a second. */
    private static Estimate rate(Claims.Measured cell) {
        double bytes = cell.cell().payloadBytes();
        Estimate mean = VerdictRules.mean(cell.logging());
        Double low = mean.low();
        Double high = mean.high();
        return new Estimate(
                bytes / mean.value(),
                high == null || high <= 0 ? null : (Double) (bytes / high),
                low == null || low <= 0 ? null : (Double) (bytes / low));
    }

    private static String megabytes(Estimate rate) {
        Double low = rate.low();
        Double high = rate.high();
        return Micros.text(rate.value())
                + (low == null || high == null
                        ? ""
                        : " (between " + Micros.text(low) + " and " + Micros.text(high) + ")");
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
                        + Claims.list(tails, VerdictSentences::micros)
                        + ". \"Within\" is taken as: the median is below 100 µs at every small size.",
                worst.estimate(),
                "Half of the requests of " + Units.size(worst.bytes()) + " were in the log within "
                        + VerdictSentences.micros(worst.estimate()) + "; no other small size took longer."
                        + VerdictSentences.verdict(
                                verdict,
                                "The book's 100 µs are kept.",
                                "The book says 100 µs, which this disk does not reach."));
    }
}
