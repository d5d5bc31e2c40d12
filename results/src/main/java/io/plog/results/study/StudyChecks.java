package io.plog.results.study;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyDesign;
import io.plog.measure.study.StudySamples;
import io.plog.protocol.Status;
import io.plog.results.cells.CellAnalysis.Found;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import io.plog.results.model.Results;
import io.plog.results.verdict.CheckRule;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The checks of a study's validity, over all of its cells; the rules are in {@code docs/measurement.md}. */
public final class StudyChecks {
    private static final int NAMED = 3;

    /** With more cells that are not judged, or measurements that were disturbed, than this share, the study is not valid. */
    private static final double MOST_UNJUDGED = 1.0 / 3;

    private final RunInfo info;
    private final List<Found> cells;
    private final List<LoadSummary> trials;
    private final List<Check> checks = new ArrayList<>();

    private StudyChecks(RunInfo info, List<Found> cells) {
        this.info = info;
        this.cells = cells;
        trials = cells.stream()
                .flatMap(cell -> StudyCells.load(cell.cell()).trials().stream())
                .toList();
    }

    /**
     * All checks.
     *
     * @param partial why the study ended before its plan was done, or which cells failed
     * @param events what client and server of each cell recorded
     */
    public static List<Check> of(RunInfo info, Results.Partial partial, List<Found> cells, List<SideEvents> events) {
        StudyChecks checks = new StudyChecks(info, cells);
        checks.complete(partial);
        checks.designs();
        checks.errors();
        checks.repeated();
        checks.steady();
        checks.blocks();
        checks.refusals();
        checks.requests();
        checks.machines(events);
        return List.copyOf(checks.checks);
    }

    /** Facts of all cells whose names begin so. */
    private List<String> notes(String kind) {
        return info.targets().stream()
                .flatMap(target -> target.facts().entrySet().stream())
                .filter(fact -> fact.getKey().startsWith(kind))
                .map(Map.Entry::getValue)
                .toList();
    }

    private void complete(Results.Partial partial) {
        List<String> failed = notes(StudySamples.FAILED);
        checks.add(CheckRule.COMPLETE.check(
                !partial.partial(),
                Severity.WARNING,
                !partial.partial()
                        ? "Every cell ran to its end."
                        : "The study is not complete: " + partial.reason() + "."
                                + (failed.size() < 2
                                        ? ""
                                        : " " + failed.size() + " cells failed: " + named(failed) + ".")));
    }

    /** A server that does not name its design cannot be studied. */
    private void designs() {
        List<String> wrong = cells.stream()
                .map(Found::target)
                .flatMap(target -> {
                    String servers = target.facts().getOrDefault(StudySamples.SERVERS, "");
                    Optional<StudyDesign> design = StudyDesign.ofLabel(target.name());
                    return design.isEmpty() || !servers.equals(StudySamples.server(design.get()))
                            ? Stream.of(StudySamples.label(target, 0) + " had " + servers)
                            : Stream.empty();
                })
                .toList();
        add(
                CheckRule.DESIGN,
                wrong,
                Severity.INVALID,
                "Each server said that it had the design that was asked for.",
                "Servers had another design than was asked for");
    }

    private void errors() {
        Map<String, Long> errors = new TreeMap<>();
        trials.forEach(trial -> trial.errors().forEach((status, count) -> errors.merge(status, count, Long::sum)));
        errors.remove(Status.OVERLOADED.name());
        add(
                CheckRule.FAILURES,
                errors.entrySet().stream()
                        .map(error -> String.format(Locale.ROOT, "%,d with %s", error.getValue(), error.getKey()))
                        .toList(),
                Severity.INVALID,
                "Every request that was not refused was answered with OK.",
                "Requests failed and are in no figure");
    }

    private void repeated() {
        List<String> repeated = notes(StudySamples.REPEATED);
        add(
                CheckRule.REPEATED,
                repeated,
                Severity.WARNING,
                "No cell had to be measured again.",
                (repeated.size() == 1 ? "One measurement was" : repeated.size() + " measurements were")
                        + " repeated, because something disturbed them or they were not steady; the replaced samples are"
                        + " kept");
    }

    private List<String> trials(Predicate<LoadSummary> which, String format, ToDoubleFunction<LoadSummary> figure) {
        return trials.stream()
                .filter(which)
                .map(trial -> trial.target() + String.format(Locale.ROOT, format, figure.applyAsDouble(trial)))
                .toList();
    }

    /** A cell that was not what was asked for taints no other; with many of them something else is wrong. */
    private void steady() {
        List<String> problems = cells.stream()
                .flatMap(cell -> StudyCells.load(cell.cell()).problems().stream())
                .toList();
        long unjudged = cells.stream()
                .filter(cell -> !StudyCells.load(cell.cell()).problems().isEmpty())
                .count();
        add(
                CheckRule.STEADY,
                problems,
                unjudged > MOST_UNJUDGED * cells.size() ? Severity.INVALID : Severity.WARNING,
                "Every cell answered what was due, sent in time, and was steady while it was counted.",
                unjudged + " of " + cells.size() + " cells are not judged, and no design at their loads");
    }

    private void blocks() {
        add(
                CheckRule.BLOCKS,
                cells.stream()
                        .flatMap(cell -> Stream.ofNullable(
                                        StudyCells.load(cell.cell()).withoutWorstBlock())
                                .map(share -> StudySamples.label(cell.target(), 0) + " (without it "
                                        + Units.ratio(share) + ")"))
                        .toList(),
                Severity.WARNING,
                "No block decides the mean of its cell.",
                "One block, such as a stall of the disk, decides the mean of");
    }

    private void refusals() {
        add(
                CheckRule.REFUSALS,
                trials(trial -> trial.refusedShare() > 0, " (%.2f %%)", trial -> 100 * trial.refusedShare()),
                Severity.WARNING,
                "No request was refused as overloaded.",
                "Requests were refused as overloaded");
    }

    /** The figures of a handful of requests say nothing, however narrow their intervals happen to be. */
    private void requests() {
        List<String> few = cells.stream()
                .filter(cell -> cell.cell().count() < StudyCells.ENOUGH)
                .map(cell -> String.format(
                        Locale.ROOT,
                        "%s (%,d)",
                        StudySamples.label(cell.target(), 0),
                        cell.cell().count()))
                .toList();
        add(
                CheckRule.REQUESTS,
                few,
                Severity.INVALID,
                "Every cell has at least " + StudyCells.ENOUGH + " requests that count.",
                few.size() + " cells have fewer than " + StudyCells.ENOUGH
                        + " requests that count, so no finding uses them; measure longer (--duration) or more often"
                        + " (--trials)");
    }

    /** What breaks a rule of the machine, by severity. */
    private record Broken(List<String> invalid, List<String> warnings) {}

    /** The rules of the machine, each over all measurements ({@link CellMachineChecks}); of those that could be judged. */
    private void machines(List<SideEvents> events) {
        Map<String, Broken> rules = new LinkedHashMap<>();
        for (Found cell : cells) {
            boolean infinite = cell.cell().dimension(StudyCell.LOAD).equals(StudyCell.CAPACITY);
            Map<Integer, List<SideEvents>> byTrial = events.stream()
                    .filter(each -> each.isOfCell(cell.target().id()))
                    .collect(Collectors.groupingBy(SideEvents::trial, TreeMap::new, Collectors.toList()));
            byTrial.forEach((trial, recorded) -> CellMachineChecks.of(recorded, infinite, info.client())
                    .forEach((rule, found) -> {
                        Broken all =
                                rules.computeIfAbsent(rule, each -> new Broken(new ArrayList<>(), new ArrayList<>()));
                        if (!found.ok()) {
                            (found.severity() == Severity.INVALID ? all.invalid : all.warnings)
                                    .add(StudySamples.label(cell.target(), trial) + " ("
                                            + found.detail().replaceFirst("\\.$", "") + ")");
                        }
                    }));
        }
        rules.forEach((rule, broken) -> {
            List<String> worst = broken.invalid.isEmpty() ? broken.warnings : broken.invalid;
            checks.add(new Check(
                    rule,
                    worst.isEmpty(),
                    broken.invalid.size() > MOST_UNJUDGED * trials.size() ? Severity.INVALID : Severity.WARNING,
                    worst.isEmpty()
                            ? "No cell breaks this rule of the machine."
                            : (worst.size() == 1 ? "In one measurement: " : "In " + worst.size() + " measurements: ")
                                    + named(worst) + "."));
        });
    }

    private void add(CheckRule rule, List<String> found, Severity severity, String good, String bad) {
        boolean ok = found.isEmpty();
        checks.add(rule.check(ok, severity, ok ? good : bad + ": " + named(found) + "."));
    }

    /** The first few of a list, and how many more there are. */
    private static String named(List<String> all) {
        String first = String.join("; ", all.subList(0, Math.min(NAMED, all.size())));
        return all.size() <= NAMED ? first : first + "; and " + (all.size() - NAMED) + " more";
    }
}
