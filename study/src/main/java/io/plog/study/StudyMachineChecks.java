package io.plog.study;

import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.SideUsage;
import io.plog.measure.study.StudyCell;
import io.plog.report.results.Results.Severity;
import io.plog.report.results.Results.Validity;
import io.plog.report.verdict.MachineChecks;
import io.plog.study.StudyResults.Check;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Holds every cell of a study against the rules that a run is held against ({@link MachineChecks}), and against one more: what
 * others took of the processors. The rules are in {@code docs/measurement.md}.
 */
final class StudyMachineChecks {
    /** Rules that a cell at infinite demand breaks by itself, since it is to use the machine up. */
    private static final Set<String> NOT_AT_INFINITE_DEMAND = Set.of("processors", "hiccups");

    /** Share of the machine's processor time that neither client nor server used. */
    private static final double OTHERS_CARE = 0.10;

    private static final double OTHERS_LIMIT = 0.25;

    /** What breaks one rule. */
    private static final class Found {
        private final List<String> invalid = new ArrayList<>();
        private final List<String> warnings = new ArrayList<>();

        void add(boolean invalidates, String what) {
            (invalidates ? invalid : warnings).add(what);
        }

        Check check(String rule) {
            if (invalid.isEmpty() && warnings.isEmpty()) {
                return new Check(rule, Check.OK, "No cell breaks this rule of the machine.");
            }
            List<String> worst = invalid.isEmpty() ? warnings : invalid;
            return new Check(
                    rule,
                    invalid.isEmpty() ? Check.WARNING : Check.INVALID,
                    (worst.size() == 1 ? "In one measurement: " : "In " + worst.size() + " measurements: ")
                            + StudyChecks.named(worst) + ".");
        }
    }

    private final Map<String, Found> rules = new LinkedHashMap<>();

    private StudyMachineChecks() {}

    /** A check for each rule that could be judged. */
    static List<Check> of(Collection<List<CellData>> cells) {
        StudyMachineChecks checks = new StudyMachineChecks();
        cells.forEach(trials -> trials.forEach(checks::cell));
        return checks.rules.entrySet().stream()
                .map(rule -> rule.getValue().check(rule.getKey()))
                .toList();
    }

    private void cell(CellData data) {
        boolean infinite = data.cell().kind() == StudyCell.Kind.CAPACITY;
        Map<String, Validity> worst = new LinkedHashMap<>();
        for (Validity found : MachineChecks.of(data.events())) {
            String rule = found.id().replaceFirst(":(client|server)$", "");
            if (!infinite || !NOT_AT_INFINITE_DEMAND.contains(rule)) {
                worst.merge(rule, found, (one, other) -> weight(other) > weight(one) ? other : one);
            }
        }
        worst.forEach((rule, found) -> {
            Found all = rules.computeIfAbsent(rule, each -> new Found());
            if (!found.ok()) {
                all.add(
                        found.severity() == Severity.INVALID,
                        data.cell().label() + " (" + found.detail().replaceFirst("\\.$", "") + ")");
            }
        });
        others(data);
    }

    /** Client and server may tell of the same machine; a cell is named once, with what is worse. */
    private static int weight(Validity found) {
        return found.ok() ? 0 : found.severity() == Severity.INVALID ? 2 : 1;
    }

    /** Only where client and server have the same processors, since only then all that they used is known. */
    private void others(CellData data) {
        OptionalDouble others = othersShare(data);
        if (others.isEmpty()) {
            return;
        }
        Found all = rules.computeIfAbsent("others", each -> new Found());
        if (others.getAsDouble() > OTHERS_CARE) {
            all.add(
                    others.getAsDouble() > OTHERS_LIMIT,
                    String.format(
                            Locale.ROOT,
                            "%s (%.0f %% of the processor time went to neither client nor server)",
                            data.cell().label(),
                            100 * others.getAsDouble()));
        }
    }

    private static OptionalDouble othersShare(CellData data) {
        List<SideUsage> client = usage(data, SideEvents.CLIENT);
        List<SideUsage> server = usage(data, SideEvents.SERVER);
        if (client.size() != 1
                || server.size() != 1
                || !"loopback".equals(data.info().client().get("network"))
                || client.get(0).machineCpuShare() < 0
                || client.get(0).processCpu() < 0
                || server.get(0).processCpu() < 0) {
            return OptionalDouble.empty();
        }
        double own = (client.get(0).processCpu() + server.get(0).processCpu())
                / Math.max(1, client.get(0).processors());
        return OptionalDouble.of(Math.max(0, client.get(0).machineCpuShare() - own));
    }

    private static List<SideUsage> usage(CellData data, String side) {
        return data.events().stream()
                .filter(events -> events.side().equals(side))
                .flatMap(events -> events.usage().stream())
                .toList();
    }
}
