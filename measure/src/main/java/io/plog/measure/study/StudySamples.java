package io.plog.measure.study;

import io.plog.measure.plan.Designs;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.TrialRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The cells of a study that were measured, which become one sample file: a target for each design under each load, with its trials.
 * Cells that are missing are left out, so that what was measured before a study ended early is kept. For one thread.
 */
public final class StudySamples {
    /** The fact that names a cell in words. */
    public static final String LABEL = "cell";

    /** Facts of a server that are no facts of the study. */
    private static final List<String> OF_ONE_CELL = List.of("design", "eventLoops", "adminPort");

    private final Designs plan;
    private final String command;
    private final String plogVersion;
    private final Instant startedAt;
    private final Map<StudyCell.Key, Measured> cells = new LinkedHashMap<>();
    private String firstFailure = "";
    private int failures;

    private static final class Measured {
        private final StudyCell cell;
        private final Map<Integer, CellOutcome> trials = new TreeMap<>();
        private final List<TrialRecord> notes = new ArrayList<>();

        Measured(StudyCell cell) {
            this.cell = cell;
        }

        RunInfo info() {
            return trials.values().iterator().next().load().info();
        }
    }

    /**
     * Begins without cells.
     *
     * @param command the command line that repeats it
     */
    public StudySamples(Designs plan, String command, String plogVersion, Instant startedAt) {
        this.plan = plan;
        this.command = command;
        this.plogVersion = plogVersion;
        this.startedAt = startedAt;
    }

    private Measured of(StudyCell cell) {
        return cells.computeIfAbsent(cell.key(), first -> new Measured(cell));
    }

    /** Adds a cell that was measured. If it was measured before, this takes the place of that. */
    public void add(CellOutcome outcome) {
        of(outcome.cell()).trials.put(outcome.cell().trial(), outcome);
    }

    /** Adds a cell that came to nothing. */
    public void addFailure(StudyCell cell, String why) {
        String what = cell.label() + ": " + why;
        firstFailure = firstFailure.isEmpty() ? what : firstFailure;
        failures++;
        of(cell).notes.add(new TrialRecord.Failed(0, cell.trial(), what));
    }

    /** How many cells were measured, each trial by itself. */
    public int measured() {
        return cells.values().stream().mapToInt(each -> each.trials.size()).sum();
    }

    /** Replies a second in a cell that was measured; 0 if it was not. */
    public double acceptedPerSecond(StudyCell cell) {
        Measured found = cells.get(cell.key());
        CellOutcome trial = found == null ? null : found.trials.get(cell.trial());
        return trial == null ? 0 : trial.load().summary().acceptedPerSecond();
    }

    /** Notes what else is known of a cell: that it is measured again, or which rate its design keeps. */
    public void note(StudyCell cell, TrialRecord what) {
        of(cell).notes.add(what);
    }

    /** What of a kind is known of a trial of a cell; empty if nothing is. */
    public <T extends TrialRecord> Optional<T> noted(StudyCell cell, Class<T> kind) {
        Measured found = cells.get(cell.key());
        if (found == null) {
            return Optional.empty();
        }
        List<TrialRecord> known = new ArrayList<>(found.notes);
        CellOutcome measured = found.trials.get(cell.trial());
        known.addAll(measured == null ? List.of() : measured.records());
        return TrialRecord.of(known, kind, 0, cell.trial()).findFirst();
    }

    /**
     * Writes them as one file.
     *
     * @param out created
     * @param partialReason why the study ended before its plan was done; empty if it did not
     * @return whether it is whole
     * @throws IOException if a cell's samples cannot be read again, or the file cannot be written
     */
    public boolean write(Path out, String partialReason) throws IOException {
        List<Measured> all = inOrder();
        List<TrialRecord> records = new ArrayList<>();
        try (SampleFileWriter writer = SampleFileWriter.create(out, info(all))) {
            for (int id = 0; id < all.size(); id++) {
                for (CellOutcome trial : all.get(id).trials.values()) {
                    append(writer, id, trial, records);
                }
                int cell = id;
                all.get(id).notes.forEach(note -> records.add(note.of(cell)));
            }
            String reason = !partialReason.isEmpty() || failures == 0
                    ? partialReason
                    : failures + " of its cells failed, the first: " + firstFailure;
            writer.end(new RunInfo.End(!reason.isEmpty(), reason, 0, records));
            return reason.isEmpty();
        }
    }

    private static void append(SampleFileWriter writer, int id, CellOutcome outcome, List<TrialRecord> records)
            throws IOException {
        int trial = outcome.cell().trial();
        try (SampleFileReader reader = SampleFileReader.open(outcome.load().samples())) {
            CellKey merged = new CellKey(id, outcome.cell().mix().mostBytes());
            for (CellKey key : reader.cells()) {
                reader.each(key, samples -> {
                    samples.fill(Column.TRIAL, trial);
                    writer.append(merged, samples);
                });
            }
            for (SideEvents events : reader.events()) {
                writer.append(events.ofCell(id, trial));
            }
        }
        outcome.records().forEach(each -> records.add(each.of(id)));
    }

    private RunInfo info(List<Measured> all) {
        Map<String, String> server = new LinkedHashMap<>();
        Optional<RunInfo> typical = typical();
        typical.ifPresent(info -> server.putAll(info.server()));
        OF_ONE_CELL.forEach(server::remove);
        List<RunInfo.Target> targets = new ArrayList<>();
        for (int id = 0; id < all.size(); id++) {
            targets.add(target(id, all.get(id)));
        }
        return new RunInfo(
                plogVersion,
                startedAt,
                command,
                plan,
                typical.map(RunInfo::client).orElse(Map.of()),
                server,
                targets);
    }

    /**
     * A trial of a cell in words, as progress and messages have it.
     *
     * @param trial from 0
     */
    public static String label(RunInfo.Target cell, int trial) {
        return cell.facts().getOrDefault(LABEL, cell.name()) + (trial == 0 ? "" : ", trial " + (trial + 1));
    }

    private RunInfo.Target target(int id, Measured measured) {
        Map<String, String> facts = new LinkedHashMap<>();
        facts.put(LABEL, measured.cell.label());
        String force = measured.cell.isControl() ? "off" : plan.force();
        if (!measured.trials.isEmpty() && !measured.info().targets().isEmpty()) {
            facts.putAll(measured.info().targets().get(0).facts());
        }
        return new RunInfo.Target(id, measured.cell.design().label(), force, facts, measured.cell.dimensions());
    }

    /** Of a cell with a rate, if there is one: only such a load has times that its driver could miss. */
    private Optional<RunInfo> typical() {
        return cells.values().stream()
                .filter(each -> !each.trials.isEmpty())
                .min(Comparator.comparing(
                        each -> each.cell.loggedShare() == 0 ? 2 : each.cell.isInfiniteDemand() ? 1 : 0))
                .map(Measured::info);
    }

    /** In the order of the plan's designs and loads, not in that of the run. */
    private List<Measured> inOrder() {
        List<Measured> all = new ArrayList<>(cells.values());
        all.sort(Comparator.comparing((Measured each) -> each.cell.kind())
                .thenComparing(each -> each.cell.processors())
                .thenComparing(each -> each.cell.kind() == StudyCell.Kind.ABSOLUTE ? each.cell.ratePerSecond() : 0)
                .thenComparing(each -> plan.designs().indexOf(each.cell.design()))
                .thenComparing(each -> each.cell.level())
                .thenComparing(each -> -each.cell.loggedShare())
                .thenComparing(each -> each.cell.mix().mostBytes()));
        return all;
    }
}
