package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.ControlRecords;
import io.plog.log.file.DiskStorage;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogRefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Several groups of appends under way at once, on a real directory; the test decides which force ends when. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LanesTest {
    @TempDir
    private Path directory;

    private final CountDownLatch firstForceBegins = new CountDownLatch(1);
    private final CountDownLatch firstForceMayEnd = new CountDownLatch(1);
    private final CountDownLatch secondForceBegins = new CountDownLatch(1);
    private final CountDownLatch secondForceMayEnd = new CountDownLatch(1);
    private final CountDownLatch thirdForceBegins = new CountDownLatch(1);
    private final AtomicInteger forces = new AtomicInteger();

    @Test
    void whatIsForcedBeforeItsTurnIsAcknowledgedInItsTurn() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(options(), storage)) {
            storage.hook((operation, file) -> forcesTakeTurns(operation, file, false));
            CompletableFuture<Long> first = log.append(wholeBlocks("record 1"));
            firstForceBegins.await();
            CompletableFuture<Long> second = log.append(Logs.text("record 2"));
            CompletableFuture<Long> third = log.append(Logs.text("record 3"));
            secondForceBegins.await();
            secondForceMayEnd.countDown();
            // The lane of the second group is back when it forces another: so the second group is durable by now.
            CompletableFuture<Long> fourth = log.append(Logs.text("record 4"));
            CompletableFuture<Long> fifth = log.append(Logs.text("record 5"));
            CompletableFuture<Long> sixth = log.append(Logs.text("record 6"));
            thirdForceBegins.await();
            assertThat(List.of(first, second, third, fourth)).noneMatch(CompletableFuture::isDone);
            assertThat(log.durableIndex()).isZero();
            firstForceMayEnd.countDown();
            assertThat(List.of(first.get(), second.get(), third.get(), fourth.get(), fifth.get(), sixth.get()))
                    .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
        }
        assertThat(trimmed(Logs.readTexts(directory))).isEqualTo(Logs.texts(1, 6));
    }

    @Test
    void whenAGroupFailsNoOtherIsAcknowledgedAnyMore() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        CompletableFuture<Long> first;
        CompletableFuture<Long> second;
        MessageLog log = MessageLog.open(options(), storage);
        storage.hook((operation, file) -> forcesTakeTurns(operation, file, true));
        first = log.append(wholeBlocks("record 1"));
        firstForceBegins.await();
        second = log.append(Logs.text("record 2"));
        CompletableFuture<Long> third = log.append(Logs.text("record 3"));
        secondForceBegins.await();
        secondForceMayEnd.countDown(); // with an error
        while (log.failure() == null) {
            Thread.onSpinWait();
        }
        firstForceMayEnd.countDown(); // without one: the record is durable, but nothing is reported after a failure
        assertThat(failureOf(first)).isInstanceOf(LogFailedException.class);
        assertThat(failureOf(third)).isInstanceOf(LogFailedException.class);
        assertThat(failureOf(second)).isInstanceOf(LogFailedException.class).hasMessageContaining("the second force");
        assertThat(log.durableIndex()).isZero();
        assertThat(failureOf(log.append(Logs.text("late")))).isInstanceOf(LogFailedException.class);
        try {
            log.close();
        } catch (LogFailedException expected) {
            assertThat(trimmed(Logs.readTexts(directory))).isEqualTo(Logs.texts(1, 3));
        }
    }

    @Test
    void whatWasLeftOutOfAGroupIsRefusedThoughTheLogFailsBeforeItsTurn() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(options(), storage);
        storage.hook((operation, file) -> forcesTakeTurns(operation, file, true));
        log.append(wholeBlocks("record 1"));
        firstForceBegins.await();
        ByteBuffer buffer = Logs.text("record 2");
        CompletableFuture<Long> changed = log.append(buffer);
        buffer.put(0, (byte) 'R');
        CompletableFuture<Long> written = log.append(Logs.text("record 3"));
        secondForceBegins.await();
        secondForceMayEnd.countDown(); // with an error
        while (log.failure() == null) {
            Thread.onSpinWait();
        }
        firstForceMayEnd.countDown();
        assertThat(failureOf(changed)).isInstanceOf(LogRefusedException.RecordChanged.class);
        assertThat(failureOf(written)).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @Test
    void theSegmentIsChangedOnlyWhenNothingIsUnderWayInIt() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(options(), storage)) {
            int most = Logs.SEGMENT_BYTES / 4;
            log.append(wholeBlocks("record 1")).get();
            storage.hook((operation, file) -> forcesTakeTurns(operation, file, false));
            CompletableFuture<Long> first = log.append(wholeBlocks("record 2"));
            firstForceBegins.await();
            secondForceMayEnd.countDown();
            storage.clearEvents();
            List<CompletableFuture<Long>> others =
                    List.of(log.append(Logs.bytes(most, 2)), log.append(Logs.bytes(most, 3)));
            // The one that fits was written next to the one that is held; the other one needs the next segment.
            secondForceBegins.await();
            assertThat(storage.events()).doesNotContain("write " + SegmentHeader.fileName(2));
            firstForceMayEnd.countDown();
            assertThat(first.get()).isEqualTo(2);
            assertThat(others.get(1).get()).isEqualTo(4);
        }
        assertThat(LogTools.inspect(directory).records()).isEqualTo(4);
    }

    /** A caller may be between claiming a place and filling it at any moment that the lane looks. */
    @Test
    void theSegmentIsChangedOnlyWhenItIsFull() throws Exception {
        LogOptions options = Logs.options(directory).withForce(Force.WRITE).withSegmentBytes(1 << 20);
        int each = 20_000;
        try (MessageLog log = MessageLog.open(options)) {
            List<Thread> callers = new ArrayList<>();
            for (int t = 0; t < 3; t++) {
                Thread caller = new Thread(() -> {
                    for (int i = 0; i < each; i++) {
                        log.append(Logs.text("x")).join();
                    }
                });
                callers.add(caller);
                caller.start();
            }
            for (Thread caller : callers) {
                caller.join();
            }
            assertThat(log.durableIndex()).isEqualTo(3L * each);
        }
        List<LogTools.Segment> sealed = LogTools.inspect(directory).segments().stream()
                .filter(segment -> segment.state().equals("sealed"))
                .toList();
        assertThat(sealed).hasSizeGreaterThan(1);
        // What is kept for a mark and a seal, and a batch's padding to the end of its block, is all that may be left.
        long mostLeft = ControlRecords.RESERVE_BYTES + 2L * SegmentHeader.BLOCK_BYTES;
        assertThat(sealed)
                .allSatisfy(segment ->
                        assertThat(segment.fileBytes() - segment.usedBytes()).isLessThanOrEqualTo(mostLeft));
    }

    @Test
    void atRestNoThreadOfTheLogRuns() throws Exception {
        try (MessageLog log = MessageLog.open(
                options().withSpin(LogOptions.in(directory).spin()).withIdleMark(Duration.ofMillis(1)))) {
            log.append(Logs.text("record 1")).get();
            List<Thread> threads = Thread.getAllStackTraces().keySet().stream()
                    .filter(thread -> thread.getName().startsWith("plog-log"))
                    .toList();
            assertThat(threads).hasSizeGreaterThanOrEqualTo(2);
            for (Thread thread : threads) {
                while (thread.getState() != Thread.State.WAITING) {
                    Thread.onSpinWait(); // ends, or the test's time limit does
                }
            }
            assertThat(log.append(Logs.text("record 2")).get()).isEqualTo(2);
        }
    }

    private LogOptions options() {
        return Logs.options(directory).withForce(Force.FSYNC).withGroupsInFlight(2);
    }

    private void forcesTakeTurns(String operation, String file, boolean secondFails) throws IOException {
        if (!operation.equals("fsync") || !file.endsWith(".seg")) {
            return;
        }
        try {
            switch (forces.incrementAndGet()) {
                case 1 -> {
                    firstForceBegins.countDown();
                    holdUntil(firstForceMayEnd);
                }
                case 2 -> {
                    secondForceBegins.countDown();
                    holdUntil(secondForceMayEnd);
                    if (secondFails) {
                        throw new IOException("the second force");
                    }
                }
                case 3 -> thirdForceBegins.countDown();
                default -> {
                    // goes on
                }
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** A record that ends, with its trailer, where a block does: the next batch need not wait for the rest of the block. */
    private static ByteBuffer wholeBlocks(String text) {
        return Logs.text(text + " ".repeat(SegmentHeader.BLOCK_BYTES - 2 * RecordHeader.BYTES - text.length()));
    }

    private static List<String> trimmed(List<String> texts) {
        return texts.stream().map(String::strip).toList();
    }

    private static void holdUntil(CountDownLatch latch) throws InterruptedException, IOException {
        if (!latch.await(5, TimeUnit.SECONDS)) {
            throw new IOException("the test did not let this force end");
        }
    }

    private static Throwable failureOf(CompletableFuture<Long> append) throws InterruptedException {
        try {
            append.get();
        } catch (ExecutionException e) {
            return Objects.requireNonNull(e.getCause());
        }
        throw new AssertionError("acknowledged");
    }
}
