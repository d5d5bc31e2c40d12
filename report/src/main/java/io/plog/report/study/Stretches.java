package io.plog.report.study;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import io.plog.report.study.StudyResults.Stretch;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.LongStream;

/** A duration in the order of time: the counted time in equal stretches, with median and maximum of each. Stateless. */
final class Stretches {
    private static final int COUNT = 100;

    private Stretches() {}

    /** Of the requests of one trial, by when they were sent; stretches without any are left out. */
    static List<Stretch> of(CellData trial, Distributions.Duration duration) {
        RunInfo.Load load = trial.info().plan().load().get(0);
        long length = Math.max(1, load.durationNanos() / COUNT);
        Map<Long, LongStream.Builder> stretches = new TreeMap<>();
        Samples samples = trial.samples();
        for (int i = 0; i < samples.count(); i++) {
            long at = (samples.get(Column.SENT, i) - load.warmUpNanos()) / length;
            stretches
                    .computeIfAbsent(Math.max(0, Math.min(COUNT - 1L, at)), stretch -> LongStream.builder())
                    .add(Math.max(0, duration.nanos(samples, i)));
        }
        return stretches.entrySet().stream()
                .map(stretch -> stretch(
                        stretch.getKey() * length, stretch.getValue().build().toArray()))
                .toList();
    }

    private static Stretch stretch(long fromNanos, long[] nanos) {
        Arrays.sort(nanos);
        return new Stretch(
                StudyEstimates.rounded(fromNanos / 1e9, 6),
                Distributions.micros((double) nanos[(nanos.length - 1) / 2]),
                Distributions.micros((double) nanos[nanos.length - 1]));
    }
}
