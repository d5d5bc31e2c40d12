package io.plog.measure;

import io.plog.measure.plan.Grid;
import io.plog.measure.samples.CellTurn;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileException;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFormat;
import io.plog.measure.samples.SampleMerge;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The parts of a run: a sample file for each trial, in which a trial that was interrupted goes on. In a directory of their own
 * until {@link #merge} makes one file of them.
 *
 * <p>For one thread.
 */
public final class PartFiles {
    /** The directory's name within a results directory. */
    public static final String DIRECTORY = "parts";

    private final Path directory;

    /** Those of a results directory, which need not exist. */
    public PartFiles(Path results) {
        directory = results.resolve(DIRECTORY);
    }

    /** What there is, by trial. */
    public List<Path> list() throws IOException {
        List<Path> parts = new ArrayList<>();
        for (Path file : files()) {
            if (String.valueOf(file.getFileName()).matches("trial-\\d+\\.plog")
                    && Files.size(file) > SampleFormat.FILE_HEADER_BYTES) {
                parts.add(file);
            }
        }
        parts.sort(Comparator.comparing((Path file) -> file.toString().length()).thenComparing(file -> file));
        return parts;
    }

    private List<Path> files() throws IOException {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    /** Where a trial, from 0, is or goes. */
    public Path file(int trial) {
        return directory.resolve("trial-" + (trial + 1) + ".plog");
    }

    /**
     * As {@link #file}, in a directory that is there, for a process that begins: one of a run that was killed may still write to
     * what was there, so this is a copy.
     */
    public Path begin(int trial) throws IOException {
        Files.createDirectories(directory);
        Path file = file(trial);
        if (Files.exists(file)) {
            Path own = Files.copy(
                    file, file.resolveSibling(file.getFileName() + ".tmp"), StandardCopyOption.REPLACE_EXISTING);
            Files.move(own, file, StandardCopyOption.REPLACE_EXISTING);
        }
        return file;
    }

    /** Removes all of them, and what their processes left next to them. */
    public void delete() throws IOException {
        for (Path file : files()) {
            if (String.valueOf(file.getFileName()).startsWith("trial-")) {
                Files.delete(file);
            }
        }
        Files.deleteIfExists(directory);
    }

    /**
     * Makes one sample file of all parts, of which there must be one at least. Times are moved so that all count from the first
     * part's start, by the clock of the machine that measured. What ended a turn that then went on counts in no figure.
     *
     * @param partial why the run is not complete; empty if it is
     * @param merged created
     * @throws SampleFileException if a part is damaged
     */
    public RunInfo.End merge(Grid plan, String partial, Path merged) throws IOException {
        RunInfo first = null;
        List<SampleMerge.Part> sources = new ArrayList<>();
        for (Path part : list()) {
            try (SampleFileReader reader = SampleFileReader.open(part)) {
                first = first == null ? reader.info() : first;
                long offsetNanos = Duration.between(
                                first.startedAt(), reader.info().startedAt())
                        .toNanos();
                sources.add(SampleMerge.Part.ofTrial(part, offsetNanos, whole(plan, reader)));
            }
        }
        return SampleMerge.write(sources, Objects.requireNonNull(first), partial, merged);
    }

    /** The turns of which a part has every request. */
    private static Set<CellTurn> whole(Grid plan, SampleFileReader reader) throws IOException {
        Set<CellTurn> whole = new HashSet<>();
        for (Map.Entry<Integer, Map<CellTurn, Long>> trial :
                Resumption.turns(reader).entrySet()) {
            trial.getValue().forEach((turn, count) -> {
                if (count >= plan.iterationsInBlock(trial.getKey(), turn.block())) {
                    whole.add(turn);
                }
            });
        }
        return whole;
    }
}
