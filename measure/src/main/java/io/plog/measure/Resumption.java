package io.plog.measure;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.measure.plan.Plan;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.SampleFormat;
import io.plog.measure.samples.Trial.Turn;
import io.plog.measure.samples.TrialRecord;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a run has measured before it was interrupted: it goes on in its own sample file, behind what is whole there. A run that
 * begins has measured nothing. The run's clock stands still in between, so that rates are of the time that was measured.
 *
 * <p>Immutable.
 */
public final class Resumption {
    private final Path file;
    private final @Nullable RunInfo info; // null if nothing was measured
    private final RunInfo.End end;
    private final Counted counted;

    /**
     * The requests of a file that are to count, answered or not; times are of the run's clock.
     *
     * @param turns how many each has, by trial
     * @param lastSentNanos when the last was due
     * @param lastEndNanos when the last was answered
     */
    private record Counted(Map<Integer, Map<Turn, Long>> turns, long lastSentNanos, long lastEndNanos) {}

    private Resumption(Path file, @Nullable RunInfo info, RunInfo.End end, Counted counted) {
        this.file = file;
        this.info = info;
        this.end = end;
        this.counted = counted;
    }

    /** A run that begins, and whose samples go into this file. */
    public static Resumption begin(Path file) {
        return new Resumption(file, null, new RunInfo.End(true, "", 0), new Counted(Map.of(), 0, 0));
    }

    /**
     * What there is of a run.
     *
     * @param file of its samples; if it has none that count, the run begins anew
     * @param plan what the run was to measure, as far as its command knows
     * @throws PlanException if the file has samples of another plan
     * @throws io.plog.measure.samples.SampleFileException if it is damaged, or of a newer format
     */
    public static Resumption of(Path file, Plan plan) throws IOException, PlanException {
        if (!Files.exists(file) || Files.size(file) <= SampleFormat.FILE_HEADER_BYTES) {
            return begin(file);
        }
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            RunInfo info = reader.info();
            String difference =
                    difference(SampleFormat.JSON.valueToTree(info.plan()), SampleFormat.JSON.valueToTree(plan));
            if (!difference.isEmpty()) {
                throw new PlanException(file + " has samples of another plan than is to be continued: " + difference);
            }
            Counted counted = counted(reader);
            return counted.turns.isEmpty() ? begin(file) : new Resumption(file, info, reader.end(), counted);
        }
    }

    /** The first value that differs, in words; the server's address may. */
    private static String difference(JsonNode before, JsonNode now) {
        for (Map.Entry<String, JsonNode> field : before.properties()) {
            JsonNode other = now.path(field.getKey());
            if (!field.getKey().equals("server") && !field.getValue().equals(other)) {
                return field.getKey() + " is " + field.getValue() + ", expected " + other;
            }
        }
        return "";
    }

    /** How many requests that are to count each turn of a file has, by trial. */
    static Map<Integer, Map<Turn, Long>> turns(SampleFileReader reader) throws IOException {
        return counted(reader).turns;
    }

    private static Counted counted(SampleFileReader reader) throws IOException {
        Map<Integer, Map<Turn, Long>> turns = new HashMap<>();
        long[] last = new long[2];
        for (CellKey cell : reader.cells()) {
            reader.each(cell, samples -> {
                for (int i = 0; i < samples.count(); i++) {
                    if (samples.get(Column.PHASE, i) == 0) {
                        turns.computeIfAbsent((int) samples.get(Column.TRIAL, i), trial -> new HashMap<>())
                                .merge(new Turn((int) samples.get(Column.BLOCK, i), cell), 1L, Long::sum);
                        long sent = samples.get(Column.SENT, i);
                        last[0] = Math.max(last[0], samples.get(Column.INTENDED, i));
                        last[1] = Math.max(last[1], sent + samples.get(Column.END_TO_END, i));
                    }
                }
            });
        }
        return new Counted(turns, last[0], last[1]);
    }

    /** Whether nothing was measured that counts. */
    public boolean isOfNothing() {
        return info == null;
    }

    /** Whether all was measured. */
    public boolean isComplete() {
        return !end.partial();
    }

    /** How many requests that are to count a trial has, of a turn. */
    public long count(int trial, Turn turn) {
        return counted.turns.getOrDefault(trial, Map.of()).getOrDefault(turn, 0L);
    }

    /** How many requests that are to count there are. */
    public long count() {
        return counted.turns.values().stream()
                .flatMap(trial -> trial.values().stream())
                .mapToLong(Long::longValue)
                .sum();
    }

    /** When the last of them was due, by the run's clock. */
    public long lastSentNanos() {
        return counted.lastSentNanos;
    }

    /** When the last of them was answered, by the run's clock. */
    public long lastEndNanos() {
        return counted.lastEndNanos;
    }

    /** Of its samples. */
    public Path file() {
        return file;
    }

    /**
     * A sample file in which the run goes on.
     *
     * @param now what the run is, for a file that is begun
     * @throws PlanException if what is measured is not what was measured before
     */
    public SampleFileWriter writer(RunInfo now) throws IOException, PlanException {
        if (info == null) {
            Files.deleteIfExists(file); // of a run that was interrupted before anything counted
            return SampleFileWriter.create(file, now);
        }
        checkSameTargets(info, now);
        TrialRecord pause = interrupted(info.targets().get(0).id(), 0, file, Instant.now());
        SampleFileWriter writer = SampleFileWriter.append(file);
        writer.append(List.of(pause));
        return writer;
    }

    /** That a run was interrupted when a file was written for the last time, and went on then. */
    public static TrialRecord interrupted(int targetId, int trial, Path file, Instant then) throws IOException {
        Instant at = Files.getLastModifiedTime(file).toInstant();
        return new TrialRecord.Interrupted(
                targetId,
                trial,
                at.truncatedTo(ChronoUnit.SECONDS).toString(),
                Math.max(0, Duration.between(at, then).toMillis()) / 1e3);
    }

    /**
     * Checks that a run measures what it measured before it was interrupted.
     *
     * @throws PlanException if it does not
     */
    public static void checkSameTargets(RunInfo before, RunInfo now) throws PlanException {
        if (!named(before).equals(named(now))) {
            throw new PlanException("there are now the targets " + String.join(", ", named(now))
                    + "; the interrupted run measured " + String.join(", ", named(before))
                    + ": start what is measured as it was, or measure anew");
        }
    }

    /** In the order of the numbers, by which a sample file names them. */
    private static List<String> named(RunInfo info) {
        return info.targets().stream()
                .sorted(Comparator.comparingInt(RunInfo.Target::id))
                .map(target -> Stream.concat(Stream.of(target.force()), target.dimensions().values().stream())
                        .collect(Collectors.joining(" ", target.name() + " (", ")")))
                .toList();
    }
}
