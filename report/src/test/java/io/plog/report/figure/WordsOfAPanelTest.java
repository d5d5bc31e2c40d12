package io.plog.report.figure;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class WordsOfAPanelTest {
    private static final Axis X = new Axis("latency", Axis.Scale.LOG, 10, 1000, List.of(), false);
    private static final Axis Y = new Axis("density", Axis.Scale.LINEAR, 0, 1, List.of(), false);

    private static String svg(List<Mark> marks) {
        return new Figure(
                        "f",
                        "Title",
                        "What it shows.",
                        List.of(),
                        List.of(List.of(Panel.of("", X, Y, 150, marks))),
                        List.of(),
                        new Table(List.of(), List.of()))
                .svg();
    }

    @Test
    void labelsOfPeaksThatLieCloseTogetherDoNotCoverEachOther() {
        List<Mark> peaks = new ArrayList<>();
        for (double at : new double[] {100, 101, 102, 104, 107, 900}) {
            peaks.add(new Mark.Words(at, 0.9, at + " µs"));
        }
        List<double[]> boxes = Pattern.compile(
                        "<text x=\"([0-9.]+)\" y=\"([0-9.]+)\" font-size=\"10\"[^>]*>([^<]+ µs)<")
                .matcher(svg(peaks))
                .results()
                .map(match -> {
                    double x = Double.parseDouble(match.group(1));
                    double y = Double.parseDouble(match.group(2));
                    return new double[] {x, y, x + match.group(3).length() * 6, y - 10};
                })
                .toList();
        assertThat(boxes).hasSize(6);
        for (int i = 0; i < boxes.size(); i++) {
            for (int j = 0; j < i; j++) {
                double[] a = boxes.get(i);
                double[] b = boxes.get(j);
                assertThat(a[0] >= b[2] || b[0] >= a[2] || a[1] <= b[3] || b[1] <= a[3])
                        .as(i + " and " + j)
                        .isTrue();
            }
        }
    }

    @Test
    void aReferenceBeyondTheAxisIsNotDrawn() {
        String svg = svg(List.of(
                new Mark.Reference(100, true, "inside"),
                new Mark.Reference(1001, true, "beyond"),
                new Mark.Reference(1.2, false, "above")));
        assertThat(svg).contains("inside").doesNotContain("beyond").doesNotContain("above");
        assertThat(svg.split("class=\"reference\" d=", -1)).hasSize(2);
    }
}
