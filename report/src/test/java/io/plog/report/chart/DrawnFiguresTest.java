package io.plog.report.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plog.report.Analysis;
import io.plog.report.FilledResults;
import io.plog.report.SyntheticRun;
import io.plog.report.figure.Axis;
import io.plog.report.figure.Figure;
import io.plog.report.figure.FigureFiles;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.results.Results;
import io.plog.stats.text.Units;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;
import org.w3c.dom.Node;
import org.w3c.dom.NodeList;

/** The figures of a run as files: that each is whole, says in words what it shows, and draws the figures of results.json. */
final class DrawnFiguresTest {
    private static final SyntheticRun RUN = SyntheticRun.of(1000, 11);

    private static Results results;
    private static Map<String, Figure> figures;

    @TempDir
    private Path directory;

    @BeforeAll
    static void draw() throws IOException {
        Analysis.Outcome outcome = FilledResults.of(RUN);
        results = outcome.results();
        figures = DrawnFigures.of(results, outcome.figures()).stream()
                .collect(Collectors.toMap(Figure::name, Function.identity()));
    }

    private static Document parsed(String svg) throws Exception {
        DocumentBuilderFactory factory = DocumentBuilderFactory.newInstance();
        factory.setFeature("http://apache.org/xml/features/disallow-doctype-decl", true);
        return factory.newDocumentBuilder().parse(new ByteArrayInputStream(svg.getBytes(StandardCharsets.UTF_8)));
    }

    /** The rows of a figure's CSV, each by column; no field of these tables holds a comma. */
    private static List<Map<String, String>> rows(String name) {
        String[] lines = figure(name).table().csv().strip().split("\n", -1);
        String[] columns = lines[0].split(",", -1);
        return Arrays.stream(lines)
                .skip(1)
                .map(line -> {
                    String[] fields = line.split(",", -1);
                    if (fields.length != columns.length) {
                        throw new AssertionError(line + " has not the fields " + lines[0]);
                    }
                    Map<String, String> row = new HashMap<>();
                    for (int i = 0; i < fields.length; i++) {
                        row.put(columns[i], fields[i]);
                    }
                    return row;
                })
                .toList();
    }

    private static Figure figure(String name) {
        return Objects.requireNonNull(figures.get(name), name);
    }

    private static double number(Map<String, String> row, String column) {
        return Double.parseDouble(Objects.requireNonNull(row.get(column), column));
    }

    private static Results.Cell cell(Map<String, String> row) {
        return results.cells().stream()
                .filter(cell ->
                        cell.target().equals(row.get("target")) && cell.payloadBytes() == number(row, "payload bytes"))
                .findFirst()
                .orElseThrow();
    }

    private static Results.Distribution distribution(Map<String, String> row) {
        Results.@Nullable Distribution found = Objects.equals(row.get("measure"), "logging")
                ? cell(row).logMicros()
                : cell(row).endToEndMicros();
        return Objects.requireNonNull(found);
    }

    private static <M extends Mark> Stream<M> marks(String name, Class<M> kind) {
        return figure(name).rows().stream()
                .flatMap(List::stream)
                .map(Panel::marks)
                .flatMap(List::stream)
                .filter(kind::isInstance)
                .map(kind::cast);
    }

    @Test
    void thereIsAFigureForEachQuestion() {
        assertThat(figures)
                .containsOnlyKeys(
                        "cost",
                        "means-log",
                        "logging-density",
                        "logging-density-linear",
                        "means",
                        "end-to-end-density",
                        "end-to-end-density-linear",
                        "shift",
                        "ecdf-logging",
                        "ecdf-end-to-end",
                        "tail-logging",
                        "tail-end-to-end",
                        "series",
                        "components");
    }

    @Test
    void everySvgIsWellFormedAndSaysWhatItShows() throws Exception {
        for (Figure figure : figures.values()) {
            Document svg = parsed(figure.svg());
            assertThat(svg.getDocumentElement().getNamespaceURI()).isNull(); // the parser knows no namespaces here
            assertThat(svg.getDocumentElement().getAttribute("xmlns")).isEqualTo("http://www.w3.org/2000/svg");
            assertThat(svg.getElementsByTagName("title").item(0).getTextContent())
                    .isEqualTo(figure.title());
            assertThat(svg.getElementsByTagName("desc").item(0).getTextContent())
                    .isEqualTo(figure.alternative())
                    .hasSizeGreaterThan(60)
                    .doesNotContain("NaN");
            assertThat(figure.svg()).as(figure.name()).doesNotContain("NaN").doesNotContain("Infinity");
            for (String id :
                    svg.getDocumentElement().getAttribute("aria-labelledby").split(" ", -1)) {
                assertThat(figure.svg()).contains("id=\"" + id + "\"");
            }
        }
    }

    @Test
    void noPartOfADrawingLiesOutsideItsPaper() throws Exception {
        for (Figure figure : figures.values()) {
            Document svg = parsed(figure.svg());
            double height = Double.parseDouble(svg.getDocumentElement().getAttribute("height"));
            NodeList texts = svg.getElementsByTagName("text");
            for (int i = 0; i < texts.getLength(); i++) {
                double y = Double.parseDouble(
                        texts.item(i).getAttributes().getNamedItem("y").getNodeValue());
                double x = Double.parseDouble(
                        texts.item(i).getAttributes().getNamedItem("x").getNodeValue());
                assertThat(y).as(texts.item(i).getTextContent()).isBetween(8.0, height);
                assertThat(x).as(texts.item(i).getTextContent()).isBetween(0.0, 720.0);
                Node anchor = texts.item(i).getAttributes().getNamedItem("text-anchor");
                Node size = texts.item(i).getAttributes().getNamedItem("font-size");
                if (anchor != null && anchor.getNodeValue().equals("end")) {
                    double wide = texts.item(i).getTextContent().length()
                            * (size == null ? 11 : Double.parseDouble(size.getNodeValue()))
                            * 0.6;
                    assertThat(x - wide).as(texts.item(i).getTextContent()).isGreaterThanOrEqualTo(0);
                }
            }
        }
    }

    @Test
    void everyCurveOfADensityIsThatOfItsCsv() {
        for (String name : List.of("logging-density", "end-to-end-density")) {
            Set<Double> heights = rows(name).stream()
                    .map(row -> number(row, "density per unit of ln(latency)"))
                    .collect(Collectors.toSet());
            long curves = rows(name).stream()
                    .map(row -> row.get("target") + row.get("payload bytes"))
                    .distinct()
                    .count();
            List<Mark.Line> lines = marks(name, Mark.Line.class)
                    .filter(line -> line.x().length > 20) // those of the shift function have a point for each quantile
                    .toList();
            assertThat(lines).hasSize((int) curves);
            for (Mark.Line line : lines) {
                for (double y : line.y()) {
                    assertThat(heights).contains(Units.significant(y, 6));
                }
            }
        }
    }

    @Test
    void theSharesOfADensityCoverItsRequests() {
        Map<String, Double> counted = new HashMap<>();
        rows("logging-density")
                .forEach(row -> counted.merge(
                        row.get("target") + " " + row.get("payload bytes"), number(row, "requests"), Double::sum));
        assertThat(counted).hasSize(10);
        assertThat(counted.values()).allSatisfy(n -> assertThat(n).isBetween(990.0, 1000.0));
    }

    @Test
    void aLinearDensityEndsAtTheGreatestP999AndTheInsetGoesOn() {
        double p999 = results.cells().stream()
                .filter(cell -> cell.logMicros() != null)
                .mapToDouble(cell -> Objects.requireNonNull(cell.logMicros()).p999())
                .max()
                .orElseThrow();
        for (Panel panel : figure("logging-density-linear").rows().stream()
                .flatMap(List::stream)
                .toList()) {
            assertThat(panel.x().min()).isZero();
            Panel inset = panel.inset();
            if (inset == null) {
                continue; // this target had no request there
            }
            assertThat(inset.x().min()).isEqualTo(panel.x().max());
            assertThat(inset.x().max()).isCloseTo(p999, within(p999 * 0.25)).isGreaterThanOrEqualTo(p999 * 0.999);
        }
    }

    @Test
    void theMeansStandOnALinearAxisFromZeroAsInTheBookAndOnALogarithmicOneOnRequest() {
        for (Panel panel : figure("means").rows().get(0)) {
            assertThat(panel.y().scale()).isEqualTo(Axis.Scale.LINEAR);
            assertThat(panel.y().min()).isZero();
            panel.marks().stream()
                    .filter(Mark.Whisker.class::isInstance)
                    .map(Mark.Whisker.class::cast)
                    .forEach(bar -> assertThat(bar.low()).isBetween(0.0, bar.high()));
        }
        assertThat(figure("means-log").rows().get(0))
                .allSatisfy(panel -> assertThat(panel.y().scale()).isEqualTo(Axis.Scale.LOG));
    }

    @Test
    void onTheLinearAxisEachTargetHasAVerticalAxisOfItsOwn() {
        List<Panel> panels = figure("logging-density-linear").rows().stream()
                .flatMap(List::stream)
                .toList();
        assertThat(panels).hasSize(2);
        for (Panel panel : panels) {
            assertThat(panel.y().bare()).isFalse();
            double top = panel.marks().stream()
                    .filter(Mark.Line.class::isInstance)
                    .flatMapToDouble(line -> Arrays.stream(((Mark.Line) line).y()))
                    .max()
                    .orElseThrow();
            assertThat(top)
                    .as("fills its panel")
                    .isBetween(panel.y().max() * 0.85, panel.y().max());
        }
        assertThat(panels.get(0).y().max()).isNotEqualTo(panels.get(1).y().max());
    }

    @Test
    void everyPublishedValueLiesOnALogarithmicAxisAndNoneIsDrawnBesideALinearOne() {
        for (String name : List.of("logging-density", "end-to-end-density")) {
            for (Panel panel :
                    figure(name).rows().stream().flatMap(List::stream).toList()) {
                panel.marks().stream()
                        .filter(Mark.Reference.class::isInstance)
                        .map(Mark.Reference.class::cast)
                        .forEach(line -> assertThat((line.vertical() ? panel.x() : panel.y()).place(line.at()))
                                .isBetween(0.0, 1.0));
            }
        }
        assertThat(figure("logging-density").svg()).contains("Zhao: 100 µs", "Zhao: 1000 µs");
        assertThat(figure("end-to-end-density").svg()).contains("Zhao: 100 µs", "Zhao: 10 ms");
    }

    @Test
    void everyCurveBeginsAtItsAxis() {
        for (String name :
                List.of("cost", "logging-density", "logging-density-linear", "ecdf-logging", "ecdf-end-to-end")) {
            assertThat(marks(name, Mark.Line.class))
                    .as(name)
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line.y()[0]).isZero());
        }
        for (String name : List.of("tail-logging", "tail-end-to-end")) {
            assertThat(marks(name, Mark.Line.class))
                    .as(name)
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(line.y()[0]).isEqualTo(1));
        }
    }

    @Test
    void everyFileStandsAloneWithTitleUnitsRequestsDateAndMachine() throws Exception {
        for (Figure figure : figures.values()) {
            NodeList texts = parsed(figure.svg()).getElementsByTagName("text");
            StringBuilder said = new StringBuilder();
            for (int i = 0; i < texts.getLength(); i++) {
                said.append(texts.item(i).getTextContent()).append(' ');
            }
            assertThat(said.toString())
                    .as(figure.name())
                    .contains(figure.title(), "2026-11-20 14:00:00 UTC", "n = 1,000 requests in each", "log on ext4")
                    .contains("8 cores")
                    .containsPattern("µs|ms|%");
        }
    }

    @Test
    void theMeansAreThoseOfTheResults() {
        assertThat(rows("means")).hasSize(25).allSatisfy(row -> {
            Results.Distribution d = distribution(row);
            assertThat(number(row, "mean µs")).isEqualTo(d.mean());
            assertThat(number(row, "sd µs")).isEqualTo(d.sd());
            assertThat(number(row, "median µs")).isEqualTo(d.p50());
            Results.Interval interval = Objects.requireNonNull(d.meanInterval());
            assertThat(number(row, "mean low µs")).isEqualTo(Objects.requireNonNull(interval.low()));
            assertThat(number(row, "mean high µs")).isEqualTo(Objects.requireNonNull(interval.high()));
        });
        // a thin bar for the deviation and a thick one for the interval of each mean
        assertThat(marks("means", Mark.Whisker.class)).hasSize(50);
        assertThat(marks("means", Mark.Point.class).map(Mark.Point::y))
                .containsAll(rows("means").stream()
                        .map(row -> number(row, "mean µs"))
                        .toList());
    }

    @Test
    void withoutIntervalsTheMeansSaySo() throws IOException {
        Analysis.Outcome plain = Analysis.of(RUN);
        Results without = FilledResults.withoutMeanIntervals(plain.results());
        Figure means = DrawnFigures.of(without, plain.figures()).stream()
                .filter(figure -> figure.name().equals("means"))
                .findFirst()
                .orElseThrow();
        assertThat(means.svg()).contains("no interval of the mean was computed").doesNotContain("thick bar");
    }

    @Test
    void theSlowestRequestEndsEveryDistributionFunction() {
        for (String name : List.of("ecdf-logging", "ecdf-end-to-end")) {
            Map<String, Double> greatest = new HashMap<>();
            for (Map<String, String> row : rows(name)) {
                greatest.merge(
                        row.get("target") + "/" + row.get("payload bytes"), number(row, "latency µs"), Math::max);
                assertThat(number(row, "share at most")).isBetween(number(row, "band low"), number(row, "band high"));
            }
            for (Results.Cell cell : results.cells()) {
                Results.Distribution d = name.equals("ecdf-logging") ? cell.logMicros() : cell.endToEndMicros();
                if (d != null) {
                    assertThat(greatest).containsEntry(cell.target() + "/" + cell.payloadBytes(), d.max());
                }
            }
        }
    }

    @Test
    void theTailIsTheRestOfTheDistributionFunction() {
        List<Map<String, String>> most = rows("ecdf-end-to-end");
        List<Map<String, String>> slower = rows("tail-end-to-end");
        assertThat(slower).hasSameSizeAs(most);
        for (int i = 0; i < most.size(); i++) {
            assertThat(number(most.get(i), "share at most") + number(slower.get(i), "share slower"))
                    .isCloseTo(1, within(1e-7));
        }
    }

    @Test
    void theTimeSeriesLosesNoExtreme() {
        Map<String, Double> greatest = new HashMap<>();
        rows("series")
                .forEach(row -> greatest.merge(
                        row.get("measure") + row.get("target") + row.get("payload bytes"),
                        number(row, "max µs"),
                        Math::max));
        for (Results.Cell cell : results.cells()) {
            assertThat(greatest)
                    .containsEntry(
                            "end to end" + cell.target() + cell.payloadBytes(),
                            Objects.requireNonNull(cell.endToEndMicros()).max());
        }
        double drawn = marks("series", Mark.Band.class)
                .flatMapToDouble(band -> Arrays.stream(band.high()))
                .max()
                .orElseThrow();
        assertThat(drawn)
                .isEqualTo(greatest.values().stream().mapToDouble(d -> d).max().orElseThrow());
    }

    @Test
    void everyEventLiesUnderTheRequestsThatItFellOn() {
        assertThat(figure("series").rows())
                .hasSize(10)
                .allSatisfy(row -> assertThat(row).hasSize(3));
        assertThat(marks("series", Mark.Spans.class)).hasSize(15 * 3).allSatisfy(spans -> {
            for (int i = 0; i < spans.from().length; i++) {
                assertThat(spans.from()[i]).isBetween(1.0, 1000.0);
                assertThat(spans.to()[i]).isBetween(spans.from()[i], 1000.0);
            }
        });
        assertThat(marks("series", Mark.Spans.class)
                        .mapToInt(spans -> spans.from().length)
                        .sum())
                .isPositive();
    }

    @Test
    void thePartsAreThoseOfTheResults() {
        Set<String> expected = new HashSet<>();
        for (Results.Components cell : results.components()) {
            cell.parts().forEach(part -> expected.add(key(cell, "mean", part)));
            cell.atMedian().forEach(part -> expected.add(key(cell, "median", part)));
            cell.atP99().forEach(part -> expected.add(key(cell, "p99", part)));
        }
        assertThat(rows("components").stream()
                        .map(row -> row.get("target")
                                + row.get("payload bytes")
                                + row.get("at")
                                + row.get("part")
                                + number(row, "µs")))
                .containsExactlyInAnyOrderElementsOf(expected);
        assertThat(marks("components", Mark.Box.class)).hasSize(expected.size());
    }

    private static String key(Results.Components cell, String at, Results.Part part) {
        return cell.target() + cell.payloadBytes() + at + part.name() + part.micros();
    }

    @Test
    void theShiftFunctionHasEveryQuantileWithItsInterval() {
        assertThat(rows("shift")).hasSize(10 * FilledResults.QUANTILES.size());
        assertThat(rows("shift").stream().filter(row -> number(row, "quantile") == 0.999))
                .allSatisfy(row -> assertThat(row.get("high µs")).isEmpty());
        assertThat(figure("end-to-end-density").rows()).hasSize(4); // densities and shifts of three and of two sizes
    }

    @Test
    void everyFigureIsWrittenWithItsDataAndNoneIsReplacedUnasked() throws IOException {
        List<Figure> all = List.copyOf(figures.values());
        assertThat(FigureFiles.write(all, directory.resolve("new/figures"), false))
                .isEqualTo(2 * all.size());
        Path means = directory.resolve("new/figures/means.csv");
        assertThat(Files.readString(means)).isEqualTo(figure("means").table().csv());
        Files.writeString(means, "mine");
        Files.delete(directory.resolve("new/figures/series.svg"));
        assertThatThrownBy(() -> FigureFiles.write(all, directory.resolve("new/figures"), false))
                .isInstanceOf(FigureFiles.InTheWayException.class)
                .hasMessageContaining("already")
                .hasMessageContaining("--overwrite");
        assertThat(means).hasContent("mine");
        assertThat(directory.resolve("new/figures/series.svg")).doesNotExist();
        FigureFiles.write(all, directory.resolve("new/figures"), true);
        assertThat(Files.readString(means)).isEqualTo(figure("means").table().csv());
    }

    @Test
    void aRunOfOneCellHasFiguresToo() throws IOException {
        Analysis.Outcome small = Analysis.of(SyntheticRun.of(3, 1, List.of("write"), List.of(100)));
        for (Figure figure : DrawnFigures.of(small.results(), small.figures())) {
            assertThat(figure.svg()).as(figure.name()).contains("</svg>").doesNotContain("NaN");
        }
    }
}
