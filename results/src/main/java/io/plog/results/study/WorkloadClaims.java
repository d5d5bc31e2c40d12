package io.plog.results.study;

import io.plog.measure.study.StudyCell;
import io.plog.results.cells.CellStatistics;
import io.plog.results.cells.LatencyPart;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.WorkloadPart;
import io.plog.results.verdict.Finding;
import io.plog.stats.Estimate;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Holds the workloads against what Wu found: W1 and W2. Stateless. */
final class WorkloadClaims {
    private static final double NETWORK_ABOVE = 0.5;
    private static final double WAITING_BELOW = 0.1;

    /** A multiple of the median is like the published one if it is within this factor of it. */
    private static final double LIKE = 2;

    private static final String WAITING = LatencyPart.OF_A_WORKLOAD.get(0).name();
    private static final String SERVICE = LatencyPart.OF_A_WORKLOAD.get(1).name();
    private static final String NETWORK = LatencyPart.OF_A_WORKLOAD.get(2).name();

    private WorkloadClaims() {}

    /** Those of the reference design. */
    private static List<Cell> workloads(StudyCells study) {
        return study.workloads().stream()
                .filter(each -> each.target().equals(study.reference()))
                .toList();
    }

    static Finding shares(StudyCells study) {
        List<Cell> workloads = workloads(study);
        if (workloads.isEmpty()) {
            return StudyClaims.missing("the workloads");
        }
        if (workloads.stream().anyMatch(each -> row(each, NETWORK).isEmpty())) {
            return Finding.of(
                    Verdict.NOT_TESTABLE,
                    "The event loop of this design blocks, so requests wait unread in their sockets, and nothing distinguishes that"
                            + " wait from the network's; measure dedicated as well.");
        }
        boolean all = workloads.stream()
                .allMatch(each -> share(each, NETWORK).isAbove(NETWORK_ABOVE)
                        && share(each, WAITING).isBelow(WAITING_BELOW));
        boolean none = workloads.stream()
                .allMatch(each -> share(each, NETWORK).isBelow(NETWORK_ABOVE)
                        || share(each, WAITING).isAbove(WAITING_BELOW));
        String detail = workloads.stream()
                .map(each -> String.format(
                        Locale.ROOT,
                        "%s: network %s, service %s, waiting %s%s",
                        each.dimension(StudyCell.WORKLOAD),
                        CellStatistics.percent(share(each, NETWORK)),
                        CellStatistics.percent(share(each, SERVICE)),
                        CellStatistics.percent(share(each, WAITING)),
                        roundTrip(each)))
                .collect(Collectors.joining("; "));
        return Finding.of(
                all ? Verdict.HOLDS : none ? Verdict.FAILS : Verdict.UNDECIDED,
                detail + "."
                        + (all
                                ? ""
                                : " Here the network is loopback, and a logged request is forced, which the database's was not."));
    }

    static Finding tail(StudyCells study) {
        List<Cell> workloads = workloads(study);
        if (workloads.isEmpty()) {
            return StudyClaims.missing("the workloads");
        }
        boolean all = workloads.stream().allMatch(WorkloadClaims::hasSuchTail);
        boolean none = workloads.stream().allMatch(WorkloadClaims::hasAnotherTail);
        String detail = workloads.stream()
                .map(each -> each.dimension(StudyCell.WORKLOAD) + ": "
                        + multiples(each).stream().map(StudyNumbers::factorOf).collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; "));
        return Finding.of(
                all ? Verdict.HOLDS : none ? Verdict.FAILS : Verdict.UNDECIDED,
                detail + "."
                        + (all
                                ? ""
                                : " A tail is that of one machine: there of virtual machines with disks of their own, here of this"
                                        + " one, with client and server on its processors."));
    }

    /** Whether all three multiples are within the factor, each with its whole interval. */
    private static boolean hasSuchTail(Cell workload) {
        List<Estimate> multiples = multiples(workload);
        return IntStream.range(0, multiples.size())
                .allMatch(i -> multiples.get(i).isBelow(LIKE * PublishedServers.TAIL.get(i))
                        && multiples.get(i).isAbove(PublishedServers.TAIL.get(i) / LIKE));
    }

    /** Whether one of the three lies outside with its whole interval. */
    private static boolean hasAnotherTail(Cell workload) {
        List<Estimate> multiples = multiples(workload);
        return IntStream.range(0, multiples.size())
                .anyMatch(i -> multiples.get(i).isAbove(LIKE * PublishedServers.TAIL.get(i))
                        || multiples.get(i).isBelow(PublishedServers.TAIL.get(i) / LIKE));
    }

    private static List<Estimate> multiples(Cell workload) {
        return StudyCells.parts(workload).get(0).multiples();
    }

    private static Optional<WorkloadPart> row(Cell workload, String component) {
        return StudyCells.parts(workload).stream()
                .filter(row -> row.name().equals(component))
                .findFirst();
    }

    private static Estimate share(Cell workload, String component) {
        return row(workload, component).orElseThrow().share();
    }

    /** What an exchange without load takes, which the network's part of a loaded one can be compared with. */
    private static String roundTrip(Cell workload) {
        Double micros =
                Objects.requireNonNull(StudyCells.load(workload).workload()).roundTripMicros();
        double network = row(workload, NETWORK).map(row -> row.micros().mean()).orElse(0.0);
        return micros == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", network mean %,.0f us against a round trip of %,.0f us without load",
                        network,
                        micros);
    }
}
