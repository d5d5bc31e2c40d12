package io.plog.server.monitoring;

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
 * Every meter of the server: its name, unit and meaning in one place. {@code docs/monitoring.md} has the same table.
 *
 * <p>Prometheus writes {@code plog.log.latency} as {@code plog_log_latency_seconds}. Buckets are for dashboards: 1, 2, 5, 10 and
 * so on from 10 µs to a minute. The figures of a measurement come from a client's samples, never from here.
 */
public enum Meters {
    REQUEST("plog.request", "From the arrival of a whole request until its reply was written to its connection"),
    LOG_LATENCY("plog.log.latency", "From handing a record to the log until it was durable"),
    LOG_WAITING("plog.log.waiting", "From handing a record to the log until the log's thread took it up"),
    LOG_WRITE("plog.log.write", "The write of one batch"),
    LOG_FORCE("plog.log.force", "The force of one batch; 0 where the write forces or nothing is forced"),
    LOG_BATCH("plog.log.batch", "How many records shared one force"),
    LOG_WRITTEN("plog.log.written", "Bytes written for records, headers and padding included"),
    LOG_SIZE("plog.log.size", "Bytes of the log"),
    LOG_FIRST_INDEX("plog.log.first.index", "Index of the first record that is still in the log"),
    LOG_DURABLE_INDEX("plog.log.durable.index", "Index of the last durable record"),
    LOG_FREE("plog.log.free", "Free space on the log's file system; of several directories on the fullest"),
    LOG_QUEUE("plog.log.queue", "Records appended and not yet durable"),
    LOG_QUEUE_BYTES("plog.log.queue.size", "Bytes of records appended and not yet durable"),
    LOG_RESERVE("plog.log.reserve", "Segments of the log that are initialised and not yet in use"),
    LOG_UNCHECKED("plog.log.unchecked", "Segments that a checkpoint covers and that were not read since the start"),
    LOG_HEALTHY(
            "plog.log.healthy", "1 while the target takes requests, 0 while /health/ready?target=NAME says why not"),
    LOG_COPIES(
            "plog.log.copies",
            "Copies that a record appended now has at least, on machines that are there; 0 while this server has no log"),
    LOG_SEGMENTS("plog.log.segments", "How often the log changed to another segment"),
    LOG_FAILURES("plog.log.failures", "Logs that failed for good (kind=failed), segments not prepared (kind=segment)"),
    CHECKPOINT("plog.checkpoint", "Saving a checkpoint of a target's state, from the copy of the state to stable"),
    CHECKPOINT_SIZE("plog.checkpoint.size", "Bytes of state in the last checkpoint that was saved"),
    CHECKPOINT_FAILURES(
            "plog.checkpoint.failures", "Checkpoints that could not be saved; the one before is still good"),
    DROP_FAILURES(
            "plog.drop.failures",
            "Records that a checkpoint covers could not be dropped; the log grows beyond its bound"),
    REPLAYED("plog.replayed", "Records executed again at the start"),
    STANDBY("plog.standby", "1 while this server waits for the target's log, 0 while it holds it; with --standby only"),
    STANDBY_BEHIND(
            "plog.standby.behind",
            "Records that are acknowledged, as far as that is known, and not applied here; NaN while this server waits and"
                    + " follows nothing; with --standby only"),
    TAKEOVER(
            "plog.takeover",
            "Taking a log over, by step: open (the server before is fenced), replay, all (from this server's turn until it"
                    + " serves)"),
    CLIENTS("plog.clients", "Clients whose last requests the target remembers"),
    REPEATS("plog.repeats", "Repeated requests that got their recorded answer; plog.requests counts them, too"),
    READS("plog.reads", "Read-only requests answered, which are not logged; plog.requests counts them, too"),
    REQUESTS("plog.requests", "Requests answered, by target and status"),
    BUILD("plog.build.info", "1, with the build's version and commit as labels"),
    CERTIFICATE_END("plog.tls.certificate.end", "When the server's certificate ends, in seconds since 1970"),
    CONNECTIONS("plog.connections", "Connections that are open"),
    CONNECTIONS_ACCEPTED("plog.connections.accepted", "Connections accepted since the start"),
    BUFFERED("plog.buffered", "What connections hold beyond what each may: requests under way, replies not yet read"),
    BUFFERED_LIMIT("plog.buffered.limit", "The bound of plog.buffered"),
    ACCEPT_FAILURES(
            "plog.accept.failures",
            "How often a connection could not be accepted, mostly for lack of a file descriptor; it was tried again"),
    CONNECTIONS_ENDED("plog.connections.ended", "Connections that the server ended, by reason"),
    HTTP_RESPONSES(
            "plog.http.responses", "Responses over HTTP, by status code; plog.requests counts those to a target, too");

    private static final Duration[] TIMES = times();
    private static final double[] RECORDS =
            IntStream.rangeClosed(0, 14).mapToDouble(power -> 1 << power).toArray();

    private final String meterName;
    private final String meaning;

    Meters(String meterName, String meaning) {
        this.meterName = meterName;
        this.meaning = meaning;
    }

    private static Duration[] times() {
        List<Duration> times = new ArrayList<>();
        for (long unit = 10_000; unit <= 10_000_000_000L; unit *= 10) {
            times.addAll(List.of(Duration.ofNanos(unit), Duration.ofNanos(2 * unit), Duration.ofNanos(5 * unit)));
        }
        times.add(Duration.ofMinutes(1));
        return times.toArray(Duration[]::new);
    }

    /** Times with their distribution: 26 series. */
    public Timer distribution(MeterRegistry registry, Tags tags) {
        return Timer.builder(meterName)
                .description(meaning)
                .tags(tags)
                .serviceLevelObjectives(TIMES)
                .register(registry);
    }

    /** Times as their number, sum and maximum. */
    public Timer timer(MeterRegistry registry, Tags tags) {
        return Timer.builder(meterName).description(meaning).tags(tags).register(registry);
    }

    public DistributionSummary records(MeterRegistry registry, Tags tags) {
        return DistributionSummary.builder(meterName)
                .description(meaning)
                .baseUnit("records")
                .tags(tags)
                .serviceLevelObjectives(RECORDS)
                .register(registry);
    }

    public Counter counter(MeterRegistry registry, Tags tags) {
        return count(registry, tags, null);
    }

    public Counter count(MeterRegistry registry, Tags tags, @Nullable String unit) {
        return Counter.builder(meterName)
                .description(meaning)
                .baseUnit(unit)
                .tags(tags)
                .register(registry);
    }

    public <T> void gauge(
            MeterRegistry registry, Tags tags, @Nullable String unit, T source, ToDoubleFunction<T> value) {
        Gauge.builder(meterName, source, value)
                .description(meaning)
                .baseUnit(unit)
                .tags(tags)
                .strongReference(true)
                .register(registry);
    }
}
