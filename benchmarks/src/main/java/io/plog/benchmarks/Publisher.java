package io.plog.benchmarks;

import io.plog.benchmarks.result.CampaignResults;
import io.plog.benchmarks.result.CampaignSummary;
import io.plog.benchmarks.result.LatencyPlot;
import io.plog.benchmarks.result.Markdown;
import io.plog.benchmarks.result.ThroughputPlot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes a campaign's table and plots, beside its results or into the documentation. */
final class Publisher {
    static final String BEGIN = "<!-- figures: begin -->";
    static final String END = "<!-- figures: end -->";

    private Publisher() {}

    /** Writes {@code table.md} and the plots into a directory. */
    static void writeBeside(CampaignResults results, Path directory) throws IOException {
        Files.writeString(directory.resolve("table.md"), Markdown.render(results, ""));
        writePlots(results, directory);
    }

    /** Puts them into {@code docs/performance.md}, between its two marks, and {@code docs/performance/}. */
    static void publish(CampaignResults results, Path root) throws IOException {
        Path page = root.resolve("docs/performance.md");
        Files.writeString(page, replaceFigures(Files.readString(page), Markdown.render(results, "performance/")));
        writePlots(results, Files.createDirectories(root.resolve("docs/performance")));
    }

    /**
     * Replaces what stands between the marks.
     *
     * @throws IllegalArgumentException if the page does not have both marks in order
     */
    static String replaceFigures(String page, String figures) {
        int begin = page.indexOf(BEGIN);
        int end = page.indexOf(END);
        if (begin < 0 || end < begin) {
            throw new IllegalArgumentException("the page has no " + BEGIN + " followed by " + END);
        }
        return page.substring(0, begin) + BEGIN + "\n\n" + figures.strip() + "\n\n" + page.substring(end);
    }

    private static void writePlots(CampaignResults results, Path directory) throws IOException {
        CampaignSummary summary = CampaignSummary.of(results);
        Files.writeString(directory.resolve("throughput.svg"), ThroughputPlot.render(summary));
        Files.writeString(directory.resolve("latency.svg"), LatencyPlot.render(summary));
    }
}
