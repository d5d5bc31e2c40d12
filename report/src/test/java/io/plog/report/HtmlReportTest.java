package io.plog.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.report.figure.Figure;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;
import java.util.zip.Inflater;
import java.util.zip.InflaterInputStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class HtmlReportTest {
    private static final String DATA_BEGINS = "<script type=\"application/octet-stream\" id=\"data\">";

    @TempDir
    private static Path out;

    private static String html;

    @BeforeAll
    static void writeADefaultRun() throws IOException {
        Report.write(SyntheticRun.of(2000, 5), out);
        html = Files.readString(out.resolve("report.html"));
    }

    static JsonNode embeddedData(String html) throws IOException {
        int begin = html.indexOf(DATA_BEGINS) + DATA_BEGINS.length();
        byte[] deflated = Base64.getDecoder().decode(html.substring(begin, html.indexOf("</script>", begin)));
        return new ObjectMapper()
                .readTree(new InflaterInputStream(new ByteArrayInputStream(deflated), new Inflater(true)));
    }

    @Test
    void theDefaultRunStaysBelowOneMegabyte() throws IOException {
        assertThat(Files.size(out.resolve("report.html"))).isLessThan(1_000_000);
    }

    @Test
    void aRunWithEverythingInItStaysBelowOneMegabyteToo() throws IOException {
        Analysis.Outcome filled = FilledResults.of(SyntheticRun.of(2000, 5));
        assertThat(HtmlReport.of(filled.results(), filled.figures()).length()).isLessThan(1_000_000);
    }

    @Test
    void everyFigureStandsInThePageWithoutAScript() throws IOException {
        Analysis.Outcome outcome = Analysis.of(SyntheticRun.of(2000, 5));
        List<Figure> figures = DrawnFigures.of(outcome.results(), outcome.figures());
        assertThat(figures).hasSizeGreaterThan(8);
        for (Figure figure : figures) {
            assertThat(html)
                    .contains("id=\"still-" + figure.name() + "\"", figure.svgElement())
                    .contains("<figcaption>" + figure.alternative());
        }
    }

    @Test
    void everyIdIsThereOnce() {
        List<String> ids = Pattern.compile("[ <]id=\"([^\"]+)\"")
                .matcher(html)
                .results()
                .map(match -> match.group(1))
                .toList();
        assertThat(ids).hasSizeGreaterThan(30).doesNotHaveDuplicates();
    }

    @Test
    void nothingIsLoadedFromAnywhere() {
        assertThat(html).contains("default-src 'none'");
        assertThat(Pattern.compile("(?i)(src|href|action|poster|srcset)\\s*=\\s*[\"']?\\s*(https?:)?//")
                        .matcher(html)
                        .find())
                .isFalse();
        assertThat(Pattern.compile("(?i)<(link|iframe|object|embed|base)\\b|@import|url\\(\\s*[\"']?(https?:)?//")
                        .matcher(html)
                        .find())
                .isFalse();
        assertThat(html)
                .doesNotContain("fetch(")
                .doesNotContain("XMLHttpRequest")
                .doesNotContain("WebSocket")
                .doesNotContain("sendBeacon");
    }

    @Test
    void textFromTheMachinesCannotEndTheDataOrBecomeMarkup() throws IOException {
        JsonNode server = embeddedData(html).path("results").path("environment").path("server");
        assertThat(server.path("cpu").textValue()).contains("</script>");
        assertThat(html).doesNotContain("a processor with </script>");
        assertThat(html.split("</script>", -1)).as("closing script tags").hasSize(4);
    }

    @Test
    void everySlotOfTheTemplateIsFilled() {
        assertThat(html).doesNotContainPattern("\\{\\{[a-z]+}}");
    }

    @Test
    void theLibrarysLicenceIsIncluded() {
        assertThat(html).contains("uPlot 1.6.32", "Leon Sorokin", "Permission is hereby granted");
    }
}
