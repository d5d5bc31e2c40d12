package io.plog.report.study;

import io.plog.measure.study.StudyDesign;
import io.plog.report.study.StudyResults.Finding;
import io.plog.report.study.StudyResults.Latency;
import io.plog.report.study.StudyResults.Row;
import io.plog.report.study.StudyResults.Workload;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/** Holds the workloads against what Wu found: W1 and W2. Stateless. */
final class WorkloadFindings {
    private static final double NETWORK_ABOVE = 0.5;
    private static final double WAITING_BELOW = 0.1;

    /** A multiple of the median is like the published one if it is within this factor of it. */
    private static final double LIKE = 2;

    private WorkloadFindings() {}

    /** Both, of the reference design's workloads. */
    static List<Finding> of(List<Workload> workloads, StudyDesign reference) {
        List<Workload> own = workloads.stream()
                .filter(each -> each.design().equals(reference.label()))
                .toList();
        return List.of(shares(own), tail(own));
    }

    private static Finding shares(List<Workload> workloads) {
        String claim = "Most of the latency is the network's (over 50 %), about 30 % service, about 3 % waiting.";
        if (workloads.isEmpty()) {
            return new Finding("W1", claim, Findings.NOT_TESTABLE, Findings.missing("the workloads"));
        }
        long like = workloads.stream()
                .filter(each -> share(each, WorkloadAnalysis.NETWORK) > NETWORK_ABOVE
                        && share(each, WorkloadAnalysis.WAITING) < WAITING_BELOW)
                .count();
        String detail = workloads.stream()
                .map(each -> String.format(
                        Locale.ROOT,
                        "%s: network %.0f %%, service %.0f %%, waiting %.0f %%",
                        each.name(),
                        100 * share(each, WorkloadAnalysis.NETWORK),
                        100 * share(each, WorkloadAnalysis.SERVICE),
                        100 * share(each, WorkloadAnalysis.WAITING)))
                .collect(Collectors.joining("; "));
        boolean all = like == workloads.size();
        return new Finding(
                "W1",
                claim,
                all ? Findings.AGREES : like == 0 ? Findings.DIFFERS : Findings.UNDECIDED,
                detail + "."
                        + (all
                                ? ""
                                : " Here the network is loopback, and a logged request is forced, which the database's was not."));
    }

    private static Finding tail(List<Workload> workloads) {
        String claim = "The 95th, 99th and 99.9th percentiles are 2.5, 4.1 and 7.9 times the median.";
        if (workloads.isEmpty()) {
            return new Finding("W2", claim, Findings.NOT_TESTABLE, Findings.missing("the workloads"));
        }
        long like = workloads.stream().filter(WorkloadFindings::hasSuchTail).count();
        String detail = workloads.stream()
                .map(each -> {
                    List<Double> multiples = multiples(each.rows().get(0).latency());
                    return String.format(
                            Locale.ROOT,
                            "%s: %.1f, %.1f, %.1f",
                            each.name(),
                            multiples.get(0),
                            multiples.get(1),
                            multiples.get(2));
                })
                .collect(Collectors.joining("; "));
        return new Finding(
                "W2",
                claim,
                like == workloads.size() ? Findings.AGREES : like == 0 ? Findings.DIFFERS : Findings.UNDECIDED,
                detail + "."
                        + (like == workloads.size()
                                ? ""
                                : " A tail is that of one machine: there of virtual machines with disks of their own, here of this"
                                        + " one, with client and server on its processors."));
    }

    private static boolean hasSuchTail(Workload workload) {
        List<Double> multiples = multiples(workload.rows().get(0).latency());
        for (int i = 0; i < multiples.size(); i++) {
            double factor = multiples.get(i) / PublishedServers.TAIL.get(i);
            if (!(factor < LIKE && factor > 1 / LIKE)) {
                return false;
            }
        }
        return true;
    }

    private static List<Double> multiples(Latency latency) {
        double median = Math.max(latency.p50().value(), 1e-3);
        return List.of(latency.p95().value() / median, latency.p99() / median, latency.p999() / median);
    }

    private static double share(Workload workload, String component) {
        return workload.rows().stream()
                .filter(row -> row.component().equals(component))
                .mapToDouble(Row::shareOfMean)
                .findFirst()
                .orElse(0);
    }
}
