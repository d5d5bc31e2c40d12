package io.plog.results.compare;

import io.plog.results.model.Wording;
import io.plog.stats.Estimate;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * An assessment as Markdown, short enough for a comment on a pull request and laid out for a terminal: the verdict, a table, what to
 * mind. The page has the rest. Stateless.
 */
public final class AssessmentText {
    private AssessmentText() {}

    /** The text, ending with a line's end. */
    public static String of(Assessment assessment) {
        StringBuilder text = new StringBuilder();
        String invalid = assessment.invalid();
        String verdict = !invalid.isEmpty()
                ? "the run is not valid" + (assessment.failed() ? ", and " + verdict(assessment) : "")
                : assessment.gates().isEmpty() ? assessment.sentence() : verdict(assessment);
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

    /** The gates alone, with how many failed; each line ends. */
    public static String ofGates(Assessment assessment) {
        StringBuilder text = new StringBuilder();
        gates(text, assessment);
        details(text, assessment);
        return text.append(verdict(assessment)).append('\n').toString();
    }

    private static void gates(StringBuilder text, Assessment assessment) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("", "gate", "cell", "baseline", "run", "run by baseline (95 %)"));
        for (Assessment.Gated gate : assessment.gates()) {
            Estimate value = gate.value();
            Figure figure = Figure.of(gate.figure());
            String outcome = gate.outcome().label();
            rows.add(List.of(
                    assessment.failed(gate) ? "**" + outcome + "**" : outcome,
                    "`" + gate.gate() + "`",
                    gate.cell(),
                    gate.baseline() == null ? "" : figure.text(gate.baseline()),
                    value == null ? "" : figure.text(value.value()),
                    interval(gate.ratio())));
        }
        table(text, "lllrrl", rows);
    }

    private static void comparison(StringBuilder text, Assessment assessment) {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("size", "B by A", "figure", "A, µs", "B, µs", "B by A (joint 95 %)", ""));
        for (Assessment.Cell cell : assessment.cells()) {
            for (Assessment.Row found : cell.figures()) {
                rows.add(List.of(
                        Units.size(cell.payloadBytes()),
                        cell.name(),
                        cell.measure().words() + ", " + found.figure().label(),
                        Micros.text(found.aMicros()),
                        Micros.text(found.bMicros()),
                        interval(found.jointRatio()),
                        found.verdict().label().replace('-', ' ')));
            }
        }
        table(text, "rllrrll", rows);
    }

    private static void notes(StringBuilder text, Assessment assessment) {
        Assessment.Side a = assessment.a();
        if (a != null) {
            side(text, "A, the baseline", a);
        }
        side(text, a == null ? "run" : "B, the run", assessment.b());
        details(text, assessment);
        if (assessment.anyway()) {
            text.append("- compared although it should not be, because of --anyway\n");
        }
        for (Assessment.Difference d : assessment.differences()) {
            note(
                    text,
                    (d.forbids() ? "not comparable, " : "differs, ") + d.what() + ": " + d.a() + " in A, " + d.b()
                            + " in B");
        }
    }

    private static void side(StringBuilder text, String label, Assessment.Side side) {
        note(
                text,
                label + ": " + side.path() + " of " + side.startedAt() + ", plog " + side.plogVersion() + ", "
                        + side.trials() + (side.trials() == 1 ? " trial" : " trials"));
        if (side.partial() != null) {
            note(text, label + " is partial: " + side.partial());
        }
    }

    private static void details(StringBuilder text, Assessment assessment) {
        assessment.gates().stream()
                .filter(gate -> gate.outcome() != Assessment.Outcome.HOLDS)
                .forEach(gate -> note(
                        text, gate.outcome().label() + ": " + gate.cell() + ", " + gate.gate() + ": " + gate.detail()));
    }

    /** How many gates failed, in a sentence. */
    static String verdict(Assessment assessment) {
        long all = assessment.gates().size();
        long failed = assessment.gates().stream().filter(assessment::failed).count();
        long undecided = assessment.gates().stream()
                .filter(gate -> gate.outcome() == Assessment.Outcome.UNDECIDED)
                .count();
        String open = undecided == 0
                ? ""
                : "; " + undecided + " undecided"
                        + (assessment.strict() ? ", which counts as failed" : ", which does not count as failed");
        return failed == 0
                ? "No gate of " + all + " failed" + open + "."
                : failed + " of " + all + " gates failed" + open + ".";
    }

    private static String interval(@Nullable Estimate ratio) {
        return ratio == null ? "" : Wording.of(ratio, ComparisonSentences::number);
    }

    /**
     * A table whose columns line up.
     *
     * @param sides a letter for each column, l or r: where its cells begin
     * @param rows the heads first
     */
    private static void table(StringBuilder text, String sides, List<List<String>> rows) {
        List<List<String>> cells = rows.stream()
                .map(row -> row.stream().map(AssessmentText::cell).toList())
                .toList();
        int[] widths = IntStream.range(0, sides.length())
                .map(i -> cells.stream()
                        .mapToInt(row -> row.get(i).length())
                        .max()
                        .orElse(0))
                .map(width -> Math.max(width, 2))
                .toArray();
        for (int row = 0; row < cells.size(); row++) {
            text.append('|');
            for (int i = 0; i < widths.length; i++) {
                String format = " %" + (sides.charAt(i) == 'r' ? "" : "-") + widths[i] + "s |";
                text.append(String.format(Locale.ROOT, format, cells.get(row).get(i)));
            }
            text.append('\n');
            for (int i = 0; row == 0 && i < widths.length; i++) {
                text.append(i == 0 ? "|" : "")
                        .append("-".repeat(widths[i] + 1))
                        .append(sides.charAt(i) == 'r' ? ":|" : "-|")
                        .append(i == widths.length - 1 ? "\n" : "");
            }
        }
        text.append('\n');
    }

    /** Code and emphasis are ours; a bar would end the cell even within them. */
    private static String cell(String text) {
        return text.startsWith("`") || text.startsWith("**") ? plain(text).replace("|", "\\|") : escaped(text);
    }

    private static void note(StringBuilder text, String note) {
        text.append("- ").append(escaped(note)).append('\n');
    }

    /** Nothing of it is taken for markup. */
    private static String escaped(String text) {
        return plain(text).replaceAll("([\\\\`*_|<>\\[\\]~])", "\\\\$1");
    }

    /** Nor as a command to a terminal. */
    private static String plain(String text) {
        return text.replaceAll("\\s+", " ").replaceAll("\\p{Cntrl}", "?");
    }
}
