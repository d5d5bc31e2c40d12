package io.plog.report.study;

import io.plog.measure.study.StudyDesign;
import io.plog.report.results.Check;
import io.plog.report.results.Claim;
import io.plog.report.study.StudyResults.Capacity;
import io.plog.report.study.StudyResults.Comparison;
import io.plog.report.study.StudyResults.Control;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Inversion;
import io.plog.report.study.StudyResults.Latency;
import io.plog.report.study.StudyResults.Load;
import io.plog.report.study.StudyResults.Machine;
import io.plog.report.study.StudyResults.MachineLatency;
import io.plog.report.study.StudyResults.Row;
import io.plog.report.study.StudyResults.Workload;
import io.plog.report.verdict.CheckRule;
import io.plog.stats.text.TextLines;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** A study as text for a terminal, at most {@value TextLines#WIDTH} columns wide: warnings first. Stateless. */
public final class StudyText {
    private final StudyResults results;
    private final StringBuilder text = new StringBuilder();

    private StudyText(StudyResults results) {
        this.results = results;
    }

    /** The text, ending with a line's end; control characters from elsewhere are shown as {@code ?}. */
    public static String of(StudyResults results) {
        StudyText all = new StudyText(results);
        all.validity();
        all.plan();
        all.capacities();
        all.absolute();
        all.relative();
        all.controls();
        all.workloads();
        all.machines();
        all.comparisons();
        all.claims();
        return all.text.toString().replaceAll("[\\p{Cntrl}&&[^\n]]", "?");
    }

    private void validity() {
        boolean invalid = results.validity().stream().anyMatch(each -> each.invalidates());
        if (!results.partialReason().isEmpty()) {
            wrap("! partial: ", results.partialReason());
        }
        line(invalid ? "The study is NOT VALID:" : "The study is valid.");
        for (Check check : results.validity()) {
            boolean said =
                    CheckRule.COMPLETE.isOf(check) && !results.partialReason().isEmpty();
            if (!check.ok() && !said) {
                wrap("! " + check.severity().label() + ", " + check.id() + ": ", check.detail());
            }
        }
    }

    private void plan() {
        StudyResults.Plan plan = results.plan();
        line("");
        wrap(
                "",
                String.format(
                        Locale.ROOT,
                        "force=%s, %d connections at most, %s, %d trial%s of %s s in each cell, seed %d",
                        plan.force(),
                        plan.connections(),
                        plan.requestsPerConnection() == 0
                                ? "open loop, " + plan.arrivals()
                                : "partly open, made anew after " + plan.requestsPerConnection() + ", "
                                        + plan.arrivals(),
                        plan.trials(),
                        plan.trials() == 1 ? "" : "s",
                        EstimateText.number(plan.secondsPerCell()),
                        plan.seed()));
    }

    private void capacities() {
        line("");
        line("Capacity at infinite demand");
        row("  %-22s %-8s %24s %18s %8s %9s", "design", "sizes", "requests/s", "MB/s", "records", "server");
        row("  %-22s %-8s %24s %18s %8s %9s", "", "", "", "", "a force", "us each");
        for (Capacity each : results.capacities()) {
            row(
                    "  %-22s %-8s %24s %18s %8s %9s",
                    TextLines.cut(each.design(), 22),
                    each.sizes(),
                    interval(each.requestsPerSecond()),
                    interval(each.megabytesPerSecond()),
                    EstimateText.number(each.meanBatchRecords()),
                    each.serverMicrosPerRequest() == null ? "-" : EstimateText.number(each.serverMicrosPerRequest()));
            if (!each.machine().isEmpty()) {
                line("    on " + TextLines.cut(each.machine(), 90));
            }
        }
    }

    private void absolute() {
        List<Load> loads =
                results.loads().stream().filter(load -> load.level() == null).toList();
        if (loads.isEmpty()) {
            return;
        }
        line("");
        line("Latency at the same rate, ms, from sending; published (2004): 2300/s, 3.3 GB");
        row(
                "  %-19s %8s %8s %8s %8s %8s   %s",
                "design", "rate", "5 %", "median", "95 %", "mean", "published 5 / 50 / 95 / mean");
        for (Load load : loads) {
            Latency latency = load.latency();
            row(
                    "  %-19s %8s %8s %8s %8s %8s   %s",
                    TextLines.cut(load.design(), 19),
                    String.format(Locale.ROOT, "%,.0f", load.offeredPerSecond()) + (load.sustained() ? " " : "!"),
                    millis(latency.p5()),
                    millis(latency.p50().value()),
                    millis(latency.p95().value()),
                    millis(latency.mean().value()),
                    published(load.design()));
        }
        if (loads.stream().anyMatch(load -> !load.sustained())) {
            line("  !: the rate was not sustained");
        }
    }

    private static String published(String design) {
        Optional<PublishedServers.Server> server = StudyDesign.ofLabel(design).flatMap(PublishedServers::of);
        return server.map(each -> String.format(
                        Locale.ROOT, "%.2f / %.2f / %.1f / %.1f", each.p5(), each.p50(), each.p95(), each.mean()))
                .orElse("-");
    }

    private void relative() {
        List<Load> loads =
                results.loads().stream().filter(load -> load.level() != null).toList();
        if (loads.isEmpty()) {
            return;
        }
        line("");
        line("By load, as a share of each design's own capacity; latency in ms from sending");
        row(
                "  %-22s %5s %9s %8s %8s %8s  %-22s %6s",
                "design", "load", "offered/s", "median", "95 %", "mean", "service inversion", "random");
        for (Load load : loads) {
            Inversion inversion = load.inversion();
            row(
                    "  %-22s %5s %9s %8s %8s %8s  %-22s %6s",
                    TextLines.cut(load.design(), 22),
                    String.valueOf(load.level()),
                    String.format(Locale.ROOT, "%,.0f", load.offeredPerSecond()) + (load.sustained() ? " " : "!"),
                    millis(load.latency().p50().value()),
                    millis(load.latency().p95().value()),
                    millis(load.latency().mean().value()),
                    inversion == null ? "-" : interval(inversion.value()),
                    inversion == null
                            ? "-"
                            : EstimateText.number(inversion.random().value()));
        }
        line("  Published at 0.95: 0.58 (not checked) for Old Flash, Apache; 0.35 for New-Flash, 0.33 in memory.");
    }

    private void controls() {
        if (results.controls().isEmpty()) {
            return;
        }
        line("");
        line("In memory: the same server with a target that logs nothing; latency in ms from sending");
        row(
                "  %-18s %26s %-18s %5s %8s  %-17s",
                "design", "requests/s", "logged, share", "load", "median", "service inversion");
        for (Control each : results.controls()) {
            Load load = each.load();
            Inversion inversion = load == null ? null : load.inversion();
            row(
                    "  %-18s %26s %-18s %5s %8s  %-17s",
                    TextLines.cut(each.design(), 18),
                    interval(each.requestsPerSecond()),
                    interval(each.loggedShare()),
                    load == null ? "-" : String.valueOf(load.level()) + (load.sustained() ? "" : "!"),
                    load == null ? "-" : millis(load.latency().p50().value()),
                    inversion == null ? "-" : interval(inversion.value()));
        }
    }

    private void workloads() {
        if (results.workloads().isEmpty()) {
            return;
        }
        line("");
        line("Mixes of logged and read-only requests of 1 kB, ms");
        row(
                "  %-22s %8s %8s %8s %8s %8s %8s %9s",
                "", "mean", "median", "95 %", "99 %", "99.9 %", "of mean", "of spread");
        for (Workload workload : results.workloads()) {
            line("  " + workload.name() + ", " + TextLines.cut(workload.design(), 60));
            for (Row each : workload.rows()) {
                row(
                        "    %-20s %8s %8s %8s %8s %8s %8s %9s",
                        each.component(),
                        millis(each.latency().mean().value()),
                        millis(each.latency().p50().value()),
                        millis(each.latency().p95().value()),
                        millis(each.latency().p99()),
                        millis(each.latency().p999()),
                        String.format(Locale.ROOT, "%.0f %%", 100 * each.shareOfMean()),
                        String.format(
                                Locale.ROOT,
                                "%.0f %%",
                                100 * each.shareOfVariance().value()));
            }
        }
        line("  Of spread: the component's covariance with the latency, by the latency's variance.");
    }

    private void machines() {
        if (results.machines().isEmpty()) {
            return;
        }
        line("");
        line("Mean latency by relative load on each machine, ms");
        for (Machine machine : results.machines()) {
            line("  " + TextLines.cut(machine.label(), 96));
            for (MachineLatency each : machine.meanLatency()) {
                row(
                        "    %-22s load %-5s %8s",
                        each.design(), each.level(), millis(each.meanMicros().value()));
            }
        }
    }

    private void comparisons() {
        if (results.comparisons().isEmpty()) {
            return;
        }
        line("");
        for (Comparison each : results.comparisons()) {
            wrap("- ", each.sentence());
        }
    }

    private void claims() {
        line("");
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
        return EstimateText.number(micros / 1e3);
    }

    private static String interval(Estimate estimate) {
        Double low = estimate.low();
        Double high = estimate.high();
        return low == null || high == null
                ? EstimateText.number(estimate.value())
                : EstimateText.number(estimate.value()) + " [" + EstimateText.number(low) + ", "
                        + EstimateText.number(high) + "]";
    }
}
