package io.plog.report.compare;

import io.plog.stats.text.Units;
import java.util.Locale;

/**
 * Gates as JUnit XML, which build servers show: each gate in each cell is a test case, and so is whether each run is valid. A
 * gate that is undecided and does not count as failed is a case that was skipped.
 */
public final class JUnitReport {
    private JUnitReport() {}

    /** The document, ending with a line's end. */
    public static String of(Assessment assessment) {
        StringBuilder cases = new StringBuilder();
        int tests = 0;
        int failures = 0;
        int skipped = 0;
        for (Assessment.Side side : assessment.a() == null || assessment.paired()
                ? new Assessment.Side[] {assessment.b()}
                : new Assessment.Side[] {assessment.b(), assessment.a()}) {
            String reason = String.join(" ", side.invalid());
            tests++;
            failures += reason.isEmpty() ? 0 : 1;
            append(
                    cases,
                    "plog.validity",
                    side.path() + " is valid",
                    reason.isEmpty() ? "" : "failure",
                    "not valid",
                    reason);
        }
        for (Assessment.Gated gate : assessment.gates()) {
            boolean failed = assessment.failed(gate);
            boolean undecided = !failed && gate.outcome() == Assessment.Outcome.UNDECIDED;
            tests++;
            failures += failed ? 1 : 0;
            skipped += undecided ? 1 : 0;
            append(
                    cases,
                    "plog." + gate.target() + "." + gate.payloadBytes() + "B",
                    gate.gate() + ", " + gate.target() + " at " + Units.size(gate.payloadBytes()),
                    failed ? "failure" : undecided ? "skipped" : "",
                    gate.outcome().label(),
                    gate.detail());
        }
        return String.format(
                Locale.ROOT,
                "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n"
                        + "  <testsuite name=\"plog report\" tests=\"%d\" failures=\"%d\" errors=\"0\" skipped=\"%d\" time=\"0\">\n%s"
                        + "  </testsuite>\n</testsuites>\n",
                tests,
                failures,
                skipped,
                cases);
    }

    private static void append(
            StringBuilder cases, String className, String name, String element, String kind, String detail) {
        cases.append("    <testcase classname=\"")
                .append(escaped(className))
                .append("\" name=\"")
                .append(escaped(name))
                .append("\" time=\"0\"");
        if (element.isEmpty()) {
            cases.append("/>\n");
            return;
        }
        cases.append(">\n      <").append(element).append(" message=\"").append(escaped(kind + ": " + detail));
        cases.append(element.equals("failure") ? "\" type=\"" + escaped(kind) + "\"/>\n" : "\"/>\n");
        cases.append("    </testcase>\n");
    }

    /** As XML 1.0 takes it in an attribute; what it cannot hold at all becomes a question mark. */
    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder();
        text.codePoints().forEach(c -> {
            switch (c) {
                case '&' -> escaped.append("&amp;");
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '"' -> escaped.append("&quot;");
                case '\n', '\r', '\t' -> escaped.append(' ');
                default -> escaped.appendCodePoint(isAllowed(c) ? c : '?');
            }
        });
        return escaped.toString();
    }

    private static boolean isAllowed(int c) {
        return c >= 0x20 && !(c >= 0xD800 && c <= 0xDFFF) && c != 0xFFFE && c != 0xFFFF;
    }
}
