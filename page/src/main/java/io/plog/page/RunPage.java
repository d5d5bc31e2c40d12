package io.plog.page;

import io.plog.results.Analysis;
import io.plog.results.cells.FigureData;
import io.plog.results.compare.Assessment;
import io.plog.results.compare.ComparisonTable;
import io.plog.results.compare.Trend;
import io.plog.results.model.Results;
import io.plog.results.model.ResultsFile;
import io.plog.results.study.StudyTables;
import io.plog.results.table.DiskTables;
import io.plog.results.table.RunTables;
import io.plog.results.table.SourceLine;
import io.plog.results.table.Table;
import io.plog.results.table.TableMapping;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes what is made of a run's samples: {@code results.json}, its page, and the files of its figures. Stateless. */
public final class RunPage {
    private RunPage() {}

    /**
     * What was written.
     *
     * @param results what {@code results.json} holds
     * @param figures what was written of the figures, for a person; empty if they were not asked for
     */
    public record Written(Results results, String figures) {}

    /**
     * Writes all of them; each appears whole or not at all. If a figure is in the way, nothing is written.
     *
     * @param outDir created if it is missing, and files of the same names are replaced; null for no report
     * @param figuresDir created if it is missing; null for no figures
     * @param force whether figures of the same names are replaced
     * @param comparison is also written as a file of its own; null if there is none
     * @throws IOException also if a figure is there already and {@code force} is not set
     */
    public static Written write(
            Analysis.Outcome outcome,
            @Nullable Path outDir,
            @Nullable Path figuresDir,
            boolean force,
            @Nullable Assessment comparison)
            throws IOException {
        PageData page = of(outcome, comparison);
        String figures = figuresDir == null ? "" : FigureFiles.write(page, figuresDir, force);
        if (outDir != null) {
            Map<String, String> files = new LinkedHashMap<>();
            files.put(ResultsFile.RESULTS, ResultsFile.json(outcome.results()));
            files.put(ResultsFile.HTML, Page.of(page));
            if (comparison != null) {
                files.put(ResultsFile.COMPARISON, ResultsFile.json(comparison));
            }
            FigureFiles.write(files, outDir);
        }
        return new Written(outcome.results(), figures);
    }

    /**
     * What the page of a run shows.
     *
     * @param comparison null if there is none
     */
    public static PageData of(Analysis.Outcome outcome, @Nullable Assessment comparison) {
        return of(outcome.results(), outcome.figures(), comparison == null ? outcome.sideBySide() : comparison);
    }

    /** What the page of a run shows; with a comparison if there is one. */
    public static PageData of(Results results, FigureData figures, @Nullable Assessment comparison) {
        Map<String, Object> documents = new LinkedHashMap<>();
        documents.put("results", results);
        List<Table> tables = new ArrayList<>(
                switch (results.kind()) {
                    case RUN, LOAD -> {
                        documents.put("words", RunTables.words(results));
                        yield RunTables.of(results, figures);
                    }
                    case DISK -> {
                        documents.put("words", DiskTables.words(results));
                        yield DiskTables.of(results, figures);
                    }
                    case RECOVERY -> TableMapping.tables("recovery", source -> results.cells().stream());
                    case STUDY -> {
                        documents.put("words", StudyTables.words(results));
                        yield StudyTables.of(results, figures);
                    }
                });
        if (comparison != null) {
            documents.put("comparison", comparison);
            documents.put("comparisonSource", ComparisonTable.source(comparison));
            tables.addAll(ComparisonTable.of(comparison));
        }
        return new PageData(
                results.kind() == Results.Kind.LOAD
                        ? Results.Kind.RUN.label()
                        : results.kind().label(),
                "plog report " + results.startedAt(),
                source(results),
                documents,
                tables,
                Stream.concat(Stream.ofNullable(comparison).flatMap(RunPage::findings), findings(results).stream())
                        .toList());
    }

    /** What the page of a trend shows. */
    public static PageData of(Trend trend) {
        Trend.Run first = trend.runs().get(0);
        Trend.Run last = trend.runs().get(trend.runs().size() - 1);
        String source = trend.about() + " · " + trend.runs().size() + " runs, " + SourceLine.date(first.startedAt())
                + " to " + SourceLine.date(last.startedAt());
        return new PageData(
                "trend",
                "plog trend of " + trend.about(),
                source,
                Map.of("runs", trend.runs(), "findings", trend.findings(), "leftOut", trend.leftOut()),
                trend.tables(),
                trend.findings());
    }

    private static Stream<String> findings(Assessment comparison) {
        return Stream.concat(
                Stream.of(comparison.sentence()).filter(sentence -> !sentence.isEmpty()),
                comparison.gates().stream()
                        .map(gate -> "gate " + gate.outcome().label() + ": " + gate.gate() + ", " + gate.cell() + ": "
                                + gate.detail()));
    }

    private static List<String> findings(Results results) {
        return Stream.of(
                        results.validity().stream()
                                .filter(check -> !check.ok())
                                .map(check -> check.severity().label() + ": " + check.detail()),
                        results.cost().stream().map(Results.Cost::sentence),
                        results.claims().stream()
                                .map(claim -> claim.id() + ", " + claim.claim() + ": "
                                        + claim.verdict().label() + ". "
                                        + claim.detail()),
                        results.stableStorage().stream()
                                .map(found -> found.target() + ": " + found.sentence() + ". "
                                        + String.join(" ", found.reasons())),
                        results.conditions().stream().map(fact -> fact.name() + ": " + fact.text()))
                .flatMap(texts -> texts)
                .collect(Collectors.toList());
    }

    /** Program, date, requests and machine of a run. */
    private static String source(Results results) {
        LongSummaryStatistics counts = results.cells().stream()
                .mapToLong(Results.Cell::count)
                .filter(count -> count > 0)
                .summaryStatistics();
        boolean disk = results.kind() == Results.Kind.DISK;
        String directories = results.environment().targets().stream()
                .map(directory -> directory.name() + ", ")
                .collect(Collectors.joining());
        return (disk ? directories : "")
                + SourceLine.of(
                        results.plogVersion(),
                        results.startedAt(),
                        SourceLine.counts(counts, disk ? "writes" : "requests"),
                        results.environment().diskMachine(),
                        results.environment().targets().stream()
                                .map(Results.Target::facts)
                                .toList());
    }
}
