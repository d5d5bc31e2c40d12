package io.plog.report.disk.page;

import io.plog.report.Report;
import io.plog.report.disk.DiskFile;
import io.plog.report.disk.DiskGates;
import io.plog.report.disk.DiskPair;
import io.plog.report.disk.DiskResults;
import io.plog.report.figure.Figure;
import io.plog.report.figure.FigureFiles;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes the results of {@code plog disk} as {@code disk.json} and {@code report.html}. Stateless; safe for any thread. */
public final class DiskPages {
    private DiskPages() {}

    /**
     * Writes both files; each appears whole or not at all.
     *
     * @param gates how the gates came out; may be empty
     * @param pair the comparison with another disk; null if there is none
     * @param directory created if it is missing; files of the same names are replaced
     * @throws IOException if a file can't be written
     */
    public static void write(DiskResults results, List<DiskGates.Judged> gates, @Nullable DiskPair pair, Path directory)
            throws IOException {
        Files.createDirectories(directory);
        DiskFile.write(results, directory);
        render(results, gates, pair, directory);
    }

    /**
     * Writes {@code report.html} alone.
     *
     * @throws IOException if it can't be written
     */
    public static void render(
            DiskResults results, List<DiskGates.Judged> gates, @Nullable DiskPair pair, Path directory)
            throws IOException {
        Files.createDirectories(directory);
        Path temporary = directory.resolve(Report.HTML_FILE + ".tmp");
        Files.writeString(temporary, html(results, gates, pair), StandardCharsets.UTF_8);
        Files.move(temporary, directory.resolve(Report.HTML_FILE), StandardCopyOption.REPLACE_EXISTING);
    }

    /**
     * Writes each figure as {@code NAME.svg} and {@code NAME.csv}, or none if one is in the way.
     *
     * @param overwrite whether files of the same names are replaced
     * @throws FigureFiles.InTheWayException if a file of the same name is there and {@code overwrite} is not set
     * @throws IOException if a file can't be written
     */
    public static void writeFigures(DiskResults results, Path directory, boolean overwrite) throws IOException {
        FigureFiles.write(figures(results), directory, overwrite);
    }

    static String html(DiskResults results, List<DiskGates.Judged> gates, @Nullable DiskPair pair) {
        return new DiskPage(results, gates, pair).html();
    }

    static List<Figure> figures(DiskResults results) {
        return new DiskPage(results, List.of(), null).figures();
    }
}
