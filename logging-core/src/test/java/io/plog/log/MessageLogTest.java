package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.LogFiles;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.testing.CallbackAppend;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MessageLogTest {
    @TempDir
    Path directory;

    @Test
    void aReaderThatWasClosedSaysSoAndNotThatTheLogIsDamaged() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Logs.appendTexts(log, 1, 2);
            LogReader reader = log.read(1);
            assertThat(reader.next()).isTrue();
            reader.close();
            assertThatThrownBy(reader::next).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void aCloseThatEndedForWantOfMemoryGoesOnWhenItIsCalledAgain() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(Logs.options(directory), storage);
        Logs.appendTexts(log, 1, 1);
        AtomicBoolean full = new AtomicBoolean(true);
        storage.hook((operation, file) -> {
            if (operation.equals("open") && file.equals(SegmentHeader.fileName(1)) && full.getAndSet(false)) {
                throw new OutOfMemoryError("of the test");
            }
        });
        assertThatThrownBy(log::close).isInstanceOf(OutOfMemoryError.class);
        log.close();
        try (MessageLog next = MessageLog.open(Logs.options(directory))) {
            assertThat(next.recovery().cleanlyClosed()).isTrue();
            log.close(); // does nothing to those who opened the log since
            assertThatThrownBy(() -> MessageLog.open(Logs.options(directory))).isInstanceOf(LogLockedException.class);
        }
    }

    /** As a directory that is mounted twice; here the two have only the lock in common. */
    @Test
    void aLogIsOpenOnceInAProcessAlsoThroughTwoPaths(@TempDir Path second) throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Files.createLink(second.resolve(LogFiles.LOCK), directory.resolve(LogFiles.LOCK));
            assertThatThrownBy(() -> MessageLog.open(Logs.options(second)))
                    .isInstanceOf(LogLockedException.class)
                    .hasMessageContaining("already open in this process");
            Logs.appendTexts(log, 1, 1);
        }
        MessageLog.open(Logs.options(second)).close();
    }

    @Test
    void aLogThatCannotNoteThatItWasClosedIsFreeAllTheSame() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(Logs.options(directory), storage);
        Logs.appendTexts(log, 1, 1);
        storage.hook((operation, file) -> {
            if (operation.equals("open") && file.equals(SegmentHeader.fileName(1))) {
                throw new IOException("Too many open files");
            }
        });
        assertThatThrownBy(log::close).hasMessageContaining("Too many open files");
        try (MessageLog next = MessageLog.open(Logs.options(directory))) {
            Logs.appendTexts(next, 2, 2);
        }
    }

    @Test
    void aLogMayChangeItsWayOfForcingFromOneOpeningToTheNext() throws Exception {
        int last = 0;
        for (Force force :
                List.of(Force.WRITE, Force.DIRECT, Force.FDATASYNC, Force.DIRECT, Force.DSYNC, Force.FSYNC)) {
            try (MessageLog log = MessageLog.open(Logs.options(directory).withForce(force))) {
                Logs.appendTexts(log, last + 1, last + 7);
                last += 7;
            }
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, last));
    }

    @ParameterizedTest
    @EnumSource(value = Force.class, names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    void recordsOfManySizesSpanSegmentsAndComeBackByteForByte(Force force) throws Exception {
        List<ByteBuffer> payloads = new ArrayList<>();
        int[] sizes = {0, 1, 7, 8, 9, 4063, 4064, 4065, 16_384, 100, 15_999};
        for (int i = 0; i < 120; i++) {
            payloads.add(Logs.bytes(sizes[i % sizes.length], i));
        }
        try (MessageLog log = MessageLog.open(Logs.options(directory).withForce(force))) {
            List<CompletableFuture<Long>> outcomes = new ArrayList<>();
            for (ByteBuffer payload : payloads) {
                outcomes.add(log.append(payload.duplicate()));
            }
            for (int i = 0; i < outcomes.size(); i++) {
                assertThat(outcomes.get(i).get()).isEqualTo(i + 1);
            }
        }
        try (LogReader reader = LogReader.open(directory, 0)) {
            for (ByteBuffer payload : payloads) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.payload()).isEqualTo(payload);
            }
            assertThat(reader.next()).isFalse();
        }
        assertThat(LogTools.inspect(directory).segments().size()).isGreaterThan(5);
    }

    @Test
    void aRecordMayConsistOfSeveralBuffersOfBothKinds() throws Exception {
        ByteBuffer large = Logs.bytes(16_000, 3);
        try (MessageLog log = MessageLog.open(LogOptions.in(directory))) {
            ByteBuffer direct = ByteBuffer.allocateDirect(40_000);
            log.appendAndWait(Logs.text("a"), direct, Logs.text("b"), large.duplicate());
            try (LogReader reader = log.read(1)) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.payload().remaining()).isEqualTo(56_002);
                assertThat(reader.payload().get(0)).isEqualTo((byte) 'a');
                assertThat(reader.payload().get(40_001)).isEqualTo((byte) 'b');
                assertThat(reader.payload().slice(40_002, 16_000)).isEqualTo(large);
            }
        }
    }

    @Test
    void manyThreadsGetDenseIndicesInTheOrderOfTheirOwnCalls() throws Exception {
        int threads = 8;
        int each = 500;
        List<String> problems = new ArrayList<>();
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            List<Thread> running = new ArrayList<>();
            for (int t = 0; t < threads; t++) {
                int name = t;
                Thread thread = new Thread(() -> {
                    try {
                        List<CompletableFuture<Long>> outcomes = new ArrayList<>();
                        for (int i = 0; i < each; i++) {
                            outcomes.add(log.append(Logs.text(name + "/" + i)));
                        }
                        long before = 0;
                        for (CompletableFuture<Long> outcome : outcomes) {
                            long index = outcome.get();
                            if (index <= before) {
                                throw new IllegalStateException("index " + index + " after " + before);
                            }
                            before = index;
                        }
                    } catch (InterruptedException | ExecutionException | RuntimeException e) {
                        synchronized (problems) {
                            problems.add(e.toString());
                        }
                    }
                });
                running.add(thread);
                thread.start();
            }
            for (Thread thread : running) {
                thread.join();
            }
            assertThat(log.durableIndex()).isEqualTo((long) threads * each);
        }
        assertThat(problems).isEmpty();
        int[] next = new int[threads];
        for (String text : Logs.readTexts(directory)) {
            int thread = Integer.parseInt(text.substring(0, text.indexOf('/')));
            assertThat(Integer.parseInt(text.substring(text.indexOf('/') + 1))).isEqualTo(next[thread]++);
        }
        assertThat(next).containsOnly(each);
    }

    @Test
    void appendsThatComeInDuringAForceShareTheNextOne() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        CountDownLatch forcing = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (MessageLog log = MessageLog.open(Logs.options(directory).withGroupsInFlight(1), storage)) {
            storage.hook((operation, file) -> {
                if (operation.equals("fdatasync") && forcing.getCount() > 0) {
                    forcing.countDown();
                    Logs.await(goOn);
                }
            });
            storage.clearEvents();
            List<CompletableFuture<Long>> outcomes = new ArrayList<>();
            outcomes.add(log.append(Logs.text("first")));
            forcing.await();
            for (int i = 0; i < 50; i++) {
                outcomes.add(log.append(Logs.text("later " + i)));
            }
            goOn.countDown();
            for (CompletableFuture<Long> outcome : outcomes) {
                outcome.get();
            }
            assertThat(storage.events().stream().filter(e -> e.startsWith("fdatasync")))
                    .hasSize(2);
            assertThat(storage.events().stream().filter(e -> e.startsWith("write")))
                    .hasSize(2);
        }
    }

    @Test
    void nothingIsAcknowledgedBeforeTheForceThatCoversIt() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(Logs.options(directory), storage)) {
            storage.clearEvents();
            for (int i = 0; i < 20; i++) {
                CountDownLatch reported = new CountDownLatch(1);
                // On the thread that forces: no race can hide an early one.
                Append append = new CallbackAppend(
                        durable -> {
                            storage.event("acknowledged");
                            reported.countDown();
                        },
                        cause -> {
                            storage.event(cause.toString());
                            reported.countDown();
                        });
                log.append(append, Logs.text("x"));
                reported.await();
            }
            String segment = SegmentHeader.fileName(1);
            List<String> expected = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                expected.addAll(List.of("write " + segment, "fdatasync " + segment, "acknowledged"));
            }
            // The next segment is opened ahead of time, whenever that is.
            assertThat(storage.events().stream().filter(event -> !event.startsWith("open")))
                    .containsExactlyElementsOf(expected);
        }
    }

    /** What a segment was called while it was made. */
    private static String unfinished(List<String> events, String segment) {
        return events.stream()
                .filter(event -> event.startsWith("create " + segment) && event.endsWith(".tmp"))
                .findFirst()
                .orElse("create a file for " + segment)
                .substring("create ".length());
    }

    @Test
    void aSegmentIsInitialisedForcedAndNamedBeforeItIsUsed() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(Logs.options(directory), storage)) {
            for (int i = 0; i < 20; i++) {
                log.appendAndWait(Logs.bytes(8000, i));
            }
        }
        for (long number = 1; number <= 3; number++) {
            String name = SegmentHeader.fileName(number);
            List<String> events = storage.events();
            String unfinished = unfinished(events, name);
            int forced = events.indexOf("fsync " + unfinished);
            int renamed = events.indexOf("rename " + name);
            int opened = events.indexOf("open " + name);
            assertThat(forced).isPositive().isGreaterThan(events.lastIndexOf("write " + unfinished));
            assertThat(renamed).isGreaterThan(forced);
            assertThat(opened).isGreaterThan(renamed);
            assertThat(events.subList(renamed, opened)).contains("force directory");
        }
        assertThat(Files.readAllBytes(Logs.segment(directory, 3))).hasSize(Logs.SEGMENT_BYTES);
    }

    @Test
    void everyByteOfASegmentIsWrittenAheadOfTime() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        int segmentBytes = 5 * 512 * 1024;
        try (MessageLog log = MessageLog.open(Logs.options(directory).withSegmentBytes(segmentBytes), storage)) {
            String unfinished = unfinished(storage.events(), SegmentHeader.fileName(1));
            assertThat(storage.bytesWritten(unfinished)).isEqualTo(segmentBytes);
            assertThat(Logs.segment(directory, 1)).hasSize(segmentBytes);
            Logs.appendTexts(log, 1, 1);
        }
    }

    @Test
    void writesAroundThePageCacheAreAligned() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        storage.checkAlignment();
        for (Force force : new Force[] {Force.DIRECT, Force.FDATASYNC}) {
            try (MessageLog log = MessageLog.open(Logs.options(directory).withForce(force), storage)) {
                for (int size : new int[] {0, 1, 4064, 4065, 9000, 16_384, 16_384, 16_384, 16_384, 100}) {
                    CompletableFuture<Long> before = log.append(Logs.bytes(size, 1));
                    log.appendAndWait(Logs.bytes(size, 2));
                    assertThat(before).isCompleted();
                }
            }
        }
        assertThat(LogTools.inspect(directory).records()).isEqualTo(40);
    }

    @Test
    void withDirectABlockThatHoldsADurableRecordIsNeverWrittenAgain() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(Logs.options(directory).withForce(Force.DIRECT), storage)) {
            storage.clearEvents();
            Logs.appendTexts(log, 1, 9);
        }
        List<HookedStorage.Stretch> written = storage.written(SegmentHeader.fileName(1));
        assertThat(written).hasSizeGreaterThanOrEqualTo(9);
        for (int i = 1; i < written.size(); i++) {
            assertThat(written.get(i).begin())
                    .isGreaterThanOrEqualTo(written.get(i - 1).end());
        }
    }

    @Test
    void anInterruptedCallerHarmsNoOther() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Thread.currentThread().interrupt();
            CompletableFuture<Long> outcome = log.append(Logs.text("record 1"));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(outcome.get()).isEqualTo(1);
            Logs.appendTexts(log, 2, 5);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 5));
    }

    @Test
    void aFullQueueRefusesWhenAskedToAndNothingOfItIsWritten() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        CountDownLatch goOn = new CountDownLatch(1);
        LogOptions options =
                Logs.options(directory).withOverflow(LogOptions.Overflow.REFUSE).withMaxQueuedRecords(3);
        try (MessageLog log = MessageLog.open(options, storage)) {
            storage.hook((operation, file) -> {
                if (operation.equals("fdatasync")) {
                    Logs.await(goOn);
                }
            });
            List<CompletableFuture<Long>> taken = new ArrayList<>();
            for (int i = 1; i <= 3; i++) {
                taken.add(log.append(Logs.text("record " + i)));
            }
            assertThatThrownBy(() -> log.appendAndWait(Logs.text("too many")))
                    .isInstanceOf(LogRefusedException.QueueFull.class)
                    .matches(e -> !((LogException) e).isIndeterminate());
            goOn.countDown();
            for (CompletableFuture<Long> outcome : taken) {
                outcome.get();
            }
            Logs.appendTexts(log, 4, 6);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 6));
    }

    @Test
    void aFullQueueMakesCallersWaitWhenAskedTo() throws Exception {
        LogOptions options = Logs.options(directory).withMaxQueuedRecords(3);
        try (MessageLog log = MessageLog.open(options)) {
            List<CompletableFuture<Long>> outcomes = new ArrayList<>();
            for (int i = 1; i <= 200; i++) {
                outcomes.add(log.append(Logs.text("record " + i)));
                assertThat(log.queuedRecords()).isLessThanOrEqualTo(3);
            }
            outcomes.get(199).get();
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 200));
    }

    @Test
    void aSecondWriterIsRefusedAndTheFirstGoesOn() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Logs.appendTexts(log, 1, 2);
            assertThatThrownBy(() -> MessageLog.open(Logs.options(directory))).isInstanceOf(LogLockedException.class);
            Logs.appendTexts(log, 3, 4);
        }
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            assertThat(log.durableIndex()).isEqualTo(4);
        }
    }

    @Test
    void theDirectoryIsMadeIfItsParentIsThereAndMustBeOne() throws Exception {
        MessageLog.open(Logs.options(directory.resolve("new"))).close();
        assertThat(directory.resolve("new/log.head")).exists();
        assertThatThrownBy(() -> MessageLog.open(LogOptions.in(directory.resolve("missing/new"))))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("does not exist");
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> MessageLog.open(LogOptions.in(file)))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("not a directory");
    }

    @Test
    void aLiveReaderFollowsTheLogThroughSegments() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory));
                LogReader reader = log.read(1)) {
            assertThat(reader.next()).isFalse();
            for (int i = 0; i < 40; i++) {
                log.appendAndWait(Logs.bytes(6000, i));
                assertThat(reader.next()).isTrue();
                assertThat(reader.index()).isEqualTo(i + 1);
                assertThat(reader.payload()).isEqualTo(Logs.bytes(6000, i));
                assertThat(reader.next()).isFalse();
            }
        }
    }

    @Test
    void theDurationsOfAnAppendAddUpAndItsBatchIsCounted() throws Exception {
        ConcurrentLinkedQueue<Append> seen = new ConcurrentLinkedQueue<>();
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            for (int i = 0; i < 10; i++) {
                log.append(new CallbackAppend(seen::add, cause -> {}), Logs.text("x"));
            }
        }
        assertThat(seen).hasSize(10).allSatisfy(append -> {
            assertThat(append.waitingNanos()).isNotNegative();
            assertThat(append.batchWaitNanos()).isNotNegative();
            assertThat(append.writeNanos()).isPositive();
            assertThat(append.forceNanos()).isPositive();
            assertThat(append.batchRecords()).isBetween(1, 10);
            assertThat(append.loggingNanos())
                    .isEqualTo(append.waitingNanos()
                            + append.batchWaitNanos()
                            + append.writeNanos()
                            + append.forceNanos());
        });
    }

    @ParameterizedTest
    @EnumSource(value = Force.class, names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    void onlyAWayWithAForceOfItsOwnHasATimeForIt(Force force) throws Exception {
        ConcurrentLinkedQueue<Append> seen = new ConcurrentLinkedQueue<>();
        try (MessageLog log = MessageLog.open(Logs.options(directory).withForce(force))) {
            log.append(new CallbackAppend(seen::add, cause -> {}), Logs.text("x"));
        }
        assertThat(seen).hasSize(1).allSatisfy(append -> {
            assertThat(append.writeNanos()).isPositive();
            assertThat(append.forceNanos() > 0).isEqualTo(force.callsForce());
        });
    }

    @Test
    void whatACallbackThrowsStopsNoOther() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Consumer<Append> broken = append -> {
                throw new IllegalStateException("a defect of the caller's, expected in this test's output");
            };
            log.append(new CallbackAppend(broken, cause -> {}), Logs.text("record 1"));
            Logs.appendTexts(log, 2, 3);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 3));
    }
}
