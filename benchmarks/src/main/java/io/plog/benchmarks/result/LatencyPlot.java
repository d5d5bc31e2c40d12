package io.plog.benchmarks.result;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * The distribution of the latency at depth 1, a panel for each size: the share of appends that were faster, on an axis that
 * gives each further nine the same width, against microseconds on a logarithmic one.
 */
public final class LatencyPlot {
    private static final int LEFT = 64;
    private static final int PANEL = 330;
    private static final int HEIGHT = 220;
    private static final int LEGEND = 150;
    private static final int GAP = 64;
    private static final int TOP = 30;
    private static final List<Double> TICKS = List.of(0.5, 0.9, 0.99, 0.999);
    private static final int PEERS = 2;

    private LatencyPlot() {}

    /** The picture, as SVG; without panels if no cell has depth 1. */
    public static String render(CampaignSummary summary) {
        List<CampaignSummary.CellSummary> cells = summary.cells().stream()
                .filter(cell -> cell.cell().outstanding() == 1)
                .toList();
        int rows = (cells.size() + 1) / 2;
        Svg svg = new Svg(
                2 * (LEFT + PANEL + LEGEND), rows * (HEIGHT + GAP) + TOP / 2, "Latency of an append at depth 1");
        for (int i = 0; i < cells.size(); i++) {
            panel(svg, cells.get(i), LEFT + i % 2 * (LEFT + PANEL + LEGEND), TOP + i / 2 * (HEIGHT + GAP));
        }
        return svg.end();
    }

    private static void panel(Svg svg, CampaignSummary.CellSummary cell, int x, int y) {
        List<CampaignSummary.Row> rows = shown(cell);
        double least = rows.stream()
                .mapToDouble(row -> row.latencyMicros().get(0))
                .min()
                .orElse(1);
        double most =
                rows.stream().mapToDouble(CampaignSummary.Row::p999Micros).max().orElse(10);
        double low = Math.log10(least) - 0.05;
        double high = Math.max(low + 0.3, Math.log10(most) + 0.05);
        svg.heading(x, y - 10, cell.cell().label());
        for (double share : TICKS) {
            double at = x + across(share);
            svg.line(at, y, at, y + HEIGHT, Svg.FAINT, "none");
            svg.text(at, y + HEIGHT + 14, "middle", String.format(Locale.ROOT, "%s %%", Markdown.number(share * 100)));
        }
        for (int decade = (int) Math.floor(low); decade <= high; decade++) {
            for (int digit : new int[] {1, 2, 5}) {
                double micros = digit * Math.pow(10, decade);
                double down = down(micros, low, high);
                if (down >= 0 && down <= HEIGHT) {
                    svg.line(x, y + down, x + PANEL, y + down, Svg.FAINT, "none");
                    svg.text(x - 5, y + down + 4, "end", Markdown.number(micros) + " µs");
                }
            }
        }
        for (int i = 0; i < rows.size(); i++) {
            CampaignSummary.Row row = rows.get(i);
            String dashes = row.kind().equals("LIMIT") ? "5 3" : "none";
            svg.curve(points(row, x, y, low, high), Colours.ofCurve(i), dashes);
            svg.line(x + PANEL + 8, y + 12 + i * 15, x + PANEL + 30, y + 12 + i * 15, Colours.ofCurve(i), dashes);
            svg.text(x + PANEL + 36, y + 16 + i * 15, "start", row.contestant());
        }
    }

    /** The default and direct ways of each, and the best peers by their median. */
    private static List<CampaignSummary.Row> shown(CampaignSummary.CellSummary cell) {
        List<CampaignSummary.Row> rows = new ArrayList<>();
        Stream.of("plog-fdatasync", "fio-fdatasync", "plain-fdatasync", "plog-direct", "fio-direct")
                .forEach(name -> cell.row(name).ifPresent(rows::add));
        cell.rows().stream()
                .filter(row -> row.kind().equals("PEER"))
                .sorted(Comparator.comparingDouble(CampaignSummary.Row::p50Micros))
                .limit(PEERS)
                .forEach(rows::add);
        return rows;
    }

    private static String points(CampaignSummary.Row row, int x, int y, double low, double high) {
        StringBuilder points = new StringBuilder();
        for (int i = 0; i < SampleQuantiles.SHARES.size(); i++) {
            double share = SampleQuantiles.SHARES.get(i);
            if (share < 1) {
                double down = down(row.latencyMicros().get(i), low, high);
                points.append(String.format(
                        Locale.ROOT, "%.1f,%.1f ", x + across(share), y + Math.max(0, Math.min(HEIGHT, down))));
            }
        }
        return points.toString().strip();
    }

    /** From 0 at the left for a share of 0 to the panel's width for 0.999. */
    private static double across(double share) {
        return -Math.log10(1 - share) / 3 * PANEL;
    }

    private static double down(double micros, double low, double high) {
        return HEIGHT * (1 - (Math.log10(micros) - low) / (high - low));
    }
}
