package io.plog.results.compare;

import io.plog.stats.Estimate;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An assessment as Markdown, short enough for a comment on a pull request: the verdict, a table, what to mind. */
public final class MarkdownSummary {
    private MarkdownSummary() {}

    /** The summary, ending with a line's end. */
    public static String of(Assessment assessment) {
        StringBuilder text = new StringBuilder();
        String invalid = assessment.invalid();
        String verdict = !invalid.isEmpty()
                ? "the run is not valid"
                : assessment.gates().isEmpty() ? assessment.sentence() : AssessmentText.verdict(assessment);
        text.append("### plog: ").append(escaped(verdict)).append("\n\n");
        if (!invalid.isEmpty()) {
            text.append("**Not valid:** ").append(escaped(invalid)).append("\n\n");
        }
        if (assessment.gates().isEmpty()) {
            comparison(text, assessment);
        } else {
            gates(text, assessment);
        }
        notes(text, assessment);
        return text.toString();
    }

    private static void gates(StringBuilder text, Assessment assessment) {
        text.append("| | gate | cell | baseline | run | run by baseline (95 %) |\n")
                .append("|---|---|---|---:|---:|---|\n");
        for (Assessment.Gated gate : assessment.gates()) {
            Estimate value = gate.value();
            Figure figure = Figure.of(gate.figure());
            row(
                    text,
                    assessment.failed(gate)
                            ? "**" + gate.outcome().label() + "**"
                            : gate.outcome().label(),
                    "`" + gate.gate() + "`",
                    gate.cell(),
                    gate.baseline() == null ? "" : figure.text(gate.baseline()),
                    value == null ? "" : figure.text(value.value()),
                    interval(gate.ratio()));
        }
        text.append('\n');
    }

    private static void comparison(StringBuilder text, Assessment assessment) {
        text.append("| size | target | figure | A, µs | B, µs | B by A (joint 95 %) | |\n")
                .append("|---:|---|---|---:|---:|---|---|\n");
        for (Assessment.Cell cell : assessment.cells()) {
            for (Assessment.Row found : cell.figures()) {
                row(
                        text,
                        Units.size(cell.payloadBytes()),
                        cell.name(),
                        cell.measure().words() + ", " + found.figure().label(),
                        Micros.text(found.aMicros()),
                        Micros.text(found.bMicros()),
                        interval(found.jointRatio()),
                        found.verdict().label().replace('-', ' '));
            }
        }
        text.append('\n');
    }

    private static void notes(StringBuilder text, Assessment assessment) {
        Assessment.Side a = assessment.a();
        if (a != null) {
            text.append("- baseline: ")
                    .append(escaped(a.path() + " of " + a.startedAt()))
                    .append('\n');
        }
        Assessment.Side b = assessment.b();
        text.append("- run: ")
                .append(escaped(b.path() + " of " + b.startedAt()))
                .append('\n');
        if (b.partial() != null) {
            text.append("- the run is partial: ").append(escaped(b.partial())).append('\n');
        }
        for (Assessment.Gated gate : assessment.gates()) {
            if (gate.outcome() != Assessment.Outcome.HOLDS) {
                text.append(String.format(
                        Locale.ROOT,
                        "- %s: %s\n",
                        gate.outcome().label(),
                        escaped(gate.cell() + ", " + gate.gate() + ": " + gate.detail())));
            }
        }
        for (Assessment.Difference d : assessment.differences()) {
            text.append("- ")
                    .append(escaped((d.forbids() ? "not comparable, " : "differs, ") + d.what() + ": " + d.a()
                            + ", now " + d.b()))
                    .append('\n');
        }
    }

    private static String interval(@Nullable Estimate ratio) {
        if (ratio == null) {
            return "";
        }
        boolean none = ratio.low() == null && ratio.high() == null;
        return ComparisonSentences.number(ratio.value()) + (none ? "" : " (" + ComparisonSentences.ends(ratio) + ")");
    }

    private static void row(StringBuilder text, String... cells) {
        text.append('|');
        for (int i = 0; i < cells.length; i++) {
            // Code and emphasis are ours; a bar would end the cell even within them.
            boolean markup = cells[i].startsWith("`") || cells[i].startsWith("**");
            text.append(' ')
                    .append(markup ? cells[i].replace("|", "\\|") : escaped(cells[i]))
                    .append(" |");
        }
        text.append('\n');
    }

    /** Nothing of it is taken for markup. */
    private static String escaped(String text) {
        return text.replaceAll("([\\\\`*_|<>\\[\\]~])", "\\\\$1").replaceAll("\\s+", " ");
    }
}
