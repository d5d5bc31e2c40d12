package io.plog.results.study;

import io.plog.measure.plan.StudyCell;
import io.plog.results.cells.LatencyPart;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.WorkloadPart;
import io.plog.results.model.Wording;
import io.plog.results.verdict.Finding;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** Holds the workloads against what Wu found: W1 and W2. Stateless. */
final class WorkloadClaims {
    private static final double NETWORK_ABOVE = 0.5;
    private static final double WAITING_BELOW = 0.1;

    /** A multiple of the median is like the published one if it is within this factor of it. */
    private static final double LIKE = 2;

    private static final String WAITING = LatencyPart.OF_A_WORKLOAD.get(0).name();
    private static final String SERVICE = LatencyPart.OF_A_WORKLOAD.get(1).name();
    private static final String NETWORK = LatencyPart.OF_A_WORKLOAD.get(2).name(true);

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
        boolean all = workloads.stream()
                .allMatch(each -> leastNetwork(each).isAbove(NETWORK_ABOVE)
                        && share(each, WAITING).isBelow(WAITING_BELOW));
        boolean broken = workloads.stream()
                .anyMatch(each -> share(each, NETWORK).isBelow(NETWORK_ABOVE)
                        || share(each, WAITING).isAbove(WAITING_BELOW));
        String detail = workloads.stream()
                .map(each -> String.format(
                        Locale.ROOT,
                        "%s: unread or network %s, service %s, waiting %s%s",
                        each.dimension(StudyCell.WORKLOAD),
                        Wording.of(share(each, NETWORK), Units::wholePercent),
                        Wording.of(share(each, SERVICE), Units::wholePercent),
                        Wording.of(share(each, WAITING), Units::wholePercent),
                        idle(each)))
                .collect(Collectors.joining("; "));
        return Finding.ofEach(
                all,
                broken,
                detail,
                "Here the network is loopback, and a logged request is forced, which the database's was not.");
    }

    static Finding tail(StudyCells study) {
        List<Cell> workloads = workloads(study);
        if (workloads.isEmpty()) {
            return StudyClaims.missing("the workloads");
        }
        boolean all = workloads.stream().allMatch(WorkloadClaims::hasSuchTail);
        boolean broken = workloads.stream().anyMatch(WorkloadClaims::hasAnotherTail);
        String detail = workloads.stream()
                .map(each -> each.dimension(StudyCell.WORKLOAD) + ": "
                        + multiples(each).stream().map(Wording::of).collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; "));
        return Finding.ofEach(
                all,
                broken,
                detail,
                "A tail is that of one machine: there of virtual machines with disks of their own, here of this one, with"
                        + " client and server on its processors.");
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

    private static WorkloadPart row(Cell workload, String component) {
        return StudyCells.parts(workload).stream()
                .filter(row -> row.name().equals(component))
                .findFirst()
                .orElseThrow();
    }

    private static Estimate share(Cell workload, String component) {
        return row(workload, component).share();
    }

    /** What an exchange without load takes of it: the rest of the component may be requests that waited unread. */
    private static Estimate leastNetwork(Cell workload) {
        WorkloadPart network = row(workload, NETWORK);
        double idle = Objects.requireNonNullElse(idleMicros(workload), 0.0);
        return network.share()
                .map(share -> share * Math.min(1, idle / network.micros().mean()));
    }

    private static @Nullable Double idleMicros(Cell workload) {
        return Objects.requireNonNull(StudyCells.load(workload).workload()).idleNetworkMicros();
    }

    private static String idle(Cell workload) {
        Double idle = idleMicros(workload);
        return idle == null
                ? ""
                : String.format(
                        Locale.ROOT,
                        ", which is %,.0f us in the mean, and %,.0f us without load",
                        row(workload, NETWORK).micros().mean(),
                        idle);
    }
}
