package io.plog.report.verdict;

import io.plog.report.cells.CellEstimates;
import io.plog.report.results.Results;
import io.plog.report.results.Results.Cell;
import io.plog.report.results.Results.Claim;
import io.plog.report.results.Results.Distribution;
import io.plog.report.results.Results.Target;
import io.plog.report.results.Results.Verdict;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Judges the published claims, Z1 to Z10. The rules are in {@code docs/measurement.md}, which must say the same. */
public final class Claims {
    /** Payloads called small, and the largest that the claims speak of, in bytes. */
    static final int SMALL_BYTES = 1024;

    static final int LARGEST_BYTES = 102_400;

    /** Measures over a link of 1 Gbit/s on one machine. */
    static final String GIGABIT = "benchmarks/link DIR";

    private Claims() {}

    /**
     * What the claims are judged by.
     *
     * @param disks sizes measured on a magnetic and a solid-state disk
     * @param loopback null if nobody said
     * @param connections how many requests were outstanding
     */
    public record RunFacts(
            List<Target> targets,
            List<Measured> cells,
            List<Overheads.Judged> overhead,
            List<DiskClaims.Pair> disks,
            @Nullable Boolean loopback,
            int connections) {

        /** The cells of a target with samples, up to the largest size that the claims speak of, by size. */
        List<Measured> cells(Target target) {
            return all(target).stream()
                    .filter(measured -> measured.cell().payloadBytes() <= LARGEST_BYTES)
                    .toList();
        }

        /** The same with larger ones. */
        List<Measured> all(Target target) {
            return cells.stream()
                    .filter(measured -> measured.cell().target().equals(target.name())
                            && measured.cell().count() > 0)
                    .toList();
        }

        List<Measured> small(Target target) {
            return cells(target).stream()
                    .filter(measured -> measured.cell().payloadBytes() <= SMALL_BYTES)
                    .toList();
        }

        List<Target> logged() {
            return targets.stream()
                    .filter(target -> target.forceLabel().isLogged())
                    .toList();
        }
    }

    /** A cell with samples and what the claims need of it besides. */
    public record Measured(Cell cell, CellEstimates figures) {
        Distribution logging() {
            return Objects.requireNonNull(cell.logMicros());
        }

        Distribution endToEnd() {
            return Objects.requireNonNull(cell.endToEndMicros());
        }

        /** One figure of this cell. */
        Sized of(Estimate estimate) {
            return new Sized(cell.payloadBytes(), estimate);
        }
    }

    /** A figure of one size. */
    record Sized(int bytes, Estimate estimate) {
        static final Comparator<Sized> BY_VALUE =
                Comparator.comparingDouble(sized -> sized.estimate().value());
    }

    /** All claims, Z1 first; those about one target once for each. */
    public static List<Claim> judge(RunFacts run) {
        List<Claim> verdicts = new ArrayList<>();
        each(verdicts, run, run.logged(), target -> oneAtATime(run, LoggingClaims.z1(run, target)));
        each(verdicts, run, run.logged(), target -> oneAtATime(run, LoggingClaims.z2(run, target)));
        verdicts.addAll(DiskClaims.judge(run));
        each(verdicts, run, run.logged(), target -> oneAtATime(run, OverheadClaim.z5(run, target)));
        each(verdicts, run, run.targets(), target -> oneAtATime(run, EndToEndClaims.z6(run, target)));
        each(verdicts, run, run.targets(), target -> oneAtATime(run, EndToEndClaims.z7(run, target)));
        each(verdicts, run, run.logged(), target -> oneAtATime(run, EndToEndClaims.z8(run, target)));
        verdicts.add(oneAtATime(run, EndToEndClaims.z9(run)));
        verdicts.addAll(StripeClaim.judge(run));
        return verdicts;
    }

    private static void each(List<Claim> verdicts, RunFacts run, List<Target> targets, Function<Target, Claim> rule) {
        targets.stream()
                .filter(target -> !run.cells(target).isEmpty())
                .map(rule)
                .forEach(verdicts::add);
    }

    /** The book's client had one request outstanding. With more of them a latency includes the wait for the others. */
    private static Claim oneAtATime(RunFacts run, Claim claim) {
        if (run.connections() <= 1 || claim.verdict() == Verdict.NOT_TESTABLE) {
            return claim;
        }
        String why = "The claim is about one request at a time, and this run kept " + run.connections() + " under way";
        return new Claim(
                claim.id(),
                claim.target(),
                claim.claim(),
                Verdict.NOT_TESTABLE,
                claim.stableStorage(),
                run.connections() + " requests at a time: " + claim.summary(),
                why + "; measure with --connections 1. Here: " + claim.detail(),
                null,
                "This run cannot test it. " + why + ", so the requests waited for each other.");
    }

    /** A claim about one target. */
    static Claim about(
            String id,
            Target target,
            String text,
            Verdict verdict,
            String summary,
            String detail,
            @Nullable Estimate estimate,
            String sentence) {
        boolean cached = !target.stableStorage() && target.forceLabel().isLogged();
        return new Claim(
                id,
                target.name(),
                text,
                verdict,
                target.stableStorage(),
                summary,
                detail + (cached ? " Not stable storage: what answered here is a cache." : ""),
                estimate == null ? null : result(estimate),
                sentence + (cached ? " What answered here is a cache, not the disk." : ""));
    }

    static Results.Estimate result(Estimate estimate) {
        Estimate rounded = estimate.map(value -> Units.rounded(value, 5));
        return new Results.Estimate(rounded.value(), rounded.low(), rounded.high());
    }

    /**
     * A claim that would need another run.
     *
     * @param what the run would have to have, as the end of "it needs ..."
     */
    static Claim needs(String id, @Nullable Target target, String text, String what) {
        return untested(id, target, text, "needs " + what, "it needs " + what);
    }

    /**
     * A claim that this run has no cells for.
     *
     * @param why a sentence without its full stop
     */
    static Claim notMeasured(String id, @Nullable Target target, String text, String why) {
        return untested(id, target, text, why, why);
    }

    private static Claim untested(String id, @Nullable Target target, String text, String needs, String sentence) {
        return new Claim(
                id,
                target == null ? null : target.name(),
                text,
                Verdict.NOT_TESTABLE,
                target != null && target.stableStorage(),
                needs,
                "Not testable with this run: " + needs + ".",
                null,
                "This run cannot test it: " + sentence + ".");
    }

    /** Each size with its figure. */
    static String list(List<Sized> sizes, Function<Estimate, String> figure) {
        return sizes.stream()
                .map(sized -> Units.size(sized.bytes()) + " " + figure.apply(sized.estimate()))
                .collect(Collectors.joining("; "));
    }
}
