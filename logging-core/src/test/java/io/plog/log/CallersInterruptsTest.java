package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.DiskStorage;
import io.plog.log.segment.PreparingPace;
import io.plog.log.testing.CallbackAppend;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A caller whose thread does the log's work, and the callbacks of others that run on it: neither meets the other's interrupts. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CallersInterruptsTest {
    @TempDir
    private Path directory;

    private volatile Thread caller = Thread.currentThread();
    private final List<String> seen = new CopyOnWriteArrayList<>();

    @SuppressWarnings("NullAway.Init")
    private MessageLog log;

    @BeforeEach
    void open() throws IOException {
        log = MessageLog.open(
                Logs.options(directory),
                List.of(new DiskStorage(directory)),
                new LogThreading(PreparingPace.NORMAL, LogThreading.normal().runner()));
        Logs.awaitRest();
    }

    @AfterEach
    void close() throws IOException {
        Thread.interrupted();
        log.close();
    }

    @Test
    void aCallbackDoesNotSeeTheInterruptOfTheCallerOnWhoseThreadItRuns() {
        appendOfAnother(append -> note());
        appendOfAnother(append -> note());
        caller.interrupt();
        log.appendAndWait(silent(), Logs.text("mine"));
        assertThat(seen).containsExactly("not interrupted", "not interrupted");
        assertThat(Thread.interrupted()).as("the caller's own").isTrue();
    }

    @Test
    void anInterruptThatACallbackLeavesIsSeenNeitherByTheNextNorByTheCaller() {
        appendOfAnother(append -> Thread.currentThread().interrupt());
        appendOfAnother(append -> note());
        appendOfAnother(append -> Thread.currentThread().interrupt());
        log.appendAndWait(silent(), Logs.text("mine"));
        assertThat(seen).containsExactly("not interrupted");
        assertThat(Thread.interrupted()).as("the caller was not interrupted").isFalse();
    }

    @Test
    void anInterruptThatIsSentToTheCallerMeanwhileIsTheCallersAndIsNotLost() {
        for (int i = 0; i < 3; i++) { // what notices it is used up by the first
            Logs.awaitRest(); // else a lane may take the next
            appendOfAnother(append -> interruptFromOutside());
            appendOfAnother(append -> note());
            appendOfAnother(append -> Thread.currentThread().interrupt());
            log.appendAndWait(silent(), Logs.text("mine"));
            assertThat(Thread.interrupted()).isTrue();
        }
        assertThat(seen).containsOnly("not interrupted");
    }

    @Test
    void aCallerThatWaitsForItsAppendMeetsNoneOfThatEither() throws Exception {
        appendOfAnother(append -> Thread.currentThread().interrupt());
        assertThat(log.appendAndWait(Logs.text("mine"))).isEqualTo(2);
        assertThat(Thread.interrupted()).as("the caller was not interrupted").isFalse();
        Logs.awaitRest(); // else a lane may take the next alone
        appendOfAnother(append -> interruptFromOutside());
        assertThat(log.appendAndWait(Logs.text("mine"))).isEqualTo(4);
        assertThat(Thread.interrupted()).as("somebody did").isTrue();
    }

    private void note() {
        seen.add(Thread.currentThread().isInterrupted() ? "interrupted" : "not interrupted");
        assertThat(Thread.currentThread()).isEqualTo(caller);
    }

    private void interruptFromOutside() {
        CountDownLatch sent = new CountDownLatch(1);
        new Thread(() -> {
                    caller.interrupt();
                    sent.countDown();
                })
                .start();
        while (sent.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private void appendOfAnother(Consumer<Append> callback) {
        caller = Thread.currentThread();
        Logs.putWithoutWaking(
                log, new CallbackAppend(callback, cause -> seen.add("failed: " + cause)), Logs.text("another's"));
    }

    private static Append silent() {
        return new CallbackAppend(append -> {}, cause -> {
            throw new AssertionError("the append failed", cause);
        });
    }
}
