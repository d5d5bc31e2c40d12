package io.plog.client.report.study;

import io.plog.client.study.StudyResults;
import io.plog.client.study.StudyResults.Capacity;
import io.plog.client.study.StudyResults.Check;
import io.plog.client.study.StudyResults.Finding;
import io.plog.client.study.StudyResults.Load;
import java.util.Locale;

/** A study on a terminal: whether it is valid, capacities, the table at one rate, the findings. Stateless. */
public final class StudySummary {
    private StudySummary() {}

    /** Lines, each with its end; control characters from elsewhere are shown as {@code ?}. */
    public static String of(StudyResults results) {
        Study study = new Study(results);
        StringBuilder text = new StringBuilder();
        if (!results.partialReason().isEmpty()) {
            line(text, "ended before its plan was done: " + results.partialReason());
        }
        for (Check check : results.validity()) {
            if (!check.level().equals("ok")) {
                line(text, check.level() + ": " + check.rule() + ": " + check.detail());
            }
        }
        if (!study.capacities().isEmpty()) {
            line(text, "");
            line(text, String.format(Locale.ROOT, "%-28s %-10s %12s %10s", "capacity", "sizes", "requests/s", "MB/s"));
        }
        for (Capacity c : study.capacities()) {
            line(
                    text,
                    String.format(
                            Locale.ROOT,
                            "%-28s %-10s %12s %10s",
                            c.design(),
                            c.sizes(),
                            Words.perSecond(c.requestsPerSecond().value()),
                            Words.significant(c.megabytesPerSecond().value())));
        }
        Double rate = study.commonRate();
        if (rate != null) {
            line(text, "");
            line(
                    text,
                    String.format(
                            Locale.ROOT,
                            "%-28s %10s %10s %10s %10s",
                            "ms at " + Words.perSecond(rate) + "/s",
                            "5 %",
                            "median",
                            "95 %",
                            "mean"));
            for (Load load : study.atRate(rate)) {
                line(
                        text,
                        String.format(
                                Locale.ROOT,
                                "%-28s %10s %10s %10s %10s%s",
                                load.design(),
                                Words.millis(load.latency().p5()),
                                Words.millis(load.latency().p50().value()),
                                Words.millis(load.latency().p95().value()),
                                Words.millis(load.latency().mean().value()),
                                load.sustained() ? "" : "  rate not kept"));
            }
        }
        if (!results.findings().isEmpty()) {
            line(text, "");
        }
        for (Finding finding : results.findings()) {
            line(text, finding.id() + " " + finding.verdict() + ": " + finding.detail());
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String line) {
        text.append(line.replaceAll("\\p{Cntrl}", "?")).append('\n');
    }
}
