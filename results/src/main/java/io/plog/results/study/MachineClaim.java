package io.plog.results.study;

import io.plog.measure.study.StudyDesign;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results.Cell;
import io.plog.results.study.StudyCells.Machine;
import io.plog.results.verdict.Finding;
import io.plog.stats.Estimate;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Whether a faster machine answers faster: R6. Stateless. */
final class MachineClaim {
    private MachineClaim() {}

    /** Of the slowest and the fastest of the machines, at the highest load that both have. */
    static Finding judge(StudyCells study) {
        List<Machine> machines = study.machines();
        if (machines.size() < 2) {
            return StudyClaims.missing("machines of different speed (--processors, or --merge)");
        }
        Machine slow = machines.get(0);
        Machine fast = machines.get(machines.size() - 1);
        List<String> details = new ArrayList<>();
        Boolean dedicatedGains = null;
        boolean blockingGains = false;
        boolean blockingSeen = false;
        for (StudyDesign design : study.known()) {
            Optional<Cell> before = highest(study, slow, fast, design.label());
            Optional<Cell> after = before.flatMap(each -> find(study, fast, design.label(), StudyCells.at(each)));
            if (before.isPresent() && after.isPresent()) {
                Estimate slower = StudyCells.latency(before.get()).meanEstimate();
                Estimate faster = StudyCells.latency(after.get()).meanEstimate();
                boolean gains = slower.low() != null && faster.isBelow(slower.low());
                dedicatedGains = design.isDedicated() ? (Boolean) gains : dedicatedGains;
                blockingGains |= design.isBlocking() && gains;
                blockingSeen |= design.isBlocking();
                details.add(String.format(
                        Locale.ROOT, "%s %,.0f and %,.0f us", design.label(), slower.value(), faster.value()));
            }
        }
        if (dedicatedGains == null || !blockingSeen) {
            return StudyClaims.missing("dedicated and a blocking design on both machines");
        }
        Verdict verdict = dedicatedGains && !blockingGains
                ? Verdict.HOLDS
                : !dedicatedGains && blockingGains ? Verdict.FAILS : Verdict.UNDECIDED;
        return Finding.of(
                verdict,
                "Mean on " + slow.label() + " and on " + fast.label() + ": " + String.join("; ", details) + ".");
    }

    private static Optional<Cell> highest(StudyCells study, Machine slow, Machine fast, String design) {
        return study.relative(slow).stream()
                .filter(each -> each.target().equals(design)
                        && find(study, fast, design, StudyCells.at(each)).isPresent())
                .max(Comparator.comparingDouble(StudyCells::at));
    }

    private static Optional<Cell> find(StudyCells study, Machine machine, String design, double level) {
        return study.relative(machine).stream()
                .filter(each -> each.target().equals(design) && StudyCells.at(each) == level)
                .findFirst();
    }
}
