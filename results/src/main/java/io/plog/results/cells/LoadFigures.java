package io.plog.results.cells;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.load.LoadTally;
import io.plog.measure.plan.Load.Span;
import io.plog.measure.plan.SizeShare;
import io.plog.measure.samples.Bin;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.TrialRecord;
import io.plog.measure.study.SteadyLoad;
import io.plog.measure.study.StudySamples;
import io.plog.results.model.Results.Deciles;
import io.plog.results.model.Results.Inversion;
import io.plog.results.model.Results.UnderLoad;
import io.plog.results.model.Results.Workload;
import io.plog.stats.Estimate;
import io.plog.stats.LatencyDeciles;
import io.plog.stats.ServiceInversion;
import io.plog.stats.numbers.Longs;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a design under a load has besides latencies: rates, the order of sizes, what shared a force. */
@SuppressWarnings("ArrayRecordComponent") // never compared
public final class LoadFigures {
    /** More responses say no more about the order of sizes, and take long to permute: every n-th is taken. */
    private static final int MOST_RANKED = 50_000;

    private static final int LEAST_RANKED = 10;
    private static final int TENTHS = 10;
    private static final int DIGITS = 6;

    private final RunInfo.Target target;
    private final Load load;
    private final Samples samples;
    private final Longs counted;
    private final List<Trial> trials = new ArrayList<>();

    /**
     * The load of a cell.
     *
     * @param span its length
     * @param scheduled whether it has intended times
     * @param records what is known of the trials of the whole study besides their samples
     * @param seed of the study
     */
    public record Load(Span span, boolean scheduled, List<TrialRecord> records, long seed) {
        /** What an exchange without load takes outside of the server; null if it is not known. */
        @Nullable
        Double idleNetworkMicros(RunInfo.Target target) {
            OptionalDouble nanos = TrialRecord.of(records, TrialRecord.IdleNetwork.class, target.id())
                    .mapToDouble(TrialRecord.IdleNetwork::nanos)
                    .average();
            return nanos.isEmpty() ? null : (Double) Micros.ofNanos(nanos.getAsDouble());
        }
    }

    private record Trial(
            int number, LoadSummary summary, long replies, Longs counted, double[] accepted, double[] bytes) {}

    private LoadFigures(RunInfo.Target target, Samples samples, Longs counted, Load load) {
        this.target = target;
        this.samples = samples;
        this.counted = counted;
        this.load = load;
        Groups byTrial = Groups.of(Longs.of(samples.count(), i -> i), i -> samples.get(Column.TRIAL, i));
        for (int trial = 0; trial < byTrial.numbers().length; trial++) {
            trials.add(trial((int) byTrial.numbers()[trial], byTrial.of(trial)));
        }
    }

    /** The figures of one cell with samples. */
    static UnderLoad of(RunInfo.Target target, Samples samples, Longs counted, Load load, @Nullable Workload workload) {
        LoadFigures figures = new LoadFigures(target, samples, counted, load);
        return new UnderLoad(
                figures.trials.stream().map(Trial::summary).toList(),
                figures.problems(),
                figures.confirmed(),
                figures.perSecond(Trial::accepted),
                figures.perSecond(Trial::bytes),
                figures.serverMicros(),
                figures.batches(),
                figures.readyChannels(),
                figures.meanReady(),
                figures.inversion(),
                figures.deciles(),
                workload);
    }

    private Trial trial(int number, Longs members) {
        LoadTally tally = new LoadTally(load.span, load.scheduled);
        double[] accepted = new double[TENTHS];
        double[] bytes = new double[TENTHS];
        long length = Math.max(1, load.span.durationNanos() / TENTHS);
        for (long member = 0; member < members.count(); member++) {
            long i = members.get(member);
            tally.add(samples, i);
            long at = samples.get(Column.SENT, i) + samples.get(Column.END_TO_END, i) - load.span.warmUpNanos();
            if (at >= 0 && at / length < TENTHS && samples.get(Column.STATUS, i) == 0) {
                accepted[(int) (at / length)] += 1e9 / length;
                bytes[(int) (at / length)] += samples.get(Column.PAYLOAD_BYTES, i) * 1e3 / length;
            }
        }
        return new Trial(
                number,
                tally.summary(StudySamples.label(target, number), records(TrialRecord.LoadCounts.class, number), false),
                members.filter(i -> samples.get(Column.STATUS, i) != Samples.NO_REPLY)
                        .count(),
                counted.filter(i -> samples.get(Column.TRIAL, i) == number),
                accepted,
                bytes);
    }

    private <T extends TrialRecord> Stream<T> records(Class<T> kind, int trial) {
        return TrialRecord.of(load.records, kind, target.id(), trial);
    }

    private List<Bin> ready(Trial trial) {
        return records(TrialRecord.ReadyChannels.class, trial.number)
                .flatMap(each -> each.bins().stream())
                .toList();
    }

    private List<String> problems() {
        List<String> problems = new ArrayList<>();
        for (Trial trial : trials) {
            String problem = SteadyLoad.problem(trial.summary, column(Column.END_TO_END, trial.counted));
            if (!problem.isEmpty()) {
                problems.add(trial.summary.target() + ": " + problem);
            }
        }
        return problems;
    }

    /** Over the trials in which it is known; null if it is in none. */
    private @Nullable Estimate confirmed() {
        List<Double> rates = trials.stream()
                .flatMap(trial -> records(TrialRecord.ConfirmedRate.class, trial.number))
                .map(TrialRecord.ConfirmedRate::requestsPerSecond)
                .toList();
        return rates.isEmpty() ? null : StudentInterval.ofMean(rates);
    }

    /** Over trials; of a single trial over its tenths. */
    private Estimate perSecond(Function<Trial, double[]> tenths) {
        return StudentInterval.ofMean(
                trials.size() == 1
                        ? Arrays.stream(tenths.apply(trials.get(0))).boxed().toList()
                        : trials.stream()
                                .map(trial -> Arrays.stream(tenths.apply(trial))
                                        .average()
                                        .orElse(0))
                                .toList());
    }

    /** Processor time of the server for a reply, warm-up included, over all trials that report it; null if none does. */
    private @Nullable Double serverMicros() {
        double nanos = 0;
        double replies = 0;
        for (Trial trial : trials) {
            List<TrialRecord.ServerCpu> cpu =
                    records(TrialRecord.ServerCpu.class, trial.number).toList();
            if (!cpu.isEmpty()) {
                nanos += cpu.get(0).nanos();
                replies += trial.replies;
            }
        }
        return replies == 0 ? null : (Double) Units.rounded(nanos / 1e3 / replies, 3);
    }

    /** In bins that grow with the number. Each of n records that shared a force counts for an nth of it. */
    private List<Bin> batches() {
        Map<Long, Double> bins = new TreeMap<>();
        for (long at = 0; at < counted.count(); at++) {
            long records = samples.get(Column.BATCH_RECORDS, counted.get(at));
            if (records > 0) {
                bins.merge(Bins.from(records), 1.0 / records, Double::sum);
            }
        }
        return bins.entrySet().stream()
                .map(bin -> new Bin(bin.getKey(), Bins.to(bin.getKey()), Math.round(bin.getValue())))
                .filter(bin -> bin.count() > 0)
                .toList();
    }

    private List<Bin> readyChannels() {
        Map<Long, Bin> bins = new TreeMap<>();
        for (Trial trial : trials) {
            for (Bin bin : ready(trial)) {
                bins.merge(
                        bin.from(), bin, (a, b) -> new Bin(a.from(), Math.max(a.to(), b.to()), a.count() + b.count()));
            }
        }
        return List.copyOf(bins.values());
    }

    /** Over the trials that have any; null if none has. */
    private @Nullable Estimate meanReady() {
        List<Double> means = trials.stream()
                .map(this::ready)
                .filter(bins -> !bins.isEmpty())
                .map(Bins::mean)
                .toList();
        return means.isEmpty() ? null : StudentInterval.ofMean(means);
    }

    /** Each trial by itself, since only requests of one server are in one order; then over the trials. */
    private @Nullable Inversion inversion() {
        List<ServiceInversion> found = new ArrayList<>();
        for (Trial trial : trials) {
            long step = Math.max(1, (trial.counted.count() + MOST_RANKED - 1) / MOST_RANKED);
            Longs thinned = Longs.of((trial.counted.count() + step - 1) / step, i -> trial.counted.get(i * step));
            Longs sizes = column(Column.PAYLOAD_BYTES, thinned);
            if (isRanked(sizes)) {
                found.add(ServiceInversion.of(
                        sizes.toArray(), column(Column.END_TO_END, thinned).toArray(), load.seed));
            }
        }
        if (found.isEmpty()) {
            return null;
        }
        Estimate value = found.size() == 1
                ? estimate(found, ServiceInversion::value, ServiceInversion::low, ServiceInversion::high)
                : StudentInterval.ofMean(
                        found.stream().map(ServiceInversion::value).toList());
        return new Inversion(
                value,
                estimate(found, ServiceInversion::random, ServiceInversion::randomLow, ServiceInversion::randomHigh));
    }

    private static Estimate estimate(
            List<ServiceInversion> trials,
            ToDoubleFunction<ServiceInversion> value,
            ToDoubleFunction<ServiceInversion> low,
            ToDoubleFunction<ServiceInversion> high) {
        return new Estimate(mean(trials, value), mean(trials, low), mean(trials, high));
    }

    private static double mean(List<ServiceInversion> trials, ToDoubleFunction<ServiceInversion> figure) {
        return Units.rounded(trials.stream().mapToDouble(figure).average().orElse(0), DIGITS);
    }

    private static boolean isRanked(Longs sizes) {
        return sizes.count() >= LEAST_RANKED
                && LongStream.range(0, sizes.count()).anyMatch(i -> sizes.get(i) != sizes.first());
    }

    private Longs column(Column column, Longs members) {
        return members.map(i -> samples.get(column, i));
    }

    private @Nullable Deciles deciles() {
        Longs sizes = column(Column.PAYLOAD_BYTES, counted);
        if (!isRanked(sizes)) {
            return null;
        }
        LatencyDeciles deciles = LatencyDeciles.of(sizes, column(Column.END_TO_END, counted));
        return new Deciles(
                deciles.series().stream()
                        .map(each -> new SizeShare(
                                (int) each.fromBytes(), (int) each.toBytes(), Units.rounded(each.share(), DIGITS)))
                        .toList(),
                deciles.shares().stream()
                        .map(decile -> decile.stream()
                                .map(share -> Units.rounded(share, DIGITS))
                                .toList())
                        .toList());
    }
}
