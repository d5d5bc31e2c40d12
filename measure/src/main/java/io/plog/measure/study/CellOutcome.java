package io.plog.measure.study;

import io.plog.measure.load.LoadRun;
import io.plog.measure.load.LoadSummary;
import io.plog.measure.load.LoadTally;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.measure.samples.Bin;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.TrialRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a cell: its load's, and the server's own counters over all of its load, warm-up included.
 *
 * @param load with the sample file
 * @param cpuNanos processor time of the server; null if it is not known
 * @param idleNetworkNanos what an exchange without load takes outside of the server, in the mean; null if it was not measured
 * @param readyChannels turns of its event loops by the number of connections that were ready; may be empty
 */
public record CellOutcome(
        StudyCell cell,
        LoadRun.Outcome load,
        @Nullable Double cpuNanos,
        @Nullable Double idleNetworkNanos,
        List<Bin> readyChannels) {
    /**
     * Of a cell's file that has them.
     *
     * @param load that was sent
     */
    public static CellOutcome read(StudyCell cell, Load load, Path file) throws IOException {
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            RunInfo.End end = reader.end();
            LoadSummary summary = LoadTally.of(reader, load);
            return new CellOutcome(
                    cell,
                    new LoadRun.Outcome(file, reader.info(), end, false, summary),
                    first(end, TrialRecord.ServerCpu.class, TrialRecord.ServerCpu::nanos),
                    first(end, TrialRecord.IdleNetwork.class, TrialRecord.IdleNetwork::nanos),
                    Objects.requireNonNullElse(
                            first(end, TrialRecord.ReadyChannels.class, TrialRecord.ReadyChannels::bins), List.of()));
        }
    }

    private static <T extends TrialRecord, V> @Nullable V first(RunInfo.End end, Class<T> kind, Function<T, V> value) {
        return TrialRecord.of(end.trials(), kind, 0).findFirst().map(value).orElse(null);
    }

    /** What is known of it besides its samples, as of a target 0. */
    public List<TrialRecord> records() {
        int trial = cell.trial();
        List<TrialRecord> records = new ArrayList<>();
        LoadTally.counts(load.end()).forEach(each -> records.add(each.of(0, trial)));
        Map<String, String> server = load.info().server();
        String design = server.get("design");
        if (design != null) {
            int eventLoops = Integer.parseInt(server.getOrDefault("eventLoops", "0"));
            records.add(new TrialRecord.ServerDesign(0, trial, new StudyDesign(design, eventLoops)));
        }
        if (cpuNanos != null) {
            records.add(new TrialRecord.ServerCpu(0, trial, cpuNanos));
        }
        if (idleNetworkNanos != null) {
            records.add(new TrialRecord.IdleNetwork(0, trial, idleNetworkNanos));
        }
        if (!readyChannels.isEmpty()) {
            records.add(new TrialRecord.ReadyChannels(0, trial, readyChannels));
        }
        return records;
    }
}
