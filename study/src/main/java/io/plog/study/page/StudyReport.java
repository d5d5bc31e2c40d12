package io.plog.study.page;

import io.plog.report.Report;
import io.plog.report.figure.Figure;
import io.plog.report.figure.FigureFiles;
import io.plog.study.StudyFile;
import io.plog.study.StudyResults;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Turns the results of a load study into {@code study.json} and {@code report.html}. Stateless; safe for any thread. */
public final class StudyReport {
    /** The results, from which the report can be rendered again. */
    public static final String STUDY_FILE = StudyFile.NAME;

    private StudyReport() {}

    /**
     * Writes both files; each appears whole or not at all.
     *
     * @param directory created if it is missing; files of the same names are replaced
     * @throws IOException if a file can't be written
     */
    public static void write(StudyResults results, Path directory) throws IOException {
        Files.createDirectories(directory);
        StudyFile.write(results, directory);
        render(results, directory);
    }

    /**
     * Writes {@code report.html} alone.
     *
     * @param directory created if it is missing; a file of the same name is replaced
     * @throws IOException if it can't be written
     */
    public static void render(StudyResults results, Path directory) throws IOException {
        Files.createDirectories(directory);
        replace(directory.resolve(Report.HTML_FILE), html(results));
    }

    /**
     * Writes each figure as {@code NAME.svg} and {@code NAME.csv}, or none if one is in the way.
     *
     * @param force whether files of the same names are replaced
     * @throws FigureFiles.InTheWayException if a file of the same name is there and {@code force} is not set
     * @throws IOException if a file can't be written
     */
    public static void writeFigures(StudyResults results, Path directory, boolean force) throws IOException {
        FigureFiles.write(figures(results), directory, force);
    }

    /** The figures that the study has data for, in the order of the page. */
    static List<Figure> figures(StudyResults results) {
        return new StudyPage(results).figures();
    }

    static String html(StudyResults results) {
        return new StudyPage(results).html();
    }

    private static void replace(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".tmp");
        Files.writeString(temporary, text, StandardCharsets.UTF_8);
        Files.move(temporary, file, StandardCopyOption.REPLACE_EXISTING);
    }
}
