package io.plog.study.page;

import io.plog.report.figure.Axis;
import io.plog.report.figure.Figure;
import io.plog.report.figure.KeyEntry;
import io.plog.report.figure.Mark;
import io.plog.report.figure.Panel;
import io.plog.report.figure.Style;
import io.plog.report.figure.Table;
import io.plog.report.figure.Ticks;
import io.plog.study.StudyResults.Comparison;
import io.plog.study.StudyResults.Estimate;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** How many times as long as with the dedicated design a request takes at the same rate, beside the published factors. */
final class FactorFigure {
    private static final double ROW = 22;

    private FactorFigure() {}

    static @Nullable Figure of(StudyView study) {
        List<Comparison> comparisons = study.results().comparisons();
        if (comparisons.isEmpty()) {
            return null;
        }
        boolean several =
                comparisons.stream().map(Comparison::ratePerSecond).distinct().count() > 1;
        Axis rows = Axes.rows(comparisons.stream()
                .map(c -> c.design() + (several ? " at " + StudyNumbers.perSecond(c.ratePerSecond()) + "/s" : ""))
                .toList());
        Axis x = Axis.log(
                "times as long as dedicated",
                DoubleStream.concat(
                        DoubleStream.of(1),
                        comparisons.stream().flatMap(FactorFigure::values).mapToDouble(value -> value)),
                Axes.width(2) - 50,
                Ticks::number);
        return new Figure(
                "factors",
                "Latency at the same rate, as a multiple of the dedicated design's",
                "Ratio of each design's latency to that of dedicated at the same absolute rate, with 95 % intervals. "
                        + comparisons.stream().map(FactorFigure::words).collect(Collectors.joining(" ")),
                List.of(
                        KeyEntry.point(
                                "measured here, with its 95 % interval", Mark.Shape.DOT, StudyPalette.HUES.get(0)),
                        KeyEntry.point(
                                "published, for the server that waits alike",
                                Mark.Shape.DIAMOND,
                                StudyPalette.PUBLISHED)),
                List.of(List.of(
                        panel(
                                study,
                                "Mean",
                                comparisons,
                                x,
                                rows,
                                Comparison::meanRatio,
                                Comparison::publishedMeanRatio),
                        panel(
                                study,
                                "Median",
                                comparisons,
                                x,
                                rows.withoutLabels(),
                                Comparison::medianRatio,
                                Comparison::publishedMedianRatio))),
                List.of("Right of the line at 1 the design takes longer than dedicated. Logarithmic axis."),
                table(comparisons));
    }

    private static Stream<Double> values(Comparison c) {
        return Stream.concat(
                Stream.of(c.meanRatio(), c.medianRatio()).flatMap(CapacityFigure::ends),
                Stream.of(c.publishedMeanRatio(), c.publishedMedianRatio()).flatMap(Stream::ofNullable));
    }

    private static String words(Comparison c) {
        return c.design() + " at " + StudyNumbers.perSecond(c.ratePerSecond()) + "/s: mean "
                + StudyNumbers.interval(c.meanRatio(), StudyNumbers::factor) + ", median "
                + StudyNumbers.interval(c.medianRatio(), StudyNumbers::factor) + " (published: mean "
                + StudyNumbers.orNone(c.publishedMeanRatio(), StudyNumbers::factor) + ", median "
                + StudyNumbers.orNone(c.publishedMedianRatio(), StudyNumbers::factor) + ").";
    }

    private static Panel panel(
            StudyView study,
            String heading,
            List<Comparison> comparisons,
            Axis x,
            Axis rows,
            Function<Comparison, Estimate> ratio,
            Function<Comparison, @Nullable Double> published) {
        List<Mark> marks = new ArrayList<>();
        marks.add(new Mark.Reference(1, true, ""));
        for (int i = 0; i < comparisons.size(); i++) {
            double row = comparisons.size() - 1.0 - i;
            Comparison comparison = comparisons.get(i);
            Style style = StudyPalette.line(Math.max(0, study.index(comparison.design())))
                    .withoutDash();
            Double theirs = published.apply(comparison);
            if (theirs != null) {
                marks.add(new Mark.Point(theirs, row - 0.25, Mark.Shape.DIAMOND, StudyPalette.PUBLISHED));
            }
            Estimate ours = ratio.apply(comparison);
            Double low = ours.low();
            Double high = ours.high();
            if (low != null || high != null) {
                marks.add(new Mark.Range(
                        row + 0.1,
                        low == null || low <= 0 ? x.min() / 2 : low,
                        high == null ? x.max() * 2 : high,
                        style.wide(2),
                        7));
            }
            marks.add(new Mark.Point(ours.value(), row + 0.1, Mark.Shape.DOT, style.colour()));
        }
        return Panel.of(heading, x, rows, ROW * comparisons.size() + 6, marks);
    }

    private static Table table(List<Comparison> comparisons) {
        List<List<@Nullable Object>> rows = new ArrayList<>();
        for (Comparison c : comparisons) {
            rows.add(Table.row(
                    c.design(),
                    c.ratePerSecond(),
                    c.meanRatio().value(),
                    c.meanRatio().low(),
                    c.meanRatio().high(),
                    c.publishedMeanRatio(),
                    c.medianRatio().value(),
                    c.medianRatio().low(),
                    c.medianRatio().high(),
                    c.publishedMedianRatio(),
                    c.publishedPair()));
        }
        return new Table(
                List.of(
                        "design",
                        "requests/s",
                        "mean by dedicated",
                        "low",
                        "high",
                        "published",
                        "median by dedicated",
                        "low",
                        "high",
                        "published",
                        "published pair"),
                rows);
    }
}
