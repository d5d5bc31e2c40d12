package io.plog.results.cells;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Moments;
import io.plog.stats.Quantiles;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * What the samples of a cell say about themselves.
 *
 * @param impossible requests whose server durations add up to more than they can: logging beyond the residence, or the
 *     residence beyond end to end
 * @param shared requests that shared their force with others
 * @param unanswered requests after the warm-up that ended without a reply
 * @param lagMeanNanos mean of how much later than intended requests were sent; 0 in a closed loop
 * @param lagP99Nanos 99th percentile of how much later than intended requests were sent; 0 in a closed loop
 * @param steadiness null if nothing was counted
 * @param worstBlock null if there are too few blocks
 */
public record SampleChecks(
        long impossible,
        long shared,
        long unanswered,
        double lagMeanNanos,
        long lagP99Nanos,
        @Nullable Steadiness steadiness,
        @Nullable WorstBlock worstBlock) {
    static SampleChecks of(Samples samples, int[] counted) {
        long impossible = 0;
        long shared = 0;
        for (int i : counted) {
            long residence = samples.get(Column.RESIDENCE, i);
            if (samples.loggingNanos(i) > residence || residence > samples.get(Column.END_TO_END, i)) {
                impossible++;
            }
            if (samples.get(Column.BATCH_RECORDS, i) > 1) {
                shared++;
            }
        }
        long unanswered = IntStream.range(0, samples.count())
                .filter(i -> samples.get(Column.PHASE, i) == 0 && samples.get(Column.STATUS, i) == Samples.NO_REPLY)
                .count();
        long[] lag = IntStream.of(counted)
                .mapToLong(i ->
                        samples.get(Column.SENT, i) - samples.get(Column.INTENDED, i) - samples.get(Column.HELD, i))
                .sorted()
                .toArray();
        return new SampleChecks(
                impossible,
                shared,
                unanswered,
                lag.length == 0 ? 0 : Moments.mean(lag),
                lag.length == 0 ? 0 : Quantiles.of(lag, 0.99),
                Steadiness.of(samples, counted),
                WorstBlock.of(samples, counted));
    }
}
