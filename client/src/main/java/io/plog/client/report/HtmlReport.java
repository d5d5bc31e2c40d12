package io.plog.client.report;

import io.plog.client.report.figure.Figure;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The report as one file that opens offline: template, styles, scripts and data put together. Its content security
 * policy forbids every network access, so nothing in it can become one unnoticed.
 */
final class HtmlReport {
    private static final Pattern SLOT = Pattern.compile("\\{\\{([a-z]+)}}");

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
                "plog report " + escape(results.startedAt()),
                "styles",
                resource("uPlot.min.css") + resource("report.css"),
                "chartlibrary",
                resource("uPlot.iife.min.js"),
                "chartlicence",
                resource("uPlot.LICENSE"),
                "scripts",
                SCRIPTS.stream().map(HtmlReport::resource).collect(Collectors.joining("\n")),
                "data",
                data(embedded),
                "figures",
                drawn.stream().map(HtmlReport::still).collect(Collectors.joining()));
        Matcher matcher = SLOT.matcher(resource("report.html"));
        StringBuilder page = new StringBuilder();
        while (matcher.find()) {
            String slot = slots.get(matcher.group(1));
            if (slot == null) {
                throw new IllegalStateException(
                        "report.html has a slot {{" + matcher.group(1) + "}} that nothing fills");
            }
            matcher.appendReplacement(page, Matcher.quoteReplacement(slot));
        }
        return matcher.appendTail(page).toString();
    }

    /** The figure that needs no script: for paper, for copying, and for readers without JavaScript. */
    private static String still(Figure figure) {
        return "<figure class=\"still\" id=\"still-" + figure.name() + "\">\n" + figure.svgElement() + "<figcaption>"
                + escape(figure.alternative()) + "</figcaption>\n</figure>\n";
    }

    /** JSON, deflated and in base64: a quarter of the size, and nothing in it can end the script element that it stands in. */
    private static String data(Object value) {
        byte[] json = Json.compact(value).getBytes(StandardCharsets.UTF_8);
        Deflater deflater = new Deflater(Deflater.BEST_COMPRESSION, true);
        try (ByteArrayOutputStream deflated = new ByteArrayOutputStream();
                DeflaterOutputStream out = new DeflaterOutputStream(deflated, deflater)) {
            out.write(json);
            out.finish();
            return Base64.getEncoder().encodeToString(deflated.toByteArray());
        } catch (IOException e) {
            throw new IllegalStateException("memory can't be written to", e);
        } finally {
            deflater.end();
        }
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }

    private static String resource(String name) {
        try (InputStream in = HtmlReport.class.getResourceAsStream(name)) {
            if (in == null) {
                throw new IllegalStateException("resource " + name + " is missing from the client's jar");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new IllegalStateException("resource " + name + " can't be read from the client's jar", e);
        }
    }
}
