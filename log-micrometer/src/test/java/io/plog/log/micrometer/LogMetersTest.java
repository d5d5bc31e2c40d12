package io.plog.log.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.LogStatus;
import io.plog.log.MessageLog;
import io.plog.log.storage.LogException;
import io.plog.simdisk.SimulatedDisk;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What an embedded log tells of itself. */
final class LogMetersTest {
    private final SimulatedDisk disk = new SimulatedDisk(512);
    private final LogMeters meters = new LogMeters(Tags.of("log", "orders"));

    private MessageLog open() throws Exception {
        return MessageLog.open(LogOptions.on(disk).withListener(meters));
    }

    private static void append(MessageLog log) throws Exception {
        log.appendAndWait(ByteBuffer.wrap(new byte[8]));
    }

    @Test
    void aLogIsInTheRegistriesThatItsMetersAreBoundToBeforeAndAfterItIsOpen() throws Exception {
        SimpleMeterRegistry before = new SimpleMeterRegistry();
        SimpleMeterRegistry after = new SimpleMeterRegistry();
        meters.bindTo(before);
        try (MessageLog log = open()) {
            append(log);
            meters.watch(log);
            meters.bindTo(after);
            append(log);
            assertThat(batches(before)).isEqualTo(2);
            assertThat(batches(after)).isEqualTo(1);
            for (MeterRegistry each : List.of(before, after)) {
                assertThat(value(each, "plog.log.durable.index")).isEqualTo(2);
                assertThat(value(each, "plog.log.healthy")).isEqualTo(1);
                assertThat(value(each, "plog.log.size")).isEqualTo(log.status().sizeBytes());
                assertThat(each.get("plog.log.written").counter().count()).isPositive();
            }
        }
    }

    @Test
    void aLogThatIsNotThereHasNumbersOfZeroOnceItIsWatched() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        meters.bindTo(registry);
        assertThat(value(registry, "plog.log.healthy")).isNaN();
        meters.watch(() -> null, () -> false);
        assertThat(value(registry, "plog.log.queue")).isZero();
        assertThat(value(registry, "plog.log.healthy")).isZero();
    }

    @Test
    void aLogThatFailedIsCountedUnhealthyAndDown() throws Exception {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        meters.bindTo(registry);
        MessageLog log = open();
        meters.watch(log);
        append(log);
        assertThat(LogHealth.of(log).status()).isEqualTo(LogHealth.Status.UP);
        assertThat(LogHealth.of(log).details())
                .containsEntry("durableIndex", 1L)
                .containsEntry("queuedRecords", 0)
                .containsOnlyKeys("durableIndex", "queuedRecords", "stalledMillis");
        disk.faults().failForce(1);
        assertThatThrownBy(() -> append(log)).isInstanceOf(LogException.class);
        LogHealth health = LogHealth.of(log);
        assertThat(health.status()).isEqualTo(LogHealth.Status.DOWN);
        assertThat(health.details().get("error"))
                .isEqualTo(String.valueOf(log.failure()))
                .asString()
                .contains("LogFailedException");
        assertThat(value(registry, "plog.log.healthy")).isZero();
        assertThat(registry.get("plog.log.failures")
                        .tag("kind", "failed")
                        .counter()
                        .count())
                .isEqualTo(1);
        assertThatThrownBy(log::close).isInstanceOf(LogException.class);
    }

    @Test
    void aLogWhoseForceHangsIsOutOfServiceAfterTenSeconds() {
        assertThat(stalled(10_000_000_000L).status()).isEqualTo(LogHealth.Status.UP);
        assertThat(stalled(10_000_000_001L).status()).isEqualTo(LogHealth.Status.OUT_OF_SERVICE);
        assertThat(stalled(11_000_000_000L).details()).containsEntry("stalledMillis", 11_000L);
    }

    private static LogHealth stalled(long nanos) {
        return LogHealth.of((DurableLog) Proxy.newProxyInstance(
                DurableLog.class.getClassLoader(),
                new Class<?>[] {DurableLog.class},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "status" -> new LogStatus(1, 8, 64, 0, 0, nanos, 0);
                    case "durableIndex" -> 7L;
                    case "failure" -> null;
                    default -> throw new UnsupportedOperationException(method.getName());
                }));
    }

    private static long batches(MeterRegistry registry) {
        return registry.get("plog.log.batch").tag("log", "orders").summary().count();
    }

    private static double value(MeterRegistry registry, String name) {
        return registry.get(name).tag("log", "orders").gauge().value();
    }
}
