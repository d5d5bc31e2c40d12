package io.plog.results.verdict;

import io.plog.results.cells.CellEstimates;
import io.plog.results.model.Claim;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Target;
import io.plog.results.verdict.PublishedClaim.Subject;
import io.plog.results.verdict.PublishedClaim.Subjects;
import io.plog.stats.Estimate;
import io.plog.stats.Percentile;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The published claims that a run is held against, Z1 to Z10: a row each. The rules in words are in {@code docs/measurement.md}. */
public final class Claims {
    /** Payloads called small, and the largest that the claims speak of, in bytes. */
    static final int SMALL_BYTES = 1024;

    static final int LARGEST_BYTES = 102_400;

    /** Measures over a link of 1 Gbit/s on one machine. */
    static final String GIGABIT = "plog demo --link 1gbit";

    private static final Subjects<RunFacts, Target> EACH_LOGGED =
            new Subjects<>(run -> run.measured(run.logged()), Claims::subject, null);
    private static final Subjects<RunFacts, Target> EACH_TARGET =
            new Subjects<>(run -> run.measured(run.targets()), Claims::subject, null);
    private static final Subjects<RunFacts, DiskClaims.Disks> EACH_PAIR_OF_DISKS = new Subjects<>(
            DiskClaims::disks,
            disks -> new Subject(null, disks.stableStorage()),
            run -> Finding.untested("it needs a magnetic and a solid-state disk, forced the same way"));
    private static final Subjects<RunFacts, Measured> LARGE_UNLOGGED = new Subjects<>(
            EndToEndClaims::largeUnlogged,
            cell -> new Subject(cell.cell().target(), false),
            run -> Finding.untested("it needs 100 kB on target off"));
    private static final Subjects<RunFacts, Target> EACH_STRIPED =
            new Subjects<>(LoggingClaims::striped, Claims::subject, LoggingClaims::untested);

    /** All of them, in the order in which they are judged, shown and documented. */
    public static final List<PublishedClaim<RunFacts, ?>> ROWS = List.of(
            PublishedClaim.of("Z1", EACH_LOGGED, Claims::oneAtATime, LoggingClaims::z1),
            PublishedClaim.of("Z2", EACH_LOGGED, Claims::oneAtATime, LoggingClaims::z2),
            PublishedClaim.of("Z3", EACH_PAIR_OF_DISKS, Claims::unchanged, DiskClaims::z3),
            PublishedClaim.of("Z4", EACH_PAIR_OF_DISKS, Claims::unchanged, DiskClaims::z4),
            PublishedClaim.of("Z5", EACH_LOGGED, Claims::oneAtATime, EndToEndClaims::z5),
            PublishedClaim.of("Z6", EACH_TARGET, Claims::oneAtATime, EndToEndClaims::z6),
            PublishedClaim.of("Z7", EACH_TARGET, Claims::oneAtATime, EndToEndClaims::z7),
            PublishedClaim.of("Z8", EACH_LOGGED, Claims::oneAtATime, EndToEndClaims::z8),
            PublishedClaim.of("Z9", LARGE_UNLOGGED, Claims::oneAtATime, EndToEndClaims::z9),
            PublishedClaim.of("Z10", EACH_STRIPED, Claims::unchanged, LoggingClaims::z10));

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
            List<Measured> cells,
            List<Overheads.Judged> overhead,
            List<DiskClaims.Pair> disks,
            @Nullable Boolean loopback,
            int connections) {

        /** The cells of a target with samples, up to the largest size that the claims speak of, by size. */
        List<Measured> cells(Target target) {
            return upTo(LARGEST_BYTES, target);
        }

        /** The same with larger ones. */
        List<Measured> all(Target target) {
            return upTo(Integer.MAX_VALUE, target);
        }

        List<Measured> small(Target target) {
            return upTo(SMALL_BYTES, target);
        }

        private List<Measured> upTo(int bytes, Target target) {
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

        private List<Target> measured(List<Target> among) {
            return among.stream().filter(target -> !cells(target).isEmpty()).toList();
        }
    }

    /**
     * A cell with samples. The claims take its figures from these methods, which do not round: the means of the results are
     * rounded.
     */
    public record Measured(Cell cell, CellEstimates figures) {
        int bytes() {
            return cell.payloadBytes();
        }

        /** In microseconds; only of a cell that logs, like the next three. */
        Estimate meanLogging() {
            return Objects.requireNonNull(figures.meanLogging());
        }

        Estimate logging(Percentile which) {
            return Objects.requireNonNull(cell.logMicros()).at(which).estimate();
        }

        Estimate loggedWithinLimit() {
            return Objects.requireNonNull(figures.loggedWithinLimit());
        }

        Estimate endToEndByLogging() {
            return Objects.requireNonNull(figures.endToEndByLogging());
        }

        /** In microseconds. */
        Estimate meanEndToEnd() {
            return figures.meanEndToEnd();
        }

        Estimate endToEnd(Percentile which) {
            return results().at(which).estimate();
        }

        double longest() {
            return results().max();
        }

        private Distribution results() {
            return Objects.requireNonNull(cell.endToEndMicros());
        }
    }

    /** All claims, Z1 first; those about one target once for each. */
    public static List<Claim> judge(RunFacts run) {
        return ROWS.stream().flatMap(row -> row.judge(run).stream()).toList();
    }

    private static Subject subject(Target target) {
        return new Subject(target.name(), target.stableStorage());
    }

    private static Finding unchanged(RunFacts run, Finding claim) {
        return claim;
    }

    /** The book's client had one request outstanding. With more of them a latency includes the wait for the others. */
    private static Finding oneAtATime(RunFacts run, Finding claim) {
        if (run.connections() <= 1) {
            return claim;
        }
        String why = "The claim is about one request at a time, and this run kept " + run.connections() + " under way";
        return Finding.untested(why + ", which waited for each other; measure with --connections 1. Here: "
                + claim.detail().replaceFirst("\\.$", ""));
    }
}
