package io.plog.server.targets;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.plog.log.DurableLog;
import io.plog.log.micrometer.LogMeters;
import io.plog.log.micrometer.NamedMeter;
import io.plog.log.spi.RemoteLog;
import io.plog.protocol.Status;
import io.plog.server.monitoring.Meters;
import io.plog.server.monitoring.TargetEvents;
import io.plog.server.options.TargetOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * One target's meters, made beforehand so that nothing is looked up per request. What the log reports comes on its threads,
 * the rest from event loops after the replies left; all methods are safe for any thread.
 */
public final class TargetMeters {
    private final MeterRegistry registry;
    private final TargetOptions options;
    private final TargetEvents events;
    private final Tags tags;
    private final LogMeters ofLog;
    private final Timer request;
    private final Timer latency;
    private final Timer waiting;
    private final Timer checkpoint;
    private final Counter checkpointFailures;
    private final Counter dropFailures;
    private final Counter replayed;
    private final Counter repeats;
    private final Counter reads;
    private final AtomicLong checkpointSize = new AtomicLong();
    private final Counter ok;
    private final Map<Status, Counter> byStatus = new EnumMap<>(Status.class);

    /** @param events get what the log and the checkpoints report, too */
    public TargetMeters(MeterRegistry registry, TargetOptions target, TargetEvents events) {
        this.registry = registry;
        options = target;
        this.events = events;
        tags = Tags.of("target", target.name(), "force", target.forceLabel());
        MeterRegistry logs = target.isLogged() ? registry : new CompositeMeterRegistry(); // an empty one keeps nothing
        request = Meters.REQUEST.distribution(registry, Tags.of("target", target.name()));
        ofLog = new LogMeters(tags);
        if (target.isLogged()) {
            ofLog.bindTo(registry);
        }
        latency = Meters.LOG_LATENCY.distribution(logs, tags);
        waiting = Meters.LOG_WAITING.distribution(logs, tags);
        checkpoint = Meters.CHECKPOINT.timer(logs, tags);
        checkpointFailures = Meters.CHECKPOINT_FAILURES.counter(logs, tags);
        dropFailures = Meters.DROP_FAILURES.counter(logs, tags);
        replayed = Meters.REPLAYED.count(logs, tags, "records");
        repeats = Meters.REPEATS.counter(logs, tags);
        reads = Meters.READS.counter(registry, tags);
        for (Status status : Status.values()) {
            String label = status.name().toLowerCase(Locale.ROOT);
            byStatus.put(status, Meters.REQUESTS.counter(registry, Tags.of("target", target.name(), "status", label)));
        }
        ok = Objects.requireNonNull(byStatus.get(Status.OK));
    }

    /** Watches the target's log and state, if it is logged. */
    public void watch(Target target, boolean isStandby) {
        if (!target.isLogged()) {
            return;
        }
        gauge(Meters.CLIENTS, null, target, each -> each.phase().state().clients());
        Meters.CHECKPOINT_SIZE.gauge(registry, tags, "bytes", checkpointSize, AtomicLong::get);
        ofLog.watch(() -> logOf(target), () -> target.phase().problem() == null);
        if (!options.directories().isEmpty()) {
            Meters.LOG_FREE.gauge(registry, tags, "bytes", options.directories(), TargetMeters::freeBytes);
        } else if (isStandby || logOf(target) != null) {
            gauge(Meters.LOG_COPIES, null, target, TargetMeters::copies);
        }
        if (isStandby) {
            gauge(Meters.STANDBY, null, target, each -> each.phase().isStandingBy() ? 1 : 0);
            gauge(Meters.STANDBY_BEHIND, "records", target, Target::recordsBehind);
        }
    }

    private void gauge(NamedMeter meter, @Nullable String unit, Target target, ToDoubleFunction<Target> value) {
        meter.gauge(registry, tags, unit, target, value);
    }

    private static @Nullable DurableLog logOf(Target target) {
        return target.phase().log() instanceof TargetLog own ? own.records() : null;
    }

    private static double copies(Target target) {
        DurableLog log = logOf(target);
        return log instanceof RemoteLog remote ? remote.copies() : log == null ? 0 : 1;
    }

    /** NaN if the directories cannot be asked. */
    private static double freeBytes(List<Path> directories) {
        double least = Double.NaN;
        for (Path directory : directories) {
            try {
                double free = Files.getFileStore(directory).getUsableSpace();
                least = Double.isNaN(least) ? free : Math.min(least, free);
            } catch (IOException e) {
                return Double.NaN;
            }
        }
        return least;
    }

    /** Those that an embedded log has, too. */
    LogMeters ofLog() {
        return ofLog;
    }

    public TargetEvents events() {
        return events;
    }

    /** This server took the log over, just now. */
    public void takenOver(TakeoverReport report) {
        takeover("open").record(report.opening().duration());
        takeover("replay").record(report.opening().replay().duration());
        takeover("all").record(report.all());
        events.takenOver(report.all().toNanos(), report.opening().replay().requests());
    }

    private Timer takeover(String step) {
        return Meters.TAKEOVER.timer(registry, tags.and("step", step));
    }

    /**
     * A logged request was answered.
     *
     * @param nanos since its arrival
     * @param loggingNanos since it went to the log, until it was durable
     * @param waitingNanos how long it waited of that
     */
    public void answered(long nanos, long loggingNanos, long waitingNanos) {
        request.record(nanos, TimeUnit.NANOSECONDS);
        latency.record(loggingNanos, TimeUnit.NANOSECONDS);
        waiting.record(waitingNanos, TimeUnit.NANOSECONDS);
        ok.increment();
    }

    /** A request was answered so long after its arrival, without being logged. */
    public void answeredUnlogged(long nanos, boolean readOnly) {
        request.record(nanos, TimeUnit.NANOSECONDS);
        if (readOnly) {
            reads.increment();
        }
        ok.increment();
    }

    public long repeats() {
        return (long) repeats.count();
    }

    public void repeated() {
        repeats.increment();
        ok.increment();
    }

    public void checkpointSaved(long nanos, long bytes) {
        checkpoint.record(nanos, TimeUnit.NANOSECONDS);
        checkpointSize.set(bytes);
        events.checkpointSaved(nanos, bytes);
    }

    void checkpointFailed() {
        checkpointFailures.increment();
    }

    void dropFailed() {
        dropFailures.increment();
    }

    void replayed(ReplayReport report) {
        replayed.increment((double) report.requests());
    }

    public void refused(Status status) {
        Objects.requireNonNull(byStatus.get(status)).increment();
    }
}
