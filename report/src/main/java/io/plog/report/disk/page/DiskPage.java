package io.plog.report.disk.page;

import io.plog.report.disk.DiskComparisons;
import io.plog.report.disk.DiskGates;
import io.plog.report.disk.DiskPair;
import io.plog.report.disk.DiskResults;
import io.plog.report.disk.DiskResults.Cell;
import io.plog.report.disk.DiskResults.Distribution;
import io.plog.report.figure.Figure;
import io.plog.report.figure.SourceLine;
import io.plog.report.html.Choice;
import io.plog.report.html.Html;
import io.plog.report.html.Page;
import io.plog.report.html.Section;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a disk does, as one file that opens offline: the verdict first, then the figures of each directory. */
final class DiskPage {
    private static final Map<String, String> STYLES =
            Map.of("consistent", "holds", "volatile-cache", "fails", "cannot-tell", "undecided");
    private static final Map<String, String> SIGNS = Map.of("holds", "✓", "fails", "✗", "undecided", "?");

    private final DiskResults results;
    private final List<DiskGates.Judged> gates;
    private final @Nullable DiskPair pair;
    private final List<Section> sections = new ArrayList<>();
    private final int before;

    DiskPage(DiskResults results, List<DiskGates.Judged> gates, @Nullable DiskPair pair) {
        this.results = results;
        this.gates = gates;
        this.pair = pair;
        sections.add(verdict());
        comparison().ifPresent(sections::add);
        before = sections.size();
        for (int i = 0; i < results.directories().size(); i++) {
            addFigures(results.directories().get(i), i);
        }
        sections.add(conditions());
        sections.add(method());
        sections.add(Page.files("Beside this file lies disk.json, with every number of this page."));
    }

    List<Figure> figures() {
        return sections.stream().flatMap(section -> section.figures().stream()).toList();
    }

    String html() {
        StringBuilder body = new StringBuilder("<div class=\"study\">\n" + header());
        for (int i = 0; i < sections.size(); i++) {
            body.append(i == before ? choices() : "").append(sections.get(i).html());
        }
        String sources =
                results.directories().stream().map(this::source).distinct().collect(Collectors.joining("; "));
        return Page.of(
                "plog disk " + results.startedAt(),
                sources,
                body.append("</div>\n").toString());
    }

    /** Where the figures of a directory come from. */
    private String source(DiskResults.Directory directory) {
        LongSummaryStatistics groups =
                directory.cells().stream().mapToLong(DiskResults.Cell::groups).summaryStatistics();
        String count = groups.getCount() == 0
                ? "n = 0 writes"
                : "n = " + Units.count(groups.getMin()) + " to " + Units.count(groups.getMax()) + " writes in each of "
                        + groups.getCount() + " cells";
        return SourceLine.of(
                results.plogVersion(), results.startedAt(), count, results.machine(), List.of(directory.facts()));
    }

    private String header() {
        return "<header><p class=\"brand\">plog</p>\n<h1>What a force costs on this disk</h1>\n"
                + Html.p(
                        "sub",
                        results.startedAt().replace("T", " ").replaceFirst("(\\.\\d+)?Z$", " UTC") + " · "
                                + results.directories().stream()
                                        .map(DiskResults.Directory::path)
                                        .collect(Collectors.joining(", "))
                                + " · " + results.plan().blocksDone() + " of "
                                + results.plan().blocks() + " randomised blocks")
                + Choice.oneOf("theme", "Theme", List.of("auto", "light", "dark")) + "</header>\n";
    }

    private String choices() {
        List<Integer> sizes = results.plan().sizesBytes();
        return "<nav class=\"filters\" aria-label=\"What the figures show\">\n"
                + Choice.anyOf(
                        "sizes",
                        "Sizes",
                        sizes.stream()
                                .map(bytes -> new Choice.Value(
                                        bytes.toString(),
                                        Units.size(bytes),
                                        DiskPalette.size(sizes, bytes).colour(),
                                        Choice.selector("data-name", Units.size(bytes))))
                                .toList())
                + "</nav>\n";
    }

    private Section verdict() {
        Section section = new Section("verdict", "Verdict");
        if (results.partial().partial()) {
            section.add("<div class=\"validity bad\" role=\"note\">"
                    + Html.p("✗ Partial, " + results.partial().reason() + ".") + "</div>\n");
        }
        if (results.isBusy()) {
            section.add("<div class=\"validity\" role=\"note\">"
                    + Html.p("! The load was " + results.machine().get(DiskResults.LOAD_FACT) + " on "
                            + results.machine().get("cores")
                            + " processors when the measurement began: the figures include waiting for a processor. Measure"
                            + " again when nothing else runs.")
                    + "</div>\n");
        }
        section.add("<div class=\"claims\">\n");
        for (DiskGates.Judged gate : gates) {
            String style = style(gate.outcome());
            claim(section, gate.gate().text(), style, "gate " + gate.outcome().words(), gate.sentence(), List.of());
        }
        for (DiskResults.Directory directory : results.directories()) {
            DiskResults.StableStorage found = directory.stableStorage();
            claim(
                    section,
                    directory.path(),
                    STYLES.getOrDefault(found.verdict(), "undecided"),
                    found.sentence(),
                    cost(directory),
                    found.reasons());
        }
        section.add("</div>\n");
        for (DiskResults.Directory directory : results.directories()) {
            List<List<String>> rows = rows(directory);
            List<List<String>> smallest = rows.stream()
                    .filter(row -> row.get(0).equals(rows.get(0).get(0)))
                    .toList();
            section.add(table(directory, smallest));
            if (smallest.size() < rows.size()) {
                section.add(Html.details("All sizes", table(directory, rows)));
            }
        }
        return section.note(
                "A star marks a percentile that the sample does not bound from above: it is little more than the maximum.");
    }

    private String table(DiskResults.Directory directory, List<List<String>> rows) {
        return Html.table(
                "One append at a time in " + directory.path() + ", write and force together, µs; file: "
                        + results.plan().files().get(0),
                List.of("size", "way", "n", "median", "95 % of the median", "95 %", "99 %", "max"),
                rows);
    }

    private static String style(DiskGates.Outcome outcome) {
        return switch (outcome) {
            case FAILED -> "fails";
            case UNDECIDED -> "undecided";
            case HOLDS -> "holds";
        };
    }

    private static void claim(
            Section section, String what, String style, String words, String detail, List<String> reasons) {
        section.add("<div class=\"claim\"><h4>" + Html.text(what) + "</h4>\n<p class=\"finding\">"
                + Html.badge(style, SIGNS.getOrDefault(style, "?"), words) + " <span>" + Html.text(detail)
                + "</span></p>"
                + (reasons.isEmpty()
                        ? ""
                        : Html.details("Why", reasons.stream().map(Html::p).collect(Collectors.joining())))
                + "</div>\n");
    }

    /** The cost of a durable append in one sentence. */
    private static String cost(DiskResults.Directory directory) {
        Optional<Cell> cell = singles(directory)
                .filter(single -> single.force().equals(usualForce(directory)))
                .findFirst();
        Distribution both = cell.map(Cell::bothMicros).orElse(null);
        return both == null
                ? "No forced append was measured."
                : "A durable append of " + Units.size(cell.orElseThrow().sizeBytes()) + " takes "
                        + Micros.withUnit(both.p50()) + " at the median and " + Micros.withUnit(both.p99())
                        + " at the 99th percentile (" + usualForce(directory) + ", n = " + Units.count(both.count())
                        + ").";
    }

    private static Stream<Cell> singles(DiskResults.Directory directory) {
        return directory.cells().stream().filter(Cell::isSingle);
    }

    /** The way that a log has by default, or the first that forces. */
    private static String usualForce(DiskResults.Directory directory) {
        List<String> forcing = singles(directory)
                .map(Cell::force)
                .filter(force -> !force.equals("write"))
                .distinct()
                .toList();
        return forcing.contains("fdatasync") || forcing.isEmpty() ? "fdatasync" : forcing.get(0);
    }

    private List<List<String>> rows(DiskResults.Directory directory) {
        String usual = results.plan().files().get(0);
        return singles(directory)
                .filter(cell -> cell.file().equals(usual) && cell.bothMicros() != null)
                .map(cell -> {
                    Distribution both = Objects.requireNonNull(cell.bothMicros());
                    var interval = both.quantile(0.5).interval();
                    return List.of(
                            Units.size(cell.sizeBytes()),
                            cell.force(),
                            Units.count(both.count()),
                            Micros.text(both.p50()),
                            "[" + end(interval.low()) + ", " + end(interval.high()) + "]",
                            Micros.text(both.p95()) + (both.isBounded(0.95) ? "" : "*"),
                            Micros.text(both.p99()) + (both.isBounded(0.99) ? "" : "*"),
                            Micros.text(both.max()));
                })
                .toList();
    }

    private static String end(@Nullable Double micros) {
        return micros == null ? "…" : Micros.text(micros);
    }

    private Optional<Section> comparison() {
        DiskPair compared = pair;
        if (compared == null && results.directories().size() == 2) {
            DiskResults.Directory a = results.directories().get(0);
            DiskResults.Directory b = results.directories().get(1);
            compared = DiskPair.of(a, b, a.path(), b.path());
        }
        DiskPair found = compared;
        return found == null
                ? Optional.empty()
                : Optional.of(new Section("comparison", "Two disks side by side")
                        .reading(found.sentence())
                        .table(
                                "A: " + found.a() + "; B: " + found.b() + ". Write and force together, µs",
                                DiskPair.columns(),
                                found.rows().stream().map(DiskPair.Row::texts).toList()));
    }

    private void addFigures(DiskResults.Directory directory, int index) {
        boolean several = results.directories().size() > 1;
        String suffix = several ? "-" + (index + 1) : "";
        String where = several ? " in " + directory.path() : "";
        DiskFigures figures = new DiskFigures(results, directory, suffix);
        sections.add(new Section("parts" + suffix, "Write and force" + where, source(directory))
                .reading(
                        "The write hands the bytes over, the force waits until the device has them. The further right and the"
                                + " flatter a curve, the slower and the less even.")
                .figure(figures.parts(), "Nothing was measured."));
        sections.add(company(directory, figures, suffix, where));
        sections.add(
                new Section("files" + suffix + "-kinds", "Initialised against growing files" + where, source(directory))
                        .reading(
                                "In a growing file each force must make the new length stable, too. For that reason a log writes its"
                                        + " segments in full before it uses them.")
                        .figure(figures.files(usualForce(directory)), "Only one kind of file was measured (--files)."));
        sections.add(new Section("shared" + suffix, "Appends that share a force" + where, source(directory))
                .reading(
                        "Requests that wait together are written and forced together; each then costs a part of the force.")
                .figure(figures.shared(), "Only one append at a time was measured (--shared)."));
    }

    private Section company(DiskResults.Directory directory, DiskFigures figures, String suffix, String where) {
        Section section = new Section(
                        "company" + suffix,
                        "Why a log is cheap: a disk of its own, written in order" + where,
                        source(directory))
                .reading(
                        "Pessimistic logging is held to be cheap because the log has a dedicated disk and is written sequentially."
                                + " The same append was measured in both ways and without them: at random places of the file, beside a second"
                                + " log that appends and forces 4 KiB without pause, and beside 4 KiB reads at random places.");
        List<DiskComparisons.Row> rows = DiskComparisons.of(results, directory);
        section.figure(figures.company(), "Neither random places (--files) nor a neighbour (--beside) was measured.");
        if (rows.isEmpty()) {
            return section;
        }
        List<List<String>> table = new ArrayList<>();
        for (DiskComparisons.Row row : rows) {
            Distribution alone = row.ways().get(0).latency();
            for (DiskComparisons.Way way : row.ways()) {
                Distribution found = way.latency();
                if (alone != null && found != null) {
                    table.add(List.of(
                            Units.size(row.sizeBytes()),
                            way.words(),
                            Units.count(found.count()),
                            Micros.text(found.p50()),
                            Micros.text(found.p99()) + (found.isBounded(0.99) ? "" : "*"),
                            times(found.p50() / alone.p50()),
                            times(found.p99() / alone.p99()),
                            way.neighbourOperations() == 0 ? "–" : Units.count(way.neighbourOperations())));
                }
            }
        }
        return section.table(
                "Write and force together, µs, and as multiples of alone and sequential ("
                        + rows.get(0).force() + ")",
                List.of(
                        "size",
                        "the log writes",
                        "n",
                        "median",
                        "99 %",
                        "median by alone",
                        "99 % by alone",
                        "neighbour's operations"),
                table);
    }

    /** As the page's tables write multiples. */
    private static String times(double ratio) {
        return "×" + Units.ratio(ratio).substring(1);
    }

    private Section conditions() {
        Section section = new Section("conditions", "Conditions")
                .reading("Figures mean something only with these beside them.")
                .add("<div class=\"factgrid\">\n");
        for (DiskResults.Directory directory : results.directories()) {
            List<List<String>> facts = new ArrayList<>();
            directory.facts().forEach((name, value) -> facts.add(List.of(name, value)));
            directory
                    .ways()
                    .forEach(way ->
                            facts.add(List.of(way.force(), (way.available() ? "" : "not available: ") + way.detail())));
            section.add(Html.facts(directory.path(), facts));
        }
        List<List<String>> machine = new ArrayList<>();
        results.machine().forEach((name, value) -> machine.add(List.of(name, value)));
        machine.add(List.of("seed", Long.toString(results.plan().seed())));
        machine.add(
                List.of("time for each directory", Units.plain(results.plan().secondsPerDirectory()) + " s"));
        return section.add(Html.facts("Machine and plan", machine)).add("</div>\n");
    }

    private static Section method() {
        return new Section("method", "How it was measured")
                .reading(
                        "Each cell (a way of forcing, a kind of file, a size, a number of appends that share a force, a neighbour)"
                                + " has a turn in each randomised block, so drift affects all alike. Files are opened, written and forced"
                                + " by the code of the log. Percentiles are by nearest rank, their intervals by order statistics. Random places"
                                + " lie within 32 MiB, random reads within 256 MiB and around the page cache. docs/measurement.md defines"
                                + " every figure.");
    }
}
