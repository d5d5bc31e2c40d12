package io.plog.report.page;

import io.plog.report.html.Html;
import io.plog.report.html.Section;
import io.plog.report.results.Results;
import io.plog.report.results.Results.Target;
import io.plog.report.results.Results.Validity;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Under which conditions a run was measured, and what was checked. */
final class ConditionsSection {
    /** The facts about a directory that matter most; the page hides the others at first. */
    private static final List<String> DISK = List.of("fileSystem", "device", "model", "rotational", "writeCache");

    /** The same of a log on several machines. */
    private static final List<String> QUORUM =
            List.of("ensemble", "writeQuorum", "ackQuorum", "engine", "protocol", "journalSyncData");

    /** An amount of memory as the kernel writes it; its kB has 1,024 bytes. */
    private static final Pattern KERNEL_KB = Pattern.compile("(\\d{1,15}) kB");

    private static final Pattern BYTES = Pattern.compile("\\d{1,18}");

    private ConditionsSection() {}

    static Section of(RunView run) {
        Results results = run.results();
        Results.Plan plan = results.plan();
        List<Target> targets = results.environment().targets();
        return new Section("conditions", "Conditions")
                .reading("Numbers mean something only with these beside them. This command repeats the run:")
                .add("<pre><code>" + Html.text(plan.command()) + "</code></pre>\n")
                .add("<div class=\"factgrid\">\n" + Html.facts("Plan", PlannedFacts.of(results))
                        + targets.stream()
                                .filter(target -> !run.palette().isOff(target.name()))
                                .map(target ->
                                        Html.facts("Target " + run.palette().label(target.name()), brief(target)))
                                .collect(Collectors.joining())
                        + "</div>\n")
                .add(Html.details(
                        "Everything that is known about targets, server and client",
                        "<div class=\"factgrid\">\n"
                                + targets.stream()
                                        .map(target -> Html.facts(
                                                "Target " + run.palette().label(target.name()), pairs(target.facts())))
                                        .collect(Collectors.joining())
                                + Html.facts(
                                        "Server", pairs(results.environment().server()))
                                + Html.facts(
                                        "Client", pairs(results.environment().client())) + "</div>\n"))
                .add(checks(results.validity()));
    }

    private static List<List<String>> brief(Target target) {
        List<List<String>> facts = new ArrayList<>();
        facts.add(List.of("force", target.force()));
        facts.add(
                List.of("stable storage", target.stableStorage() ? "yes, unless the device lies about forces" : "no"));
        Stream.of(DISK, QUORUM).flatMap(List::stream).forEach(name -> {
            String value = target.facts().get(name);
            if (value != null && !value.isEmpty()) {
                facts.add(List.of(words(name), value));
            }
        });
        return facts;
    }

    private static List<List<String>> pairs(Map<String, String> facts) {
        return facts.entrySet().stream()
                .map(fact -> List.of(words(fact.getKey()), readable(fact.getKey(), fact.getValue())))
                .toList();
    }

    private static String words(String name) {
        return name.replaceAll("Bytes$", "")
                .replaceAll("([a-z])([A-Z])", "$1 $2")
                .toLowerCase(Locale.ROOT);
    }

    /** Amounts of memory and space come as bare bytes, or as the kernel has them. */
    private static String readable(String name, String value) {
        Matcher kernel = KERNEL_KB.matcher(value);
        if (kernel.matches()) {
            return Units.memory(Long.parseLong(kernel.group(1)) * 1024);
        }
        boolean bytes = name.endsWith("Bytes") || name.equals("cgroupMemory");
        return bytes && BYTES.matcher(value).matches()
                ? Units.memory(Long.parseLong(value))
                : value.isEmpty() ? "–" : value;
    }

    private static String checks(List<Validity> checks) {
        String lines = checks.stream()
                .map(check -> "<li class=\""
                        + (check.ok() ? "ok" : check.severity().label()) + "\"><b>"
                        + (check.ok() ? "✓ " : "✗ ") + "</b><span class=\"id\">" + Html.text(check.id()) + "</span> "
                        + Html.text(check.detail()) + "</li>\n")
                .collect(Collectors.joining());
        return Html.details(
                checks.size() + " checks, "
                        + checks.stream().filter(Validity::ok).count() + " passed",
                "<ul class=\"checks\">\n" + lines + "</ul>\n");
    }
}
