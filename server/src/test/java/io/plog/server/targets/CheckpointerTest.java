package io.plog.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.plog.log.LogListener;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import io.plog.log.storage.Force;
import io.plog.log.storage.Storage;
import io.plog.log.testing.Await;
import io.plog.protocol.Status;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.monitoring.TargetEvents;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.Service;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.TargetState;
import io.plog.server.state.TestRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Checkpoints and drops of a log that fail for a while. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class CheckpointerTest {
    private static final int SEGMENT = 64 << 10;
    private static final int BOUND = 8 * SEGMENT;

    @TempDir
    private Path directory;

    private final AtomicReference<String> broken = new AtomicReference<>("");
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ServerNotices notices = new ServerNotices(out, () -> 0);
    private final TargetState state =
            new TargetState("t", BuiltInService.INVERT.get(), new MemoryBounds(8, 8, 10_000, 10_000));

    private LogOptions options() {
        return LogOptions.in(directory).withMaxRecordBytes(SEGMENT / 4).withSegmentBytes(SEGMENT);
    }

    /** The disk, on which a file cannot be replaced at times. */
    private Storage storage() throws IOException {
        Storage disk = LogOptions.ON_DISK.open(directory);
        return (Storage) Proxy.newProxyInstance(
                Storage.class.getClassLoader(), new Class<?>[] {Storage.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("rename") && broken.get().equals(arguments[1])) {
                        throw new IOException("rename to " + arguments[1] + ": Input/output error");
                    }
                    try {
                        return method.invoke(disk, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    @Test
    void aLogWhoseRecordsCannotBeDroppedSaysSoAndIsNotReadyUntilTheyCan() throws Exception {
        TargetOptions target = TargetOptions.logged("t", directory, Force.FDATASYNC)
                .withSegmentBytes(SEGMENT)
                .withRetainBytes(BOUND);
        TargetMeters meters = new TargetMeters(registry, target, TargetEvents.NONE);
        AtomicReference<Checkpointer> reported = new AtomicReference<>();
        LogOptions options = reportingTo(reported);
        try (MessageLog log = MessageLog.open(options.withStorage(path -> storage()));
                Checkpointer checkpointer = new Checkpointer(log, state, target, meters, notices, 0)) {
            reported.set(checkpointer);
            broken.set("log.head");
            for (long number = 1; log.status().sizeBytes() <= 2 * BOUND; number++) {
                execute(log, state, number);
            }
            Await.until(() -> checkpointer.problem() != null);
            assertThat(checkpointer.problem())
                    .contains("times its bound (retain)", "cannot be dropped", "Input/output error");
            assertThat(out.toString(StandardCharsets.UTF_8).lines().filter(line -> line.contains("cannot be dropped")))
                    .hasSize(1);
            assertThat(out.toString(StandardCharsets.UTF_8)).doesNotContain("no checkpoint");
            assertThat(registry.get("plog.drop.failures").counter().count()).isPositive();
            assertThat(registry.get("plog.checkpoint.failures").counter().count())
                    .isZero();
            assertThat(log.failure()).isNull();

            broken.set("");
            Await.until(() -> log.status().sizeBytes() <= BOUND); // although nothing is appended any more
            assertThat(checkpointer.problem()).isNull();
        }
    }

    /** Options of a log that says to the checkpointer, once there is one, what was written and that a segment ended. */
    private LogOptions reportingTo(AtomicReference<Checkpointer> reported) {
        return options().withListener(new LogListener() {
            @Override
            public void batchForced(int records, long bytes, long writeNanos, long forceNanos) {
                if (reported.get() != null) {
                    reported.get().written(bytes);
                }
            }

            @Override
            public void segmentChanged(long segment, long changeNanos) {
                if (reported.get() != null) {
                    reported.get().segmentChanged();
                }
            }
        });
    }

    /** With 250 answers a checkpoint lasts three segments, and with 4,000 as many as the bound leaves it. */
    @ParameterizedTest
    @ValueSource(ints = {250, 4_000})
    void aLargeStateIsNotSavedForEachSegmentThatGoesAndTheBoundIsKept(int answers) throws Exception {
        TargetOptions target = TargetOptions.logged("t", directory, Force.FDATASYNC)
                .withSegmentBytes(SEGMENT)
                .withRetainBytes(BOUND);
        TargetMeters meters = new TargetMeters(registry, target, TargetEvents.NONE);
        TargetState large = new TargetState("t", BuiltInService.INVERT.get(), new MemoryBounds(answers, 8, 0, 1 << 20));
        AtomicReference<Checkpointer> reported = new AtomicReference<>();
        try (MessageLog log = MessageLog.open(reportingTo(reported));
                Checkpointer checkpointer = new Checkpointer(log, large, target, meters, notices, 0)) {
            long number = 1;
            while (number <= answers) {
                execute(log, large, number++, 0);
            }
            reported.set(checkpointer);
            checkpointer.save();
            long segments = 0;
            for (long size = log.status().sizeBytes();
                    segments < 48;
                    size = log.status().sizeBytes()) {
                execute(log, large, number++);
                segments += log.status().sizeBytes() > size ? 1 : 0;
                Await.until(() -> log.status().sizeBytes() <= BOUND);
            }
            assertThat(registry.get("plog.checkpoint").timer().count()).isBetween(5L, 20L);
        }
    }

    @Test
    void aCheckpointThatIsSavedOnDemandEndsThatNoneCouldBeSaved() throws Exception {
        TargetOptions target =
                TargetOptions.logged("t", directory, Force.FDATASYNC).withCheckpointBytes(SEGMENT);
        TargetMeters meters = new TargetMeters(registry, target, TargetEvents.NONE);
        LogOptions options = options();
        try (MessageLog log = MessageLog.open(options.withStorage(path -> storage()));
                Checkpointer checkpointer = new Checkpointer(log, state, target, meters, notices, 0)) {
            broken.set("log.checkpoint");
            execute(log, state, 1);
            checkpointer.written(SEGMENT);
            Await.until(() -> out.toString(StandardCharsets.UTF_8).contains("no checkpoint can be saved"));
            broken.set("");
            checkpointer.checkpointOnDemand(); // before it is tried again, so that this is not due any more
            Await.until(() -> out.toString(StandardCharsets.UTF_8).contains("its checkpoints are saved"));
        }
    }

    /** Each comes before the next of its own is due, and drops nothing. */
    @Test
    void checkpointsOnDemandDoNotKeepItFromDroppingAfterItsDistance() throws Exception {
        TargetOptions target =
                TargetOptions.logged("t", directory, Force.FDATASYNC).withCheckpointBytes(2 * SEGMENT);
        TargetMeters meters = new TargetMeters(registry, target, TargetEvents.NONE);
        AtomicReference<Checkpointer> reported = new AtomicReference<>();
        try (MessageLog log = MessageLog.open(reportingTo(reported).withStorage(path -> storage()));
                Checkpointer checkpointer = new Checkpointer(log, state, target, meters, notices, 0)) {
            reported.set(checkpointer);
            for (long number = 1; number <= 20; number++) { // four segments
                execute(log, state, number);
                checkpointer.checkpointOnDemand();
            }
            Await.until(() -> log.firstIndex() > 1);
        }
    }

    @ParameterizedTest
    @ValueSource(classes = {OutOfMemoryError.class, StackOverflowError.class})
    void aCheckpointForWhichThereIsNoHeapOrStackIsTriedAgain(Class<Error> error) throws Exception {
        TargetOptions target =
                TargetOptions.logged("t", directory, Force.FDATASYNC).withCheckpointBytes(SEGMENT);
        TargetMeters meters = new TargetMeters(registry, target, TargetEvents.NONE);
        Service invert = BuiltInService.INVERT.get();
        AtomicInteger snapshots = new AtomicInteger();
        Service service = (Service) Proxy.newProxyInstance(
                Service.class.getClassLoader(), new Class<?>[] {Service.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("snapshot") && snapshots.incrementAndGet() == 1) {
                        throw error.getConstructor().newInstance();
                    }
                    return method.invoke(invert, arguments);
                });
        TargetState failing = new TargetState("t", service, new MemoryBounds(8, 8, 10_000, 10_000));
        try (MessageLog log = MessageLog.open(LogOptions.in(directory));
                Checkpointer checkpointer = new Checkpointer(log, failing, target, meters, notices, 0)) {
            execute(log, failing, 1, 20);
            checkpointer.written(SEGMENT);
            Await.until(() -> log.checkpointIndex() == 1);
            assertThat(registry.get("plog.checkpoint.failures").counter().count())
                    .isEqualTo(1);
        }
    }

    /** What was written before a restart in records of other sizes is dropped by segments, too. */
    @Test
    void afterARestartADropLeavesTheBoundBehindButForASegment() throws Exception {
        int bound = 10 * SEGMENT;
        TargetOptions target = TargetOptions.logged("t", directory, Force.FDATASYNC)
                .withSegmentBytes(SEGMENT)
                .withRetainBytes(bound);
        LogOptions options = options();
        long number = 1;
        try (MessageLog log = MessageLog.open(options)) {
            while (number <= 700) {
                execute(log, state, number++, 20);
            }
            while (log.status().sizeBytes() < bound) {
                execute(log, state, number++, 9_000);
            }
        }
        TargetMeters meters = new TargetMeters(registry, target, TargetEvents.NONE);
        try (MessageLog log = MessageLog.open(options);
                Checkpointer checkpointer = new Checkpointer(log, state, target, meters, notices, 0)) {
            while (log.status().sizeBytes() <= bound) {
                execute(log, state, number++, 9_000);
            }
            long last = log.durableIndex();
            checkpointer.checkpointOnDemand();
            assertThat(log.status().sizeBytes()).isEqualTo(bound);
            assertThat(log.firstIndex()).isGreaterThan(1).isLessThan(last);
        }
    }

    /** On a full disk nothing can be appended that would end a segment. */
    @Test
    void aLogThatIsOpenedWithALowerBoundIsDroppedToItAtOnce() throws Exception {
        try (MessageLog log = MessageLog.open(options())) {
            for (long number = 1; log.status().sizeBytes() <= 2 * BOUND; number++) {
                execute(log, state, number);
            }
        }
        TargetOptions target = TargetOptions.logged("t", directory, Force.FDATASYNC)
                .withSegmentBytes(SEGMENT)
                .withRetainBytes(BOUND);
        TargetMeters meters = new TargetMeters(registry, target, TargetEvents.NONE);
        try (MessageLog log = MessageLog.open(options());
                Checkpointer checkpointer = new Checkpointer(log, state, target, meters, notices, 0)) {
            Await.until(() -> log.status().sizeBytes() <= BOUND);
            assertThat(checkpointer.problem()).isNull();
        }
    }

    private static void execute(MessageLog log, TargetState state, long number) throws Exception {
        execute(log, state, number, SEGMENT / 5);
    }

    private static void execute(MessageLog log, TargetState state, long number, int bytes) throws Exception {
        TestRequest request = new TestRequest(state, 1, number, new byte[bytes]);
        assertThat(state.admit(request)).isTrue();
        log.append(request, request.record());
        assertThat(request.await()).isEqualTo(Status.OK);
    }
}
