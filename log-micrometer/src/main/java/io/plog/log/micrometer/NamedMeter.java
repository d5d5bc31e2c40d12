package io.plog.log.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * A meter of plog, the log's or the server's: its name and meaning, and how it is registered. For any thread.
 *
 * <p>Prometheus writes {@code plog.log.latency} as {@code plog_log_latency_seconds}. Buckets are for dashboards: 1, 2, 5, 10 and
 * so on from 10 µs to a minute. The figures of a measurement come from a client's samples, never from here.
 */
public record NamedMeter(String name, String meaning) {
    /** Times with their distribution: 26 series. */
    public Timer distribution(MeterRegistry registry, Tags tags) {
        return Timer.builder(name)
                .description(meaning)
                .tags(tags)
                .serviceLevelObjectives(times())
                .register(registry);
    }

    private static Duration[] times() {
        List<Duration> times = new ArrayList<>();
        for (long unit = 10_000; unit <= 10_000_000_000L; unit *= 10) {
            times.addAll(List.of(Duration.ofNanos(unit), Duration.ofNanos(2 * unit), Duration.ofNanos(5 * unit)));
        }
        times.add(Duration.ofMinutes(1));
        return times.toArray(Duration[]::new);
    }

    /** Times as their number, sum and maximum. */
    public Timer timer(MeterRegistry registry, Tags tags) {
        return Timer.builder(name).description(meaning).tags(tags).register(registry);
    }

    /** Numbers of records with their distribution, by powers of two. */
    public DistributionSummary records(MeterRegistry registry, Tags tags) {
        return DistributionSummary.builder(name)
                .description(meaning)
                .baseUnit("records")
                .tags(tags)
                .serviceLevelObjectives(IntStream.rangeClosed(0, 14)
                        .mapToDouble(power -> 1 << power)
                        .toArray())
                .register(registry);
    }

    public Counter counter(MeterRegistry registry, Tags tags) {
        return count(registry, tags, null);
    }

    public Counter count(MeterRegistry registry, Tags tags, @Nullable String unit) {
        return Counter.builder(name)
                .description(meaning)
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }

    /** A value that is asked for; the registry keeps its source. */
    public <T> void gauge(
            MeterRegistry registry, Tags tags, @Nullable String unit, T source, ToDoubleFunction<T> value) {
        Gauge.builder(name, source, value)
                .description(meaning)
                .baseUnit(unit)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }
}
