package io.plog.report;

import io.plog.report.cells.SampleFile;
import io.plog.report.cells.SampleSource;
import io.plog.report.chart.DrawnFigures;
import io.plog.report.figure.Figure;
import io.plog.report.figure.FigureFiles;
import io.plog.report.html.Section;
import io.plog.report.page.RunPage;
import io.plog.report.results.Results;
import io.plog.report.results.ResultsJson;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Turns the samples of a run into {@code results.json} and {@code report.html}. Every figure in them, and in
 * {@link TerminalSummary}, is computed here, from the samples and from nothing else.
 *
 * <p>Stateless; safe for any thread.
 */
public final class Report {
    /** Names of what is written into a results directory. */
    public static final String RESULTS_FILE = "results.json";

    /** The report for people. */
    public static final String HTML_FILE = "report.html";

    /** The result of comparing the run with another. */
    public static final String COMPARISON_FILE = "comparison.json";

    private Report() {}

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
        try (SampleFile source = SampleFile.open(samplesFile)) {
            return write(source, outDir);
        }
    }

    /**
     * Computes the results and writes both files; each appears whole or not at all.
     *
     * @param source the run's samples
     * @param outDir created if it is missing; files of the same names are replaced
     * @return what {@code results.json} holds
     * @throws IOException if the samples can't be read or a file can't be written
     */
    public static Results write(SampleSource source, Path outDir) throws IOException {
        return write(Analysis.of(source), outDir, null);
    }

    /**
     * As {@link #write(SampleSource, Path)}, with a comparison with another run in {@code report.html}, and with its figures among
     * those that are written as files.
     *
     * @param outDir null for no report
     * @param figuresDir null for no figures as files
     * @param force whether figures of the same names are replaced
     * @param comparison an object that becomes JSON; it is also written, as {@value #COMPARISON_FILE}
     * @param section what the page says of it, with its figures
     * @throws FigureFiles.InTheWayException if a figure is there already and {@code force} is not set
     */
    public static void write(
            SampleSource source,
            @Nullable Path outDir,
            @Nullable Path figuresDir,
            boolean force,
            Object comparison,
            Section section)
            throws IOException {
        Analysis.Outcome outcome = Analysis.of(source);
        if (figuresDir != null) {
            List<Figure> drawn = new ArrayList<>(DrawnFigures.of(outcome.results(), outcome.figures()));
            drawn.addAll(section.figures());
            FigureFiles.write(drawn, figuresDir, force);
        }
        if (outDir != null) {
            write(outcome, outDir, section);
            replace(outDir.resolve(COMPARISON_FILE), ResultsJson.pretty(comparison));
        }
    }

    /**
     * As {@link #write(Path, Path)}, and writes each figure as a file of its own, with its data beside it. If one of them is in
     * the way, nothing at all is written.
     *
     * @param samplesFile the run's samples
     * @param outDir created if it is missing; {@code results.json} and {@code report.html} in it are replaced
     * @param figuresDir created if it is missing
     * @param force whether figures of the same names are replaced
     * @return what {@code results.json} holds
     * @throws io.plog.measure.samples.SampleFileException if it is not a sample file, is damaged, or of a newer format
     * @throws FigureFiles.InTheWayException if a figure is there already and {@code force} is not set
     * @throws IOException if the samples can't be read or a file can't be written
     */
    public static Results write(Path samplesFile, Path outDir, Path figuresDir, boolean force) throws IOException {
        try (SampleFile source = SampleFile.open(samplesFile)) {
            Analysis.Outcome outcome = Analysis.of(source);
            FigureFiles.write(DrawnFigures.of(outcome.results(), outcome.figures()), figuresDir, force);
            return write(outcome, outDir, null);
        }
    }

    private static Results write(Analysis.Outcome outcome, Path outDir, @Nullable Section section) throws IOException {
        Files.createDirectories(outDir);
        replace(outDir.resolve(RESULTS_FILE), json(outcome.results()));
        replace(outDir.resolve(HTML_FILE), RunPage.of(outcome.results(), outcome.figures(), section));
        return outcome.results();
    }

    /**
     * Computes the results and writes nothing.
     *
     * @param source the run's samples
     * @throws IOException if they can't be read
     */
    public static Results compute(SampleSource source) throws IOException {
        return Analysis.of(source).results();
    }

    /** The text of {@code results.json}, a line's end at its end. */
    public static String json(Results results) {
        return ResultsJson.pretty(results);
    }

    private static void replace(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(temporary, text, StandardCharsets.UTF_8);
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
