package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.PreparingPace;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.testing.CallbackAppend;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LogFailureTest {
    @TempDir
    Path directory;

    @Test
    void afterAFailedForceNothingIsAcknowledgedAndNothingIsTriedAgain() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(Logs.options(directory), storage);
        Logs.appendTexts(log, 1, 3);
        CountDownLatch forcing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        AtomicBoolean failed = new AtomicBoolean();
        storage.hook((operation, file) -> {
            if (operation.equals("fdatasync") && failed.compareAndSet(false, true)) {
                forcing.countDown();
                Logs.await(goOn);
                throw new IOException("Input/output error");
            }
        });
        CompletableFuture<Long> inBatch = log.append(Logs.text("in the batch whose force fails"));
        forcing.await();
        CompletableFuture<Long> queued = log.append(Logs.text("queued behind it"));
        storage.clearEvents();
        goOn.countDown();
        for (CompletableFuture<Long> outcome : List.of(inBatch, queued)) {
            assertThatThrownBy(outcome::get)
                    .isInstanceOf(ExecutionException.class)
                    .cause()
                    .isInstanceOf(LogFailedException.class)
                    .hasMessageContaining("Input/output error")
                    .matches(e -> ((LogException) e).isIndeterminate());
        }
        assertThatThrownBy(() -> log.appendAndWait(Logs.text("later"))).isInstanceOf(LogFailedException.class);
        assertThat(log.durableIndex()).isEqualTo(3);
        assertThat(log.failure()).isNotNull();
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        assertThat(storage.events()).noneMatch(event -> event.startsWith("write") || event.contains("sync"));

        try (MessageLog again = MessageLog.open(Logs.options(directory))) {
            assertThat(again.recovery().cleanlyClosed()).isFalse();
            assertThat(Logs.readTexts(directory).subList(0, 3)).isEqualTo(Logs.texts(1, 3));
        }
    }

    /** A seal is no batch that the next one would wait for: another lane that leads would go on behind it. */
    @Test
    void noOtherLaneLeadsBeforeTheFailureOfASealIsDeclared() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        KnownLanes lanes = new KnownLanes();
        MessageLog log = MessageLog.open(
                Logs.options(directory).withForce(Force.FDATASYNC),
                List.of(storage),
                new LogThreading(PreparingPace.NORMAL, lanes));
        log.append(Logs.bytes(12_000, 1)).get();
        log.append(Logs.bytes(12_000, 2)).get();
        List<Boolean> led = new CopyOnWriteArrayList<>();
        storage.hook((operation, file) -> {
            if (operation.equals("write") && file.equals(SegmentHeader.fileName(1))) {
                throw new IOException("Input/output error") {
                    private static final long serialVersionUID = 1L;

                    @Override
                    public String getMessage() { // read to declare the failure
                        led.add(lanes.engine().scheduler.isLed());
                        return super.getMessage();
                    }
                };
            }
        });
        CompletableFuture<Long> doesNotFit = log.append(Logs.bytes(12_000, 3));
        assertThatThrownBy(doesNotFit::get).hasMessageContaining("Input/output error");
        assertThat(led.get(0)).isTrue();
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"checkpoint", "drop"})
    void aFailedForceOfTheDirectoryInACheckpointOrADropFailsTheLogForGood(String what) throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(
                Logs.options(directory),
                List.of(storage),
                new LogThreading(PreparingPace.NORMAL, LogThreading.normal().runner()));
        for (int i = 0; i < 12; i++) {
            log.appendAndWait(Logs.bytes(Logs.SEGMENT_BYTES / 5, i));
        }
        AtomicInteger forces = new AtomicInteger();
        Thread caller = Thread.currentThread();
        storage.hook((operation, file) -> {
            if (file.equals("directory") && Thread.currentThread().equals(caller)) {
                forces.incrementAndGet();
                throw new IOException("fsync of the directory: No space left on device");
            }
        });
        assertThatThrownBy(() -> {
                    if (what.equals("checkpoint")) {
                        log.saveCheckpoint(12, Logs.text("state"));
                    } else {
                        log.truncateBefore(12);
                    }
                })
                .isInstanceOf(LogFailedException.class)
                .hasMessageContaining("fsync of the directory");
        assertThat(log.failure()).isNotNull();
        assertThatThrownBy(() -> log.saveCheckpoint(12, Logs.text("state"))).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(() -> log.truncateBefore(12)).isInstanceOf(LogFailedException.class);
        assertThat(forces).hasValue(1);
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @Test
    void withoutAFileDescriptorForTheDirectoryACheckpointIsRefusedAndTheLogGoesOn() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(Logs.options(directory), storage)) {
            Logs.appendTexts(log, 1, 3);
            storage.hook((operation, file) -> {
                if (file.equals("directory")) {
                    throw new LogRefusedException.Shortage("Too many open files", new IOException());
                }
            });
            assertThatThrownBy(() -> log.saveCheckpoint(3, Logs.text("state")))
                    .isInstanceOf(LogRefusedException.Shortage.class);
            storage.hook((operation, file) -> {});
            log.saveCheckpoint(3, Logs.text("state"));
            Logs.appendTexts(log, 4, 5);
        }
    }

    @Test
    void whatArrivesAfterAFailureWasCertainlyNotLogged() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(Logs.options(directory), storage);
        storage.hook((operation, file) -> {
            if (operation.equals("fdatasync")) {
                throw new IOException("Input/output error");
            }
        });
        assertThatThrownBy(() -> log.appendAndWait(Logs.text("in the batch whose force fails")))
                .isInstanceOf(LogFailedException.class)
                .matches(e -> ((LogException) e).isIndeterminate());
        assertThatThrownBy(() -> log.appendAndWait(Logs.text("later")))
                .isInstanceOf(LogFailedException.class)
                .hasMessage(
                        "the record was not written: the log had failed before, after an error (Input/output error)."
                                + " Open it again to recover")
                .matches(e -> !((LogException) e).isIndeterminate());
        assertThatThrownBy(() -> log.append(Logs.text("later")).get())
                .cause()
                .matches(e -> !((LogException) e).isIndeterminate());
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    /** As when the heap or the stack is used up: whatever the log says of a failure takes some. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anErrorThatCannotBeDescribedAtOnceFailsTheLogForAllAndIsNamed(boolean later) throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(Logs.options(directory), storage);
        CountDownLatch forcing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        Indescribable error = new Indescribable();
        storage.hook((operation, file) -> {
            if (operation.equals("fdatasync")) {
                forcing.countDown();
                Logs.await(goOn);
                throw error;
            }
        });
        CompletableFuture<Long> inBatch = log.append(Logs.text("in the batch whose force fails"));
        forcing.await();
        CompletableFuture<Long> queued = log.append(Logs.text("queued behind it"));
        goOn.countDown();
        LogFailedException failure = log.failure();
        while (failure == null) {
            failure = log.failure();
        }
        error.describable = later;
        for (CompletableFuture<Long> outcome : List.of(inBatch, queued)) {
            assertThatThrownBy(outcome::get)
                    .cause()
                    .isInstanceOf(LogFailedException.class)
                    .matches(failed -> String.valueOf(failed.getMessage())
                            .contains(later ? "(an error)" : Indescribable.class.getName()))
                    .matches(failed -> failed.getCause() == error);
        }
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    /** Lanes as in every log; the test gets at what they run. */
    private static final class KnownLanes implements LaneRunner {
        private final LaneRunner threads = LogThreading.normal().runner();
        private final AtomicReference<AppendEngine> started = new AtomicReference<>();

        @Override
        public void start(AppendEngine engine) {
            started.set(engine);
            threads.start(engine);
        }

        @Override
        public boolean join(long nanos) {
            return threads.join(nanos);
        }

        AppendEngine engine() {
            return Objects.requireNonNull(started.get());
        }
    }

    private static final class Indescribable extends IOException {
        private static final long serialVersionUID = 1L;

        private volatile boolean describable;

        @Override
        public String getMessage() {
            if (!describable) {
                throw new OutOfMemoryError("Java heap space");
            }
            return "an error";
        }
    }

    /** The lanes may be over before the thread that declares a failure has come to its end, the thread that prepares segments for one. */
    @Test
    void anAppendThatComesWhileAFailureIsDeclaredGetsItsOutcome() throws Exception {
        KnownLanes lanes = new KnownLanes();
        MessageLog log = MessageLog.open(
                Logs.options(directory),
                List.of(new DiskStorage(directory)),
                new LogThreading(PreparingPace.NORMAL, lanes));
        AppendEngine engine = lanes.engine();
        IOException cause = new IOException("Input/output error");
        engine.shutdown.declareFailed(cause);
        engine.scheduler.lanes().forEach(Lane::wake);
        assertThat(lanes.join(TimeUnit.MINUTES.toNanos(1))).isTrue();

        CompletableFuture<Long> late = log.append(Logs.text("late"));
        assertThat(late).isCompletedExceptionally();
        assertThatThrownBy(late::get)
                .hasCauseInstanceOf(LogFailedException.class)
                .hasMessageContaining("Input/output error");
        engine.shutdown.fail(cause);
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @Test
    void aFailedWriteFailsTheLogForGood() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(Logs.options(directory), storage);
        Logs.appendTexts(log, 1, 3);
        AtomicBoolean failed = new AtomicBoolean();
        storage.hook((operation, file) -> {
            if (operation.equals("write") && failed.compareAndSet(false, true)) {
                throw new IOException("Input/output error");
            }
        });
        assertThatThrownBy(() -> log.appendAndWait(Logs.text("x"))).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(() -> log.appendAndWait(Logs.text("y"))).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 3));
    }

    @Test
    void aFailedForceOfTheOldSegmentAtASegmentChangeFailsTheLog() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(Logs.options(directory), storage);
        for (int i = 0; i < 4; i++) {
            log.appendAndWait(Logs.bytes(8000, i));
        }
        storage.hook((operation, file) -> {
            // The seal's force: the next segment's file is open already when it happens.
            if (operation.equals("fdatasync") && storage.events().contains("open " + SegmentHeader.fileName(2))) {
                throw new IOException("Input/output error");
            }
        });
        assertThatThrownBy(() -> log.appendAndWait(Logs.bytes(16_000, 9))).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        assertThat(storage.events()).doesNotContain("write " + SegmentHeader.fileName(2));
    }

    @Test
    void shortWritesAreContinuedUntilAllIsWritten() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(Logs.options(directory).withForce(Force.FSYNC), storage)) {
            storage.writeAtMost(13);
            Logs.appendTexts(log, 1, 30);
            storage.writeAtMost(4096);
            log.appendAndWait(Logs.bytes(16_000, 5));
        }
        assertThat(LogTools.inspect(directory).records()).isEqualTo(31);
    }

    @Test
    void withoutSpaceForTheNextSegmentAppendsAreRefusedAndGoOnWhenThereIsSpace() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        AtomicBoolean full = new AtomicBoolean();
        CountDownLatch noticed = new CountDownLatch(1);
        CountDownLatch prepared = new CountDownLatch(1);
        LogListener listener = new LogListener() {
            @Override
            public void segmentNotPrepared(Throwable cause) {
                noticed.countDown();
            }

            @Override
            public void segmentPrepared(long segment, long prepareNanos) {
                if (noticed.getCount() == 0) {
                    prepared.countDown();
                }
            }
        };
        storage.hook((operation, file) -> {
            if (full.get() && file.endsWith(".tmp") && operation.equals("write")) {
                throw new IOException("No space left on device");
            }
        });
        try (MessageLog log = MessageLog.open(Logs.options(directory).withListener(listener), storage)) {
            full.set(true);
            List<Integer> acknowledged = new ArrayList<>();
            int i = 0;
            LogException refusal = null;
            while (refusal == null) {
                try {
                    log.appendAndWait(Logs.bytes(8000, i));
                    acknowledged.add(i++);
                } catch (LogRefusedException.NoSpace e) {
                    refusal = e;
                }
            }
            assertThat(refusal).hasMessageContaining("No space left on device");
            assertThat(refusal.isIndeterminate()).isFalse();
            noticed.await();
            assertThat(acknowledged).hasSizeGreaterThan(5);
            full.set(false);
            prepared.await();
            log.appendAndWait(Logs.bytes(8000, i));
            assertThat(log.durableIndex()).isEqualTo(i + 1);
        }
        assertThat(LogTools.inspect(directory).damage()).isEmpty();
    }

    @Test
    void everyAppendGetsItsOutcomeOnceWhenARefusalIsFollowedByAFailure() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        AtomicBoolean full = new AtomicBoolean();
        AtomicBoolean broken = new AtomicBoolean();
        AtomicBoolean hold = new AtomicBoolean();
        CountDownLatch forcing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        CountDownLatch notPrepared = new CountDownLatch(1);
        CountDownLatch prepared = new CountDownLatch(1);
        LogListener listener = new LogListener() {
            @Override
            public void segmentNotPrepared(Throwable cause) {
                notPrepared.countDown();
            }

            @Override
            public void segmentPrepared(long segment, long prepareNanos) {
                if (notPrepared.getCount() == 0) {
                    prepared.countDown();
                }
            }
        };
        storage.hook((operation, file) -> {
            if (full.get() && file.endsWith(".tmp") && operation.equals("write")) {
                throw new IOException("No space left on device");
            }
            if (broken.get() && operation.equals("fdatasync")) {
                throw new IOException("Input/output error");
            }
            if (operation.equals("fdatasync") && hold.getAndSet(false)) {
                forcing.countDown();
                Logs.await(goOn);
            }
        });
        MessageLog log = MessageLog.open(Logs.options(directory).withListener(listener), storage);
        full.set(true);
        for (int i = 0; i < 4; i++) {
            log.appendAndWait(Logs.bytes(16_000, i)); // the second segment is taken, and a third cannot be made
        }
        notPrepared.await();
        hold.set(true);
        List<String> outcomes = new ArrayList<>();
        CountDownLatch reported = new CountDownLatch(4);
        for (String name : List.of("blocker", "refused", "failed", "behind it")) {
            Append append = new CallbackAppend(
                    durable -> {
                        outcomes.add(name + " durable");
                        reported.countDown();
                    },
                    cause -> {
                        outcomes.add(name + " " + cause.getClass().getSimpleName());
                        if (cause instanceof LogRefusedException.NoSpace) {
                            full.set(false);
                            Logs.await(prepared);
                            broken.set(true);
                        }
                        reported.countDown();
                    });
            log.append(append, Logs.bytes(name.equals("blocker") ? 10 : 16_000, 7));
            if (name.equals("blocker")) {
                forcing.await();
            }
        }
        goOn.countDown();
        reported.await();
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        assertThat(outcomes)
                .containsExactly(
                        "blocker durable",
                        "refused NoSpace",
                        "failed LogFailedException",
                        "behind it LogFailedException");
    }

    @Test
    void anIdleLogWritesItsWatermarkByItself(@TempDir Path elsewhere) throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        CountDownLatch forces = new CountDownLatch(2); // the append's own, and the mark's without appends
        LogOptions options = Logs.options(directory).withIdleMark(Duration.ofMillis(1));
        MessageLog log = MessageLog.open(options, storage);
        storage.hook((operation, file) -> {
            if (operation.equals("fdatasync")) {
                forces.countDown();
            }
        });
        Logs.appendTexts(log, 1, 1);
        forces.await();
        Path killed = Logs.copyAsAfterKill(directory, elsewhere.resolve("killed"));
        assertThat(LogTools.inspect(killed).markedIndex()).isEqualTo(1);
        log.close();
    }

    @Test
    void aForceThatHangsIsSeenWhileItHangs() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        CountDownLatch forcing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (MessageLog log = MessageLog.open(Logs.options(directory), storage)) {
            assertThat(log.status().stalledNanos()).isZero();
            storage.hook((operation, file) -> {
                if (operation.equals("fdatasync")) {
                    forcing.countDown();
                    Logs.await(goOn);
                }
            });
            CompletableFuture<Long> held = log.append(Logs.text("held"));
            forcing.await();
            assertThat(log.status().stalledNanos()).isPositive();
            goOn.countDown();
            held.get();
            assertThat(log.status().stalledNanos()).isZero();
        }
    }
}
