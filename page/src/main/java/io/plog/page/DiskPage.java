package io.plog.page;

import io.plog.report.disk.DiskComparisons;
import io.plog.report.disk.DiskFile;
import io.plog.report.disk.DiskGates;
import io.plog.report.disk.DiskPair;
import io.plog.report.disk.DiskResults;
import io.plog.report.table.DiskTables;
import io.plog.report.table.SourceLine;
import io.plog.stats.text.Units;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Writes the results of {@code plog disk} as {@code disk.json} and as a page. Stateless; safe for any thread. */
public final class DiskPage {
    private DiskPage() {}

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
        Page.write(of(results, gates, pair), directory);
    }

    /**
     * Writes {@code report.html} alone.
     *
     * @throws IOException if it can't be written
     */
    public static void render(
            DiskResults results, List<DiskGates.Judged> gates, @Nullable DiskPair pair, Path directory)
            throws IOException {
        Page.write(of(results, gates, pair), directory);
    }

    /**
     * Writes the files of the figures, or none if one is in the way.
     *
     * @param overwrite whether files of the same names are replaced
     * @return what was written, for a person
     * @throws FigureFiles.InTheWayException if a file of the same name is there and {@code overwrite} is not set
     * @throws IOException if a file can't be written
     */
    public static String writeFigures(DiskResults results, Path directory, boolean overwrite) throws IOException {
        return DrawnFiles.write(of(results, List.of(), null), directory, overwrite);
    }

    /** What the page shows. */
    static PageData of(DiskResults results, List<DiskGates.Judged> gates, @Nullable DiskPair other) {
        Map<String, Object> documents = new LinkedHashMap<>();
        documents.put("results", results);
        documents.put(
                "gates",
                gates.stream()
                        .map(gate -> Map.of(
                                "gate",
                                gate.gate().text(),
                                "outcome",
                                gate.outcome().words(),
                                "sentence",
                                gate.sentence()))
                        .toList());
        documents.put(
                "costs",
                results.directories().stream().map(DiskResults.Directory::cost).toList());
        if (results.isBusy()) {
            documents.put("busy", busy(results));
        }
        Optional.ofNullable(other == null ? ofBothDirectories(results) : other)
                .ifPresent(pair -> documents.put("pair", pair(pair)));
        documents.put(
                "words",
                Map.of(
                        "file",
                        results.plan().files().get(0),
                        "force",
                        forces(results, directory -> Stream.of(directory.usualForce())),
                        "company",
                        forces(
                                results,
                                directory -> DiskComparisons.of(results, directory).stream()
                                        .map(DiskComparisons.Row::force))));
        return new PageData(
                "disk",
                "plog disk " + results.startedAt(),
                results.directories().stream()
                        .map(directory -> source(results, directory))
                        .distinct()
                        .collect(Collectors.joining("; ")),
                documents,
                DiskTables.of(results),
                findings(results, gates));
    }

    private static String busy(DiskResults results) {
        return "The load was " + results.machine().get(DiskResults.LOAD_FACT) + " on "
                + results.machine().get("cores")
                + " processors when the measurement began: the figures include waiting for a processor. Measure again when nothing"
                + " else runs.";
    }

    private static @Nullable DiskPair ofBothDirectories(DiskResults results) {
        List<DiskResults.Directory> two = results.directories();
        try {
            return two.size() == 2
                    ? DiskPair.of(
                            two.get(0),
                            two.get(1),
                            two.get(0).path(),
                            two.get(1).path())
                    : null;
        } catch (IllegalArgumentException nothingInCommon) {
            return null; // it was stopped before both had a cell
        }
    }

    private static Map<String, Object> pair(DiskPair pair) {
        return Map.of(
                "sentence",
                pair.sentence(),
                "caption",
                "A: " + pair.a() + "; B: " + pair.b() + ". Write and force together, µs",
                "columns",
                DiskPair.columns(),
                "rows",
                pair.rows().stream().map(DiskPair.Row::texts).toList());
    }

    private static String forces(DiskResults results, Function<DiskResults.Directory, Stream<String>> force) {
        return results.directories().stream().flatMap(force).distinct().collect(Collectors.joining(", "));
    }

    /** Where the figures of a directory come from. */
    private static String source(DiskResults results, DiskResults.Directory directory) {
        LongSummaryStatistics groups =
                directory.cells().stream().mapToLong(DiskResults.Cell::groups).summaryStatistics();
        String count = groups.getCount() == 0
                ? "n = 0 writes"
                : "n = " + Units.count(groups.getMin()) + " to " + Units.count(groups.getMax()) + " writes in each of "
                        + groups.getCount() + " cells";
        return directory.path() + ", "
                + SourceLine.of(
                        results.plogVersion(),
                        results.startedAt(),
                        count,
                        results.machine(),
                        List.of(directory.facts()));
    }

    private static List<String> findings(DiskResults results, List<DiskGates.Judged> gates) {
        return Stream.of(
                        Stream.of(results.partial())
                                .filter(partial -> partial.partial())
                                .map(partial -> "partial: " + partial.reason()),
                        gates.stream()
                                .map(gate -> "gate " + gate.outcome().words() + ": "
                                        + gate.gate().text() + ": " + gate.sentence()),
                        results.directories().stream()
                                .map(directory -> directory.path() + ": "
                                        + directory.stableStorage().sentence() + ". " + directory.cost()),
                        results.directories().stream()
                                .flatMap(directory -> directory.stableStorage().reasons().stream()))
                .flatMap(texts -> texts)
                .collect(Collectors.toList());
    }
}
