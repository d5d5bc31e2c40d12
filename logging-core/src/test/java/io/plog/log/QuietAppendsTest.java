package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What is appended quietly, and never committed, stops neither its caller nor others. Nobody looks after the log here but the test. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
@SuppressWarnings("FutureReturnValueIgnored") // some appends are there to fill the queue
class QuietAppendsTest {
    @TempDir
    private Path directory;

    @Test
    void moreThanTheQueueHoldsMayBeAppendedQuietly() throws Exception {
        List<CompletableFuture<Long>> outcomes = new ArrayList<>();
        try (MessageLog log = open(options())) {
            for (int i = 1; i <= 50; i++) {
                outcomes.add(appendQuietly(log, 10));
            }
            assertThat(outcome(outcomes.get(0))).isEqualTo(1);
            log.commitHere();
            assertThat(outcome(outcomes.get(49))).isEqualTo(50);
        }
    }

    @Test
    void moreBytesThanTheQueueHoldsMayBeAppendedQuietly() throws Exception {
        try (MessageLog log = open(options().withMaxQueuedRecords(1000).withMaxQueuedBytes(30_000))) {
            for (int i = 1; i <= 20; i++) {
                CompletableFuture<Long> outcome = appendQuietly(log, 8_000);
                if (i <= 16) {
                    continue; // three at a time
                }
                log.commitElsewhere();
                assertThat(outcome(outcome)).isEqualTo(i);
            }
        }
    }

    @Test
    void whoFindsTheQueueFullOfQuietAppendsGetsRoomAndIsServed() throws Exception {
        try (MessageLog log = open(options())) {
            for (int i = 0; i < 4; i++) {
                appendQuietly(log, 10);
            }
            assertThat(outcome(log.append(Logs.text("another's")))).isEqualTo(5);
            for (int i = 0; i < 4; i++) {
                appendQuietly(log, 10);
            }
            assertThat(log.appendAndWait(Logs.text("another's"))).isEqualTo(10);
        }
    }

    @Test
    void whoIsRefusedForQuietAppendsIsTakenSoonAfter() throws Exception {
        try (MessageLog log = open(options().withOverflow(LogOptions.Overflow.REFUSE))) {
            List<CompletableFuture<Long>> quiet = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                quiet.add(appendQuietly(log, 10));
            }
            assertThat(log.append(Logs.text("another's"))).isCompletedExceptionally();
            assertThat(outcome(quiet.get(3))).isEqualTo(4);
            assertThat(outcome(log.append(Logs.text("another's")))).isEqualTo(5);
        }
    }

    @Test
    void whatWasAppendedQuietlyCanBeLeftToTheLogsThreads() throws Exception {
        try (MessageLog log = open(options())) {
            List<Thread> tellers = new CopyOnWriteArrayList<>();
            CompletableFuture<Long> left = appendQuietly(log, 10);
            CompletableFuture<Void> told = left.thenRun(() -> tellers.add(Thread.currentThread()));
            log.commitElsewhere();
            assertThat(outcome(left)).isEqualTo(1);
            told.join();
            assertThat(tellers).hasSize(1).doesNotContain(Thread.currentThread());
        }
    }

    @Test
    void theHousekeeperSeesToWhatNobodyCommits() throws Exception {
        try (MessageLog log = open(options())) {
            CompletableFuture<Long> left = appendQuietly(log, 10);
            log.housekeeper().look();
            assertThat(left).isNotDone();
            log.housekeeper().look();
            assertThat(outcome(left)).isEqualTo(1);
            Logs.awaitRest(); // what still works takes what it finds
            CompletableFuture<Long> next = appendQuietly(log, 10);
            log.housekeeper().look();
            assertThat(next).isNotDone();
            log.commitHere();
            assertThat(outcome(next)).isEqualTo(2);
        }
    }

    @Test
    void whatWaitsAndIsNotBegunShowsInStalledNanos() throws Exception {
        try (MessageLog log = open(options())) {
            assertThat(log.stalledNanos()).isZero();
            appendQuietly(log, 10);
            assertThat(log.stalledNanos()).isPositive();
            log.commitHere();
            assertThat(log.stalledNanos()).isZero();
        }
    }

    /** It takes a force; what has not come long after that never comes. */
    private static long outcome(CompletableFuture<Long> of) throws Exception {
        CountDownLatch told = new CountDownLatch(1);
        CompletableFuture<Void> telling = of.thenRun(told::countDown);
        assertThat(told.await(10, TimeUnit.SECONDS)).as("told").isTrue();
        assertThat(telling).isNotCompletedExceptionally();
        return of.get();
    }

    private LogOptions options() {
        return Logs.options(directory).withMaxQueuedRecords(4);
    }

    private static MessageLog open(LogOptions options) throws Exception {
        MessageLog log = MessageLog.open(
                options,
                List.of(new DiskStorage(options.directories().get(0))),
                new LogThreading(PreparingPace.NORMAL, LogThreading.normal().runner()));
        Logs.awaitRest();
        return log;
    }

    private static CompletableFuture<Long> appendQuietly(MessageLog log, int bytes) {
        CompletableFuture<Long> outcome = new CompletableFuture<>();
        log.appendQuietly(
                new Append() {
                    @Override
                    protected void onDurable() {
                        outcome.complete(index());
                    }

                    @Override
                    protected void onFailed(LogException cause) {
                        outcome.completeExceptionally(cause);
                    }
                },
                Logs.bytes(bytes, 1));
        return outcome;
    }
}
