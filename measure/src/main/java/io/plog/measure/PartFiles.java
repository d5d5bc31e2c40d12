package io.plog.measure;

import io.plog.measure.plan.Grid;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileException;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFormat;
import io.plog.measure.samples.SampleMerge;
import io.plog.measure.samples.Trial;
import io.plog.measure.samples.TrialRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The parts of a run: a sample file for each trial, and one more each time that an interrupted trial was continued. In a
 * directory of their own until {@link #merge} makes one file of them.
 *
 * <p>For one thread.
 */
public final class PartFiles {
    /** The directory's name within a results directory. */
    public static final String DIRECTORY = "parts";

    private static final Pattern NAME = Pattern.compile("trial-(\\d{1,3})(?:-(\\d{1,3}))?\\.plog");

    private final Path directory;

    /** Those of a results directory, which need not exist. */
    public PartFiles(Path results) {
        directory = results.resolve(DIRECTORY);
    }

    /**
     * A part.
     *
     * @param trial from 0
     * @param piece from 1: how often the trial was begun
     */
    public record Part(Path file, int trial, int piece) {}

    /** What there is, by trial and piece. */
    public List<Part> list() throws IOException {
        List<Part> parts = new ArrayList<>();
        if (Files.isDirectory(directory)) {
            try (Stream<Path> files = Files.list(directory)) {
                for (Path file : files.toList()) {
                    Matcher name = NAME.matcher(String.valueOf(file.getFileName()));
                    if (name.matches()) {
                        String piece = name.group(2);
                        parts.add(new Part(
                                file,
                                Integer.parseInt(name.group(1)) - 1,
                                piece == null ? 1 : Integer.parseInt(piece)));
                    }
                }
            }
        }
        parts.sort(Comparator.comparingInt(Part::trial).thenComparingInt(Part::piece));
        return parts;
    }

    /** Where the next piece of a trial goes; creates the directory. */
    public Path next(int trial) throws IOException {
        Files.createDirectories(directory);
        long pieces = list().stream().filter(part -> part.trial() == trial).count();
        return directory.resolve("trial-" + (trial + 1) + (pieces == 0 ? "" : "-" + (pieces + 1)) + ".plog");
    }

    /** Removes all of them, and what their processes left next to them. */
    public void delete() throws IOException {
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                if (String.valueOf(file.getFileName()).startsWith("trial-")) {
                    Files.delete(file);
                }
            }
        }
        Files.delete(directory);
    }

    /**
     * The turns of a trial that its parts lack. A part without a complete header is removed.
     *
     * @throws SampleFileException if a part is damaged
     */
    public Trial remaining(Grid plan, int trial) throws IOException {
        Set<Trial.Turn> done = new HashSet<>();
        for (Part part : list()) {
            if (part.trial() == trial && !isEmpty(part.file())) {
                try (SampleFileReader reader = SampleFileReader.open(part.file())) {
                    done.addAll(complete(plan, trial, reader));
                }
            }
        }
        return new Trial(trial, done);
    }

    private static boolean isEmpty(Path file) throws IOException {
        boolean empty = Files.size(file) <= SampleFormat.FILE_HEADER_BYTES;
        if (empty) {
            Files.delete(file);
        }
        return empty;
    }

    /** Whether these turns are all of a trial. */
    public static boolean isComplete(Grid plan, Trial trial, int cells) {
        return trial.done().size() == plan.blocks() * cells;
    }

    /**
     * Makes one sample file of all parts, of which there must be one at least. Times are moved so that all count from the first
     * part's start, by the clock of the machine that measured. Of a turn that was run again, those samples count that were whole
     * first; the others are kept and marked. A trial's process that outlived its run for a moment can have completed a turn after
     * the next one looked.
     *
     * @param partial why the run is not complete; empty if it is
     * @param merged created
     * @throws SampleFileException if a part is damaged
     */
    public RunInfo.End merge(Grid plan, String partial, Path merged) throws IOException {
        List<Part> parts = list();
        RunInfo first;
        try (SampleFileReader reader = SampleFileReader.open(parts.get(0).file())) {
            first = reader.info();
        }
        List<SampleMerge.Part> sources = new ArrayList<>();
        List<TrialRecord> interruptions = new ArrayList<>();
        Set<Trial.Turn> counted = new HashSet<>(); // of this trial
        for (int i = 0; i < parts.size(); i++) {
            Part part = parts.get(i);
            boolean wentOn = i + 1 < parts.size() && parts.get(i + 1).trial() == part.trial();
            try (SampleFileReader reader = SampleFileReader.open(part.file())) {
                Set<Trial.Turn> runAgain = turns(plan, reader);
                if (wentOn) {
                    Set<Trial.Turn> complete = complete(plan, part.trial(), reader);
                    runAgain.removeIf(turn -> complete.contains(turn) && !counted.contains(turn));
                    counted.addAll(complete);
                } else {
                    runAgain.retainAll(counted);
                    counted.clear();
                }
                if (i > 0 && parts.get(i - 1).trial() == part.trial()) {
                    Instant then = reader.info().startedAt();
                    interruptions.add(Resumption.interrupted(
                            first.targets().get(0).id(),
                            part.trial(),
                            parts.get(i - 1).file(),
                            then));
                }
                long offsetNanos = offsetNanos(first, reader.info());
                sources.add(SampleMerge.Part.ofTrial(part.file(), offsetNanos, part.trial(), runAgain));
            }
        }
        return SampleMerge.write(sources, first, partial, interruptions, merged);
    }

    private static Set<Trial.Turn> turns(Grid plan, SampleFileReader reader) {
        Set<Trial.Turn> turns = new HashSet<>();
        for (int block = 0; block < plan.blocks(); block++) {
            for (CellKey cell : reader.cells()) {
                turns.add(new Trial.Turn(block, cell));
            }
        }
        return turns;
    }

    /** How much later a part began than the first. */
    private static long offsetNanos(RunInfo first, RunInfo part) {
        return Duration.between(first.startedAt(), part.startedAt()).toNanos();
    }

    /** The turns of which a part has every request. */
    private static Set<Trial.Turn> complete(Grid plan, int trial, SampleFileReader reader) throws IOException {
        Set<Trial.Turn> done = new HashSet<>();
        for (Map<Trial.Turn, Long> counted : Resumption.turns(reader).values()) {
            counted.forEach((turn, count) -> {
                if (count >= plan.iterationsInBlock(trial, turn.block())) {
                    done.add(turn);
                }
            });
        }
        return done;
    }
}
