package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.plog.log.file.DiskStorage;
import io.plog.log.segment.PreparingPace;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Code of the embedder's that the log calls: what it must not do is refused, and if it does not return, the log can be closed. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CallbacksTest {
    private final LaneRunner lanes = LogThreading.normal().runner();

    private static final CloseTimeouts SHORT = new CloseTimeouts(Duration.ofMillis(500), Duration.ofMillis(500));
    private static final CloseTimeouts LONG = new CloseTimeouts(Duration.ofHours(1), Duration.ofHours(1));

    @TempDir
    private Path directory;

    private final CountDownLatch inCallback = new CountDownLatch(1);
    private final CountDownLatch mayReturn = new CountDownLatch(1);

    @Test
    void whatWouldWaitForItselfIsRefusedInACallback() throws Exception {
        List<String> outcomes = new ArrayList<>();
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Consumer<Observed> misuse = append -> {
                List<Throwable> thrown = List.of(
                        catchThrowable(() -> log.appendAndWait(Logs.text("x"))),
                        catchThrowable(() -> log.appendAndWait(new Observed(reported -> {}), Logs.text("x"))),
                        catchThrowable(() -> log.appendAndWait(List.of(Logs.text("x")))),
                        catchThrowable(() -> log.awaitDurable(100, Duration.ZERO)),
                        catchThrowable(() ->
                                log.append(Logs.text("appended in a callback")).get()),
                        catchThrowable(() ->
                                log.append(Logs.text("appended in a callback")).join()),
                        catchThrowable(() ->
                                log.append(Logs.text("appended in a callback")).get(1, TimeUnit.HOURS)),
                        catchThrowable(log::close));
                thrown.forEach(each -> outcomes.add(each.getClass().getSimpleName()));
            };
            Observed append = new Observed(misuse);
            log.append(append, Logs.text("record 1"));
            append.reported.await();
            // Outcomes are reported in order: the future is not complete before its callback is attached.
            CountDownLatch attached = new CountDownLatch(1);
            log.append(
                    new Observed(reported ->
                            assertThat(catchThrowable(attached::await)).isNull()),
                    Logs.text("record 2"));
            CompletableFuture<Void> misused = log.append(Logs.text("record 3")).thenRun(() -> misuse.accept(append));
            attached.countDown();
            misused.get();
            assertThat(outcomes).hasSize(16).containsOnly("IllegalStateException");
            assertThat(log.appendAndWait(Logs.text("the last"))).isEqualTo(10);
        }
    }

    @Test
    void aWaitWithALimitIsRefusedInACallbackToo() throws Exception {
        AtomicReference<Throwable> thrown = new AtomicReference<>();
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Observed append = new Observed(reported -> thrown.set(
                    catchThrowable(() -> log.append(Logs.text("inner")).get(1, TimeUnit.MILLISECONDS))));
            log.append(append, Logs.text("outer"));
            append.reported.await();
        }
        assertThat(thrown.get()).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void waitingForADerivedFutureIsRefusedInACallbackToo() throws Exception {
        List<Throwable> thrown = new ArrayList<>();
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Observed append = new Observed(reported -> {
                CompletableFuture<Long> inner = log.append(Logs.text("inner"));
                thrown.add(catchThrowable(() -> inner.thenApply(index -> index).get(1, TimeUnit.MILLISECONDS)));
                if (!(thrown.get(0) instanceof IllegalStateException)) {
                    return; // the others have no limit
                }
                thrown.add(catchThrowable(() -> inner.thenApply(index -> index).get()));
                thrown.add(catchThrowable(
                        () -> inner.thenApply(index -> index).thenRun(() -> {}).join()));
                thrown.add(
                        catchThrowable(() -> inner.handle((index, failure) -> 0).get(1, TimeUnit.HOURS)));
                thrown.add(catchThrowable(() -> inner.copy().join()));
            });
            log.append(append, Logs.text("outer"));
            append.reported.await();
            assertThat(log.append(Logs.text("next"))
                            .thenApply(index -> 2 * index)
                            .get())
                    .isEqualTo(6);
        }
        assertThat(thrown).hasSize(5).hasOnlyElementsOfType(IllegalStateException.class);
    }

    /** Futures that the log does not know cannot refuse; such a wait shows at once, and ends when the log is closed. */
    @Test
    void waitingForAFutureThatTheLogDoesNotKnowShowsAndEndsWithTheLog() throws Exception {
        MessageLog log = open(SHORT);
        CountDownLatch ended = new CountDownLatch(1);
        Observed append = new Observed(reported -> {
            CompletableFuture<Void> all = CompletableFuture.allOf(log.append(Logs.text("inner")));
            inCallback.countDown();
            all.handle((none, thrown) -> "ended").join();
            ended.countDown();
        });
        log.append(append, Logs.text("outer"));
        inCallback.await();
        assertThat(log.status().callbackNanos()).isPositive();
        assertThatThrownBy(log::close).isInstanceOf(LogException.class).hasMessageContaining("a callback on thread");
        ended.await();
    }

    @Test
    void itIsRefusedInTheListenersMethodsAndOnACallersThreadToo() throws Exception {
        AtomicReference<MessageLog> open = new AtomicReference<>();
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        List<String> methods = new CopyOnWriteArrayList<>();
        LogListener listener = new LogListener() {
            @Override
            public void batchForced(int records, long bytes, long writeNanos, long forceNanos) {
                misuse("batchForced");
            }

            @Override
            public void segmentChanged(long segment, long changeNanos) {
                misuse("segmentChanged");
            }

            @Override
            public void segmentPrepared(long segment, long prepareNanos) {
                misuse("segmentPrepared");
            }

            private void misuse(String method) {
                MessageLog log = open.get();
                if (log != null) {
                    methods.add(method);
                    thrown.add(catchThrowable(() -> log.appendAndWait(Logs.text("x"))));
                }
            }
        };
        try (MessageLog log = MessageLog.open(Logs.options(directory).withListener(listener))) {
            open.set(log);
            for (int i = 0; i < 12; i++) {
                log.appendAndWait(Logs.bytes(16_000, i));
            }
        }
        assertThat(methods).contains("batchForced", "segmentChanged", "segmentPrepared");
        assertThat(thrown).hasOnlyElementsOfType(IllegalStateException.class);
    }

    @Test
    void anAppendThatWouldWaitForRoomIsRefusedInACallback() throws Exception {
        List<LogException> refusals = new ArrayList<>();
        try (MessageLog log = MessageLog.open(Logs.options(directory).withMaxQueuedRecords(2))) {
            Observed append = new Observed(reported -> {
                for (int i = 0; i < 5; i++) {
                    Observed inner = new Observed(done -> {});
                    log.append(inner, Logs.text("inner"));
                    if (inner.failure != null) {
                        refusals.add(inner.failure);
                    }
                }
            });
            log.append(append, Logs.text("outer"));
            append.reported.await();
        }
        assertThat(refusals).hasSize(3).allSatisfy(refusal -> {
            assertThat(refusal).isInstanceOf(LogRefusedException.QueueFull.class);
            assertThat(refusal.isIndeterminate()).isFalse();
        });
        assertThat(Logs.readTexts(directory)).containsExactly("outer", "inner", "inner");
    }

    @Test
    void inACallbackOneMayWaitForAnotherLog(@TempDir Path elsewhere) throws Exception {
        AtomicReference<Object> outcome = new AtomicReference<>();
        try (MessageLog other = MessageLog.open(Logs.options(elsewhere));
                MessageLog log = MessageLog.open(Logs.options(directory))) {
            Observed append = new Observed(reported -> {
                try {
                    outcome.set(other.appendAndWait(Logs.text("record 1")));
                } catch (IOException e) {
                    outcome.set(e);
                }
            });
            log.append(append, Logs.text("record 1"));
            append.reported.await();
            assertThat(log.appendAndWait(Logs.text("record 2"))).isEqualTo(2);
        }
        assertThat(outcome).hasValue(1L);
    }

    @Test
    void aCallbackThatDoesNotReturnIsSeenAndReportedOnce() throws Exception {
        List<String> stalls = new CopyOnWriteArrayList<>();
        LogListener listener = new LogListener() {
            @Override
            public void callbackStalled(long nanos, Thread thread) {
                stalls.add(nanos > CallbackMonitor.STALL_NANOS ? thread.getName() : "too early");
            }
        };
        CallbackMonitor callbacks = new CallbackMonitor();
        CallbackMonitor.Site site = callbacks.newSite();
        long begin = System.nanoTime();
        callbacks.look(listener, begin + 1);
        site.begin();
        assertThat(callbacks.longestNanos()).isPositive();
        callbacks.look(listener, begin + CallbackMonitor.STALL_NANOS / 2);
        assertThat(stalls).isEmpty();
        long later = System.nanoTime() + 2 * CallbackMonitor.STALL_NANOS;
        callbacks.look(listener, later);
        callbacks.look(listener, later + CallbackMonitor.STALL_NANOS);
        assertThat(stalls).containsExactly(Thread.currentThread().getName());
        site.end();
        assertThat(callbacks.longestNanos()).isZero();
        callbacks.look(listener, later + 2 * CallbackMonitor.STALL_NANOS);
        assertThat(stalls).hasSize(1);
    }

    @Test
    void theWarningSaysHowLongWhereAndIsOneLine() {
        assertThat(CallbackMonitor.Stall.warning(2_500_000_000L, Thread.currentThread()))
                .startsWith("a callback of the log has not returned for 2.5 s on thread "
                        + Thread.currentThread().getName())
                .contains("theWarningSaysHowLong")
                .doesNotContain("\n");
    }

    @Test
    void whileACallbackDoesNotReturnTheLogSaysHowLong() throws Exception {
        try (MessageLog log = open(LONG)) {
            assertThat(log.status().callbackNanos()).isZero();
            log.append(stuck(), Logs.text("record 1"));
            inCallback.await();
            assertThat(log.status().callbackNanos()).isPositive();
            assertThat(log.status().stalledNanos()).isZero();
            mayReturn.countDown();
            assertThat(log.append(Logs.text("record 2")).get()).isEqualTo(2);
            while (log.status().callbackNanos() > 0) {
                Thread.onSpinWait(); // the lane is on its way out of the last future
            }
        }
    }

    @Test
    void closeEndsThoughACallbackDoesNotReturnAndEveryAppendIsCompletedOnce() throws Exception {
        MessageLog log = open(SHORT);
        Observed first = stuck();
        log.append(first, Logs.text("record 1"));
        inCallback.await();
        List<Observed> others = new ArrayList<>();
        List<CompletableFuture<Long>> futures = new ArrayList<>();
        AtomicReference<Object> waited = new AtomicReference<>();
        for (int i = 2; i <= 9; i += 2) {
            Observed other = new Observed(reported -> {});
            others.add(other);
            log.append(other, Logs.text("record " + i));
            futures.add(log.append(Logs.text("record " + (i + 1))));
        }
        Thread caller = new Thread(() -> {
            try {
                waited.set(log.appendAndWait(Logs.text("record 10")));
            } catch (IOException e) {
                waited.set(e);
            }
        });
        caller.start();
        while (log.queuedRecords() < 9) {
            Thread.onSpinWait();
        }
        assertThatThrownBy(log::close)
                .isInstanceOf(LogException.class)
                .hasMessageContaining("a callback on thread plog-log-")
                .hasMessageContaining("has not returned for")
                .hasMessageContaining("its directory is free");
        // What the other lane could take was written and forced meanwhile, and the rest was not.
        List<Object> outcomes = new ArrayList<>();
        for (CompletableFuture<Long> future : futures) {
            outcomes.add(future.handle((index, failure) -> failure == null ? index : failure)
                    .get());
        }
        caller.join();
        outcomes.add(waited.get());
        assertThat(outcomes.get(0)).isEqualTo(3L);
        int last = 1;
        for (int i = 0; i < outcomes.size(); i++) {
            if (outcomes.get(i) instanceof Long index) {
                last = Math.toIntExact(index);
                assertThat(last).isEqualTo(i < 4 ? 2 * i + 3 : 10);
            } else {
                assertThat(outcomes.get(i))
                        .isInstanceOf(LogRefusedException.Closed.class)
                        .matches(e -> !((LogException) e).isIndeterminate());
            }
        }
        for (Observed other : others) {
            other.reported.await();
            assertThat(other.failure).isInstanceOf(LogException.class);
        }
        assertThat(others.get(0).failure).isNotNull().matches(LogException::isIndeterminate);
        assertThat(log.append(Logs.text("late"))).isCompletedExceptionally();

        // The directory is another's now; and the callback that returns at last changes nothing.
        try (MessageLog next = MessageLog.open(Logs.options(directory))) {
            assertThat(next.durableIndex()).isBetween((long) last, last + 1L);
            last = (int) next.durableIndex();
            mayReturn.countDown();
            first.reported.await();
            assertThat(next.appendAndWait(Logs.text("record " + (last + 1)))).isEqualTo(last + 1);
        }
        awaitEndOfLanes();
        assertThat(first.times).hasValue(1);
        assertThat(others).allSatisfy(other -> assertThat(other.times).hasValue(1));
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, last + 1));
    }

    @Test
    void closeEndsThoughEveryCallbackDoesNotReturn() throws Exception {
        MessageLog log = open(SHORT);
        log.append(stuck(), Logs.text("record 1"));
        inCallback.await();
        List<Observed> stuckToo = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            Observed other = new Observed(reported -> Logs.await(mayReturn));
            stuckToo.add(other);
            log.append(other, Logs.text("stuck, too"));
        }
        CompletableFuture<Long> last = log.append(Logs.text("the last"));
        CompletableFuture<Void> dependent =
                log.append(Logs.text("with a dependent")).thenRun(() -> {});
        assertThatThrownBy(log::close).isInstanceOf(LogException.class);
        // Whether a lane took these before it was stuck, too, is chance; an outcome they have.
        assertThat(last.handle((index, failure) -> failure == null ? index : failure)
                        .get())
                .satisfiesAnyOf(
                        index -> assertThat(index).isEqualTo(5L),
                        refusal -> assertThat(refusal).isInstanceOf(LogRefusedException.Closed.class));
        dependent.handle((done, failure) -> 0).get();
        for (Observed other : stuckToo) {
            while (other.times.get() == 0) {
                Thread.onSpinWait(); // one waits for the other, each for the bound
            }
        }
        mayReturn.countDown();
        for (Observed other : stuckToo) {
            other.reported.await();
            assertThat(other.times).hasValue(1);
        }
    }

    @Test
    void closeEndsThoughTheDiskHangsAndTheDirectoryStaysLocked() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(
                Logs.options(directory).withGroupsInFlight(1),
                List.of(storage),
                new LogThreading(PreparingPace.NORMAL, LogThreading.normal().runner(), Housekeeper.ON_DEMAND, SHORT));
        storage.hook((operation, file) -> {
            if (operation.equals("fdatasync")) {
                inCallback.countDown();
                Logs.await(mayReturn);
            }
        });
        CompletableFuture<Long> hanging = log.append(Logs.text("record 1"));
        inCallback.await();
        CompletableFuture<Long> behind = log.append(Logs.text("record 2"));
        assertThatThrownBy(log::close)
                .isInstanceOf(LogException.class)
                .hasMessageContaining("the disk did not answer for")
                .hasMessageContaining("stays locked");
        assertThat(catchThrowable(hanging::get))
                .cause()
                .isInstanceOf(LogFailedException.class)
                .matches(e -> ((LogException) e).isIndeterminate());
        assertThat(catchThrowable(behind::get))
                .cause()
                .isInstanceOf(LogRefusedException.Closed.class)
                .matches(e -> !((LogException) e).isIndeterminate());
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory))).isInstanceOf(LogLockedException.class);
        storage.clearEvents();
        mayReturn.countDown();
        awaitEndOfLanes();
        assertThat(storage.events()).noneMatch(event -> event.startsWith("write"));
    }

    @Test
    void aFailureIsNoticedThoughACallbackDoesNotReturn() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(Logs.options(directory).withGroupsInFlight(2), storage);
        log.append(stuck(), Logs.text("record 1"));
        inCallback.await();
        storage.hook((operation, file) -> {
            if (operation.equals("fdatasync")) {
                throw new IOException("the disk failed");
            }
        });
        // One alone would not be worth another lane.
        List<CompletableFuture<Long>> failing =
                List.of(log.append(Logs.text("record 2")), log.append(Logs.text("record 3")));
        while (log.failure() == null) {
            Thread.onSpinWait(); // ends, or the test's time limit does
        }
        mayReturn.countDown();
        for (CompletableFuture<Long> each : failing) {
            assertThat(catchThrowable(each::get)).hasCauseInstanceOf(LogFailedException.class);
        }
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    private MessageLog open(CloseTimeouts patience) throws IOException {
        return MessageLog.open(
                Logs.options(directory),
                List.of(new DiskStorage(directory)),
                new LogThreading(PreparingPace.NORMAL, lanes, Housekeeper.ON_DEMAND, patience));
    }

    /** An append whose callback waits until it may return. */
    private Observed stuck() {
        return new Observed(reported -> {
            inCallback.countDown();
            Logs.await(mayReturn);
        });
    }

    /** The thread that reported what was stuck has ended, and so have those that reported the rest. */
    private void awaitEndOfLanes() {
        while (!lanes.join(1_000_000_000)) {
            Thread.onSpinWait();
        }
    }

    private static final class Observed extends Append {
        final CountDownLatch reported = new CountDownLatch(1);
        final AtomicInteger times = new AtomicInteger();
        volatile @Nullable LogException failure;
        private final Consumer<Observed> then;

        Observed(Consumer<Observed> then) {
            this.then = then;
        }

        @Override
        protected void onDurable() {
            times.incrementAndGet();
            then.accept(this);
            reported.countDown();
        }

        @Override
        protected void onFailed(LogException cause) {
            failure = cause;
            times.incrementAndGet();
            then.accept(this);
            reported.countDown();
        }
    }
}
