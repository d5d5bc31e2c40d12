package io.plog.study.page;

import io.plog.report.figure.Figure;
import io.plog.report.html.Choice;
import io.plog.report.html.Html;
import io.plog.report.html.Section;
import io.plog.report.results.Check;
import io.plog.report.results.Claim;
import io.plog.report.results.Claim.Verdict;
import io.plog.stats.text.Units;
import io.plog.study.PublishedTables;
import io.plog.study.StudyResults;
import io.plog.study.StudyResults.Plan;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The page's beginning: findings, validity, conditions and comparison. */
final class TopSections {
    private static final Map<Verdict, String> MARKS =
            Map.of(Verdict.HOLDS, "✓", Verdict.FAILS, "✗", Verdict.UNDECIDED, "?", Verdict.NOT_TESTABLE, "–");

    /** Reasons that are shown at once, since each names cells and the picture is to be seen as well; the others on request. */
    private static final int LONGEST_REASON = 200; // characters

    private final StudyView study;
    private final StudyResults results;

    TopSections(StudyView study) {
        this.study = study;
        this.results = study.results();
    }

    String header() {
        Plan plan = results.plan();
        return "<header><p class=\"brand\">plog</p>\n<h1>Where latency comes from</h1>\n"
                + Html.p(
                        "sub",
                        results.startedAt().replace("T", " ").replaceFirst("(\\.\\d+)?Z$", " UTC") + " · "
                                + study.designs().size() + " designs · force: " + plan.force() + " · "
                                + study.loads("relative").size() + " cells at relative and "
                                + study.loads("absolute").size() + " at absolute loads")
                + Choice.oneOf("theme", "Theme", List.of("auto", "light", "dark")) + "</header>\n";
    }

    Section verdict() {
        Section section = study.section("verdict", "What the study found here");
        boolean invalid = results.validity().stream().anyMatch(check -> check.invalidates());
        section.add("<div class=\"first\">\n");
        if (invalid) {
            section.add(believe(true));
        }
        section.add("<div class=\"lead\">\n" + new Headline(study).html() + "</div>\n");
        Figure picture = SummaryFigure.of(study);
        if (picture != null) {
            section.add("<div class=\"picture\">\n").figure(picture, "").add("</div>\n");
        }
        section.add(invalid ? "" : believe(false)).add("</div>\n");
        if (results.claims().isEmpty()) {
            section.absent("No finding was judged"
                    + (results.partialReason().isEmpty() ? "." : ", because the study ended early."));
        }
        section.add("<div class=\"claims\">\n");
        for (Claim finding : results.claims()) {
            section.add("<div class=\"claim\"><h4><span class=\"id\">" + Html.text(finding.id()) + "</span>"
                    + Html.text(finding.claim()) + "</h4>\n<p class=\"finding\"><span class=\"badge "
                    + finding.verdict().label() + "\"><b aria-hidden=\"true\">"
                    + MARKS.get(finding.verdict()) + "</b> "
                    + finding.verdict().label().replace('-', ' ') + "</span> <span>" + Html.text(finding.detail())
                    + "</span></p></div>\n");
        }
        section.add("</div>\n");
        return section.note("Published: " + PublishedTables.STUDY + " (and 2004); " + PublishedTables.THESIS
                + ". What blocks there is reading a file, here the force of the log; a claim that holds says that the way of waiting"
                + " matters here too, not that the machines are alike.");
    }

    /** Whether the figures may be believed: the checks, and what one trial leaves out. */
    private String believe(boolean invalid) {
        return "<div class=\"believe " + (invalid ? "below" : "beside") + "\">\n" + validity(invalid)
                + (results.plan().trials() > 1
                        ? ""
                        : Html.p(
                                "note",
                                "One trial: its intervals know how the parts of one run differ, not how the next start of the same"
                                        + " processes would. So no finding is decided; --trials 5 decides."))
                + "</div>\n";
    }

    /** Whether the figures may be used at all, the reasons first. */
    private String validity(boolean invalid) {
        List<String> bad = new ArrayList<>();
        if (!results.partialReason().isEmpty()) {
            bad.add("The study ended before its plan was done: " + results.partialReason());
        }
        results.validity().stream()
                .filter(Check::invalidates)
                .map(Check::detail)
                .forEach(bad::add);
        results.validity().stream()
                .filter(check -> !check.ok() && !check.invalidates())
                .map(Check::detail)
                .forEach(bad::add);
        if (bad.isEmpty()) {
            return "<p class=\"validity good\"><b>✓ A valid study:</b> "
                    + (results.validity().isEmpty()
                            ? "nothing was checked."
                            : "all " + results.validity().size() + " checks passed.")
                    + "</p>\n";
        }
        int others = bad.size() - 1;
        String first = brief(bad.get(0));
        boolean cut = !first.equals(bad.get(0));
        return "<div class=\"validity " + (invalid ? "bad" : "care") + "\" role=\"note\" aria-label=\"Validity\">\n"
                + "<p><b>"
                + (invalid ? "✗ Not valid, do not use these figures: " : "! Valid, but to be read with care: ")
                + "</b>" + Html.text(first) + "</p>\n"
                + (others == 0 && !cut
                        ? ""
                        : "<details><summary>"
                                + (others == 0
                                        ? "Where"
                                        : (cut ? "Where, and " : "")
                                                + (others == 1 ? "1 more reason" : others + " more reasons"))
                                + "</summary>\n"
                                + bad.stream().skip(cut ? 0 : 1).map(Html::p).collect(Collectors.joining())
                                + "</details>\n")
                + "</div>\n";
    }

    /** What is wrong, without the list of the cells behind it if that is long. */
    private static String brief(String reason) {
        int list = reason.indexOf(": ");
        return list < 0 || reason.length() <= LONGEST_REASON ? reason : reason.substring(0, list) + ".";
    }

    Section conditions() {
        Plan plan = results.plan();
        Section section = study.section("conditions", "Conditions")
                .reading("Figures mean something only with these beside them. This command repeats the study:")
                .add("<pre><code>" + Html.text(plan.command()) + "</code></pre>\n")
                .add("<div class=\"factgrid\">\n"
                        + Html.facts(
                                "Plan",
                                List.of(
                                        List.of("designs", String.join("; ", plan.designs())),
                                        List.of("force", plan.force()),
                                        List.of("arrivals", plan.arrivals()),
                                        List.of("connections", connections(plan)),
                                        List.of("mix of sizes", StudyNumbers.mix(plan.mix())),
                                        List.of(
                                                "relative loads",
                                                plan.relativeLoads().stream()
                                                        .map(StudyNumbers::level)
                                                        .collect(Collectors.joining(", "))),
                                        List.of(
                                                "absolute rates",
                                                plan.absoluteRates().stream()
                                                        .map(StudyNumbers::perSecond)
                                                        .collect(Collectors.joining(", "))),
                                        List.of("trials of each cell", Units.count(plan.trials())),
                                        List.of("length of a cell", Units.fourDigits(plan.secondsPerCell()) + " s"),
                                        List.of("seed", String.valueOf(plan.seed())),
                                        List.of("started", results.startedAt()),
                                        List.of("plog", results.plogVersion()),
                                        List.of(
                                                "kind of results, layout",
                                                results.kind() + ", " + results.schemaVersion())))
                        + Html.facts("Server", pairs(results.environment().server()))
                        + Html.facts("Client", pairs(results.environment().client()))
                        + Html.facts(
                                "Log directory", pairs(results.environment().directory())) + "</div>\n");
        String checks = results.validity().stream()
                .map(check ->
                        "<li class=\"" + (check.ok() ? "ok" : check.severity().label()) + "\"><b>"
                                + (check.ok() ? "✓ " : "✗ ") + "</b><span class=\"id\">"
                                + Html.text(check.id())
                                + "</span> " + Html.text(check.detail()) + "</li>\n")
                .collect(Collectors.joining());
        return checks.isEmpty()
                ? section.absent("Nothing was checked.")
                : section.add(Html.details(
                        results.validity().size() + " checks", "<ul class=\"checks\">\n" + checks + "</ul>\n"));
    }

    private static String connections(Plan plan) {
        return Units.count(plan.connections())
                + (plan.requestsPerConnection() > 0
                        ? ", each made anew after " + Units.count(plan.requestsPerConnection()) + " requests"
                        : ", never made anew");
    }

    private static List<List<String>> pairs(Map<String, String> facts) {
        return facts.entrySet().stream()
                .map(fact -> List.of(
                        fact.getKey().replaceAll("([a-z])([A-Z])", "$1 $2").toLowerCase(java.util.Locale.ROOT),
                        fact.getValue()))
                .toList();
    }

    Section designs() {
        // A drawing of the idea is from no measurement, so it names no source.
        return new Section("designs", "How the designs wait")
                .reading(
                        "All keep the rule: no reply before the record is durable. They share all code but the place where the force"
                                + " happens, so what differs below is the way of waiting and nothing else.")
                .figure(WaitingFigure.of(), "");
    }
}
