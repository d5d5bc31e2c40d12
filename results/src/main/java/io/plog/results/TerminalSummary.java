package io.plog.results;

import io.plog.results.model.Check;
import io.plog.results.model.Claim;
import io.plog.results.model.PlannedFacts;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.study.StudyText;
import io.plog.results.verdict.CheckRule;
import io.plog.results.verdict.StableStorageRules;
import io.plog.stats.text.Micros;
import io.plog.stats.text.TextLines;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The results as text for a terminal, at most {@value TextLines#WIDTH} columns wide: warnings first, then the table, then the verdicts. */
public final class TerminalSummary {
    private final Results results;
    private final StringBuilder text = new StringBuilder();

    private TerminalSummary(Results results) {
        this.results = results;
    }

    /** The summary, ending with a line's end. */
    public static String of(Results results) {
        TerminalSummary summary = new TerminalSummary(results);
        summary.warnings();
        summary.conditions();
        if (results.kind() == Results.Kind.DISK) {
            DiskText.append(summary.text, results);
        } else if (results.kind() == Results.Kind.STUDY) {
            StudyText.append(summary.text, results);
        } else {
            results.load().forEach(load -> LoadText.append(summary.text, load));
            summary.table();
            summary.quorum();
            summary.stableStorage();
            summary.verdicts();
        }
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

    private void table() {
        new TextTable(text, 29, -26, -22, 1)
                .row("", "           logging, µs", "        end to end, µs", "relative to unlogged");
        TextTable table = new TextTable(text, -8, -11, 9, 8, 8, 8, 8, 8, 8, 7, 6);
        table.row("size", "target", "count", "mean", "p50", "p99", "mean", "p50", "p99", "means", "median");
        int size = 0;
        for (Cell cell : results.cells()) {
            boolean first = size != cell.payloadBytes();
            if (first && size != 0) {
                text.append('\n');
            }
            size = cell.payloadBytes();
            Optional<Results.Overhead> overhead = overhead(cell);
            table.row(
                    first ? Units.size(size) : "",
                    marked(cell.target()),
                    Units.count(cell.count()),
                    figure(cell.logMicros(), Distribution::mean),
                    figure(cell.logMicros(), Distribution::p50),
                    figure(cell.logMicros(), Distribution::p99),
                    figure(cell.endToEndMicros(), Distribution::mean),
                    figure(cell.endToEndMicros(), Distribution::p50),
                    figure(cell.endToEndMicros(), Distribution::p99),
                    overhead.map(o -> Units.ratio(o.ratioOfMeans().ratio())).orElse("-"),
                    overhead.map(o -> Units.ratio(o.ratioOfMedians().ratio())).orElse("-"));
        }
        if (results.environment().targets().stream().anyMatch(TerminalSummary::isCached)) {
            wrapped("* ", "not stable storage: what it acknowledged can be lost with the power");
        }
        text.append('\n');
    }

    private static boolean isCached(Results.Target target) {
        return target.forceLabel().isLogged() && !target.stableStorage();
    }

    /** A target's name, with a star if it logs to no stable storage. */
    private String marked(String name) {
        boolean cached = results.environment().targets().stream()
                .anyMatch(target -> target.name().equals(name) && isCached(target));
        return cached ? TextLines.cut(name, 10) + "*" : TextLines.cut(name, 11);
    }

    private static String figure(@Nullable Distribution distribution, TextTable.Figure figure) {
        return TextTable.figure(distribution, Micros::text, figure);
    }

    /** What a quorum costs compared with a force of this machine's, if both were measured. */
    private void quorum() {
        List<Results.Cost> costs =
                results.cost().stream().filter(cost -> cost.target() == null).toList();
        costs.forEach(cost -> wrapped("", cost.sentence()));
        text.append(costs.isEmpty() ? "" : "\n");
    }

    /** Whether the figures look like those of stable media: the verdict and the weightiest reason, a line for each target. */
    private void stableStorage() {
        for (Results.StableStorage stableStorage : results.stableStorage()) {
            String line = String.format(
                    Locale.ROOT,
                    "%-11s %s: %s",
                    TextLines.cut(stableStorage.target(), 11),
                    stableStorage.sentence(),
                    stableStorage.reasons().get(0));
            text.append(TextLines.cut(line, TextLines.WIDTH)).append('\n');
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
        for (Claim claim : results.claims()) {
            String where = Objects.requireNonNullElse(claim.target(), "");
            String line = String.format(
                    Locale.ROOT,
                    "%-3s %-12s %-11s %s",
                    claim.id(),
                    claim.verdict().label(),
                    marked(where),
                    claim.summary());
            text.append(TextLines.cut(line.stripTrailing(), TextLines.WIDTH)).append('\n');
        }
    }

    private Optional<Results.Overhead> overhead(Cell cell) {
        List<Results.Overhead> found = results.overhead().stream()
                .filter(o -> o.target().equals(cell.target()) && o.payloadBytes() == cell.payloadBytes())
                .toList();
        return found.stream().findFirst();
    }

    private void wrapped(String label, String sentence) {
        TextLines.wrap(text, label, Math.min(label.length(), 4), sentence);
    }
}
