package io.plog.log.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.BaseUnits;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.plog.log.DurableLog;
import io.plog.log.LogListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * Meters of a log. Give them to the log as its listener, and once it is open let them watch it; bind them to a registry before or
 * after that. What happens before they are bound is not counted. For any thread.
 */
public final class LogMeters implements LogListener, MeterBinder {
    private static final NamedMeter WRITE = new NamedMeter("plog.log.write", "The write of one batch");
    private static final NamedMeter FORCE =
            new NamedMeter("plog.log.force", "The force of one batch; 0 where the write forces or nothing is forced");
    private static final NamedMeter BATCH = new NamedMeter("plog.log.batch", "How many records shared one force");
    private static final NamedMeter WRITTEN =
            new NamedMeter("plog.log.written", "Bytes written for records, headers and padding included");
    private static final NamedMeter SEGMENTS =
            new NamedMeter("plog.log.segments", "How often the log changed to another segment");
    private static final NamedMeter FAILURES = new NamedMeter(
            "plog.log.failures", "Logs that failed for good (kind=failed), segments not prepared (kind=segment)");
    private static final NamedMeter SIZE = new NamedMeter("plog.log.size", "Bytes of the log");
    private static final NamedMeter FIRST_INDEX =
            new NamedMeter("plog.log.first.index", "Index of the first record that is still in the log");
    private static final NamedMeter DURABLE_INDEX =
            new NamedMeter("plog.log.durable.index", "Index of the last durable record");
    private static final NamedMeter QUEUE = new NamedMeter("plog.log.queue", "Records appended and not yet durable");
    private static final NamedMeter QUEUE_BYTES =
            new NamedMeter("plog.log.queue.size", "Bytes of records appended and not yet durable");
    private static final NamedMeter RESERVE =
            new NamedMeter("plog.log.reserve", "Segments of the log that are initialised and not yet in use");
    private static final NamedMeter UNCHECKED = new NamedMeter(
            "plog.log.unchecked", "Segments that a checkpoint covers and that were not read since the start");
    private static final NamedMeter HEALTHY = new NamedMeter(
            "plog.log.healthy",
            "1 while the log takes appends; of a server 1 while the target takes requests, 0 while"
                    + " /health/ready?target=NAME says why not");

    /** What counts and times in one registry. */
    private record Bound(
            Timer write,
            Timer force,
            DistributionSummary batch,
            Counter written,
            Counter segments,
            Counter failures,
            Counter segmentFailures) {
        Bound(MeterRegistry registry, Tags tags) {
            this(
                    WRITE.distribution(registry, tags),
                    FORCE.distribution(registry, tags),
                    BATCH.records(registry, tags),
                    WRITTEN.count(registry, tags, BaseUnits.BYTES),
                    SEGMENTS.counter(registry, tags),
                    FAILURES.counter(registry, tags.and("kind", "failed")),
                    FAILURES.counter(registry, tags.and("kind", "segment")));
        }
    }

    private record Watched(Supplier<? extends @Nullable DurableLog> log, BooleanSupplier healthy) {}

    private final Tags tags;
    private final List<Bound> all = new CopyOnWriteArrayList<>();
    private volatile @Nullable Watched watched;

    /**
     * @param tags tell this log from others in the same registry, which have other values of the same keys; plog's dashboard and
     *     alerts ask for {@code target} (a name) and {@code force} (the way of forcing)
     */
    public LogMeters(Iterable<Tag> tags) {
        this.tags = Tags.of(tags);
    }

    /** Registers the meters; what the log is asked for is NaN until they watch one. */
    @Override
    public void bindTo(MeterRegistry registry) {
        all.add(new Bound(registry, tags));
        gauge(registry, QUEUE, "records", DurableLog::queuedRecords);
        gauge(registry, QUEUE_BYTES, BaseUnits.BYTES, DurableLog::queuedBytes);
        gauge(registry, RESERVE, BaseUnits.BYTES, log -> log.status().reserveBytes());
        gauge(registry, UNCHECKED, BaseUnits.BYTES, log -> log.status().uncheckedBytes());
        gauge(registry, SIZE, BaseUnits.BYTES, log -> log.status().sizeBytes());
        gauge(registry, FIRST_INDEX, null, DurableLog::firstIndex);
        gauge(registry, DURABLE_INDEX, null, DurableLog::durableIndex);
        HEALTHY.gauge(registry, tags, null, this, each -> each.watched(now -> now.healthy.getAsBoolean() ? 1 : 0));
    }

    private void gauge(
            MeterRegistry registry, NamedMeter meter, @Nullable String unit, ToDoubleFunction<DurableLog> value) {
        meter.gauge(
                registry,
                tags,
                unit,
                this,
                each -> each.watched(now -> {
                    DurableLog log = now.log.get();
                    return log == null ? 0 : value.applyAsDouble(log);
                }));
    }

    private double watched(ToDoubleFunction<Watched> value) {
        Watched now = watched;
        return now == null ? Double.NaN : value.applyAsDouble(now);
    }

    /** Watches the log, which is healthy while {@link LogHealth} says that it is up. */
    public void watch(DurableLog log) {
        watch(() -> log, () -> LogHealth.of(log).status() == LogHealth.Status.UP);
    }

    /**
     * Watches a log that comes and goes.
     *
     * @param log as it is when somebody asks; null while there is none, then its numbers are 0
     * @param healthy what {@code plog.log.healthy} says
     */
    public void watch(Supplier<? extends @Nullable DurableLog> log, BooleanSupplier healthy) {
        watched = new Watched(log, healthy);
    }

    @Override
    public void batchForced(int records, long bytes, long writeNanos, long forceNanos) {
        for (Bound each : all) {
            each.write.record(writeNanos, TimeUnit.NANOSECONDS);
            each.force.record(forceNanos, TimeUnit.NANOSECONDS);
            each.batch.record(records);
            each.written.increment((double) bytes);
        }
    }

    @Override
    public void segmentChanged(long segment, long changeNanos) {
        all.forEach(each -> each.segments.increment());
    }

    @Override
    public void segmentNotPrepared(Throwable cause) {
        all.forEach(each -> each.segmentFailures.increment());
    }

    @Override
    public void failed(Throwable cause) {
        all.forEach(each -> each.failures.increment());
    }
}
