package io.plog.report.study;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.load.LoadTally;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.study.CellOutcome;
import io.plog.measure.study.StudyCell;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The samples of one trial of one cell that count, in the order in which they were sent.
 *
 * @param outcome where they come from
 * @param info what the run was
 * @param end how it ended
 * @param summary its rates and errors
 * @param events what client and server recorded of themselves
 * @param samples accepted requests of the stretch that counts, in the order of sending; none in {@link #light}
 * @param forces how many forces there were by the number of records that shared them
 * @param perSecond accepted replies a second in each tenth of that stretch
 * @param megabytesPerSecond their payload one way
 */
record CellData(
        CellOutcome outcome,
        RunInfo info,
        RunInfo.End end,
        LoadSummary summary,
        List<SideEvents> events,
        Samples samples,
        Map<Long, Double> forces,
        List<Double> perSecond,
        List<Double> megabytesPerSecond) {
    private static final int STRETCHES = 10;

    StudyCell cell() {
        return outcome.cell();
    }

    /**
     * Reads a cell's samples.
     *
     * @throws IOException if the file cannot be read
     */
    static CellData read(CellOutcome outcome) throws IOException {
        try (SampleFileReader reader = SampleFileReader.open(outcome.samples())) {
            RunInfo info = reader.info();
            RunInfo.End end = reader.end()
                    .orElseGet(() -> new RunInfo.End(true, reader.cut().orElse("it has no end"), 0));
            LoadTally tally = new LoadTally(info.plan().load().get(0));
            Samples counted = Samples.compact(1024);
            Throughput throughput = new Throughput(info.plan().load().get(0));
            for (CellKey key : reader.cells()) {
                Samples samples = reader.samples(key);
                tally.add(samples);
                for (int i = 0; i < samples.count(); i++) {
                    throughput.add(samples, i);
                    if (samples.isCounted(i)) {
                        counted.append(samples, i);
                    }
                }
            }
            LoadSummary summary = tally.summary(info.targets().get(0).name(), end.counts());
            return new CellData(
                    outcome,
                    info,
                    end,
                    summary,
                    reader.events(),
                    bySending(counted),
                    forces(counted),
                    throughput.perSecond(),
                    throughput.megabytesPerSecond());
        }
    }

    /** The same without samples, which take more memory than a study's cells have together. */
    CellData light() {
        return new CellData(outcome, info, end, summary, events, new Samples(0), forces, perSecond, megabytesPerSecond);
    }

    /** Each of n records that shared a force tells of an nth of it. */
    private static Map<Long, Double> forces(Samples samples) {
        Map<Long, Double> forces = new TreeMap<>();
        for (int i = 0; i < samples.count(); i++) {
            long records = samples.get(Column.BATCH_RECORDS, i);
            if (records > 0) {
                forces.merge(records, 1.0 / records, Double::sum);
            }
        }
        return forces;
    }

    private static Samples bySending(Samples samples) {
        Samples sorted = Samples.compact(samples.count());
        for (int i : samples.bySending()) {
            sorted.append(samples, i);
        }
        return sorted;
    }

    /** Counts replies, whenever they were sent, by when they came. */
    private static final class Throughput {
        private final long from;
        private final long length;
        private final double[] replies = new double[STRETCHES];
        private final double[] bytes = new double[STRETCHES];

        Throughput(RunInfo.Load load) {
            from = load.warmUpNanos();
            length = Math.max(1, load.durationNanos() / STRETCHES);
        }

        void add(Samples samples, int i) {
            long at = samples.get(Column.SENT, i) + samples.get(Column.END_TO_END, i) - from;
            if (at >= 0 && at / length < STRETCHES && samples.get(Column.STATUS, i) == 0) {
                replies[(int) (at / length)]++;
                bytes[(int) (at / length)] += samples.get(Column.PAYLOAD_BYTES, i);
            }
        }

        List<Double> perSecond() {
            return Arrays.stream(replies)
                    .mapToObj(count -> count * 1e9 / length)
                    .toList();
        }

        List<Double> megabytesPerSecond() {
            return Arrays.stream(bytes).mapToObj(count -> count * 1e3 / length).toList();
        }
    }
}
