package io.plog.results.study;

import io.plog.measure.study.StudyCell;
import io.plog.results.model.Claim;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Inversion;
import io.plog.results.model.Results.Overhead;
import io.plog.results.study.StudyCells.Machine;
import io.plog.stats.Estimate;
import io.plog.stats.Percentile;
import io.plog.stats.text.TextLines;
import java.util.List;
import java.util.Locale;

/** The main figures of a study as text for a terminal; the page has all. At most {@value TextLines#WIDTH} columns wide. */
public final class StudyText {
    private static final String NONE = "-";
    private static final String CAPACITY = "  %-20s %-6s %24s %7s %18s %8s %8s";

    private final Results results;
    private final StudyCells study;
    private final StringBuilder text;

    private StudyText(StringBuilder text, Results results) {
        this.text = text;
        this.results = results;
        study = StudyCells.of(results);
    }

    /** Appends all but its checks. */
    public static void append(StringBuilder text, Results results) {
        StudyText all = new StudyText(text, results);
        results.cost().forEach(cost -> all.wrap("", cost.sentence()));
        all.line("");
        all.capacities();
        all.loads();
        all.comparisons();
        all.claims();
    }

    private void capacities() {
        line("Capacity at infinite demand");
        row(CAPACITY, "design", "sizes", "requests/s", "keeps", "MB/s", "records", "server");
        row(CAPACITY, "", "", "", "", "", "a force", "us each");
        study.capacities().forEach(this::capacity);
        for (Machine machine : study.machines()) {
            line("  on " + TextLines.cut(machine.label(), 90));
            study.capacities(machine).forEach(this::capacity);
        }
    }

    private void capacity(Cell each) {
        Double server = StudyCells.load(each).serverMicrosPerRequest();
        Estimate confirmed = StudyCells.load(each).confirmedPerSecond();
        row(
                CAPACITY,
                TextLines.cut(each.target(), 20),
                each.dimension(StudyCell.SIZES),
                interval(StudyCells.perSecond(each)),
                confirmed == null ? NONE : StudyNumbers.perSecond(confirmed.value()),
                interval(StudyCells.load(each).megabytesPerSecond()),
                StudyNumbers.number(each.recordsPerForce()),
                server == null ? NONE : StudyNumbers.number(server));
    }

    /** At shares of each design's own capacity, and at the same rates for all. */
    private void loads() {
        List<Cell> loads = study.loads();
        if (loads.isEmpty()) {
            return;
        }
        String format = "  %-22s %5s %9s %8s %8s %8s %8s  %-22s";
        line("");
        line("Latency under load, ms, from sending; load is a share of the rate that the design keeps");
        row(format, "design", "load", "offered/s", "5 %", "median", "95 %", "mean", "service inversion");
        for (Cell load : loads) {
            Distribution latency = StudyCells.latency(load);
            Inversion inversion = StudyCells.load(load).inversion();
            row(
                    format,
                    TextLines.cut(load.target(), 22),
                    load.dimension(StudyCell.LEVEL),
                    String.format(Locale.ROOT, "%,.0f", StudyCells.load(load).offeredPerSecond())
                            + (StudyCells.isJudged(load) ? " " : "!"),
                    millis(latency.at(Percentile.P5).micros()),
                    millis(latency.p50()),
                    millis(latency.at(Percentile.P95).micros()),
                    millis(latency.mean()),
                    inversion == null ? NONE : interval(inversion.value()));
        }
        if (!loads.stream().allMatch(StudyCells::isJudged)) {
            line("  !: not judged, since the cell was not what was asked for");
        }
    }

    private void comparisons() {
        if (results.overhead().isEmpty()) {
            return;
        }
        line("");
        for (Overhead each : results.overhead()) {
            wrap("- ", each.sentence());
        }
    }

    private void claims() {
        line("");
        if (!results.isValid()) {
            line(Claim.NONE_JUDGED);
            return;
        }
        for (Claim each : results.claims()) {
            wrap(
                    String.format(
                            Locale.ROOT, "%-3s %-13s", each.id(), each.verdict().label()),
                    each.claim());
            wrap("                 ", each.detail());
        }
    }

    private void wrap(String label, String sentence) {
        TextLines.wrap(text, label, Math.min(17, Math.max(4, label.length())), sentence);
    }

    private void row(String format, Object... cells) {
        line(String.format(Locale.ROOT, format, cells));
    }

    private void line(String line) {
        text.append(line.stripTrailing()).append('\n');
    }

    private static String millis(double micros) {
        return StudyNumbers.number(micros / 1e3);
    }

    private static String interval(Estimate estimate) {
        return StudyNumbers.interval(estimate, StudyNumbers::number);
    }
}
