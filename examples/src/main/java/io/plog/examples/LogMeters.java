package io.plog.examples;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.plog.log.LogListener;
import io.plog.log.MessageLog;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/**
 * Meters of a log that is embedded without plog's server, to be copied: named as the server's, without their buckets. Give it to
 * the log as its listener, and watch the log once it is open. The log calls the listener on its own threads, one at a time.
 */
final class LogMeters implements LogListener {
    private final MeterRegistry registry;
    private final Tags tags;
    private final Timer write;
    private final Timer force;
    private final DistributionSummary batch;
    private final Counter written;

    /** @param name distinguishes this log's meters from those of another */
    LogMeters(MeterRegistry registry, String name) {
        this.registry = registry;
        tags = Tags.of("log", name);
        write = registry.timer("plog.log.write", tags);
        force = registry.timer("plog.log.force", tags);
        batch = registry.summary("plog.log.batch", tags);
        written = registry.counter("plog.log.written", tags);
    }

    /** Shows this log, which must be open, until nobody else holds it. */
    void watch(MessageLog log) {
        gauge("plog.log.healthy", log, each -> each.failure() == null ? 1 : 0);
        gauge("plog.log.queue", log, MessageLog::queuedRecords);
        gauge("plog.log.size", log, MessageLog::sizeBytes);
        gauge("plog.log.reserve", log, MessageLog::reserveBytes);
        gauge("plog.log.durable.index", log, MessageLog::durableIndex);
    }

    private void gauge(String name, MessageLog log, ToDoubleFunction<MessageLog> value) {
        Gauge.builder(name, log, value).tags(tags).register(registry);
    }

    @Override
    public void batchForced(int records, long bytes, long writeNanos, long forceNanos) {
        write.record(writeNanos, TimeUnit.NANOSECONDS);
        force.record(forceNanos, TimeUnit.NANOSECONDS);
        batch.record(records);
        written.increment((double) bytes);
    }
}
