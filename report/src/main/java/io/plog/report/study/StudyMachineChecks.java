package io.plog.report.study;

import io.plog.report.results.Check;
import io.plog.report.results.Check.Severity;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rules of the machine over a whole study: what broke each of them, cell by cell ({@link CellMachineChecks}). */
final class StudyMachineChecks {
    /** What breaks one rule. */
    private static final class Found {
        private final List<String> invalid = new ArrayList<>();
        private final List<String> warnings = new ArrayList<>();

        void add(boolean invalidates, String what) {
            (invalidates ? invalid : warnings).add(what);
        }

        Check check(String rule) {
            boolean ok = invalid.isEmpty() && warnings.isEmpty();
            List<String> worst = invalid.isEmpty() ? warnings : invalid;
            return new Check(
                    rule,
                    ok,
                    invalid.isEmpty() ? Severity.WARNING : Severity.INVALID,
                    ok
                            ? "No cell breaks this rule of the machine."
                            : (worst.size() == 1 ? "In one measurement: " : "In " + worst.size() + " measurements: ")
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
        CellMachineChecks.of(data).forEach((rule, found) -> {
            Found all = rules.computeIfAbsent(rule, each -> new Found());
            if (!found.ok()) {
                all.add(
                        found.severity() == Severity.INVALID,
                        data.cell().label() + " (" + found.detail().replaceFirst("\\.$", "") + ")");
            }
        });
    }
}
