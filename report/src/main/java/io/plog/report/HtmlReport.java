package io.plog.report;

import io.plog.report.figure.Figure;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report as one file that opens offline: template, styles, scripts and data put together. Its content security
 * policy forbids every network access, so nothing in it can become one unnoticed.
 */
final class HtmlReport {
    /** In the order in which they need each other. */
    private static final List<String> SCRIPTS = List.of(
            "format.js",
            "page.js",
            "inflate.js",
            "data.js",
            "palette.js",
            "state.js",
            "export.js",
            "csv.js",
            "zoom.js",
            "chart.js",
            "density.js",
            "shift.js",
            "ecdf.js",
            "means.js",
            "lanes.js",
            "series.js",
            "components.js",
            "slowest.js",
            "verdicts.js",
            "conditions.js",
            "comparison.js",
            "method.js",
            "main.js");

    private HtmlReport() {}

    static String of(Results results, Figures figures) {
        return of(results, figures, null, List.of());
    }

    /**
     * With a comparison with another run.
     *
     * @param comparison an object that becomes JSON; null if there is none
     * @param compared figures of it
     */
    static String of(Results results, Figures figures, @Nullable Object comparison, List<Figure> compared) {
        Map<String, Object> embedded = new LinkedHashMap<>();
        embedded.put("results", EmbeddedResults.of(results));
        embedded.put("figures", EmbeddedFigures.of(figures));
        embedded.put("comparison", comparison);
        List<Figure> drawn = Stream.concat(DrawnFigures.of(results, figures).stream(), compared.stream())
                .toList();
        Map<String, String> slots = Map.of(
                "title",
                "plog report " + PageParts.escape(results.startedAt()),
                "styles",
                PageParts.resource("uPlot.min.css") + PageParts.resource("report.css"),
                "chartlibrary",
                PageParts.resource("uPlot.iife.min.js"),
                "chartlicence",
                PageParts.resource("uPlot.LICENSE"),
                "scripts",
                SCRIPTS.stream().map(PageParts::resource).collect(Collectors.joining("\n")),
                "data",
                PageParts.data(embedded),
                "figures",
                drawn.stream().map(HtmlReport::still).collect(Collectors.joining()));
        return PageParts.filled("report.html", slots);
    }

    /** The figure that needs no script: for paper, for copying, and for readers without JavaScript. */
    private static String still(Figure figure) {
        return "<figure class=\"still\" id=\"still-" + figure.name() + "\">\n" + figure.svgElement() + "<figcaption>"
                + PageParts.escape(figure.alternative()) + "</figcaption>\n</figure>\n";
    }
}
