package io.plog.report.compare;

import io.plog.report.compare.Assessment.Cell;
import io.plog.report.compare.Assessment.Estimated;
import io.plog.report.compare.Assessment.Gated;
import io.plog.report.compare.Assessment.Row;
import io.plog.report.figure.Figure;
import io.plog.report.html.Html;
import io.plog.report.html.Section;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What a run's page says of its comparison with another run, or of two targets, and of its gates. Stateless. */
public final class ComparisonSection {
    private ComparisonSection() {}

    /** The section; with the figure of the comparison if anything was compared. */
    public static Section of(Assessment found) {
        Section section = new Section("comparison", "Comparison");
        Assessment.Side a = found.a();
        Figure figure = ComparisonFigure.of(found);
        if (a != null) {
            section.reading(
                            "B by A, a row for each size: 1 is no difference, to the right of the line B takes longer. Thick bars are 95 %"
                                    + " intervals; the thin ones hold together with 95 %, however many there are, and decide: a full dot is a"
                                    + " difference, a ring none that can be seen, a diamond too few samples to tell.")
                    .reading("A, the baseline: " + a.path() + " of " + a.startedAt() + ". B: "
                            + found.b().path() + " of " + found.b().startedAt()
                            + ". The intervals hold together with 95 %. "
                            + (found.paired()
                                    ? "Blocks that ran side by side are paired."
                                    : "The runs were separate, so whatever changed between them is in here."));
            if (figure != null) {
                section.drawing(figure).words(figure);
            }
            section.add(compared(found));
        }
        return found.gates().isEmpty() ? section : section.add(gates(found.gates()));
    }

    private static String compared(Assessment found) {
        String differences = found.differences().stream()
                .map(d -> item((d.forbids() ? "Not comparable, " : "Differs, ") + d.what() + ": " + d.a() + " in A, "
                        + d.b() + " in B"))
                .collect(Collectors.joining());
        return (found.anyway() ? Html.p("Compared although it should not be, because that was asked for.") : "")
                + (differences.isEmpty() ? "" : "<ul>" + differences + "</ul>\n")
                + "<p><strong>" + Html.text(found.sentence()) + "</strong></p>\n<ul>"
                + found.cells().stream()
                        .map(cell -> item(Units.size(cell.payloadBytes()) + ", " + cell.targetB() + ", "
                                + cell.measure().words() + ": " + cell.sentence()))
                        .collect(Collectors.joining())
                + "</ul>\n" + Html.details("Every number of the comparison", table(found.cells()));
    }

    private static String item(String text) {
        return "<li>" + Html.text(text) + "</li>\n";
    }

    private static String table(List<Cell> cells) {
        List<List<String>> rows = new ArrayList<>();
        for (Cell cell : cells) {
            for (Row row : cell.figures()) {
                Estimated joint = row.jointRatio();
                rows.add(List.of(
                        Units.size(cell.payloadBytes()),
                        cell.targetA().equals(cell.targetB())
                                ? cell.targetB()
                                : cell.targetB() + " by " + cell.targetA(),
                        cell.measure().words() + ", " + row.figure().label(),
                        Micros.text(row.aMicros()),
                        Micros.text(row.bMicros()),
                        Micros.difference(row.differenceMicros().value()),
                        ratio(row.ratio().value()),
                        ratio(joint.low()),
                        ratio(joint.high()),
                        row.verdict().label().replace('-', ' ')));
            }
        }
        return Html.table(
                "B relative to A",
                List.of("size", "target", "figure", "A µs", "B µs", "B − A µs", "B by A", "from", "to", ""),
                rows);
    }

    /** Near 1 a third digit matters. */
    private static String ratio(@Nullable Double ratio) {
        return ratio == null ? "–" : String.format(Locale.ROOT, Math.abs(ratio - 1) < 0.0995 ? "%.3f" : "%.2f", ratio);
    }

    private static String gates(List<Gated> gates) {
        return Html.table(
                "Gates",
                List.of("", "gate", "target", "size", "found"),
                gates.stream()
                        .map(gate -> List.of(
                                gate.outcome().label(),
                                gate.gate(),
                                gate.target(),
                                Units.size(gate.payloadBytes()),
                                gate.detail()))
                        .toList());
    }
}
