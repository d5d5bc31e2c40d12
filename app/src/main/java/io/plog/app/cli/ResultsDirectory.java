package io.plog.app.cli;

import io.plog.measure.PartFiles;
import io.plog.measure.samples.SampleCsv;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.results.model.ResultsFile;
import java.io.Closeable;
import java.io.IOException;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Where the results of a run go. Results that exist are only replaced if the user asks for it. */
public final class ResultsDirectory {
    /** The plan of the run, from which it can be repeated or continued. */
    public static final String PLAN_FILE = "plan.json";

    /** The export of all samples as text. */
    public static final String CSV_FILE = "samples.csv";

    /** Where the samples of a study's cells are until all are measured. */
    public static final String CELLS = "cells";

    private static final DateTimeFormatter STAMP =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);
    private static final List<String> FILES = List.of(
            SampleFileWriter.FILE_NAME,
            ResultsFile.RESULTS,
            ResultsFile.HTML,
            ResultsFile.COMPARISON,
            CSV_FILE,
            PLAN_FILE,
            CELLS,
            PartFiles.DIRECTORY);

    private ResultsDirectory() {}

    /**
     * Where results go unless the user names a directory.
     *
     * @param prefix begins the directory's name, before the time
     */
    public static Path byTime(String prefix, Instant now) {
        return Path.of("plog-results", prefix + STAMP.format(now));
    }

    /**
     * The file with the plan of an interrupted run.
     *
     * @throws IOException if there is none
     */
    public static Path planOf(Path directory) throws IOException {
        Path file = directory.resolve(PLAN_FILE);
        if (!Files.exists(file)) {
            throw new IOException("--resume " + directory + ": there is no " + PLAN_FILE
                    + " in it; expected the results directory of an interrupted run");
        }
        return file;
    }

    /**
     * Checks that results may be written there; changes nothing.
     *
     * @param overwrite whether results that are there may be replaced
     * @throws IOException if they may not; the message says what is in the way
     */
    public static void check(Path directory, boolean overwrite) throws IOException {
        if (Files.exists(directory) && !Files.isDirectory(directory)) {
            throw new IOException("--out " + directory + " is a file, expected a directory");
        }
        ResultsLock.check(directory);
        refuseResults(directory, overwrite);
    }

    private static void refuseResults(Path directory, boolean overwrite) throws IOException {
        for (String name : FILES) {
            if (!overwrite && Files.exists(directory.resolve(name), LinkOption.NOFOLLOW_LINKS)) {
                throw new IOException("--out " + directory + " holds results already (" + name
                        + "); name another directory, or replace them with --overwrite");
            }
        }
    }

    /** A file that is written in place, which must be the directory's own: what a link points to is somebody else's. */
    static Path ownFile(Path directory, String name) throws IOException {
        Path file = directory.resolve(name);
        if (Files.isSymbolicLink(file)) {
            throw new IOException(
                    file + " is a link, whose target would be overwritten: expected a file, or none; remove it");
        }
        return file;
    }

    /** Deletes a directory with all that is in it, if it is there. */
    public static void delete(Path directory) throws IOException {
        if (!Files.exists(directory, LinkOption.NOFOLLOW_LINKS)) {
            return;
        }
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    /** Exports all samples as text. */
    static void writeCsv(Path directory) throws IOException {
        try (SampleFileReader reader = SampleFileReader.open(directory.resolve(SampleFileWriter.FILE_NAME));
                Writer out = Files.newBufferedWriter(directory.resolve(CSV_FILE))) {
            SampleCsv.write(reader, out);
        }
    }

    /**
     * Creates the directory, and removes the files that a run before has left there, and only those.
     *
     * @return keeps other runs out
     */
    public static Closeable prepare(Path directory, boolean overwrite) throws IOException {
        check(directory, overwrite);
        ResultsLock lock = ResultsLock.take(Files.createDirectories(directory));
        try {
            refuseResults(directory, overwrite);
            for (String name : FILES) {
                delete(directory.resolve(name));
            }
            return lock;
        } catch (Throwable t) {
            lock.close();
            throw t;
        }
    }
}
