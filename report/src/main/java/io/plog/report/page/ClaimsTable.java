package io.plog.report.page;

import io.plog.report.figure.Ticks;
import io.plog.report.html.Html;
import io.plog.report.results.Results.Claim;
import io.plog.report.results.Results.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/** The published claims as one table: a row each, a column for each target, verdict and figure in the cell, the rest on a click. */
final class ClaimsTable {
    private static final Map<Verdict, String> SIGNS =
            Map.of(Verdict.HOLDS, "✓", Verdict.FAILS, "✗", Verdict.UNDECIDED, "?", Verdict.NOT_TESTABLE, "–");

    private final RunView run;
    private final List<Claim> claims;

    /** The targets that have a column, in the order of the page. */
    private final List<String> targets;

    ClaimsTable(RunView run) {
        this.run = run;
        claims = run.results().claims();
        targets = run.palette().targets().stream()
                .filter(target -> claims.stream().anyMatch(claim -> target.equals(claim.target())))
                .toList();
    }

    static String badge(Verdict verdict, String words) {
        return Html.badge(verdict.label(), SIGNS.getOrDefault(verdict, "?"), words);
    }

    static String words(Verdict verdict) {
        return verdict.label().replace('-', ' ');
    }

    /** The whole part of the page; nothing for a load, to which the book's claims do not apply. */
    String html() {
        if (claims.isEmpty()) {
            return "";
        }
        String heads = targets.stream()
                .map(target -> "<th scope=\"col\">" + Html.text(run.palette().label(target)) + "</th>")
                .collect(Collectors.joining());
        String rows = claims.stream().map(Claim::id).distinct().map(this::row).collect(Collectors.joining());
        return "<section class=\"claims\" id=\"claims\">\n<h3>The published claims, on this machine</h3>\n"
                + "<table class=\"verdicts\"><caption>Open a cell for its numbers and its rule.</caption><thead><tr>"
                + "<th scope=\"col\">claim</th><th scope=\"col\">the book's figure</th>"
                + (heads.isEmpty() ? "<th scope=\"col\">here</th>" : heads) + "</tr></thead><tbody>\n" + rows
                + "</tbody></table>\n"
                + Html.details(
                        "What the book says, and what it does not",
                        Html.p(
                                "Claims of Zhao, From Traditional Fault Tolerance to Blockchain (2021), section 2.3.1.3. Read"
                                        + " them critically: the text never says that the log was forced. A disk at 7,200 rpm turns"
                                        + " once in 8.33 ms, so 100 µs for a logged message on a magnetic disk is the time of a cache."
                                        + " A rotational disk that agrees with the book is a warning, not a success."))
                + "</section>\n";
    }

    private String row(String id) {
        List<Claim> same =
                claims.stream().filter(claim -> claim.id().equals(id)).toList();
        List<Claim> ofTheRun = same.stream()
                .filter(claim -> !targets.contains(Objects.requireNonNullElse(claim.target(), "")))
                .toList();
        return "<tr class=\"claim\"><th scope=\"row\"><span class=\"id\">" + Html.text(id) + "</span>"
                + Html.text(same.get(0).claim()) + "</th><td data-head=\"the book's figure\">"
                + Html.text(BookFigures.of(id)) + "</td>"
                + (ofTheRun.isEmpty()
                        ? targets.stream().map(target -> cell(target, same)).collect(Collectors.joining())
                        : "<td colspan=\"" + Math.max(1, targets.size()) + "\">"
                                + same.stream().map(this::named).collect(Collectors.joining()) + "</td>")
                + "</tr>\n";
    }

    private String cell(String target, List<Claim> same) {
        List<Claim> own =
                same.stream().filter(claim -> target.equals(claim.target())).toList();
        return own.isEmpty()
                ? "<td class=\"none\">–</td>"
                : "<td data-head=\"" + Html.text(run.palette().label(target)) + "\">"
                        + own.stream().map(claim -> finding(claim, "")).collect(Collectors.joining()) + "</td>";
    }

    /** A finding outside its target's column says whose it is. */
    private String named(Claim claim) {
        String target = claim.target();
        return finding(claim, target == null ? "" : run.palette().label(target) + ": ");
    }

    private static String finding(Claim claim, String where) {
        String decided = claim.estimate() == null
                ? ""
                : " The value that decided: " + Ticks.number(claim.estimate().value()) + " "
                        + RunView.interval(
                                claim.estimate().low(), claim.estimate().high(), Ticks::number)
                        + ".";
        return "<details><summary>" + badge(claim.verdict(), words(claim.verdict())) + " <span class=\"found\">"
                + Html.text(where + claim.summary()) + "</span></summary>\n"
                + (claim.sentence().isEmpty() ? "" : Html.p(claim.sentence())) + Html.p(claim.detail() + decided)
                + "</details>\n";
    }
}
