package io.plog.results.verdict;

import io.plog.measure.samples.ForceLabel;
import io.plog.results.cells.CellEstimates;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.Target;
import io.plog.results.model.Wording;
import io.plog.stats.Estimate;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;

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

    private EndToEndClaims() {}

    static Finding z6(Claims.RunFacts run, Target target) {
        List<CellEstimates> cells = run.cells(target);
        Sizes tails =
                Sizes.of(cells, cell -> cell.endToEnd().at(Percentile.P999).estimate());
        Sizes.Decided decided = tails.everyAtMost(LIMIT_MICROS);
        double longest =
                cells.stream().mapToDouble(cell -> cell.endToEnd().max()).max().orElseThrow();
        Verdict verdict = decided.verdict();
        long fewest =
                cells.stream().mapToLong(cell -> cell.cell().count()).min().orElseThrow();
        boolean cannotHold = verdict == Verdict.UNDECIDED && fewest < LEAST_FOR_TAIL;
        return new Finding(
                verdict,
                "99.9th percentile, end to end: " + tails.list(Wording::micros) + ". Longest: "
                        + Micros.text(longest) + " µs."
                        + (cannotHold
                                ? String.format(
                                        Locale.ROOT,
                                        " With %,d requests to a cell this run can only show that the claim fails, never that it"
                                                + " holds; measure with --iterations 10000.",
                                        fewest)
                                : "")
                        + VerdictRules.said(
                                verdict,
                                "That is within 10 ms for 999 of 1000 requests of every size.",
                                "That is more than the book's 10 ms."),
                decided.estimate());
    }

    static Finding z7(Claims.RunFacts run, Target target) {
        Sizes medians = Sizes.of(
                run.small(target), cell -> cell.endToEnd().at(Percentile.P50).estimate());
        if (medians.isEmpty()) {
            return Finding.untested("no size up to 1 kB was measured");
        }
        return medians.someAtMost(SMALL_MICROS)
                .finding(
                        "Median end to end: " + medians.list(Wording::micros) + ".",
                        "At one size at least that is about as fast as the book's 100 µs (we allow 150).",
                        "The book's 100 µs are not reached at any size (we allow 150).");
    }

    static Finding z8(Claims.RunFacts run, Target target) {
        Sizes ratios =
                Sizes.of(run.cells(target), cell -> atLeastOne(Objects.requireNonNull(cell.endToEndByLogging())));
        return ratios.everyAtLeast(WELL_ABOVE)
                .finding(
                        "Mean end to end by mean logging latency: " + ratios.list(Wording::times)
                                + ". It cannot be below 1, because the reply waits for the log; the rest is the network and the server's"
                                + " other work.",
                        "That is well above (we ask for a quarter more at every size).",
                        "That is not well above (we ask for a quarter more at every size).");
    }

    /** In every request logging is a part of end to end, so the arithmetic of an interval must not go below 1. */
    private static Estimate atLeastOne(Estimate ratio) {
        Double low = ratio.low();
        return new Estimate(ratio.value(), low == null ? null : (Double) Math.max(1, low), ratio.high());
    }

    /** The cell that Z9 is about, if the run has it. */
    static List<CellEstimates> largeUnlogged(Claims.RunFacts run) {
        return run.cells().stream()
                .filter(measured -> measured.cell().forceLabel().equals(ForceLabel.OFF)
                        && measured.cell().count() > 0)
                .filter(measured -> measured.bytes() >= 100_000 && measured.bytes() <= Claims.LARGEST_BYTES)
                .limit(1)
                .toList();
    }

    static Finding z9(Claims.RunFacts run, CellEstimates large) {
        Estimate oneWay = large.meanEndToEnd().map(micros -> micros / 2);
        String found = "One way for " + Units.size(large.bytes()) + " took " + Wording.micros(oneWay) + ", "
                + Micros.text(large.bytes() / oneWay.value())
                + " MB/s, taken as half of the mean there and back without logging.";
        if (Boolean.FALSE.equals(run.loopback())) {
            return network(oneWay, found);
        }
        return Finding.of(
                Verdict.NOT_TESTABLE,
                found
                        + (run.loopback() != null
                                ? " Client and server ran on one machine, so it says nothing about the book's 2600 µs: run the client"
                                        + " on another machine, or "
                                : " The network is not known, so it cannot be compared with the book's 2600 µs; for one of 1 Gbit/s"
                                        + " run ")
                        + Claims.GIGABIT + ".");
    }

    private static Finding network(Estimate oneWay, String found) {
        Verdict verdict = VerdictRules.every(List.of(
                VerdictRules.atMost(oneWay, ONE_WAY_MICROS * (1 + ONE_WAY_TOLERANCE)),
                VerdictRules.atLeast(oneWay, ONE_WAY_MICROS * (1 - ONE_WAY_TOLERANCE))));
        return new Finding(
                verdict,
                found
                        + VerdictRules.said(
                                verdict,
                                "That is about the book's 2600 µs (within 25 %).",
                                "That is not the book's 2600 µs (within 25 %): the network is another one."),
                oneWay);
    }

    static Finding z5(Claims.RunFacts run, Target target) {
        List<Overheads.Judged> sizes = run.overhead().stream()
                .filter(judged -> judged.overhead().target().equals(target.name()))
                .filter(Overheads::isOfTheBook)
                .toList();
        if (sizes.isEmpty()) {
            return Finding.untested("it needs target off in the same run (server --unlogged)");
        }
        long holding = count(sizes, Verdict.HOLDS);
        long failing = count(sizes, Verdict.FAILS);
        Verdict verdict = Verdict.of(holding * 2 > sizes.size(), failing * 2 > sizes.size());
        String each = sizes.stream().map(EndToEndClaims::sentence).collect(Collectors.joining("; "));
        return new Finding(
                verdict,
                "Mean end to end by that without logging, with its 95 % interval: " + each
                        + ". A size holds if its ratio is surely below 1.10 and fails if it is surely above, with Holm's"
                        + " adjustment for " + sizes.size() + (sizes.size() == 1 ? " size" : " sizes") + ": " + holding
                        + " hold and " + failing + " fail."
                        + switch (verdict) {
                            case HOLDS -> " So it is often less than 10 %, as the book says.";
                            case FAILS ->
                                " It is more than that at " + failing + ", so the book's \"often less than 10 %\" is"
                                        + " not so here.";
                            default -> " More requests, or more trials, would be needed to decide the others.";
                        }
                        + (Boolean.TRUE.equals(run.loopback())
                                ? " Here it was the loopback, and the faster the network, the more the same logging weighs; for"
                                        + " the book's Gigabit network run " + Claims.GIGABIT + "."
                                : ""),
                sizes.size() == 1 ? sizes.get(0).margin().ratio() : null);
    }

    private static long count(List<Overheads.Judged> sizes, Verdict verdict) {
        return sizes.stream()
                .filter(size -> size.overhead().verdict() == verdict)
                .count();
    }

    private static String sentence(Overheads.Judged judged) {
        Overhead overhead = judged.overhead();
        return Units.size(overhead.payloadBytes()) + " "
                + Wording.times(judged.margin().ratio()) + " "
                + overhead.verdict().label();
    }
}
