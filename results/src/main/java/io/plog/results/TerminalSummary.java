package io.plog.results;

import io.plog.measure.disk.MeasuredDirectory;
import io.plog.measure.load.LoadSummary;
import io.plog.results.model.Check;
import io.plog.results.model.Claim;
import io.plog.results.model.PlannedFacts;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Kind;
import io.plog.results.model.Results.UnderLoad;
import io.plog.results.model.Wording;
import io.plog.results.study.StudyCells;
import io.plog.results.verdict.CheckRule;
import io.plog.results.verdict.StableStorageRules;
import io.plog.stats.Estimate;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.TextLines;
import io.plog.stats.text.Units;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The results as text for a terminal, at most {@value TextLines#WIDTH} columns wide, alike for whatever was measured: warnings, what
 * was found in sentences, one table, the verdicts. The page has the rest.
 */
public final class TerminalSummary {
    private static final String UNBOUNDED = "+";

    /** Behind what was not steady. */
    static final String UNSTEADY = "~";

    static final String NOT_STEADY = "not steady while it was counted: it became slower, or faster, in most trials";

    private static final String FIGURES = " %8s %8s %8s";

    /** The columns of a target's name and of how often it was measured, together. */
    private static final int NAME_AND_COUNT = 30;

    private static final int SHORT_NAME = 10;

    private final Results results;
    private final StringBuilder text = new StringBuilder();
    private boolean unbounded;

    private TerminalSummary(Results results) {
        this.results = results;
    }

    /** The summary, ending with a line's end. */
    public static String of(Results results) {
        TerminalSummary summary = new TerminalSummary(results);
        summary.warnings();
        summary.conditions();
        results.load().forEach(summary::load);
        if (results.kind() == Kind.DISK) {
            DiskSummary.table(results, summary.text);
            summary.worst();
            summary.stableStorage();
            DiskSummary.toPaste(results, summary.text);
        } else {
            summary.table();
            summary.worst();
            summary.costs();
            summary.stableStorage();
        }
        summary.verdicts();
        return summary.text.toString().replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
    }

    private void warnings() {
        if (results.partial().partial()) {
            wrapped("! partial: ", results.partial().reason());
        }
        for (Check check : results.validity()) {
            boolean said = CheckRule.COMPLETE.isOf(check) && results.partial().partial();
            if (!check.ok() && !said) {
                wrapped("! " + check.severity().label() + ", " + check.id() + ": ", check.detail());
            }
        }
        for (Results.Target target : results.environment().targets()) {
            target.facts().forEach((name, what) -> {
                if (what.startsWith(MeasuredDirectory.NOT_AVAILABLE)) {
                    wrapped("! ", target.name() + ", " + name + ": " + what);
                }
            });
        }
        if (!text.isEmpty()) {
            text.append('\n');
        }
    }

    private void conditions() {
        wrapped(
                "",
                results.conditions().stream()
                        .filter(fact -> PlannedFacts.OF_THE_PLAN.contains(fact.name()))
                        .map(fact -> fact.name() + ": " + fact.text())
                        .collect(Collectors.joining("; ")));
        text.append('\n');
    }

    private void load(LoadSummary load) {
        Double offered = load.offeredPerSecond();
        wrapped(
                "",
                load.target() + ": " + (offered == null ? "" : Wording.perSecond(offered) + " requests/s due, ")
                        + Wording.perSecond(load.answeredPerSecond()) + "/s answered, "
                        + Wording.perSecond(load.acceptedPerSecond())
                        + "/s accepted; " + Units.count(load.sent()) + " sent in "
                        + Units.significantDigits(load.seconds(), 4)
                        + " s, " + Units.count(load.accepted()) + " accepted"
                        + (load.errors().isEmpty() ? "" : ", " + load.errors()) + "; without reply at the end: "
                        + Units.count(load.backlogAtEnd()) + "; connections lost or not made: "
                        + Units.count(load.connectionsLost() + load.connectionsFailed()) + ".");
        text.append('\n');
    }

    private void table() {
        boolean overhead = results.kind() == Kind.RUN || results.kind() == Kind.LOAD;
        // Of a design the latency under load is asked.
        boolean logged = results.kind() != Kind.STUDY && results.kind() != Kind.RECOVERY;
        line(
                "%-29s %s        end to end, µs %s",
                "", logged ? "           logging, µs     " : "", overhead ? "relative to unlogged" : "");
        String heads = String.format(Locale.ROOT, FIGURES, "mean", "p50", "p99");
        line(
                "%-20s %9s%s %s",
                logged ? "size     target" : results.kind() == Kind.STUDY ? "design" : "target",
                "count",
                logged ? heads + heads : heads,
                overhead ? "  means median" : "");
        Cell last = null;
        for (Cell cell : results.cells()) {
            boolean first = last == null || cell.payloadBytes() != last.payloadBytes();
            text.append(first && last != null && results.kind() != Kind.STUDY ? "\n" : "");
            if (first && namesAreLong()) {
                line("%s", Units.size(cell.payloadBytes()));
            }
            String count = Units.count(cell.count());
            int room = NAME_AND_COUNT - count.length();
            String row = String.format(
                    Locale.ROOT,
                    "%-" + room + "s%s%s%s %s",
                    TextLines.cutFront(label(cell, first), room - 1),
                    count,
                    logged ? figures(cell.logMicros()) : "",
                    figures(cell.endToEndMicros()),
                    remark(cell));
            line("%s", TextLines.cut(row, TextLines.WIDTH));
            last = cell;
        }
        if (unbounded) {
            wrapped(UNBOUNDED + " ", "no upper bound: too few samples, or too unlike each other");
        }
        if (results.environment().targets().stream().anyMatch(TerminalSummary::isCached)) {
            wrapped("* ", "not stable storage: what it acknowledged can be lost with the power");
        }
        if (results.kind() != Kind.STUDY && results.cells().stream().anyMatch(TerminalSummary::isUnsteady)) {
            wrapped(UNSTEADY + " ", NOT_STEADY);
        }
        text.append('\n');
    }

    private String label(Cell cell, boolean first) {
        if (results.kind() == Kind.STUDY || results.kind() == Kind.RECOVERY) {
            return cell.target();
        }
        String name = marked(cell.target()) + (isUnsteady(cell) ? UNSTEADY : "");
        return namesAreLong()
                ? name
                : String.format(Locale.ROOT, "%-8s %s", first ? Units.size(cell.payloadBytes()) : "", name);
    }

    /** Whether a name, as of one of several disks, has no room beside the size: then the size is above it. */
    private boolean namesAreLong() {
        return (results.kind() == Kind.RUN || results.kind() == Kind.LOAD)
                && results.cells().stream()
                        .anyMatch(cell -> marked(cell.target()).length() > SHORT_NAME);
    }

    static boolean isUnsteady(Cell cell) {
        return cell.steady() != null && !cell.steady().reached();
    }

    /** What is behind the figures of a cell: its cost, or what else distinguishes it from others. */
    private String remark(Cell cell) {
        UnderLoad load = cell.underLoad();
        String dimensions = String.join(" ", cell.dimensions().values());
        return switch (results.kind()) {
            case RUN, LOAD ->
                results.overhead().stream()
                        .filter(o -> o.target().equals(cell.target()) && o.payloadBytes() == cell.payloadBytes())
                        .findFirst()
                        .map(o -> String.format(
                                Locale.ROOT,
                                "%7s %6s",
                                Units.ratio(o.ratioOfMeans().ratio()),
                                Units.ratio(o.ratioOfMedians().ratio())))
                        .orElse("      -      -");
            case RECOVERY -> dimensions;
            case DISK -> throw new IllegalStateException("has a table of its own");
            case STUDY ->
                (load == null ? "" : Wording.perSecond(load.acceptedPerSecond().value()) + "/s")
                        + (load == null || StudyCells.isJudged(cell) ? " " : "! ")
                        + dimensions
                        + (cell.forceLabel().isLogged() ? "" : " in memory")
                        + kept(load);
        };
    }

    /** The rate that a design was seen to keep. */
    private static String kept(@Nullable UnderLoad load) {
        Estimate confirmed = load == null ? null : load.confirmedPerSecond();
        return confirmed == null ? "" : ", keeps " + Wording.perSecond(confirmed.value()) + "/s";
    }

    /** Mean, median and 99th percentile, which is marked if the samples do not bound it. */
    private String figures(@Nullable Distribution of) {
        return of == null
                ? String.format(Locale.ROOT, FIGURES, "-", "-", "-")
                : String.format(Locale.ROOT, FIGURES, Micros.text(of.mean()), Micros.text(of.p50()), p99(of));
    }

    private String p99(Distribution of) {
        boolean open = of.at(Percentile.P99).interval().high() == null;
        unbounded |= open;
        return Micros.text(of.p99()) + (open ? UNBOUNDED : "");
    }

    private static boolean isCached(Results.Target target) {
        return !target.force().isEmpty() && target.forceLabel().isLogged() && !target.stableStorage();
    }

    /** A target's name, with a star if it logs to no stable storage. */
    private String marked(String name) {
        boolean cached = results.environment().targets().stream()
                .anyMatch(target -> target.name().equals(name) && isCached(target));
        return cached ? name + "*" : name;
    }

    /** The three worst moments of all, and what went on most of each. */
    private void worst() {
        List<String> moments = results.cells().stream()
                .flatMap(cell -> Stream.ofNullable(cell.overTime()))
                .flatMap(over -> over.worst().stream())
                .sorted(Comparator.comparingDouble((Results.Slow slow) -> -slow.endToEndMicros()))
                .limit(3)
                .map(slow -> "after " + Units.significantDigits(slow.atSeconds(), 4) + " s "
                        + Micros.text(slow.endToEndMicros()) + " µs"
                        + slow.overlaps().stream()
                                .findFirst()
                                .map(overlap -> " with " + overlap.kind() + " (" + overlap.side() + ", "
                                        + Micros.text(overlap.micros()) + " µs)")
                                .orElse(""))
                .toList();
        if (!moments.isEmpty()) {
            wrapped("", "worst moments: " + String.join("; ", moments) + ".");
            text.append('\n');
        }
    }

    /** What was found in sentences. */
    private void costs() {
        results.cost().forEach(cost -> wrapped("", cost.sentence()));
        text.append(results.cost().isEmpty() ? "" : "\n");
    }

    /** Whether the figures look like those of stable media: the verdict and the weightiest reason of each target. */
    private void stableStorage() {
        for (Results.StableStorage found : results.stableStorage()) {
            wrapped(
                    "",
                    found.target() + ": " + found.sentence() + ": "
                            + found.reasons().get(0));
        }
        if (!results.stableStorage().isEmpty()) {
            wrapped("", StableStorageRules.PROOF);
            text.append('\n');
        }
    }

    private void verdicts() {
        if (!results.isValid() && !results.claims().isEmpty()) {
            wrapped("", Claim.NONE_JUDGED);
            return;
        }
        Map<String, List<Claim>> byId = results.claims().stream()
                .collect(Collectors.groupingBy(Claim::id, LinkedHashMap::new, Collectors.toList()));
        byId.forEach((id, claims) -> {
            String found = claims.stream()
                    .map(claim -> (claim.target() == null ? "" : marked(claim.target()) + " ")
                            + claim.verdict().label())
                    .collect(Collectors.joining(", "));
            line("%s", TextLines.cut(id + "  " + found + ": " + claims.get(0).claim(), TextLines.WIDTH));
        });
    }

    private void line(String format, Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }

    private void wrapped(String label, String sentence) {
        TextLines.wrap(text, label, Math.min(label.length(), 4), sentence);
    }
}
