package io.plog.report.verdict;

import io.plog.report.results.Results.Claim;
import io.plog.report.results.Results.Target;
import io.plog.report.results.Results.Verdict;
import io.plog.report.verdict.Claims.Measured;
import io.plog.report.verdict.Claims.Sized;
import io.plog.stats.Estimate;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Objects;

/** Z6 to Z9: how long a request takes from sending it until the reply is there. */
final class EndToEndClaims {
    static final double LIMIT_MICROS = 10_000;
    static final double SMALL_MICROS = 150;

    /** What counts as well above the logging latency: a quarter more. */
    static final double WELL_ABOVE = 1.25;

    /** Fewer independent requests have no upper bound for their 99.9th percentile. */
    static final int LEAST_FOR_TAIL = 3_688;

    static final double ONE_WAY_MICROS = 2600;
    static final double ONE_WAY_TOLERANCE = 0.25;

    private static final String ONE_WAY =
            "100 kB one way take about 2600 µs, half of end to end without logging: slightly under 40 MB/s.";

    private EndToEndClaims() {}

    static Claim z6(Claims.RunFacts run, Target target) {
        List<Measured> cells = run.cells(target);
        List<Sized> tails = cells.stream()
                .map(cell -> cell.of(VerdictRules.quantile(
                        cell.endToEnd(), 0.999, cell.endToEnd().p999())))
                .toList();
        Sized worst = Collections.max(tails, Sized.BY_VALUE);
        double longest =
                cells.stream().mapToDouble(cell -> cell.endToEnd().max()).max().orElseThrow();
        Verdict verdict = VerdictRules.every(tails.stream()
                .map(size -> VerdictRules.atMost(size.estimate(), LIMIT_MICROS))
                .toList());
        boolean bounded = tails.stream().allMatch(size -> size.estimate().high() != null);
        long fewest =
                cells.stream().mapToLong(cell -> cell.cell().count()).min().orElseThrow();
        boolean cannotHold = verdict == Verdict.UNDECIDED && fewest < LEAST_FOR_TAIL;
        return Claims.about(
                "Z6",
                target,
                "End to end stays within 10 ms up to 100 kB, with and without logging.",
                verdict,
                "99.9 % " + Micros.text(worst.estimate().value()) + " µs, longest " + Micros.text(longest) + " µs"
                        + (cannotHold
                                ? String.format(Locale.ROOT, "; %,d requests cannot show that it holds", fewest)
                                : ""),
                "99.9th percentile, end to end: " + Claims.list(tails, VerdictSentences::micros) + ". Longest: "
                        + Micros.text(longest) + " µs. The rule asks for a 99.9th percentile below 10 ms at every size"
                        + (bounded
                                ? "."
                                : "; it takes at least 3,688 requests to a cell to bound it from above, more if they"
                                        + " depend on each other.")
                        + (cannotHold
                                ? String.format(
                                        Locale.ROOT,
                                        " With %,d requests to a cell this run can only show that the claim fails, never that it"
                                                + " holds; measure with --iterations 10000.",
                                        fewest)
                                : ""),
                worst.estimate(),
                "Of 1000 requests of " + Units.size(worst.bytes()) + ", 999 are answered within "
                        + VerdictSentences.micros(worst.estimate()) + "; no other size takes longer."
                        + VerdictSentences.verdict(
                                verdict, "That is within 10 ms.", "That is more than the book's 10 ms."));
    }

    static Claim z7(Claims.RunFacts run, Target target) {
        List<Measured> small = run.small(target);
        String text = "Small messages: end to end as low as about 100 µs.";
        if (small.isEmpty()) {
            return Claims.notMeasured("Z7", target, text, "no size up to 1 kB was measured");
        }
        List<Sized> medians = small.stream()
                .map(cell -> cell.of(VerdictRules.quantile(
                        cell.endToEnd(), 0.5, cell.endToEnd().p50())))
                .toList();
        Sized best = Collections.min(medians, Sized.BY_VALUE);
        Verdict verdict = VerdictRules.some(medians.stream()
                .map(size -> VerdictRules.atMost(size.estimate(), SMALL_MICROS))
                .toList());
        return Claims.about(
                "Z7",
                target,
                text,
                verdict,
                "lowest median " + Micros.text(best.estimate().value()) + " µs",
                "Median end to end: " + Claims.list(medians, VerdictSentences::micros)
                        + ". \"As low as about 100\" is taken as: the median is below 150 µs at one small size at least.",
                best.estimate(),
                "Half of the requests of " + Units.size(best.bytes()) + " are answered within "
                        + VerdictSentences.micros(best.estimate()) + "."
                        + VerdictSentences.verdict(
                                verdict,
                                "That is about as fast as the book's 100 µs (we allow 150).",
                                "The book's 100 µs are not reached (we allow 150)."));
    }

    static Claim z8(Claims.RunFacts run, Target target) {
        List<Sized> ratios = run.cells(target).stream()
                .map(cell ->
                        cell.of(atLeastOne(Objects.requireNonNull(cell.figures().endToEndByLogging()))))
                .toList();
        Sized least = Collections.min(ratios, Sized.BY_VALUE);
        Verdict verdict = VerdictRules.every(ratios.stream()
                .map(size -> VerdictRules.atLeast(size.estimate(), WELL_ABOVE))
                .toList());
        return Claims.about(
                "Z8",
                target,
                "End to end is always well above the logging latency.",
                verdict,
                "means: at least " + Units.ratio(least.estimate().value()),
                "Mean end to end by mean logging latency: " + Claims.list(ratios, VerdictSentences::ratio)
                        + ". It cannot be below 1, because the reply waits for the log, so \"well above\" is taken as more than "
                        + WELL_ABOVE
                        + " times at every size. How far above 1 it lies is the network's and the reply's part.",
                least.estimate(),
                "A whole request takes at least " + VerdictSentences.ratio(least.estimate())
                        + " as long as its logging (that is at " + Units.size(least.bytes())
                        + "). It must take longer, as the answer waits for the log; the rest is the network and the"
                        + " server's other work."
                        + VerdictSentences.verdict(
                                verdict,
                                "That is well above (we ask for a quarter more).",
                                "That is not well above (we ask for a quarter more)."));
    }

    /** In every request logging is a part of end to end, so the arithmetic of an interval must not go below 1. */
    private static Estimate atLeastOne(Estimate ratio) {
        Double low = ratio.low();
        return new Estimate(ratio.value(), low == null ? null : (Double) Math.max(1, low), ratio.high());
    }

    static Claim z9(Claims.RunFacts run) {
        Measured large = run.cells().stream()
                .filter(measured -> !measured.cell().forceLabel().isLogged()
                        && measured.cell().count() > 0)
                .filter(measured -> measured.cell().payloadBytes() >= 100_000
                        && measured.cell().payloadBytes() <= Claims.LARGEST_BYTES)
                .findFirst()
                .orElse(null);
        if (large == null) {
            return Claims.needs("Z9", null, ONE_WAY, "100 kB on target off");
        }
        Estimate oneWay = VerdictRules.mean(large.endToEnd()).map(micros -> micros / 2);
        String figure = Micros.text(oneWay.value()) + " µs one way, "
                + Micros.text(large.cell().payloadBytes() / oneWay.value()) + " MB/s";
        String told = "One way for " + Units.size(large.cell().payloadBytes()) + " took "
                + VerdictSentences.micros(oneWay) + ", taken as half of there and back without logging.";
        if (Boolean.FALSE.equals(run.loopback())) {
            return network(large, oneWay, figure, told);
        }
        boolean known = run.loopback() != null;
        return new Claim(
                "Z9",
                large.cell().target(),
                ONE_WAY,
                Verdict.NOT_TESTABLE,
                false,
                (known ? "loopback, no network: " : "network unknown: ") + figure,
                "The claim is about a Gigabit network; "
                        + (known ? "client and server ran on one machine." : "the network is not known.")
                        + " For a link of 1 Gbit/s run " + Claims.GIGABIT + "."
                        + " Here: " + figure + ", estimated as half of the mean end to end; "
                        + VerdictSentences.micros(oneWay) + ".",
                null,
                told
                        + (known
                                ? " There was no network between them, so it says nothing about the book's 2600 µs: run the client on"
                                        + " another machine for that."
                                : " The network is not known, so it cannot be compared with the book's 2600 µs."));
    }

    private static Claim network(Measured large, Estimate oneWay, String figure, String told) {
        Verdict verdict = VerdictRules.every(List.of(
                VerdictRules.atMost(oneWay, ONE_WAY_MICROS * (1 + ONE_WAY_TOLERANCE)),
                VerdictRules.atLeast(oneWay, ONE_WAY_MICROS * (1 - ONE_WAY_TOLERANCE))));
        return new Claim(
                "Z9",
                large.cell().target(),
                ONE_WAY,
                verdict,
                false,
                figure,
                "Half of the mean end to end without logging: " + VerdictSentences.micros(oneWay)
                        + ". \"About\" is taken as within 25 %; another network gives another figure.",
                Claims.result(oneWay),
                told
                        + VerdictSentences.verdict(
                                verdict,
                                "That is about the book's 2600 µs (within 25 %).",
                                "That is not the book's 2600 µs (within 25 %): the network is another one."));
    }
}
