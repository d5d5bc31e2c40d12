package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.storage.LogRefusedException;
import io.plog.log.testing.Await;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Who waits until the log is durable up to an index hears of that, or of its end. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DurableWaitTest {
    private static final Duration LONG = Duration.ofHours(1);

    private HeldLog held;
    private MessageLog log;

    /** The force of record 1 is under way. */
    @BeforeEach
    void open(@TempDir Path directory) throws Exception {
        held = new HeldLog(directory, Logs.options(directory), "fdatasync");
        log = held.log;
    }

    /** What a thread is told that waits already when this returns. */
    private CompletableFuture<Boolean> waitFor(long index) throws Exception {
        CompletableFuture<Boolean> told = new CompletableFuture<>();
        Thread thread = new Thread(() -> {
            try {
                told.complete(log.awaitDurable(index, LONG));
            } catch (Exception e) {
                told.completeExceptionally(e);
            }
        });
        thread.start();
        Await.until(() -> thread.getState() == Thread.State.TIMED_WAITING || told.isDone());
        return told;
    }

    @Test
    void itIsToldWhenTheRecordIsForcedAndNotBefore() throws Exception {
        assertThat(log.awaitDurable(0, Duration.ZERO)).isTrue();
        assertThat(log.awaitDurable(1, Duration.ofMillis(1))).isFalse();
        CompletableFuture<Boolean> first = waitFor(1);
        CompletableFuture<Boolean> second = waitFor(2);
        assertThat(first).isNotDone();
        held.goOn();
        assertThat(first.get()).isTrue();
        assertThat(second).isNotDone();
        log.appendAndWait(Logs.text("record 2"));
        assertThat(second.get()).isTrue();
        assertThat(log.awaitDurable(2, Duration.ofDays(1_000_000))).isTrue();
        log.close();
    }

    @Test
    void itIsToldOfAFailure() throws Exception {
        held.goOn();
        CompletableFuture<Boolean> second = waitFor(2);
        held.storage.hook((operation, file) -> {
            throw new IOException("the disk is gone");
        });
        CompletableFuture<Long> unused = log.append(Logs.text("record 2"));
        assertThatThrownBy(() -> second.get(10, TimeUnit.SECONDS)).hasCauseInstanceOf(LogFailedException.class);
        assertThatThrownBy(() -> log.awaitDurable(2, LONG)).isInstanceOf(LogFailedException.class);
        assertThat(log.awaitDurable(1, LONG)).isTrue();
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @Test
    void itIsToldThatTheLogIsClosedUnlessTheRecordWasAcceptedBefore() throws Exception {
        CompletableFuture<Boolean> first = waitFor(1);
        CompletableFuture<Boolean> second = waitFor(2);
        held.close();
        assertThat(first.get()).isTrue();
        assertThatThrownBy(second::get)
                .hasCauseInstanceOf(LogRefusedException.Closed.class)
                .hasMessageContaining("the log was closed before index 2 was durable");
    }

    @Test
    void anInterruptEndsTheWaitAndNothingElse() throws Exception {
        Thread.currentThread().interrupt();
        assertThatThrownBy(() -> log.awaitDurable(1, LONG)).isInstanceOf(InterruptedException.class);
        assertThat(Thread.interrupted()).isFalse();
        held.goOn();
        assertThat(log.awaitDurable(1, LONG)).isTrue();
        log.close();
    }
}
