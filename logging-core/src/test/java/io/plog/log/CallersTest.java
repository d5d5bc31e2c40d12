package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.Uninterruptibles;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogException;
import java.io.IOException;
import java.nio.ByteBuffer;
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
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Callers who wait for their append and meanwhile do the work of the log's threads, on a real directory. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CallersTest {
    @TempDir
    private Path directory;

    @AfterEach
    void leaveNoInterruptBehind() {
        Thread.interrupted();
    }

    @Test
    void aCallerAloneGetsTheOutcomeOnItsOwnThreadBeforeItGoesOn() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(options(), storage)) {
            Logs.awaitRest();
            List<String> events = new ArrayList<>();
            Thread caller = Thread.currentThread();
            storage.hook((operation, file) -> {
                if (!operation.equals("open")) { // the next segment is opened ahead, whenever it is ready
                    events.add(operation + (Thread.currentThread().equals(caller) ? "" : " on another thread"));
                }
            });
            for (int i = 1; i <= 3; i++) {
                Observed append = new Observed(events);
                log.appendAndWait(append, Logs.text("record "), Logs.text(Integer.toString(i)));
                events.add("returned");
                assertThat(append.index()).isEqualTo(i);
                assertThat(append.batchRecords()).isEqualTo(1);
                assertThat(append.tellers).containsExactly(caller);
            }
            storage.hook((operation, file) -> {});
            assertThat(events.subList(0, 4)).containsExactly("write", "fsync", "durable", "returned");
            assertThat(events).hasSize(12);
            assertThat(events.subList(4, 8)).isEqualTo(events.subList(8, 12)).isEqualTo(events.subList(0, 4));
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 3));
    }

    @Test
    void whatWaitsAndIsNotBegunShowsInStalledNanosAndIsTakenByACallerThatWaits() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(options(), storage)) {
            Logs.awaitRest();
            assertThat(log.status().stalledNanos()).isZero();
            Observed another = new Observed(new ArrayList<>());
            Logs.putWithoutWaking(log, another, Logs.text("record 1"));
            assertThat(log.status().stalledNanos()).isPositive();
            log.appendAndWait(new Observed(new ArrayList<>()), Logs.text("record 2"));
            assertThat(another.tellers).containsExactly(Thread.currentThread());
            assertThat(another.batchRecords()).isEqualTo(2);
            assertThat(log.status().stalledNanos()).isZero();
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 2));
    }

    @Test
    void callersWhoWaitTogetherShareAForceAndEachIsCompletedBeforeItGoesOn() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        CountDownLatch forceBegins = new CountDownLatch(1);
        CountDownLatch forceMayEnd = new CountDownLatch(1);
        List<Observed> appends = new ArrayList<>();
        List<Thread> callers = new ArrayList<>();
        AtomicInteger goneOnTooEarly = new AtomicInteger();
        try (MessageLog log = MessageLog.open(options(), storage)) {
            Logs.awaitRest();
            storage.hook((operation, file) -> {
                if (operation.equals("fsync")) {
                    forceBegins.countDown();
                    Logs.await(forceMayEnd);
                }
            });
            for (int i = 1; i <= 8; i++) {
                Observed append = new Observed(new ArrayList<>());
                ByteBuffer record = Logs.text("record " + i);
                Thread caller = new Thread(() -> {
                    log.appendAndWait(append, record);
                    if (append.tellers.size() != 1) {
                        goneOnTooEarly.incrementAndGet();
                    }
                });
                appends.add(append);
                callers.add(caller);
                caller.start();
                if (i == 1) {
                    forceBegins.await();
                }
            }
            while (log.queuedRecords() < 8) {
                Thread.onSpinWait();
            }
            callers.get(7).interrupt(); // ends nothing
            forceMayEnd.countDown();
            for (Thread caller : callers) {
                caller.join();
            }
            storage.hook((operation, file) -> {});
        }
        assertThat(goneOnTooEarly).hasValue(0);
        assertThat(appends.get(0).batchRecords()).isEqualTo(1);
        assertThat(appends.subList(1, 8)).anyMatch(append -> append.batchRecords() >= 2);
    }

    @Test
    void aCallerGetsARefusalAndAFailureBeforeItGoesOn() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(options().withOverflow(LogOptions.Overflow.REFUSE), storage);
        Logs.awaitRest();
        storage.hook((operation, file) -> {
            if (operation.equals("fsync")) {
                throw new IOException("the disk failed");
            }
        });
        Observed failed = new Observed(new ArrayList<>());
        log.appendAndWait(failed, Logs.text("record 1"));
        storage.hook((operation, file) -> {});
        assertThat(failed.failure).isInstanceOf(LogFailedException.class);
        Observed refused = new Observed(new ArrayList<>());
        log.appendAndWait(refused, Logs.text("record 2"));
        assertThat(refused.failure).isInstanceOf(LogFailedException.class);
        assertThat(refused.tellers).containsExactly(Thread.currentThread());
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    /** Notes what is reported to it, and by whom. */
    private static final class Observed extends Append {
        private final List<String> events;
        private final List<Thread> tellers = new CopyOnWriteArrayList<>();
        private volatile @Nullable LogException failure;

        Observed(List<String> events) {
            this.events = events;
        }

        @Override
        protected void onDurable() {
            events.add("durable");
            tellers.add(Thread.currentThread());
        }

        @Override
        protected void onFailed(LogException cause) {
            failure = cause;
            tellers.add(Thread.currentThread());
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = Force.class,
            names = {"FDATASYNC", "DIRECT", "DSYNC", "FSYNC", "WRITE"})
    void aCallerThatIsInterruptedHarmsNoOther(Force force) throws Exception {
        List<String> expected = new ArrayList<>();
        try (MessageLog log = MessageLog.open(options().withForce(force))) {
            Logs.awaitRest();
            int workedItself = 0;
            for (int i = 1; i <= 20; i++) {
                Thread.currentThread().interrupt();
                try {
                    log.appendAndWait(Logs.text("record " + i));
                    assertThat(Thread.interrupted()).isTrue(); // the interrupt is still the caller's to look at
                    workedItself++;
                    expected.add("record " + i);
                } catch (AppendInterruptedException e) {
                    assertThat(Thread.interrupted()).isTrue();
                    if (e.isIndeterminate()) { // a lane did it, and the caller parked; the record is there all the same
                        expected.add("record " + i);
                    }
                }
            }
            assertThat(workedItself).isPositive();
            expected.add("record 21");
            assertThat(log.append(Logs.text("record 21")).get()).isEqualTo(expected.size());
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(expected);
    }

    /** The flag with which a caller comes is kept apart; one that another thread sets meanwhile is there while it uses the file. */
    @ParameterizedTest
    @EnumSource(
            value = Force.class,
            names = {"FDATASYNC", "DIRECT", "DSYNC", "FSYNC", "WRITE"})
    void aCallerThatIsInterruptedWhileItWritesHarmsNoOther(Force force) throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        Thread caller = Thread.currentThread();
        AtomicInteger sent = new AtomicInteger();
        try (MessageLog log = MessageLog.open(options().withForce(force), storage)) {
            Logs.awaitRest();
            storage.hook((operation, file) -> {
                if (Thread.currentThread().equals(caller)) {
                    Thread sender = new Thread(caller::interrupt);
                    sender.start();
                    Uninterruptibles.join(sender, Long.MAX_VALUE);
                    sent.incrementAndGet();
                }
            });
            int workedItself = 0; // otherwise one of the log's threads was awake and did it
            for (int i = 1; i <= 20; i++) {
                sent.set(0);
                assertThat(log.appendAndWait(Logs.text("record " + i))).isEqualTo(i);
                boolean worked = sent.get() > 0;
                assertThat(Thread.interrupted()).isEqualTo(worked); // the interrupt is still the caller's to look at
                workedItself += worked ? 1 : 0;
            }
            assertThat(workedItself).isPositive();
            storage.hook((operation, file) -> {});
            assertThat(log.append(Logs.text("record 21")).get()).isEqualTo(21);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 21));
    }

    @ParameterizedTest
    @EnumSource(
            value = Force.class,
            names = {"FDATASYNC", "DSYNC", "WRITE"})
    void aCallerThatIsInterruptedMayChangeTheSegment(Force force) throws Exception {
        int records = 60;
        int withdrawn = 0;
        try (MessageLog log = MessageLog.open(options().withForce(force))) {
            Logs.awaitRest();
            for (int i = 1; i <= records; i++) {
                Thread.currentThread().interrupt();
                try {
                    assertThat(log.appendAndWait(Logs.bytes(Logs.SEGMENT_BYTES / 5, i)))
                            .isEqualTo(i - withdrawn);
                } catch (AppendInterruptedException e) {
                    assertThat(Thread.interrupted()).isTrue();
                    assertThat(log.failure()).isNull(); // a lane did it, and the caller parked
                    withdrawn += e.isIndeterminate() ? 0 : 1;
                }
            }
        }
        leaveNoInterruptBehind();
        assertThat(LogTools.inspect(directory).records()).isEqualTo(records - withdrawn);
        assertThat(LogTools.inspect(directory).segments()).hasSizeGreaterThan(10);
    }

    @Test
    void whatOthersAppendMeanwhileIsNotLeftLying() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        CountDownLatch forceBegins = new CountDownLatch(1);
        CountDownLatch forceMayEnd = new CountDownLatch(1);
        AtomicReference<Throwable> callersEnd = new AtomicReference<>();
        try (MessageLog log = MessageLog.open(options(), storage)) {
            Logs.awaitRest();
            Thread caller = new Thread(() -> {
                try {
                    log.appendAndWait(Logs.text("record 1"));
                } catch (Exception e) {
                    callersEnd.set(e);
                }
            });
            storage.hook((operation, file) -> {
                if (operation.equals("fsync") && Thread.currentThread().equals(caller)) {
                    forceBegins.countDown();
                    Logs.await(forceMayEnd);
                }
            });
            caller.start();
            forceBegins.await();
            CompletableFuture<Long> second = log.append(Logs.text("record 2"));
            forceMayEnd.countDown();
            assertThat(second.get()).isEqualTo(2);
            caller.join();
        }
        assertThat(callersEnd).hasNullValue();
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 2));
    }

    @Test
    void theIdleMarkIsWrittenAfterACallersAppendToo() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(options().withIdleMark(Duration.ofMillis(1)), storage)) {
            Logs.awaitRest();
            for (int i = 1; i <= 3; i++) {
                CountDownLatch marked = new CountDownLatch(1);
                storage.hook((operation, file) -> {
                    if (operation.equals("fsync")
                            && !Thread.currentThread().getName().equals("caller")) {
                        marked.countDown();
                    }
                });
                Thread.currentThread().setName("caller");
                log.appendAndWait(Logs.text("record " + i));
                marked.await();
            }
            storage.hook((operation, file) -> {});
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 3));
    }

    @Test
    void closingTheLogFromItsOwnWorkIsRefused() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        AtomicReference<Throwable> refusal = new AtomicReference<>();
        try (MessageLog log = MessageLog.open(options(), storage)) {
            Logs.awaitRest();
            storage.hook((operation, file) -> {
                AutoCloseable closing = log;
                try {
                    closing.close();
                } catch (Exception e) {
                    refusal.compareAndSet(null, e);
                }
            });
            log.appendAndWait(Logs.text("record 1"));
            storage.hook((operation, file) -> {});
        }
        assertThat(refusal.get()).isInstanceOf(IllegalStateException.class);
    }

    private LogOptions options() {
        return Logs.options(directory).withForce(Force.FSYNC).withGroupsInFlight(2);
    }
}
