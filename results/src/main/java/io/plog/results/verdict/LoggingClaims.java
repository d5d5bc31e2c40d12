package io.plog.results.verdict;

import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results.Target;
import io.plog.results.model.Wording;
import io.plog.results.verdict.Claims.Measured;
import io.plog.stats.Estimate;
import io.plog.stats.Percentile;
import io.plog.stats.text.Units;
import java.util.List;

/** Z1 and Z2: how long logging takes. */
final class LoggingClaims {
    static final double GREAT_MAJORITY = 0.99;

    /** The book's second half: 100 kB within 1000 µs are over 100 MB/s. */
    static final double LEAST_MEGABYTES_PER_SECOND = 100;

    /** The least size that the rate is judged at, in bytes. */
    static final int LARGE_BYTES = 100_000;

    static final double SMALL_MICROS = 100;

    private LoggingClaims() {}

    static Finding z1(Claims.RunFacts run, Target target) {
        Sizes shares = Sizes.of(run.cells(target), Measured::loggedWithinLimit);
        Sizes rates = Sizes.of(run.cells(target), LoggingClaims::rate);
        Sizes judged = rates.between(LARGE_BYTES, Claims.LARGEST_BYTES);
        Sizes.Decided share = shares.everyAtLeast(GREAT_MAJORITY);
        Verdict verdict = judged.isEmpty()
                ? share.verdict()
                : VerdictRules.every(List.of(
                        share.verdict(),
                        judged.everyAtLeast(LEAST_MEGABYTES_PER_SECOND).verdict()));
        return new Finding(
                verdict,
                "Logged within 1000 µs: " + shares.list(each -> Wording.of(each, Units::percent))
                        + ". Rate of logging, payload by mean logging latency, in MB/s: "
                        + rates.list(Wording::of)
                        + (judged.isEmpty()
                                ? ". No size of 100 kB was measured, so only the first half of the claim is judged."
                                : ".")
                        + VerdictRules.said(
                                verdict,
                                "That is the great majority at over 100 MB/s, as the book says (we ask for 99 %).",
                                "That is not what the book says: the great majority (we ask for 99 %) at over 100 MB/s."),
                share.verdict() == verdict ? share.estimate() : null); // else the rate decides
    }

    /** Payload by the mean logging latency: bytes per microsecond are millions of bytes a second. */
    private static Estimate rate(Measured cell) {
        double bytes = cell.bytes();
        Estimate mean = cell.meanLogging();
        Double low = mean.low();
        Double high = mean.high();
        return new Estimate(
                bytes / mean.value(),
                high == null || high <= 0 ? null : (Double) (bytes / high),
                low == null || low <= 0 ? null : (Double) (bytes / low));
    }

    static Finding z2(Claims.RunFacts run, Target target) {
        Sizes medians = Sizes.of(run.small(target), cell -> cell.logging(Percentile.P50));
        if (medians.isEmpty()) {
            return Finding.untested("no size up to 1 kB was measured");
        }
        Sizes tails = Sizes.of(run.small(target), cell -> cell.logging(Percentile.P95));
        return medians.everyAtMost(SMALL_MICROS)
                .finding(
                        "Logging latency, median: " + medians.list(Wording::micros) + ". 95th percentile: "
                                + tails.list(Wording::micros) + ".",
                        "The book's 100 µs are kept: we ask for the median at every small size.",
                        "The book says 100 µs, which this disk does not reach at the median.");
    }
}
