package io.plog.client.report;

import io.plog.client.report.Results.Cell;
import io.plog.client.report.Results.Claim;
import io.plog.client.report.Results.Distribution;
import io.plog.client.report.Results.Verdict;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Judges the published claims Z1, Z2 and Z5 to Z9, each on one target; {@link DiskClaims} has those that compare disks. The
 * rules are in {@code docs/measurement.md}, which must say the same.
 */
final class Claims {
    /** Payloads called small, and the largest that the claims speak of, in bytes. */
    static final int SMALL_BYTES = 1024;

    static final int LARGEST_BYTES = 102_400;

    static final double GREAT_MAJORITY = 0.99;
    static final double LOGGING_LIMIT_MICROS = 1000;
    static final double SMALL_LOGGING_MICROS = 100;
    static final double END_TO_END_LIMIT_MICROS = 10_000;
    static final double SMALL_END_TO_END_MICROS = 150;
    static final double ONE_WAY_MICROS = 2600;
    static final double ONE_WAY_TOLERANCE = 0.25;

    private final RunFacts run;

    private Claims(RunFacts run) {
        this.run = run;
    }

    /** What the claims are judged by. */
    record RunFacts(
            List<Results.Target> targets,
            List<Cell> cells,
            List<Results.Overhead> overhead,
            Map<String, Boolean> rotational,
            @Nullable Boolean loopback) {

        /** The cells of a target with samples, up to the largest size that the claims speak of, by size. */
        List<Cell> cells(Results.Target target) {
            return cells.stream()
                    .filter(cell -> cell.target().equals(target.name()) && cell.count() > 0)
                    .filter(cell -> cell.payloadBytes() <= LARGEST_BYTES)
                    .toList();
        }

        List<Results.Target> logged() {
            return targets.stream()
                    .filter(target -> !target.force().equals("off"))
                    .toList();
        }
    }

    /** All claims, Z1 first; those about one target once for each. */
    static List<Claim> judge(RunFacts run) {
        Claims claims = new Claims(run);
        List<Claim> verdicts = new ArrayList<>();
        claims.each(verdicts, run.logged(), claims::z1);
        claims.each(verdicts, run.logged(), claims::z2);
        verdicts.addAll(DiskClaims.judge(run));
        claims.each(verdicts, run.logged(), claims::z5);
        claims.each(verdicts, run.targets(), claims::z6);
        claims.each(verdicts, run.targets(), claims::z7);
        claims.each(verdicts, run.logged(), claims::z8);
        verdicts.add(claims.z9());
        return verdicts;
    }

    private void each(List<Claim> verdicts, List<Results.Target> targets, Function<Results.Target, Claim> rule) {
        targets.stream()
                .filter(target -> !run.cells(target).isEmpty())
                .map(rule)
                .forEach(verdicts::add);
    }

    private Claim z1(Results.Target target) {
        List<Cell> cells = run.cells(target);
        ToDoubleFunction<Cell> share = cell -> Objects.requireNonNull(cell.logShareWithin1000Micros());
        double worst = cells.stream().mapToDouble(share).min().orElseThrow();
        return claim(
                "Z1",
                target,
                "The great majority of logging operations finish within 1000 µs, up to 100 kB.",
                worst >= GREAT_MAJORITY,
                worst == 1 ? "all within 1000 µs" : "within 1000 µs: at least " + Units.percent(worst),
                "Logged within 1000 µs: " + list(cells, cell -> Units.percent(share.applyAsDouble(cell)))
                        + ". The rule asks for 99 % at every size.");
    }

    private Claim z2(Results.Target target) {
        List<Cell> small = small(target);
        String text = "Small messages are logged within 100 µs.";
        if (small.isEmpty()) {
            return untested("Z2", target, text, "no size up to 1 kB was measured");
        }
        double p50 = worst(small, cell -> log(cell).p50());
        double p95 = worst(small, cell -> log(cell).p95());
        return claim(
                "Z2",
                target,
                text,
                p50 <= SMALL_LOGGING_MICROS,
                "median " + Units.us(p50) + " µs, 95 % " + Units.us(p95) + " µs",
                "Logging latency, median and 95th percentile: "
                        + list(
                                small,
                                cell -> Units.us(log(cell).p50()) + " and "
                                        + Units.us(log(cell).p95()) + " µs")
                        + ". The rule asks for a median of at most 100 µs.");
    }

    private Claim z5(Results.Target target) {
        String text = "Logging adds a very moderate overhead end to end, often less than 10 %.";
        List<Results.Overhead> sizes = run.overhead().stream()
                .filter(overhead -> overhead.target().equals(target.name()))
                .filter(overhead -> overhead.payloadBytes() <= LARGEST_BYTES)
                .toList();
        if (sizes.isEmpty()) {
            return untested("Z5", target, text, "needs target off beside it (server --unlogged)");
        }
        long holding = sizes.stream().filter(s -> s.verdict() == Verdict.HOLDS).count();
        long failing = sizes.stream().filter(s -> s.verdict() == Verdict.FAILS).count();
        Verdict verdict = holding * 2 > sizes.size()
                ? Verdict.HOLDS
                : failing * 2 > sizes.size() ? Verdict.FAILS : Verdict.UNDECIDED;
        double low =
                sizes.stream().mapToDouble(s -> s.ratioOfMeans().ratio()).min().orElseThrow();
        double high =
                sizes.stream().mapToDouble(s -> s.ratioOfMeans().ratio()).max().orElseThrow();
        String each = sizes.stream()
                .map(s -> Units.size(s.payloadBytes()) + " "
                        + Units.ratio(s.ratioOfMeans().ratio()) + " ["
                        + Units.ratio(s.ratioOfMeans().low()) + ", "
                        + Units.ratio(s.ratioOfMeans().high()) + "] "
                        + s.verdict().label())
                .collect(Collectors.joining("; "));
        return new Claim(
                "Z5",
                target.name(),
                text,
                verdict,
                target.stableStorage(),
                Units.ratio(low) + " to " + Units.ratio(high) + ", below x1.10 at " + holding + " of " + sizes.size()
                        + " sizes",
                "Mean end to end by that without logging, with its 95 % interval: " + each
                        + ". A size holds if the whole interval is below 1.10 and fails if it is above; \"often\" means"
                        + " at more than half of the sizes. The figure depends on the network: the faster it is, the"
                        + " more the same logging weighs."
                        + (Boolean.TRUE.equals(run.loopback()) ? " Here it was the loopback." : ""),
                null,
                "");
    }

    private Claim z6(Results.Target target) {
        List<Cell> cells = run.cells(target);
        double worst = worst(cells, cell -> endToEnd(cell).p999());
        double max = worst(cells, cell -> endToEnd(cell).max());
        boolean bounded = cells.stream().allMatch(cell -> endToEnd(cell).p999HasUpperBound());
        return claim(
                "Z6",
                target,
                "End to end stays within 10 ms up to 100 kB, with and without logging.",
                worst <= END_TO_END_LIMIT_MICROS,
                "99.9 % " + Units.us(worst) + " µs, longest " + Units.us(max) + " µs",
                "99.9th percentile and maximum, end to end: "
                        + list(
                                cells,
                                cell -> Units.us(endToEnd(cell).p999()) + " and "
                                        + Units.us(endToEnd(cell).max()) + " µs")
                        + ". The rule asks for a 99.9th percentile of at most 10 ms at every size"
                        + (bounded ? "." : "; with fewer than 3,688 requests to a cell it has no upper bound."));
    }

    private Claim z7(Results.Target target) {
        List<Cell> small = small(target);
        String text = "Small messages: end to end as low as about 100 µs.";
        if (small.isEmpty()) {
            return untested("Z7", target, text, "no size up to 1 kB was measured");
        }
        double best =
                small.stream().mapToDouble(cell -> endToEnd(cell).p50()).min().orElseThrow();
        return claim(
                "Z7",
                target,
                text,
                best <= SMALL_END_TO_END_MICROS,
                "lowest median " + Units.us(best) + " µs",
                "Median end to end: "
                        + list(small, cell -> Units.us(endToEnd(cell).p50()) + " µs")
                        + ". \"About\" is taken as up to 150 µs.");
    }

    private Claim z8(Results.Target target) {
        List<Cell> cells = run.cells(target);
        ToDoubleFunction<Cell> ratio =
                cell -> endToEnd(cell).mean() / Math.max(0.001, log(cell).mean());
        double least = cells.stream().mapToDouble(ratio).min().orElseThrow();
        return claim(
                "Z8",
                target,
                "End to end is always well above the logging latency.",
                least > 1,
                "means: at least " + Units.ratio(least),
                "Mean end to end by mean logging latency: "
                        + list(cells, cell -> Units.ratio(ratio.applyAsDouble(cell)))
                        + ". It can't be below 1, because the reply waits for the log; how far above 1 it lies is the"
                        + " network's and the rest of the server's part.");
    }

    private Claim z9() {
        String text = "100 kB one way take about 2600 µs, half of end to end without logging: slightly under 40 MB/s.";
        Cell large = run.cells().stream()
                .filter(cell -> cell.force().equals("off") && cell.count() > 0)
                .filter(cell -> cell.payloadBytes() >= 100_000 && cell.payloadBytes() <= LARGEST_BYTES)
                .findFirst()
                .orElse(null);
        if (large == null) {
            return new Claim(
                    "Z9",
                    null,
                    text,
                    Verdict.NOT_TESTABLE,
                    false,
                    "needs 100 kB on target off",
                    "Needs 100 kB on target off.",
                    null,
                    "");
        }
        double oneWay = endToEnd(large).mean() / 2;
        double rate = large.payloadBytes() / oneWay;
        String figure = Units.us(oneWay) + " µs one way, " + Units.us(rate) + " MB/s";
        if (!Boolean.FALSE.equals(run.loopback())) {
            boolean known = run.loopback() != null;
            return new Claim(
                    "Z9",
                    large.target(),
                    text,
                    Verdict.NOT_TESTABLE,
                    false,
                    (known ? "loopback, no network: " : "network unknown: ") + figure,
                    "The claim is about a Gigabit network; "
                            + (known ? "client and server ran on one machine." : "nobody said which network this was.")
                            + " Here: " + figure + ", estimated as half of the mean end to end.",
                    null,
                    "");
        }
        boolean holds = Math.abs(oneWay - ONE_WAY_MICROS) <= ONE_WAY_TOLERANCE * ONE_WAY_MICROS;
        return new Claim(
                "Z9",
                large.target(),
                text,
                holds ? Verdict.HOLDS : Verdict.FAILS,
                false,
                figure,
                "Half of the mean end to end without logging: " + figure
                        + ". \"About\" is taken as within 25 %; another network gives another figure.",
                null,
                "");
    }

    private List<Cell> small(Results.Target target) {
        return run.cells(target).stream()
                .filter(cell -> cell.payloadBytes() <= SMALL_BYTES)
                .toList();
    }

    private static Claim claim(
            String id, Results.Target target, String text, boolean holds, String summary, String detail) {
        boolean cached = !target.stableStorage() && !target.force().equals("off");
        return new Claim(
                id,
                target.name(),
                text,
                holds ? Verdict.HOLDS : Verdict.FAILS,
                target.stableStorage(),
                summary,
                detail + (cached ? " Not stable storage: what answered here is a cache." : ""),
                null,
                "");
    }

    static Claim untested(String id, Results.@Nullable Target target, String text, String needs) {
        return new Claim(
                id,
                target == null ? null : target.name(),
                text,
                Verdict.NOT_TESTABLE,
                target != null && target.stableStorage(),
                needs,
                "Not testable with this run: " + needs + ".",
                null,
                "");
    }

    private static double worst(List<Cell> cells, ToDoubleFunction<Cell> figure) {
        return cells.stream().mapToDouble(figure).max().orElseThrow();
    }

    private static String list(List<Cell> cells, Function<Cell, String> figure) {
        return cells.stream()
                .map(cell -> Units.size(cell.payloadBytes()) + " " + figure.apply(cell))
                .collect(Collectors.joining("; "));
    }

    static Distribution log(Cell cell) {
        return Objects.requireNonNull(cell.logMicros());
    }

    private static Distribution endToEnd(Cell cell) {
        return Objects.requireNonNull(cell.endToEndMicros());
    }
}
