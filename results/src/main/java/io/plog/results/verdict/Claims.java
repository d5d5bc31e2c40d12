package io.plog.results.verdict;

import io.plog.results.cells.CellEstimates;
import io.plog.results.model.Claim;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results.Target;
import io.plog.results.verdict.PublishedClaim.Judged;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The published claims that a run is held against, Z1 to Z10: a row each. The rules in words are in {@code docs/measurement.md}. */
public final class Claims {
    /** Payloads called small, and the largest that the claims speak of, in bytes. */
    static final int SMALL_BYTES = 1024;

    static final int LARGEST_BYTES = 102_400;

    /** Measures over a link of 1 Gbit/s on one machine. */
    static final String GIGABIT = "plog demo --link 1gbit";

    /** All of them, in the order in which they are judged, shown and documented. */
    public static final List<PublishedClaim<RunFacts>> ROWS = List.of(
            PublishedClaim.of("Z1", ofEach(RunFacts::logged, LoggingClaims::z1)),
            PublishedClaim.of("Z2", ofEach(RunFacts::logged, LoggingClaims::z2)),
            PublishedClaim.of("Z3", ofEachPairOfDisks(DiskClaims::z3)),
            PublishedClaim.of("Z4", ofEachPairOfDisks(DiskClaims::z4)),
            PublishedClaim.of("Z5", ofEach(RunFacts::logged, EndToEndClaims::z5)),
            PublishedClaim.of("Z6", ofEach(RunFacts::targets, EndToEndClaims::z6)),
            PublishedClaim.of("Z7", ofEach(RunFacts::targets, EndToEndClaims::z7)),
            PublishedClaim.of("Z8", ofEach(RunFacts::logged, EndToEndClaims::z8)),
            PublishedClaim.of("Z9", Claims::ofLargeUnlogged),
            PublishedClaim.of("Z10", Claims::ofEachStriped));

    private Claims() {}

    /**
     * What the claims are judged by.
     *
     * @param overhead judged together, see {@link Overheads#together}
     * @param disks sizes measured on a magnetic and a solid-state disk
     * @param loopback null if it is not known
     * @param connections how many requests were outstanding
     */
    public record RunFacts(
            List<Target> targets,
            List<CellEstimates> cells,
            List<Overheads.Judged> overhead,
            List<DiskClaims.Pair> disks,
            @Nullable Boolean loopback,
            int connections) {

        /** The cells of a target with samples, up to the largest size that the claims speak of, by size. */
        List<CellEstimates> cells(Target target) {
            return upTo(LARGEST_BYTES, target);
        }

        /** The same with larger ones. */
        List<CellEstimates> all(Target target) {
            return upTo(Integer.MAX_VALUE, target);
        }

        List<CellEstimates> small(Target target) {
            return upTo(SMALL_BYTES, target);
        }

        private List<CellEstimates> upTo(int bytes, Target target) {
            return cells.stream()
                    .filter(measured -> measured.cell().target().equals(target.name())
                            && measured.cell().count() > 0
                            && measured.bytes() <= bytes)
                    .toList();
        }

        List<Target> logged() {
            return targets.stream()
                    .filter(target -> target.forceLabel().isLogged())
                    .toList();
        }
    }

    /** All claims, Z1 first; those about one target once for each. */
    public static List<Claim> judge(RunFacts run) {
        return ROWS.stream().flatMap(row -> row.judge(run).stream()).toList();
    }

    private static Function<RunFacts, List<Judged>> ofEach(
            Function<RunFacts, List<Target>> targets, BiFunction<RunFacts, Target, Finding> rule) {
        return run -> targets.apply(run).stream()
                .filter(target -> !run.cells(target).isEmpty())
                .map(target -> judged(target, oneAtATime(run, rule.apply(run, target))))
                .toList();
    }

    private static Function<RunFacts, List<Judged>> ofEachPairOfDisks(
            BiFunction<RunFacts, DiskClaims.Disks, Finding> rule) {
        return run -> orUntested(
                DiskClaims.disks(run).stream()
                        .map(disks -> new Judged(null, disks.stableStorage(), rule.apply(run, disks))),
                Finding.untested("it needs a magnetic and a solid-state disk, forced the same way"));
    }

    private static List<Judged> ofLargeUnlogged(RunFacts run) {
        return orUntested(
                EndToEndClaims.largeUnlogged(run).stream()
                        .map(cell ->
                                new Judged(cell.cell().target(), false, oneAtATime(run, EndToEndClaims.z9(run, cell)))),
                Finding.untested("it needs 100 kB on target off"));
    }

    private static List<Judged> ofEachStriped(RunFacts run) {
        return orUntested(
                LoggingClaims.striped(run).stream().map(target -> judged(target, LoggingClaims.z10(run, target))),
                LoggingClaims.untested(run));
    }

    private static Judged judged(Target target, Finding finding) {
        return new Judged(target.name(), target.stableStorage(), finding);
    }

    /** @param untested what is said if there is nothing to judge */
    private static List<Judged> orUntested(Stream<Judged> found, Finding untested) {
        List<Judged> all = found.toList();
        return all.isEmpty() ? List.of(new Judged(null, false, untested)) : all;
    }

    /** The book's client had one request outstanding. With more of them a latency includes the wait for the others. */
    private static Finding oneAtATime(RunFacts run, Finding claim) {
        if (run.connections() <= 1 || claim.verdict() == Verdict.NOT_TESTABLE) {
            return claim;
        }
        String why = "The claim is about one request at a time, and this run kept " + run.connections() + " under way";
        return Finding.untested(why + ", which waited for each other; measure with --connections 1. Here: "
                + claim.detail().replaceFirst("\\.$", ""));
    }
}
