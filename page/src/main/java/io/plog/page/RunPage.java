package io.plog.page;

import io.plog.report.Analysis;
import io.plog.report.Report;
import io.plog.report.cells.FigureData;
import io.plog.report.cells.SampleFile;
import io.plog.report.cells.SampleSource;
import io.plog.report.compare.Assessment;
import io.plog.report.compare.ComparisonTable;
import io.plog.report.results.Results;
import io.plog.report.results.ResultsJson;
import io.plog.report.table.RunTables;
import io.plog.report.table.SourceLine;
import io.plog.report.table.Table;
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

    /** What was written.
     *
     * @param results what {@code results.json} holds
     * @param figures what was written of the figures, for a person; empty if they were not asked for
     */
    public record Written(Results results, String figures) {}

    /**
     * Computes the results from a sample file and writes both files; each appears whole or not at all.
     *
     * @param samplesFile the run's samples
     * @param outDir created if it is missing; files of the same names are replaced
     * @return what {@code results.json} holds
     * @throws io.plog.measure.samples.SampleFileException if it is not a sample file, is damaged, or of a newer format
     * @throws IOException if the samples can't be read or a file can't be written
     */
    public static Results write(Path samplesFile, Path outDir) throws IOException {
        return write(samplesFile, outDir, null, false).results();
    }

    /**
     * As {@link #write(Path, Path)}, with the files of the figures. If one of them is in the way, nothing at all is written.
     *
     * @param figuresDir created if it is missing; null for no figures
     * @param force whether figures of the same names are replaced
     * @throws FigureFiles.InTheWayException if a figure is there already and {@code force} is not set
     */
    public static Written write(Path samplesFile, Path outDir, @Nullable Path figuresDir, boolean force)
            throws IOException {
        try (SampleFile source = SampleFile.open(samplesFile)) {
            return write(source, outDir, figuresDir, force, null);
        }
    }

    /**
     * As {@link #write(Path, Path, Path, boolean)}, with a comparison with another run.
     *
     * @param outDir null for no report
     * @param comparison is also written as a file of its own; null if there is none
     */
    public static Written write(
            SampleSource source,
            @Nullable Path outDir,
            @Nullable Path figuresDir,
            boolean force,
            @Nullable Assessment comparison)
            throws IOException {
        Analysis.Outcome outcome = Analysis.of(source);
        PageData page = of(outcome.results(), outcome.figures(), comparison);
        String figures = figuresDir == null ? "" : DrawnFiles.write(page, figuresDir, force);
        if (outDir != null) {
            Map<String, String> files = new LinkedHashMap<>();
            files.put(Report.RESULTS_FILE, Report.json(outcome.results()));
            files.put(Report.HTML_FILE, Page.of(page));
            if (comparison != null) {
                files.put(Report.COMPARISON_FILE, ResultsJson.pretty(comparison));
            }
            FigureFiles.write(files, outDir);
        }
        return new Written(outcome.results(), figures);
    }

    /** What the page of a run shows; with a comparison if there is one. */
    public static PageData of(Results results, FigureData figures, @Nullable Assessment comparison) {
        List<Table> tables = new ArrayList<>(RunTables.of(results, figures));
        Map<String, Object> documents = new LinkedHashMap<>();
        documents.put("results", results);
        if (comparison != null) {
            documents.put("comparison", comparison);
            documents.put("comparisonSource", ComparisonTable.source(comparison));
            tables.add(ComparisonTable.of(comparison));
        }
        return new PageData(
                "run",
                "plog report " + results.startedAt(),
                source(results),
                documents,
                tables.stream().filter(table -> !table.rows().isEmpty()).toList(),
                Stream.concat(Stream.ofNullable(comparison).map(Assessment::sentence), findings(results).stream())
                        .toList());
    }

    private static List<String> findings(Results results) {
        return Stream.of(
                        results.validity().stream()
                                .filter(check -> !check.ok())
                                .map(check -> check.severity().label() + ": " + check.detail()),
                        results.cost().stream().map(Results.Cost::sentence),
                        results.claims().stream()
                                .map(claim -> claim.id() + ", " + claim.claim() + ": "
                                        + claim.verdict().label() + ". " + claim.summary()),
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
        return SourceLine.of(
                results.plogVersion(),
                results.startedAt(),
                SourceLine.requests(counts),
                results.environment().server(),
                results.environment().targets().stream()
                        .map(Results.Target::facts)
                        .toList());
    }
}
