package io.plog.benchmarks;

import io.plog.benchmarks.result.CampaignResults;
import io.plog.benchmarks.result.CampaignSummary;
import io.plog.benchmarks.result.LatencyPlot;
import io.plog.benchmarks.result.Markdown;
import io.plog.benchmarks.result.ReplicatedMarkdown;
import io.plog.benchmarks.result.ReplicatedResults;
import io.plog.benchmarks.result.ThroughputPlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a campaign's table and plots, beside its results or into the documentation. */
final class Publisher {

    private Publisher() {}

    /** Writes {@code table.md} and the plots into a directory. */
    static void writeBeside(CampaignResults results, Path directory) throws IOException {
        Files.writeString(directory.resolve("table.md"), Markdown.table(results));
        writePlots(results, directory, "");
    }

    /**
     * Puts them into {@code docs/performance.md}, between the two marks of the campaign's plan, and {@code docs/performance/}.
     *
     * @throws IllegalArgumentException if the page has no place for such a campaign, as for a burst
     */
    static void publish(CampaignResults results, Path root) throws IOException {
        Path page = root.resolve("docs/performance.md");
        String prefix = results.plan() + "-";
        String figures = Markdown.page(results, "performance/" + prefix);
        Files.writeString(page, replaceFigures(Files.readString(page), results.plan(), figures));
        writePlots(results, Files.createDirectories(root.resolve("docs/performance")), prefix);
    }

    /** Puts them into {@code docs/replication.md}, between its two marks. */
    static void publish(ReplicatedResults results, Path root) throws IOException {
        Path page = root.resolve("docs/replication.md");
        Files.writeString(
                page, replaceFigures(Files.readString(page), "replicated", ReplicatedMarkdown.render(results)));
    }

    /**
     * Replaces what stands between the marks of a place.
     *
     * @throws IllegalArgumentException if the page does not have both marks in order
     */
    static String replaceFigures(String page, String place, String figures) {
        String beginMark = "<!-- " + place + ": begin -->";
        String endMark = "<!-- " + place + ": end -->";
        int begin = page.indexOf(beginMark);
        int end = page.indexOf(endMark);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("the page has no " + beginMark + " followed by " + endMark);
        }
        return page.substring(0, begin) + beginMark + "\n\n" + figures.strip() + "\n\n" + page.substring(end);
    }

    private static void writePlots(CampaignResults results, Path directory, String prefix) throws IOException {
        CampaignSummary summary = CampaignSummary.of(results);
        Files.writeString(directory.resolve(prefix + "throughput.svg"), ThroughputPlot.render(summary));
        Files.writeString(directory.resolve(prefix + "latency.svg"), LatencyPlot.render(summary));
    }
}
