package io.plog.measure;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.measure.plan.Plan;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.CellTurn;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.SampleFormat;
import io.plog.measure.samples.Samples;
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
     * The requests of a file that are to count; times are of the run's clock.
     *
     * @param all how many there are, answered or not
     * @param turns how many each has that did not end the run, by trial
     * @param lastSentNanos when the last was due
     * @param lastEndNanos when the last was answered
     */
    private record Counted(long all, Map<Integer, Map<CellTurn, Long>> turns, long lastSentNanos, long lastEndNanos) {}

    private Resumption(Path file, @Nullable RunInfo info, RunInfo.End end, Counted counted) {
        this.file = file;
        this.info = info;
        this.end = end;
        this.counted = counted;
    }

    /** A run that begins, and whose samples go into this file. */
    public static Resumption begin(Path file) {
        return new Resumption(file, null, new RunInfo.End(true, "", 0), new Counted(0, Map.of(), 0, 0));
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
            return counted.all == 0 ? begin(file) : new Resumption(file, info, reader.end(), counted);
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

    /** How many requests that are to count, and did not end the run, each turn of a file has, by trial. */
    static Map<Integer, Map<CellTurn, Long>> turns(SampleFileReader reader) throws IOException {
        return counted(reader).turns;
    }

    private static Counted counted(SampleFileReader reader) throws IOException {
        Map<Integer, Map<CellTurn, Long>> turns = new HashMap<>();
        long[] all = new long[3];
        for (CellKey cell : reader.cells()) {
            reader.each(cell, samples -> {
                for (int i = 0; i < samples.count(); i++) {
                    if (samples.get(Column.PHASE, i) == 0) {
                        turns.computeIfAbsent((int) samples.get(Column.TRIAL, i), trial -> new HashMap<>())
                                .merge(
                                        new CellTurn((int) samples.get(Column.BLOCK, i), cell),
                                        samples.endedRun(i) ? 0L : 1L,
                                        Long::sum);
                        all[0]++;
                        all[1] = Math.max(all[1], samples.get(Column.INTENDED, i));
                        if (samples.get(Column.STATUS, i) != Samples.NO_REPLY) {
                            long sent = samples.get(Column.SENT, i);
                            all[2] = Math.max(all[2], sent + samples.get(Column.END_TO_END, i));
                        }
                    }
                }
            });
        }
        return new Counted(all[0], turns, all[1], all[2]);
    }

    /** Whether nothing was measured that counts. */
    public boolean isOfNothing() {
        return info == null;
    }

    /** Whether all was measured. */
    public boolean isComplete() {
        return !end.partial();
    }

    /** How many requests that are to count, and did not end the run, a trial has of a turn. */
    public long count(int trial, CellTurn turn) {
        return counted.turns.getOrDefault(trial, Map.of()).getOrDefault(turn, 0L);
    }

    /** How many requests that are to count there are. */
    public long count() {
        return counted.all;
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
     * @param trial which goes on
     * @throws PlanException if what is measured is not what was measured before
     */
    public SampleFileWriter writer(RunInfo now, int trial) throws IOException, PlanException {
        if (info == null) {
            Files.deleteIfExists(file); // of a run that was interrupted before anything counted
            return SampleFileWriter.create(file, now);
        }
        checkSameTargets(info, now);
        TrialRecord pause = interrupted(info.targets().get(0).id(), trial, file, Instant.now());
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
