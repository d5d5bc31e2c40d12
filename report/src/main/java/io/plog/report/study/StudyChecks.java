package io.plog.report.study;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.study.StudyCell;
import io.plog.report.results.Check;
import io.plog.report.results.Check.Severity;
import io.plog.report.verdict.CheckRule;
import io.plog.report.verdict.ScheduleLag;
import io.plog.stats.text.Micros;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/** The checks of a study's validity; the rules are in {@code docs/measurement.md}. */
final class StudyChecks {

    private static final int NAMED = 3;

    private final Collection<List<CellData>> cells;
    private final List<Check> checks = new ArrayList<>();

    private StudyChecks(Collection<List<CellData>> cells) {
        this.cells = cells;
    }

    /**
     * All checks.
     *
     * @param cells every cell, its trials together
     * @param failed cells that came to nothing, each with why
     * @param repeated cells that were measured again, once for each time
     */
    static List<Check> of(
            Collection<List<CellData>> cells, List<String> failed, List<String> repeated, String partialReason) {
        StudyChecks checks = new StudyChecks(cells);
        checks.complete(failed, partialReason);
        checks.designs();
        checks.errors();
        checks.lag();
        checks.repeated(repeated);
        checks.sustained();
        checks.refusals();
        checks.requests();
        checks.checks.addAll(StudyMachineChecks.of(cells));
        return List.copyOf(checks.checks);
    }

    private void complete(List<String> failed, String partialReason) {
        boolean ok = failed.isEmpty() && partialReason.isEmpty();
        String reason = partialReason.isEmpty() ? "" : "The study ended early: " + partialReason + ". ";
        checks.add(CheckRule.COMPLETE.check(
                ok,
                Severity.WARNING,
                ok
                        ? "Every cell ran to its end."
                        : reason + (failed.isEmpty() ? "" : failed.size() + " cells failed: " + named(failed) + ".")));
    }

    /** A server that does not name its design cannot be studied. */
    private void designs() {
        List<String> wrong = new ArrayList<>();
        each((cell, data) -> {
            String found = data.info().server().getOrDefault("design", "none");
            String loops = data.info().server().getOrDefault("eventLoops", "none");
            if (!found.equals(cell.design().option())
                    || !loops.equals(Integer.toString(cell.design().eventLoops()))) {
                wrong.add(cell.label() + " had " + found + " with " + loops + " event loops");
            }
        });
        add(
                CheckRule.DESIGN,
                wrong,
                Severity.INVALID,
                "Each server said that it had the design that was asked for.",
                "Servers had another design than was asked for");
    }

    private void errors() {
        Map<String, Long> errors = new TreeMap<>();
        for (List<CellData> trials : cells) {
            Loads.errors(trials).forEach((status, count) -> errors.merge(status, count, Long::sum));
        }
        List<String> told = errors.entrySet().stream()
                .map(error -> String.format(Locale.ROOT, "%,d with %s", error.getValue(), error.getKey()))
                .toList();
        add(
                CheckRule.FAILURES,
                told,
                Severity.INVALID,
                "Every request that was not refused was answered with OK.",
                "Requests failed and are in no figure");
    }

    private void lag() {
        List<String> late = late(ScheduleLag.TOO_MUCH);
        if (late.isEmpty()) {
            List<String> noticeable = late(ScheduleLag.NOTICEABLE);
            add(
                    CheckRule.SCHEDULE_LAG,
                    noticeable,
                    Severity.WARNING,
                    "The client sent its requests in time in every cell.",
                    "In " + noticeable.size() + " cells one request in a hundred was sent late by more than a tenth of"
                            + " the median latency, though by less than a tenth of the mean and of the 99th percentile");
            return;
        }
        add(
                CheckRule.SCHEDULE_LAG,
                late,
                Severity.INVALID,
                "",
                "The client was late by more than a tenth of what it measured in " + late.size()
                        + " cells; let it have real-time priority (run as the superuser), processors of its own,"
                        + " or lower rates");
    }

    private List<String> late(ScheduleLag wanted) {
        List<String> late = new ArrayList<>();
        each((cell, data) -> {
            LoadSummary.Times latency = data.summary().latency();
            LoadSummary.Times lag = data.summary().lag();
            if (latency != null && lag != null && ScheduleLag.of(data.summary()) == wanted) {
                late.add(String.format(
                        Locale.ROOT,
                        "%s (lag: mean %s µs, p99 %s; latency: mean %s µs, median %s, p99 %s)",
                        cell.label(),
                        Micros.whole(lag.mean()),
                        Micros.whole(lag.p99()),
                        Micros.whole(latency.mean()),
                        Micros.whole(latency.p50()),
                        Micros.whole(latency.p99())));
            }
        });
        return late;
    }

    private void repeated(List<String> repeated) {
        add(
                CheckRule.REPEATED,
                repeated,
                Severity.WARNING,
                "No cell had to be measured again.",
                (repeated.size() == 1 ? "One measurement was" : repeated.size() + " measurements were")
                        + " repeated, because the machine was disturbed or the client too late; the replaced samples are"
                        + " kept");
    }

    /** Only a warning: near its capacity a server may fall behind, and the study shows it. */
    private void sustained() {
        List<String> behind = new ArrayList<>();
        each((cell, data) -> {
            if (!data.summary().sustained()) {
                behind.add(String.format(
                        Locale.ROOT,
                        "%s (%,.0f/s answered)",
                        cell.label(),
                        data.summary().answeredPerSecond()));
            }
        });
        add(
                CheckRule.RATE,
                behind,
                Severity.WARNING,
                "Every offered rate was sustained.",
                "Offered rates were not sustained in " + behind.size()
                        + " cells, whose latencies depend on how long they ran");
    }

    private void refusals() {
        List<String> refused = new ArrayList<>();
        each((cell, data) -> {
            if (data.summary().refusedShare() > 0) {
                refused.add(String.format(
                        Locale.ROOT,
                        "%s (%.2f %%)",
                        cell.label(),
                        100 * data.summary().refusedShare()));
            }
        });
        add(
                CheckRule.REFUSALS,
                refused,
                Severity.WARNING,
                "No request was refused as overloaded.",
                "Requests were refused as overloaded");
    }

    /** The figures of a handful of requests say nothing, however narrow their intervals happen to be. */
    private void requests() {
        List<String> few = cells.stream()
                .filter(trials -> !EnoughRequests.in(trials))
                .map(trials -> String.format(
                        Locale.ROOT, "%s (%,d)", trials.get(0).cell().label(), EnoughRequests.count(trials)))
                .toList();
        add(
                CheckRule.REQUESTS,
                few,
                Severity.INVALID,
                "Every cell has at least " + EnoughRequests.LEAST + " requests that count.",
                few.size() + " cells have fewer than " + EnoughRequests.LEAST
                        + " requests that count, so no finding uses them; measure longer (--duration) or more often"
                        + " (--trials)");
    }

    private void each(BiConsumer<StudyCell, CellData> look) {
        cells.forEach(trials -> trials.forEach(data -> look.accept(data.cell(), data)));
    }

    private void add(CheckRule rule, List<String> found, Severity severity, String good, String bad) {
        boolean ok = found.isEmpty();
        checks.add(rule.check(ok, severity, ok ? good : bad + ": " + named(found) + "."));
    }

    /** The first few of a list, and how many more there are. */
    static String named(List<String> all) {
        String first = String.join("; ", all.subList(0, Math.min(NAMED, all.size())));
        return all.size() <= NAMED ? first : first + "; and " + (all.size() - NAMED) + " more";
    }
}
