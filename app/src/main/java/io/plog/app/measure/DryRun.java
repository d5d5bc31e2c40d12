package io.plog.app.measure;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.app.cli.JsonText;
import io.plog.measure.MeasurePlan;
import io.plog.measure.PlanFile;
import io.plog.measure.Probe;
import io.plog.stats.text.ByteSize;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What {@code --dry-run} prints: the plan with every default filled in, and what it would cost. Stateless. */
public final class DryRun {
    private DryRun() {}

    /**
     * For people.
     *
     * @param where the server, or what stands for it
     * @param targets names and ways of forcing, as "disk (fdatasync)"
     * @param logged how many of them are logged
     * @param cost null if it cannot be told
     * @param how how it was told, in a half sentence
     */
    public static String text(
            MeasurePlan plan, String where, List<String> targets, int logged, Probe.@Nullable Cost cost, String how) {
        int cells = plan.grid().sizesBytes().size() * targets.size();
        StringBuilder text = new StringBuilder();
        line(text, "server", where);
        line(text, "targets", String.join(", ", targets));
        line(
                text,
                "sizes",
                plan.grid().sizesBytes().stream().map(ByteSize::format).collect(Collectors.joining(", ")));
        line(
                text,
                "requests",
                String.format(
                        Locale.ROOT,
                        "%,d of each of %d cells, in %s of %s",
                        plan.grid().iterations(),
                        cells,
                        counted(plan.grid().trials(), "trial"),
                        counted(plan.grid().blocks(), "randomised block")));
        line(
                text,
                "warm-up",
                String.format(
                        Locale.ROOT,
                        plan.grid().warmup().byEvidence()
                                ? "until every cell is steady, at most %,d requests of each in each trial"
                                : "%,d requests of each cell in each trial",
                        plan.grid().warmup().requests()));
        line(
                text,
                "load",
                (plan.grid().ratePerSecond() > 0
                                ? String.format(
                                        Locale.ROOT,
                                        "%,.6g requests a second",
                                        plan.grid().ratePerSecond())
                                : "the next request when the reply is there")
                        + ", " + counted(plan.grid().connections(), "connection"));
        line(text, "seed", Long.toString(plan.grid().seed()));
        line(text, "repeat", plan.command());
        line(text, "takes", cost == null ? how : duration(cost) + ", " + how);
        if (cost != null) {
            line(
                    text,
                    "writes",
                    String.format(
                            Locale.ROOT,
                            "at most %s into %s, about %s of samples here",
                            megabytes(cost.loggedBytes()),
                            logged == 1 ? "the log" : "each of " + logged + " logs",
                            megabytes(cost.resultBytes())));
        }
        return text.toString();
    }

    /** For programs: the plan's keys and, beside them, the cost. */
    public static String json(PlanFile plan, String command, Probe.@Nullable Cost cost) {
        ObjectNode root = JsonText.object();
        root.set("plan", plan.tree());
        root.put("command", command);
        root.set("cost", cost == null ? null : JsonText.tree(cost));
        return JsonText.pretty(root);
    }

    private static void line(StringBuilder text, String name, String value) {
        text.append(String.format(Locale.ROOT, "%-9s %s%n", name, value));
    }

    private static String counted(long count, String what) {
        return String.format(Locale.ROOT, "%,d %s%s", count, what, count == 1 ? "" : "s");
    }

    private static String duration(Probe.Cost cost) {
        String least = duration(cost.leastSeconds());
        String most = duration(cost.mostSeconds());
        return least.equals(most) ? "about " + most : "about " + least + " to " + most;
    }

    private static String duration(double seconds) {
        return seconds < 100
                ? String.format(Locale.ROOT, "%.0f s", Math.max(1, seconds))
                : seconds < 6000
                        ? String.format(Locale.ROOT, "%.0f min", seconds / 60)
                        : String.format(Locale.ROOT, "%.1f h", seconds / 3600);
    }

    private static String megabytes(long bytes) {
        return String.format(Locale.ROOT, bytes < 10_000_000 ? "%,.1f MB" : "%,.0f MB", bytes / 1e6);
    }
}
