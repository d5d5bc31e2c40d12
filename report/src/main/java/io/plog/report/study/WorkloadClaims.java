package io.plog.report.study;

import io.plog.report.results.Claim.Verdict;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Row;
import io.plog.report.study.StudyResults.Workload;
import io.plog.report.verdict.Finding;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Holds the workloads against what Wu found: W1 and W2. Stateless. */
final class WorkloadClaims {
    private static final double NETWORK_ABOVE = 0.5;
    private static final double WAITING_BELOW = 0.1;

    /** A multiple of the median is like the published one if it is within this factor of it. */
    private static final double LIKE = 2;

    private WorkloadClaims() {}

    /** Those of the reference design. */
    private static List<Workload> workloads(StudyClaims.Facts study) {
        return study.workloads().stream()
                .filter(each -> each.design().equals(study.reference().label()))
                .toList();
    }

    static Finding shares(StudyClaims.Facts study) {
        List<Workload> workloads = workloads(study);
        if (workloads.isEmpty()) {
            return StudyClaims.missing("the workloads");
        }
        if (workloads.stream()
                .anyMatch(each -> row(each, WorkloadAnalysis.NETWORK).isEmpty())) {
            return Finding.of(
                    Verdict.NOT_TESTABLE,
                    "The event loop of this design blocks, so requests wait unread in their sockets, and nobody can tell that"
                            + " wait from the network's; measure dedicated beside it.");
        }
        boolean all = workloads.stream()
                .allMatch(each -> StudyEstimates.isAbove(share(each, WorkloadAnalysis.NETWORK), NETWORK_ABOVE)
                        && StudyEstimates.isBelow(share(each, WorkloadAnalysis.WAITING), WAITING_BELOW));
        boolean none = workloads.stream()
                .allMatch(each -> StudyEstimates.isBelow(share(each, WorkloadAnalysis.NETWORK), NETWORK_ABOVE)
                        || StudyEstimates.isAbove(share(each, WorkloadAnalysis.WAITING), WAITING_BELOW));
        String detail = workloads.stream()
                .map(each -> String.format(
                        Locale.ROOT,
                        "%s: network %s, service %s, waiting %s%s",
                        each.name(),
                        percent(share(each, WorkloadAnalysis.NETWORK)),
                        percent(share(each, WorkloadAnalysis.SERVICE)),
                        percent(share(each, WorkloadAnalysis.WAITING)),
                        roundTrip(each)))
                .collect(Collectors.joining("; "));
        return Finding.of(
                all ? Verdict.HOLDS : none ? Verdict.FAILS : Verdict.UNDECIDED,
                detail + "."
                        + (all
                                ? ""
                                : " Here the network is loopback, and a logged request is forced, which the database's was not."));
    }

    static Finding tail(StudyClaims.Facts study) {
        List<Workload> workloads = workloads(study);
        if (workloads.isEmpty()) {
            return StudyClaims.missing("the workloads");
        }
        boolean all = workloads.stream().allMatch(WorkloadClaims::hasSuchTail);
        boolean none = workloads.stream().allMatch(WorkloadClaims::hasAnotherTail);
        String detail = workloads.stream()
                .map(each -> each.name() + ": "
                        + multiples(each).stream().map(EstimateText::factor).collect(Collectors.joining(", ")))
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
    private static boolean hasSuchTail(Workload workload) {
        List<Estimate> multiples = multiples(workload);
        return IntStream.range(0, multiples.size())
                .allMatch(i -> StudyEstimates.isBelow(multiples.get(i), LIKE * PublishedServers.TAIL.get(i))
                        && StudyEstimates.isAbove(multiples.get(i), PublishedServers.TAIL.get(i) / LIKE));
    }

    /** Whether one of the three lies outside with its whole interval. */
    private static boolean hasAnotherTail(Workload workload) {
        List<Estimate> multiples = multiples(workload);
        return IntStream.range(0, multiples.size())
                .anyMatch(i -> StudyEstimates.isAbove(multiples.get(i), LIKE * PublishedServers.TAIL.get(i))
                        || StudyEstimates.isBelow(multiples.get(i), PublishedServers.TAIL.get(i) / LIKE));
    }

    private static List<Estimate> multiples(Workload workload) {
        return workload.rows().get(0).multiples();
    }

    private static Optional<Row> row(Workload workload, String component) {
        return workload.rows().stream()
                .filter(row -> row.component().equals(component))
                .findFirst();
    }

    private static Estimate share(Workload workload, String component) {
        return row(workload, component).orElseThrow().share();
    }

    private static String percent(Estimate share) {
        Double low = share.low();
        Double high = share.high();
        return String.format(Locale.ROOT, "%.0f %%", 100 * share.value())
                + (low == null || high == null
                        ? ""
                        : String.format(Locale.ROOT, " (%.0f to %.0f)", 100 * low, 100 * high));
    }

    /** What an exchange without load takes, which the network's part of a loaded one can be compared with. */
    private static String roundTrip(Workload workload) {
        Double micros = workload.roundTripMicros();
        double network = row(workload, WorkloadAnalysis.NETWORK)
                .map(row -> row.latency().mean().value())
                .orElse(0.0);
        return micros == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", network mean %,.0f us beside a round trip of %,.0f us without load",
                        network,
                        micros);
    }
}
