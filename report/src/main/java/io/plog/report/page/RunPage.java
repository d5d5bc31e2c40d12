package io.plog.report.page;

import io.plog.report.cells.FigureData;
import io.plog.report.chart.CostFigure;
import io.plog.report.chart.DrawnFigures;
import io.plog.report.chart.Palette;
import io.plog.report.figure.Figure;
import io.plog.report.html.Choice;
import io.plog.report.html.Html;
import io.plog.report.html.Page;
import io.plog.report.html.Section;
import io.plog.report.results.Results;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The report of a run as a page, in the order in which it is read. Stateless. */
public final class RunPage {
    private RunPage() {}

    /** The page of a run without a comparison. */
    public static String of(Results results, FigureData figures) {
        return of(results, figures, null);
    }

    /** With a comparison with another run; null if there is none. */
    public static String of(Results results, FigureData figures, @Nullable Section comparison) {
        RunView run = new RunView(results);
        List<Figure> drawn = run.cells().isEmpty() ? List.of() : DrawnFigures.of(results, figures);
        Figure picture = drawn.stream()
                .filter(figure -> figure.name().equals(CostFigure.NAME))
                .findFirst()
                .orElse(null);
        List<Section> sections =
                new ArrayList<>(List.of(new VerdictSection(run, picture).section(), ConditionsSection.of(run)));
        int choices = sections.size();
        if (run.cells().isEmpty()) {
            sections.add(new Section("logging", "How long logging takes")
                    .absent("No request was counted, so there is nothing to draw."));
        } else {
            sections.addAll(new LatencySections(run, figures, drawn).all());
        }
        sections.add(comparison != null ? comparison : withoutComparison());
        sections.addAll(List.of(MethodSections.method(results), MethodSections.glossary()));
        sections.add(
                Page.files(
                        "Beside this file lie results.json, with every number of this page, and samples.plog, with every request."));
        StringBuilder body = new StringBuilder(header(run));
        for (int i = 0; i < sections.size(); i++) {
            body.append(i == choices && !run.cells().isEmpty() ? choices(run) : "")
                    .append(sections.get(i).html());
        }
        return Page.of("plog report " + results.startedAt(), DrawnFigures.source(results), body.toString());
    }

    private static String header(RunView run) {
        long counted = run.cells().stream().mapToLong(Results.Cell::count).sum();
        return "<header><p class=\"brand\">plog</p>\n<h1>The cost of durable logging</h1>\n"
                + Html.p(
                        "sub",
                        run.results().startedAt().replace("T", " ").replaceFirst("(\\.\\d+)?Z$", " UTC") + " · "
                                + Units.count(counted) + " counted requests in "
                                + run.cells().size() + " cells · "
                                + run.palette().targets().stream()
                                        .map(run.palette()::label)
                                        .collect(Collectors.joining(", ")))
                + Choice.oneOf("theme", "Theme", List.of("auto", "light", "dark")) + "</header>\n";
    }

    private static String choices(RunView run) {
        Palette palette = run.palette();
        return "<nav class=\"filters\" aria-label=\"What the page shows\">\n"
                + Choice.anyOf(
                        "sizes",
                        "Sizes",
                        palette.sizes().stream()
                                .map(size -> value(
                                        "size",
                                        size.toString(),
                                        Units.size(size),
                                        palette.size(size).colour()))
                                .toList())
                + Choice.anyOf(
                        "targets",
                        "Targets",
                        palette.targets().stream()
                                .map(name -> value(
                                        "target",
                                        name,
                                        palette.label(name),
                                        palette.target(name).colour()))
                                .toList())
                + Choice.oneOf("axis", "Density axis", List.of("log", "linear"))
                + Choice.oneOf("means", "Axis of means", List.of("linear", "log"))
                + Choice.oneOf("book", "Published values", List.of("on", "off")) + "</nav>\n";
    }

    /** Its panels and rows have the value, its lines the words. */
    private static Choice.Value value(String attribute, String value, String words, String colour) {
        return new Choice.Value(
                value,
                words,
                colour,
                Choice.selector("data-" + attribute, value) + ", " + Choice.selector("data-name", words));
    }

    private static Section withoutComparison() {
        return new Section("comparison", "Comparison")
                .add(
                        "<p class=\"reading\">This report is of one run; <code>plog report RUN OTHER-RUN</code> sets two side by"
                                + " side.</p>\n");
    }
}
