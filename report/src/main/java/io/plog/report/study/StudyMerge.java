package io.plog.report.study;

import io.plog.measure.samples.ForceLabel;
import io.plog.report.results.Check;
import io.plog.report.results.Check.Severity;
import io.plog.report.results.Claim;
import io.plog.report.study.StudyResults.Capacity;
import io.plog.report.study.StudyResults.Machine;
import io.plog.report.study.StudyResults.MachineLatency;
import io.plog.report.verdict.CheckRule;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Studies of several machines side by side: capacity for each design and size, and mean latency against relative load.
 * What was measured at absolute rates stays with each machine's own study. Stateless.
 */
public final class StudyMerge {
    private StudyMerge() {}

    /**
     * One comparison of several studies.
     *
     * @param studies at least two, by the label of their machine
     * @throws IllegalArgumentException if there are fewer, or they differ in mix or way of forcing, so that nothing can be compared
     */
    public static StudyResults of(Map<String, StudyResults> studies) {
        if (studies.size() < 2) {
            throw new IllegalArgumentException("--merge has " + studies.size() + " studies: expected at least two");
        }
        Map.Entry<String, StudyResults> first = studies.entrySet().iterator().next();
        List<Capacity> capacities = new ArrayList<>();
        List<Machine> machines = new ArrayList<>();
        List<Check> validity = new ArrayList<>();
        studies.forEach((label, study) -> {
            check(first, label, study);
            study.capacities().stream()
                    .filter(each -> each.machine().isEmpty())
                    .forEach(each -> capacities.add(on(label, each)));
            machines.add(new Machine(label, processors(study), latencies(study)));
            study.validity().stream()
                    .filter(each -> !each.ok())
                    .forEach(each ->
                            validity.add(new Check(each.id(), false, each.severity(), label + ": " + each.detail())));
        });
        if (validity.isEmpty()) {
            validity.add(CheckRule.COMPLETE.check(
                    true, Severity.INVALID, "Every study was found valid, without a warning."));
        }
        StudyResults base = first.getValue();
        int trials = studies.values().stream()
                .mapToInt(study -> study.plan().trials())
                .min()
                .orElseThrow();
        List<Claim> claims = StudyClaims.ofMachines(
                machines, trials, new ForceLabel(base.plan().force()).forces());
        return new StudyResults(
                StudyResults.SCHEMA_VERSION,
                base.kind(),
                base.plogVersion(),
                base.startedAt(),
                "",
                base.environment(),
                base.plan(),
                capacities,
                List.of(),
                List.of(),
                machines,
                List.of(),
                claims,
                validity,
                List.of());
    }

    private static void check(Map.Entry<String, StudyResults> first, String label, StudyResults study) {
        StudyResults.Plan a = first.getValue().plan();
        StudyResults.Plan b = study.plan();
        if (!a.mix().equals(b.mix()) || !a.force().equals(b.force())) {
            throw new IllegalArgumentException("the studies " + first.getKey() + " and " + label + " differ in "
                    + (a.force().equals(b.force())
                            ? "the mix of sizes"
                            : "the way of forcing, " + a.force() + " and " + b.force())
                    + ": expected the same in all");
        }
    }

    private static Capacity on(String label, Capacity each) {
        return new Capacity(
                each.design(),
                each.sizes(),
                label,
                each.requestsPerSecond(),
                each.megabytesPerSecond(),
                each.perTrial(),
                each.serverMicrosPerRequest(),
                each.meanBatchRecords());
    }

    private static double processors(StudyResults study) {
        try {
            return Double.parseDouble(study.environment().server().getOrDefault("cores", "0"));
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    private static List<MachineLatency> latencies(StudyResults study) {
        List<MachineLatency> latencies = new ArrayList<>();
        for (StudyResults.Load load : study.loads()) {
            Double level = load.level();
            if (level != null) {
                latencies.add(
                        new MachineLatency(load.design(), level, load.latency().mean()));
            }
        }
        return latencies;
    }
}
