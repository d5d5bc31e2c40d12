package io.plog.measure.study;

import io.plog.measure.load.LoadRun;
import io.plog.measure.load.LoadSummary;
import io.plog.measure.load.LoadTally;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.measure.samples.Bin;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.TrialRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a cell.
 *
 * @param load with the sample file, whose end has what the server counted itself over all of its load, warm-up included
 */
public record CellOutcome(StudyCell cell, LoadRun.Outcome load) {
    /**
     * Of a cell's file.
     *
     * @param load that was sent
     */
    public static CellOutcome read(StudyCell cell, Load load, Path file) throws IOException {
        try (SampleFileReader reader = SampleFileReader.open(file)) {
            LoadSummary summary = LoadTally.of(reader, load);
            return new CellOutcome(cell, new LoadRun.Outcome(file, reader.info(), reader.end(), false, summary));
        }
    }

    /**
     * What a cell's file says of its server, as of a target 0.
     *
     * @param server facts
     * @param cpuNanos processor time of the server
     * @param idleNetworkNanos what an exchange without load takes outside of the server, in the mean; null if it was not measured
     * @param readyChannels turns of its event loops by the number of connections that were ready; may be empty
     */
    public static List<TrialRecord> records(
            StudyCell cell,
            Map<String, String> server,
            double cpuNanos,
            @Nullable Double idleNetworkNanos,
            List<Bin> readyChannels) {
        int trial = cell.trial();
        List<TrialRecord> records = new ArrayList<>();
        String design = server.get("design");
        if (design != null) {
            int eventLoops = Integer.parseInt(server.getOrDefault("eventLoops", "0"));
            records.add(new TrialRecord.ServerDesign(0, trial, new StudyDesign(design, eventLoops)));
        }
        records.add(new TrialRecord.ServerCpu(0, trial, cpuNanos));
        if (idleNetworkNanos != null) {
            records.add(new TrialRecord.IdleNetwork(0, trial, idleNetworkNanos));
        }
        if (!readyChannels.isEmpty()) {
            records.add(new TrialRecord.ReadyChannels(0, trial, readyChannels));
        }
        return records;
    }

    /** What is known of it besides its samples. */
    public List<TrialRecord> records() {
        return load.end().trials().stream()
                .map(each -> each instanceof TrialRecord.LoadCounts counts ? counts.of(0, cell.trial()) : each)
                .toList();
    }
}
