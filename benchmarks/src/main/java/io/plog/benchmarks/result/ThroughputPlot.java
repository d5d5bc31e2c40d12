package io.plog.benchmarks.result;

import java.util.List;
import java.util.Locale;

/** Bars of throughput relative to the limit, a panel for each cell, with a line for the limit and one for the plain loop. */
public final class ThroughputPlot {
    private static final int COLUMNS = 4;
    private static final int NAMES = 110;
    private static final int PANEL = 190;
    private static final int GAP = 22;
    private static final int BAR = 15;
    private static final int TOP = 44;
    private static final double MOST = 1.15;

    private ThroughputPlot() {}

    /** The picture, as SVG. */
    public static String render(CampaignSummary summary) {
        List<String> names = names(summary);
        int rows = (summary.cells().size() + COLUMNS - 1) / COLUMNS;
        int panelHeight = names.size() * BAR + TOP + 30;
        int columns = Math.min(COLUMNS, summary.cells().size());
        Svg svg = new Svg(
                NAMES + columns * (PANEL + GAP),
                rows * panelHeight + 24,
                "Durable appends per second, relative to the limit");
        for (int i = 0; i < summary.cells().size(); i++) {
            int x = NAMES + i % COLUMNS * (PANEL + GAP);
            int y = i / COLUMNS * panelHeight;
            panel(svg, summary.cells().get(i), names, x, y, i % COLUMNS == 0);
        }
        int bottom = rows * panelHeight + 12;
        svg.line(NAMES, bottom - 4, NAMES + 24, bottom - 4, Svg.INK, "none");
        svg.text(NAMES + 30, bottom, "start", "the limit (fio, best way)");
        svg.line(NAMES + 190, bottom - 4, NAMES + 214, bottom - 4, Colours.ofKind("PLAIN"), "4 3");
        svg.text(NAMES + 220, bottom, "start", "the plain loop, best way");
        return svg.end();
    }

    private static List<String> names(CampaignSummary summary) {
        return summary.cells().stream()
                .flatMap(cell -> cell.rows().stream())
                .filter(row -> row.kind().equals("PLOG") || row.kind().equals("PEER"))
                .map(CampaignSummary.Row::contestant)
                .distinct()
                .toList();
    }

    private static void panel(
            Svg svg, CampaignSummary.CellSummary cell, List<String> names, int x, int y, boolean withNames) {
        double scale = PANEL / MOST;
        int bottom = y + TOP + names.size() * BAR;
        svg.heading(x, y + 18, cell.cell().label());
        svg.text(x, y + 33, "start", "limit " + Markdown.number(cell.limitPerSecond()) + "/s");
        for (double tick = 0; tick < MOST; tick += 0.25) {
            svg.line(x + tick * scale, y + TOP, x + tick * scale, bottom, Svg.FAINT, "none");
            svg.text(x + tick * scale, bottom + 13, "middle", String.format(Locale.ROOT, "%.2f", tick));
        }
        for (int i = 0; i < names.size(); i++) {
            int top = y + TOP + i * BAR;
            if (withNames) {
                svg.text(x - 6, top + BAR - 4, "end", names.get(i));
            }
            cell.row(names.get(i)).ifPresent(row -> bar(svg, row, x, top, scale));
        }
        svg.line(x + scale, y + TOP - 4, x + scale, bottom, Svg.INK, "none");
        cell.best("PLAIN").ifPresent(plain -> {
            double at = x + Math.min(MOST, plain.ofLimit()) * scale;
            svg.line(at, y + TOP - 4, at, bottom, Colours.ofKind("PLAIN"), "4 3");
        });
    }

    private static void bar(Svg svg, CampaignSummary.Row row, int x, int top, double scale) {
        if (Double.isNaN(row.ofLimit())) {
            return;
        }
        svg.bar(x, top + 2, Math.min(MOST, row.ofLimit()) * scale, BAR - 4, Colours.ofKind(row.kind()));
    }
}
