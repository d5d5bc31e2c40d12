package io.plog.report.study;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.measure.study.Bin;
import io.plog.measure.study.StudyCell;
import io.plog.protocol.Status;
import io.plog.report.cells.LatencyPart;
import io.plog.report.study.StudyResults.Deciles;
import io.plog.report.study.StudyResults.Estimate;
import io.plog.report.study.StudyResults.Inversion;
import io.plog.report.study.StudyResults.Load;
import io.plog.report.study.StudyResults.Part;
import io.plog.report.study.StudyResults.SizeShare;
import io.plog.stats.LatencyDeciles;
import io.plog.stats.Replicates;
import io.plog.stats.ServiceInversion;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/** One design under one load: the figures of all trials together. Stateless. */
final class Loads {
    /** More responses tell no more about the order of sizes, and take long to permute: every n-th is taken. */
    private static final int MOST_RANKED = 50_000;

    private static final int LEAST_RANKED = 10;

    private Loads() {}

    /**
     * The figures of one cell; empty if no request of it was accepted.
     *
     * @param trials at least one
     */
    static Optional<Load> of(List<CellData> trials, long seed) {
        StudyCell cell = trials.get(0).cell();
        Optional<Replicates> sent = Distributions.replicates(trials, Distributions::latency);
        Optional<Replicates> intended = Distributions.replicates(trials, Distributions::fromIntended);
        if (sent.isEmpty() || intended.isEmpty()) {
            return Optional.empty();
        }
        boolean relative = cell.level() > 0;
        return Optional.of(new Load(
                cell.design().label(),
                relative ? "relative" : "absolute",
                relative ? (Double) cell.level() : null,
                mean(trials, Loads::offered),
                mean(trials, LoadSummary::answeredPerSecond),
                trials.stream().allMatch(trial -> trial.summary().sustained()),
                Distributions.latency(sent.get()),
                Distributions.latency(intended.get()),
                trials.stream()
                        .mapToDouble(trial -> lagP99(trial.summary()))
                        .max()
                        .orElse(0),
                mean(trials, LoadSummary::refusedShare),
                errors(trials),
                inversion(trials, seed),
                deciles(trials),
                Capacities.batches(trials),
                readyChannels(trials),
                components(trials),
                Capacities.serverMicros(trials),
                Distributions.ecdf(sent.get()),
                meanReady(trials)));
    }

    private static double offered(LoadSummary summary) {
        Double offered = summary.offeredPerSecond();
        return offered == null ? summary.answeredPerSecond() : offered;
    }

    /** 0 if nothing was sent. */
    static double lagP99(LoadSummary summary) {
        LoadSummary.Times lag = summary.lag();
        return lag == null ? 0 : lag.p99();
    }

    private static double mean(List<CellData> trials, ToDoubleFunction<LoadSummary> figure) {
        return StudyEstimates.rounded(
                trials.stream()
                        .map(CellData::summary)
                        .mapToDouble(figure)
                        .average()
                        .orElse(0),
                6);
    }

    /** Besides refusals as overloaded. */
    static Map<String, Long> errors(List<CellData> trials) {
        Map<String, Long> errors = new TreeMap<>();
        trials.forEach(
                trial -> trial.summary().errors().forEach((status, count) -> errors.merge(status, count, Long::sum)));
        errors.remove(Status.OVERLOADED.name());
        return errors;
    }

    /** Each trial by itself, since only requests of one server are in one order; then over the trials. */
    private static @Nullable Inversion inversion(List<CellData> trials, long seed) {
        List<ServiceInversion> found = new ArrayList<>();
        for (CellData trial : trials) {
            long[] sizes = thinned(trial.samples(), Column.PAYLOAD_BYTES);
            if (sizes.length >= LEAST_RANKED && Arrays.stream(sizes).distinct().count() > 1) {
                found.add(ServiceInversion.of(sizes, thinned(trial.samples(), Column.END_TO_END), seed));
            }
        }
        if (found.isEmpty()) {
            return null;
        }
        if (found.size() == 1) {
            ServiceInversion only = found.get(0);
            return new Inversion(
                    estimate(only.value(), only.low(), only.high()),
                    estimate(only.random(), only.randomLow(), only.randomHigh()));
        }
        return new Inversion(
                StudyEstimates.mean(found.stream().map(ServiceInversion::value).toList()),
                estimate(
                        average(found.stream()
                                .mapToDouble(ServiceInversion::random)
                                .toArray()),
                        average(found.stream()
                                .mapToDouble(ServiceInversion::randomLow)
                                .toArray()),
                        average(found.stream()
                                .mapToDouble(ServiceInversion::randomHigh)
                                .toArray())));
    }

    private static double average(double[] values) {
        return Arrays.stream(values).average().orElse(0);
    }

    private static Estimate estimate(double value, double low, double high) {
        return new Estimate(
                StudyEstimates.rounded(value, 6), StudyEstimates.rounded(low, 6), StudyEstimates.rounded(high, 6));
    }

    private static long[] thinned(Samples samples, Column column) {
        int step = (samples.count() + MOST_RANKED - 1) / MOST_RANKED;
        return IntStream.iterate(0, i -> i < samples.count(), i -> i + Math.max(1, step))
                .mapToLong(i -> samples.get(column, i))
                .toArray();
    }

    private static @Nullable Deciles deciles(List<CellData> trials) {
        long[] sizes = joined(trials, Column.PAYLOAD_BYTES);
        if (sizes.length < LEAST_RANKED || Arrays.stream(sizes).distinct().count() < 2) {
            return null;
        }
        LatencyDeciles deciles = LatencyDeciles.of(sizes, joined(trials, Column.END_TO_END));
        return new Deciles(
                deciles.series().stream()
                        .map(each -> new SizeShare(
                                (int) each.fromBytes(), (int) each.toBytes(), StudyEstimates.rounded(each.share(), 6)))
                        .toList(),
                deciles.shares().stream()
                        .map(decile -> decile.stream()
                                .map(share -> StudyEstimates.rounded(share, 6))
                                .toList())
                        .toList());
    }

    private static long[] joined(List<CellData> trials, Column column) {
        return trials.stream()
                .flatMapToLong(trial -> Arrays.stream(trial.samples().column(column)))
                .toArray();
    }

    private static List<Bin> readyChannels(List<CellData> trials) {
        Map<Long, Bin> bins = new TreeMap<>();
        for (CellData trial : trials) {
            for (Bin bin : trial.outcome().readyChannels()) {
                bins.merge(
                        bin.from(), bin, (a, b) -> new Bin(a.from(), Math.max(a.to(), b.to()), a.count() + b.count()));
            }
        }
        return List.copyOf(bins.values());
    }

    /** Over the trials that have any; null if none has. */
    private static @Nullable Estimate meanReady(List<CellData> trials) {
        List<Double> means = trials.stream()
                .map(trial -> trial.outcome().readyChannels())
                .filter(bins -> !bins.isEmpty())
                .map(ServerClaims::mean)
                .toList();
        return means.isEmpty() ? null : StudyEstimates.mean(means);
    }

    /** The mean duration of each group of parts. */
    private static List<Part> components(List<CellData> trials) {
        boolean unread = trials.get(0).cell().design().forcesOnLoop();
        return LatencyPart.OF_A_LOAD.stream()
                .map(group -> new Part(group.name(unread), Distributions.micros(mean(group, trials))))
                .toList();
    }

    private static double mean(LatencyPart.Group group, List<CellData> trials) {
        return trials.stream()
                .map(CellData::samples)
                .flatMapToLong(samples -> IntStream.range(0, samples.count()).mapToLong(i -> group.nanos(samples, i)))
                .average()
                .orElse(0);
    }
}
