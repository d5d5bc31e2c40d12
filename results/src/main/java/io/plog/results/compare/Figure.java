package io.plog.results.compare;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.load.LoadSummary.Times;
import io.plog.stats.Estimate;
import io.plog.stats.text.ClosestName;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A figure that a gate can name: one of a latency's distribution, as {@code log.p99}, which is computed from samples and has an
 * interval, or a number that the results have, mostly without one.
 *
 * @param isTime whether it is a time, in microseconds; else a number
 * @param latency null if it is a number of the results
 * @param isOfLoad whether only loads have it
 * @param value if it is a number of the results; null if there is none
 */
record Figure(
        String name,
        boolean isTime,
        @Nullable Latency latency,
        boolean isOfLoad,
        Function<MeasuredCell, @Nullable Estimate> value) {

    /** A figure of a distribution. */
    record Latency(Measure measure, Statistic statistic) {}

    private static final List<Figure> ALL = all();

    private static List<Figure> all() {
        List<Figure> all = new ArrayList<>();
        for (Measure measure : Measure.values()) {
            for (Statistic statistic : Statistic.ALL) {
                all.add(new Figure(
                        measure.label() + "." + statistic.label(),
                        true,
                        new Latency(measure, statistic),
                        false,
                        cell -> null));
            }
        }
        all.add(new Figure(
                "requestsPerSecond",
                false,
                null,
                false,
                cell -> cell.found() == null
                        ? null
                        : Estimate.unbounded(cell.found().requestsPerSecond())));
        all.add(ofLoad("answeredPerSecond", false, LoadSummary::answeredPerSecond));
        all.add(ofLoad("acceptedPerSecond", false, LoadSummary::acceptedPerSecond));
        all.add(ofLoad("refusedShare", false, LoadSummary::refusedShare));
        all.add(new Figure(
                "maxRate",
                false,
                null,
                true,
                cell -> cell.maxRate() == null ? null : cell.maxRate().perSecond()));
        all.add(ofLoad("lag.mean", true, load -> lag(load, Times::mean)));
        all.add(ofLoad("lag.p50", true, load -> lag(load, Times::p50)));
        all.add(ofLoad("lag.p99", true, load -> lag(load, Times::p99)));
        all.add(ofLoad("lag.max", true, load -> lag(load, Times::max)));
        return List.copyOf(all);
    }

    private static Figure ofLoad(String name, boolean isTime, Function<LoadSummary, @Nullable Double> value) {
        return new Figure(name, isTime, null, true, cell -> mean(cell.loads(), value));
    }

    /** Over the trials that have it; null if none has. */
    private static @Nullable Estimate mean(List<LoadSummary> trials, Function<LoadSummary, @Nullable Double> value) {
        OptionalDouble mean = trials.stream()
                .flatMap(trial -> Stream.ofNullable(value.apply(trial)))
                .mapToDouble(Double::doubleValue)
                .average();
        return mean.isPresent() ? Estimate.unbounded(mean.getAsDouble()) : null;
    }

    private static @Nullable Double lag(LoadSummary load, Function<Times, Double> value) {
        Times lag = load.lag();
        return lag == null ? null : value.apply(lag);
    }

    /**
     * The figure of this name.
     *
     * @throws IllegalArgumentException if there is none; the message says which there are
     */
    static Figure of(String name) {
        return ALL.stream()
                .filter(figure -> figure.name.equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("there is no figure " + name
                        + ClosestName.to(name, ALL.stream().map(Figure::name).toList())
                                .map(nearest -> "; did you mean " + nearest + "?")
                                .orElse(".")
                        + " Expected " + names()));
    }

    /** All names, in few words. */
    static String names() {
        return Arrays.stream(Measure.values()).map(Measure::label).collect(Collectors.joining(", ")) + " with one of "
                + Statistic.labels().stream().map(label -> "." + label).collect(Collectors.joining(", ")) + ", or "
                + ALL.stream()
                        .filter(figure -> figure.latency == null)
                        .map(Figure::name)
                        .collect(Collectors.joining(", "));
    }

    /** A value of it as people read it. */
    String text(double value) {
        return isTime
                ? Micros.text(value) + " µs"
                : value == Math.rint(value) ? Units.count((long) value) : Double.toString(Units.rounded(value, 4));
    }
}
