package io.plog.report.page;

import io.plog.report.figure.Figure;
import io.plog.report.figure.Ticks;
import io.plog.report.html.Html;
import io.plog.report.html.Section;
import io.plog.report.results.Results;
import io.plog.report.results.Results.Overhead;
import io.plog.report.results.Results.Severity;
import io.plog.report.results.Results.Validity;
import io.plog.report.results.Results.Verdict;
import io.plog.report.verdict.Checks;
import io.plog.report.verdict.CostSentences;
import io.plog.report.verdict.QuorumCost;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The top of a run's page: warnings, the cost of logging in plain words, and the published claims one by one. */
final class VerdictSection {
    private static final int REASONS_WHY_INVALID = 3;
    private static final int REASONS_FOR_CARE = 1;

    private final RunView run;
    private final @Nullable Figure picture;
    private final Results results;

    /** The target that the page speaks of first: the first that is forced to stable storage. */
    private final String main;

    /**
     * The top of a page.
     *
     * @param picture of the cost; null if nothing was counted
     */
    VerdictSection(RunView run, @Nullable Figure picture) {
        this.run = run;
        this.picture = picture;
        results = run.results();
        main = run.palette().logged().stream()
                .filter(this::isStable)
                .findFirst()
                .or(() -> run.palette().logged().stream().findFirst())
                .orElse("");
    }

    private boolean isStable(String target) {
        return results.environment().targets().stream()
                .anyMatch(known -> known.name().equals(target) && known.stableStorage());
    }

    Section section() {
        Section section = new Section("verdict", "What logging costs here");
        boolean invalid = failed().stream().anyMatch(check -> check.severity() == Severity.INVALID);
        section.add("<div class=\"first\">\n");
        if (invalid) {
            section.add(believe("below"));
        }
        section.add("<div class=\"lead\">\n" + headline() + "</div>\n");
        if (picture != null) {
            section.add("<div class=\"picture\">\n")
                    .drawing(picture)
                    .words(picture)
                    .add("</div>\n");
        }
        section.add(invalid ? "" : believe("beside")).add("</div>\n");
        run.palette().logged().forEach(target -> section.add(strip(target)));
        return section.note(cardsNote()).add(new ClaimsTable(run).html());
    }

    /** Whether the figures may be believed: the run, what one trial leaves out, and the disks. */
    private String believe(String where) {
        return "<div class=\"believe " + where + "\">\n" + validity() + run.whatIntervalsLeaveOut()
                + run.palette().logged().stream().map(this::disk).collect(Collectors.joining()) + "</div>\n";
    }

    private String disk(String target) {
        return results.stableStorage().stream()
                .filter(found -> found.target().equals(target))
                .map(found -> "<p class=\"disk\"><b>" + Html.text(run.palette().label(target)) + "</b> "
                        + diskBadge(found.verdict()) + "</p>\n")
                .collect(Collectors.joining());
    }

    private List<Validity> failed() {
        return results.validity().stream().filter(check -> !check.ok()).toList();
    }

    /** Whether the results may be used at all, the reasons first. */
    private String validity() {
        boolean partial = results.partial().partial();
        List<String> invalid = new ArrayList<>();
        List<String> care = new ArrayList<>();
        if (partial) {
            care.add("The run ended early: " + results.partial().reason() + ".");
        }
        for (Validity check : failed()) {
            if (check.severity() == Severity.INVALID) {
                invalid.add(words(check));
            } else if (!partial || !check.id().equals(Checks.COMPLETE)) {
                care.add(words(check));
            }
        }
        if (invalid.isEmpty() && care.isEmpty()) {
            return "<p class=\"validity good\"><b>✓ A valid run:</b> "
                    + (results.validity().isEmpty()
                            ? "nothing was found against it."
                            : "all " + results.validity().size() + " checks passed.")
                    + "</p>\n";
        }
        return "<div class=\"validity " + (invalid.isEmpty() ? "care" : "bad")
                + "\" role=\"note\" aria-label=\"Validity\">\n"
                + reasons("✗ Not valid, do not use these values: ", invalid, REASONS_WHY_INVALID)
                + reasons(invalid.isEmpty() ? "! Valid, but read it with care: " : "Besides: ", care, REASONS_FOR_CARE)
                + "</div>\n";
    }

    /** A check of one cell or side says in its id which one it is about. */
    private static String words(Validity check) {
        String[] parts = check.id().split(":", -1);
        return (parts.length > 1 ? parts[1] + ": " : "") + check.detail();
    }

    /** The first few; the others on request. */
    private static String reasons(String heading, List<String> texts, int most) {
        if (texts.isEmpty()) {
            return "";
        }
        StringBuilder html =
                new StringBuilder("<p><b>" + Html.text(heading) + "</b>" + Html.text(texts.get(0)) + "</p>\n");
        texts.stream().limit(most).skip(1).forEach(text -> html.append(Html.p(text)));
        List<String> others = texts.stream().skip(most).toList();
        if (!others.isEmpty()) {
            html.append("<details><summary>"
                    + (others.size() == 1 ? "1 more reason" : others.size() + " more reasons") + "</summary>\n"
                    + others.stream().map(Html::p).collect(Collectors.joining()) + "</details>\n");
        }
        return html.toString();
    }

    /** A sentence for each target that needs no statistics. */
    private String headline() {
        if (results.overhead().isEmpty()) {
            return Html.p(
                    "This run has no target without logging, so it shows what logging takes, but not what it adds end to end.");
        }
        return "<p class=\"cost\">" + headline(main, overhead(main)) + "</p>\n"
                + run.palette().logged().stream()
                        .filter(target -> !target.equals(main))
                        .map(target -> "<p class=\"also\">" + headline(target, overhead(target)) + "</p>\n")
                        .collect(Collectors.joining())
                + QuorumCost.sentences(results).stream()
                        .map(sentence -> Html.p("also", sentence))
                        .collect(Collectors.joining());
    }

    private List<Overhead> overhead(String target) {
        return results.overhead().stream()
                .filter(row -> row.target().equals(target))
                .toList();
    }

    private String headline(String target, List<Overhead> rows) {
        if (rows.isEmpty()) {
            return "";
        }
        return "With <b>" + Html.text(run.palette().label(target)) + "</b> "
                + CostSentences.of(rows, words -> "<b>" + words + "</b>") + ": " + Html.text(limits(rows)) + ".";
    }

    private static String limits(List<Overhead> rows) {
        LinkedHashSet<Verdict> verdicts =
                rows.stream().map(Overhead::verdict).collect(Collectors.toCollection(LinkedHashSet::new));
        if (verdicts.size() == 1) {
            return limit(rows.get(0).verdict()) + " at every size";
        }
        return verdicts.stream()
                .map(verdict -> limit(verdict) + " at "
                        + rows.stream()
                                .filter(row -> row.verdict() == verdict)
                                .map(row -> Units.size(row.payloadBytes()))
                                .collect(Collectors.joining(", ")))
                .collect(Collectors.joining("; "));
    }

    private static String limit(Verdict verdict) {
        return switch (verdict) {
            case HOLDS -> "less than 10 %";
            case FAILS -> "more than 10 %";
            case UNDECIDED -> "whether that is less than 10 %, this run cannot tell,";
            case NOT_TESTABLE -> "not testable";
        };
    }

    private static double added(Overhead row) {
        return row.meanMicros() - row.offMeanMicros();
    }

    /** A target's cards, the verdict on its disk, and both as text. */
    private String strip(String target) {
        Optional<Results.StableStorage> disk = results.stableStorage().stream()
                .filter(found -> found.target().equals(target))
                .findFirst();
        List<Overhead> rows = overhead(target);
        String cards = results.overhead().isEmpty()
                ? run.cells().stream()
                        .filter(cell -> cell.target().equals(target))
                        .map(VerdictSection::loggingCard)
                        .collect(Collectors.joining())
                : rows.stream().map(VerdictSection::overheadCard).collect(Collectors.joining());
        String sentences = rows.stream()
                .filter(row -> !row.sentence().isEmpty())
                .map(row -> "<p><b>" + Units.size(row.payloadBytes()) + ":</b> " + Html.text(row.sentence()) + "</p>\n")
                .collect(Collectors.joining());
        return "<div class=\"strip\"><h3 class=\"row\">"
                + Html.text(run.palette().label(target)) + "</h3>\n<div class=\"cards\">\n"
                + cards + "</div>\n" + (sentences.isEmpty() ? "" : Html.details("In words", sentences))
                + disk.filter(found -> !found.reasons().isEmpty())
                        .map(found -> Html.details(
                                "The disk: " + found.reasons().get(0),
                                found.reasons().stream().skip(1).map(Html::p).collect(Collectors.joining())))
                        .orElse("")
                + "</div>\n";
    }

    private static String diskBadge(String verdict) {
        return switch (verdict) {
            case "consistent" -> Html.badge("holds", "✓", "consistent with stable media");
            case "volatile-cache" -> Html.badge("fails", "!", "a volatile cache is probably answering");
            case "cannot-tell" ->
                Html.badge("undecided", "?", "cannot tell from here whether the disk lies about forces");
            default -> Html.badge("undecided", "?", verdict);
        };
    }

    private static String overheadCard(Overhead row) {
        Results.Ratio ratio = row.ratioOfMeans();
        double added = added(row);
        boolean bounded = ratio.low() != null && ratio.high() != null;
        boolean isSeen = CostSentences.seen(row) != CostSentences.Seen.NO_DIFFERENCE;
        return card(
                Units.size(row.payloadBytes()),
                isSeen ? (added < 0 ? "−" : "+") + Micros.text(Math.abs(added)) : "0",
                (isSeen ? "" : Html.p("no difference seen" + CostSentences.atMost(List.of(row)))) + "<p>×"
                        + Units.ratio(ratio.ratio()).substring(1) + "<small> "
                        + RunView.interval(
                                ratio.low(),
                                ratio.high(),
                                bounded ? x -> String.format(Locale.ROOT, "%.2f", x) : Ticks::number)
                        + "</small></p>\n"
                        + ClaimsTable.badge(
                                row.verdict(),
                                switch (row.verdict()) {
                                    case HOLDS -> "holds: under 10 %";
                                    case FAILS -> "fails: over 10 %";
                                    case UNDECIDED, NOT_TESTABLE -> ClaimsTable.words(row.verdict());
                                }));
    }

    private static String loggingCard(Results.Cell cell) {
        return cell.logMicros() == null
                ? ""
                : card(
                        Units.size(cell.payloadBytes()),
                        Micros.text(cell.logMicros().mean()),
                        Html.p("mean logging latency"));
    }

    private static String card(String heading, String micros, String rest) {
        return "<div class=\"card\"><h4>" + heading + "</h4>\n<p class=\"big\">" + micros + "<small> µs</small></p>\n"
                + rest + "</div>\n";
    }

    private String cardsNote() {
        String note = "";
        if (!results.overhead().isEmpty()) {
            boolean paired = results.overhead().stream().allMatch(Overhead::paired);
            note =
                    "Cards: what logging adds to the mean end-to-end latency (0 where its 95 % interval holds 0), and the ratio of the means with its 95 % interval,"
                            + " Student's t over "
                            + (paired
                                    ? "paired trials, or paired blocks if there is one trial"
                                    : "runs of consecutive requests")
                            + ". The published claim is less than 10 %: it holds if the ratio is surely below ×1.10, fails if it is surely above, and"
                            + " is undecided in between. The sizes of a target are judged together (Holm), as in Z5, so among several the"
                            + " interval must lie clear of ×1.10 by more. ";
        }
        return results.stableStorage().isEmpty() && !run.palette().logged().isEmpty()
                ? note + "Whether the disks lie about forces was not judged in this run."
                : note;
    }
}
