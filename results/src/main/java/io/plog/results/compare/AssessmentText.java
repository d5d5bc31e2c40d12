package io.plog.results.compare;

import io.plog.results.compare.Assessment.Row;
import io.plog.stats.text.Micros;
import io.plog.stats.text.TextLines;
import io.plog.stats.text.Units;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** An assessment as text for a terminal, at most {@value TextLines#WIDTH} columns wide: warnings first, then the table, then its meaning. */
public final class AssessmentText {
    private final Assessment assessment;
    private final StringBuilder text = new StringBuilder();

    private AssessmentText(Assessment assessment) {
        this.assessment = assessment;
    }

    /** The text, ending with a line's end. */
    public static String of(Assessment assessment) {
        AssessmentText written = new AssessmentText(assessment);
        written.sides();
        written.warnings();
        if (!assessment.cells().isEmpty()) {
            written.table();
            written.sentences();
        }
        if (!assessment.gates().isEmpty()) {
            written.gates();
        }
        return written.text.toString();
    }

    /** The gates alone, with how many failed; each line ends. */
    public static String ofGates(Assessment assessment) {
        AssessmentText written = new AssessmentText(assessment);
        written.gates();
        return written.text.toString();
    }

    private void sides() {
        Assessment.Side a = assessment.a();
        if (a != null) {
            side("A, the baseline: ", a);
        }
        side(a == null ? "Run: " : "B, the run:      ", assessment.b());
    }

    private void side(String label, Assessment.Side side) {
        wrapped(
                label,
                side.path() + " of " + side.startedAt() + ", plog " + side.plogVersion() + ", " + side.trials()
                        + (side.trials() == 1 ? " trial" : " trials"));
    }

    private void warnings() {
        int before = text.length();
        if (assessment.anyway()) {
            wrapped("! ", "compared although it should not be, because of --anyway:");
        }
        for (Assessment.Difference d : assessment.differences()) {
            wrapped(
                    "! ",
                    (d.forbids() ? "not comparable, " : "differs, ") + d.what() + ": " + d.a() + " in A, " + d.b()
                            + " in B");
        }
        Assessment.Side a = assessment.a();
        if (a != null && !assessment.paired()) {
            warnings("A", a);
        }
        warnings(a == null ? "the run" : assessment.paired() ? "A and B" : "B", assessment.b());
        if (text.length() > before) {
            text.insert(before, '\n');
        }
        text.append('\n');
    }

    private void warnings(String name, Assessment.Side side) {
        if (side.partial() != null) {
            wrapped("! ", name + " is partial: " + side.partial());
        }
        for (String reason : side.invalid()) {
            wrapped("! ", name + " is not valid: " + reason);
        }
    }

    private void table() {
        line("%-8s %-16s %-22s %9s %9s  %s", "size", "B by A", "figure", "A, µs", "B, µs", "B by A, joint 95 %");
        String last = "";
        for (Assessment.Cell cell : assessment.cells()) {
            String name = String.format(
                    Locale.ROOT, "%-8s %-16s", Units.size(cell.payloadBytes()), TextLines.cut(cell.name(), 16));
            for (Row row : cell.figures()) {
                line(
                        "%-25s %-22s %9s %9s  %s (%s)",
                        name.equals(last) ? "" : name,
                        cell.measure().words() + ", " + row.figure().label(),
                        Micros.text(row.aMicros()),
                        Micros.text(row.bMicros()),
                        ComparisonSentences.number(row.ratio().value()),
                        ComparisonSentences.ends(row.jointRatio()));
                last = name;
            }
        }
        text.append('\n');
    }

    private void sentences() {
        for (Assessment.Cell cell : assessment.cells()) {
            wrapped(
                    "",
                    Units.size(cell.payloadBytes()) + ", "
                            + (cell.dimensions().isEmpty() ? cell.targetB() : cell.name()) + ", "
                            + cell.measure().words() + ": " + cell.sentence());
        }
        text.append('\n');
        wrapped("", assessment.sentence());
    }

    private void gates() {
        if (!assessment.cells().isEmpty()) {
            text.append('\n');
        }
        for (Assessment.Gated gate : assessment.gates()) {
            wrapped(
                    String.format(Locale.ROOT, "%-10s ", gate.outcome().label()),
                    gate.gate() + ", " + gate.cell() + ": " + gate.detail());
        }
        wrapped("", verdict(assessment));
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

    private void line(String format, @Nullable Object... values) {
        text.append(String.format(Locale.ROOT, format, values).stripTrailing()).append('\n');
    }

    private void wrapped(String label, String sentence) {
        TextLines.wrap(text, label, Math.min(label.length(), 4), sentence);
    }
}
