package io.plog.results.study;

import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyDesign;
import io.plog.results.model.Claim;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Estimate;
import io.plog.results.model.Results.Inversion;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.WorkloadPart;
import io.plog.results.study.StudyCells.Machine;
import io.plog.stats.Percentile;
import io.plog.stats.text.TextLines;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A study as text for a terminal, at most {@value TextLines#WIDTH} columns wide. Stateless. */
public final class StudyText {
    private static final String NONE = "-";

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
        all.capacities();
        all.absolute();
        all.relative();
        all.inMemory();
        all.workloads();
        all.machines();
        all.comparisons();
        all.claims();
    }

    private void capacities() {
        line("Capacity at infinite demand");
        row("  %-22s %-8s %24s %18s %8s %9s", "design", "sizes", "requests/s", "MB/s", "records", "server");
        row("  %-22s %-8s %24s %18s %8s %9s", "", "", "", "", "a force", "us each");
        study.capacities().forEach(this::capacity);
        for (Machine machine : study.machines()) {
            line("  on " + TextLines.cut(machine.label(), 90));
            study.capacities(machine).forEach(this::capacity);
        }
    }

    private void capacity(Cell each) {
        Double server = StudyCells.load(each).serverMicrosPerRequest();
        row(
                "  %-22s %-8s %24s %18s %8s %9s",
                TextLines.cut(each.target(), 22),
                each.dimension(StudyCell.SIZES),
                interval(StudyCells.perSecond(each)),
                interval(StudyCells.load(each).megabytesPerSecond()),
                StudyNumbers.number(each.recordsPerForce()),
                server == null ? NONE : StudyNumbers.number(server));
    }

    private void absolute() {
        List<Cell> loads = study.rates().stream()
                .flatMap(rate -> study.atRate(rate).stream())
                .toList();
        if (loads.isEmpty()) {
            return;
        }
        line("");
        line("Latency at the same rate, ms, from sending; published (2004): 2300/s, 3.3 GB");
        row(
                "  %-19s %8s %8s %8s %8s %8s   %s",
                "design", "rate", "5 %", "median", "95 %", "mean", "published 5 / 50 / 95 / mean");
        for (Cell load : loads) {
            Distribution latency = StudyCells.latency(load);
            row(
                    "  %-19s %8s %8s %8s %8s %8s   %s",
                    TextLines.cut(load.target(), 19),
                    offered(load),
                    millis(latency.at(Percentile.P5).micros()),
                    millis(latency.p50()),
                    millis(latency.at(Percentile.P95).micros()),
                    millis(latency.mean()),
                    published(load.target()));
        }
        if (loads.stream().anyMatch(load -> !StudyCells.load(load).sustained())) {
            line("  !: the rate was not sustained");
        }
    }

    private static String offered(Cell load) {
        return String.format(Locale.ROOT, "%,.0f", StudyCells.load(load).offeredPerSecond()) + kept(load, " ");
    }

    private static String kept(Cell load, String yes) {
        return StudyCells.load(load).sustained() ? yes : "!";
    }

    private static String published(String design) {
        return StudyDesign.ofLabel(design)
                .flatMap(PublishedServers::of)
                .map(each -> String.format(
                        Locale.ROOT, "%.2f / %.2f / %.1f / %.1f", each.p5(), each.p50(), each.p95(), each.mean()))
                .orElse(NONE);
    }

    private void relative() {
        List<Cell> loads = study.relative();
        if (loads.isEmpty()) {
            return;
        }
        line("");
        line("By load, as a share of each design's own capacity; latency in ms from sending");
        row(
                "  %-22s %5s %9s %8s %8s %8s  %-22s %6s",
                "design", "load", "offered/s", "median", "95 %", "mean", "service inversion", "random");
        for (Cell load : loads) {
            Distribution latency = StudyCells.latency(load);
            Inversion inversion = StudyCells.load(load).inversion();
            row(
                    "  %-22s %5s %9s %8s %8s %8s  %-22s %6s",
                    TextLines.cut(load.target(), 22),
                    load.dimension(StudyCell.LEVEL),
                    offered(load),
                    millis(latency.p50()),
                    millis(latency.at(Percentile.P95).micros()),
                    millis(latency.mean()),
                    inversion(load),
                    inversion == null
                            ? NONE
                            : StudyNumbers.number(inversion.random().value()));
        }
        line("  Published at 0.95: 0.58 (not checked) for Old Flash, Apache; 0.35 for New-Flash, 0.33 in memory.");
    }

    private static String inversion(@Nullable Cell load) {
        Inversion inversion = load == null ? null : StudyCells.load(load).inversion();
        return inversion == null ? NONE : interval(inversion.value());
    }

    private void inMemory() {
        List<String> designs = study.designs().stream()
                .filter(design -> study.inMemory(design).isPresent())
                .toList();
        if (designs.isEmpty()) {
            return;
        }
        line("");
        line("In memory: the same server with a target that logs nothing; latency in ms from sending");
        row(
                "  %-18s %26s %-18s %5s %8s  %-17s",
                "design", "requests/s", "logged, share", "load", "median", "service inversion");
        for (String design : designs) {
            Cell load = study.loadsInMemory().stream()
                    .filter(cell -> cell.target().equals(design))
                    .findFirst()
                    .orElse(null);
            row(
                    "  %-18s %26s %-18s %5s %8s  %-17s",
                    TextLines.cut(design, 18),
                    interval(StudyCells.perSecond(study.inMemory(design).orElseThrow())),
                    study.loggedShare(design).map(StudyText::interval).orElse(NONE),
                    load == null ? NONE : load.dimension(StudyCell.LEVEL) + kept(load, ""),
                    load == null ? NONE : millis(StudyCells.latency(load).p50()),
                    inversion(load));
        }
    }

    private void workloads() {
        if (study.workloads().isEmpty()) {
            return;
        }
        line("");
        line("Mixes of logged and read-only requests of 1 kB, ms");
        row(
                "  %-22s %8s %8s %8s %8s %8s %8s %9s",
                "", "mean", "median", "95 %", "99 %", "99.9 %", "of mean", "of spread");
        for (Cell workload : study.workloads()) {
            line("  " + workload.dimension(StudyCell.WORKLOAD) + ", " + TextLines.cut(workload.target(), 60));
            for (WorkloadPart each : StudyCells.parts(workload)) {
                row(
                        "    %-20s %8s %8s %8s %8s %8s %8s %9s",
                        each.name(),
                        millis(each.micros().mean()),
                        millis(each.micros().p50()),
                        millis(each.micros().at(Percentile.P95).micros()),
                        millis(each.micros().p99()),
                        millis(each.micros().at(Percentile.P999).micros()),
                        percent(each.share()),
                        percent(each.shareOfVariance()));
            }
        }
        line("  Of spread: the component's covariance with the latency, by the latency's variance.");
    }

    private static String percent(Estimate share) {
        return String.format(Locale.ROOT, "%.0f %%", 100 * share.value());
    }

    private void machines() {
        if (study.machines().isEmpty()) {
            return;
        }
        line("");
        line("Mean latency by relative load on each machine, ms");
        for (Machine machine : study.machines()) {
            line("  " + TextLines.cut(machine.label(), 96));
            for (Cell each : study.relative(machine)) {
                row(
                        "    %-22s load %-5s %8s",
                        each.target(),
                        each.dimension(StudyCell.LEVEL),
                        millis(StudyCells.latency(each).mean()));
            }
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
        Double low = estimate.low();
        Double high = estimate.high();
        return low == null || high == null
                ? StudyNumbers.number(estimate.value())
                : StudyNumbers.number(estimate.value()) + " [" + StudyNumbers.number(low) + ", "
                        + StudyNumbers.number(high) + "]";
    }
}
