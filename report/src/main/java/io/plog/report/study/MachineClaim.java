package io.plog.report.study;

import io.plog.measure.study.StudyDesign;
import io.plog.report.results.Claim.Verdict;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Machine;
import io.plog.report.study.StudyResults.MachineLatency;
import io.plog.report.verdict.Finding;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** Whether a faster machine answers faster: R6. Stateless. */
final class MachineClaim {
    private MachineClaim() {}

    /** Of the slowest and the fastest of the machines, at the highest load that both have. */
    static Finding judge(List<Machine> machines) {
        Optional<Machine> slow = machines.stream().min(Comparator.comparingDouble(Machine::processors));
        Optional<Machine> fast = machines.stream().max(Comparator.comparingDouble(Machine::processors));
        if (slow.isEmpty() || fast.isEmpty() || slow.get().equals(fast.get())) {
            return StudyClaims.missing("machines of different speed (--processors, or --merge)");
        }
        List<String> details = new ArrayList<>();
        Boolean dedicatedGains = null;
        boolean blockingGains = false;
        boolean blockingSeen = false;
        for (String design : designs(machines)) {
            Optional<MachineLatency> before = highest(slow.get(), fast.get(), design);
            Optional<MachineLatency> after = before.flatMap(each -> find(fast.get(), design, each.level()));
            if (before.isPresent() && after.isPresent()) {
                StudyDesign parsed = new StudyDesign(design.replaceFirst(",.*", ""), 1);
                boolean gains = isBelow(after.get().meanMicros(), before.get().meanMicros());
                dedicatedGains = parsed.isDedicated() ? (Boolean) gains : dedicatedGains;
                blockingGains |= parsed.isBlocking() && gains;
                blockingSeen |= parsed.isBlocking();
                details.add(String.format(
                        Locale.ROOT,
                        "%s %,.0f and %,.0f us",
                        design,
                        before.get().meanMicros().value(),
                        after.get().meanMicros().value()));
            }
        }
        String detail = "Mean on " + slow.get().label() + " and on "
                + fast.get().label() + ": " + String.join("; ", details) + ".";
        if (dedicatedGains == null || !blockingSeen) {
            return StudyClaims.missing("dedicated and a blocking design on both machines");
        }
        Verdict verdict = dedicatedGains && !blockingGains
                ? Verdict.HOLDS
                : !dedicatedGains && blockingGains ? Verdict.FAILS : Verdict.UNDECIDED;
        return Finding.of(verdict, detail);
    }

    private static Set<String> designs(List<Machine> machines) {
        Set<String> designs = new LinkedHashSet<>();
        machines.forEach(machine -> machine.meanLatency().forEach(each -> designs.add(each.design())));
        return designs;
    }

    private static Optional<MachineLatency> highest(Machine slow, Machine fast, String design) {
        return slow.meanLatency().stream()
                .filter(each -> each.design().equals(design)
                        && find(fast, design, each.level()).isPresent())
                .max(Comparator.comparingDouble(MachineLatency::level));
    }

    private static Optional<MachineLatency> find(Machine machine, String design, double level) {
        return machine.meanLatency().stream()
                .filter(each -> each.design().equals(design) && each.level() == level)
                .findFirst();
    }

    private static boolean isBelow(Estimate a, Estimate b) {
        return a.high() != null && b.low() != null && a.high() < b.low();
    }
}
