package io.plog.results.cells;

import io.plog.measure.plan.Recovery;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.TrialRecord;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Recovered;
import io.plog.results.model.Results.RecoveredTrial;
import io.plog.results.model.Wording;
import io.plog.stats.Estimate;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/** What a log has whose server was killed: how the new servers came back. Stateless. */
public final class RecoveryFigures {
    private RecoveryFigures() {}

    /** Null if there is no kill of the target. */
    static @Nullable Recovered of(RunInfo.Target target, Samples samples, List<TrialRecord> records) {
        List<RecoveredTrial> trials = new ArrayList<>();
        for (long i = 0; i < samples.count(); i++) {
            int number = (int) samples.get(Column.TRIAL, i);
            double firstAnswer = millis(samples.get(Column.END_TO_END, i));
            TrialRecord.of(records, TrialRecord.Recovered.class, target.id(), number)
                    .map(found -> new RecoveredTrial(
                            number,
                            millis(found.startNanos()),
                            millis(found.openNanos()),
                            millis(found.replayNanos()),
                            firstAnswer,
                            found.inLog(),
                            found.replayed(),
                            found.discarded()))
                    .forEach(trials::add);
        }
        trials.sort(Comparator.comparingInt(RecoveredTrial::trial));
        Double filled = TrialRecord.of(records, TrialRecord.FilledRate.class, target.id())
                .map(found -> Units.rounded(found.requestsPerSecond(), 1))
                .findFirst()
                .orElse(null);
        String requests = target.dimensions().getOrDefault(Recovery.REQUESTS, "0");
        return trials.isEmpty()
                ? null
                : new Recovered(
                        requests.matches("\\d{1,18}") ? Long.parseLong(requests) : 0,
                        filled,
                        mean(trials, RecoveredTrial::startMillis),
                        mean(trials, RecoveredTrial::openMillis),
                        mean(trials, RecoveredTrial::replayMillis),
                        mean(trials, RecoveredTrial::firstAnswerMillis),
                        List.copyOf(trials));
    }

    private static double millis(long nanos) {
        return Units.rounded(nanos / 1e6, 3);
    }

    private static Estimate mean(List<RecoveredTrial> trials, ToDoubleFunction<RecoveredTrial> time) {
        return StudentInterval.ofMean(trials.stream().map(time::applyAsDouble).toList());
    }

    /** What the kills of a cell showed, in a sentence; null if there is none. */
    public static @Nullable String sentence(Cell cell) {
        Recovered all = cell.recovered();
        return all == null
                ? null
                : Units.count(all.requests()) + " requests, checkpoint "
                        + cell.dimension(Recovery.CHECKPOINT) + ": first answer " + millis(all.firstAnswerMillis())
                        + ", start " + millis(all.startMillis()) + ", open " + millis(all.openMillis())
                        + ", replay " + millis(all.replayMillis());
    }

    private static String millis(Estimate time) {
        return Wording.of(time) + " ms";
    }
}
