package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.DiskStorage;
import io.plog.log.testing.CallbackAppend;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Many logs on the threads of one {@link LogRuntime}. */
@Timeout(120)
class LogRuntimeTest {
    @TempDir
    private Path directory;

    private LogOptions options(int number, LogRuntime runtime) throws Exception {
        return LogOptions.small(Files.createDirectories(directory.resolve("log-" + number)))
                .withRuntime(runtime);
    }

    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("plog-shared-"))
                .collect(Collectors.toSet());
    }

    @Test
    void hundredLogsShareTheirThreadsAndEachKeepsItsOrder() throws Exception {
        List<MessageLog> logs = new ArrayList<>();
        try (LogRuntime runtime = LogRuntime.ofThreads(8)) {
            for (int i = 0; i < 100; i++) {
                logs.add(MessageLog.open(options(i, runtime)));
            }
            List<CompletableFuture<Long>> appended = new ArrayList<>();
            for (int record = 1; record <= 20; record++) {
                for (MessageLog log : logs) {
                    appended.add(log.append(Logs.text("record " + record)));
                }
            }
            for (int i = 0; i < appended.size(); i++) {
                assertThat(appended.get(i).get()).isEqualTo(1 + i / logs.size());
            }
            assertThat(threads()).isNotEmpty().hasSizeLessThanOrEqualTo(8);
            for (MessageLog log : logs) {
                log.truncateAfter(19);
                assertThat(log.appendAndWait(Logs.text("record 20"))).isEqualTo(20);
                log.close();
            }
        }
        for (int i = 0; i < 100; i++) {
            assertThat(Logs.readTexts(directory.resolve("log-" + i))).isEqualTo(Logs.texts(1, 20));
        }
    }

    @Test
    void aLogThatFallsIdleWritesItsWatermark() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        CountDownLatch forces = new CountDownLatch(2); // the append's own, and the mark's without appends
        try (LogRuntime runtime = LogRuntime.ofThreads(3);
                MessageLog log = MessageLog.open(
                        LogOptions.small(directory).withRuntime(runtime).withIdleMark(Duration.ofMillis(1)), storage)) {
            storage.hook((operation, file) -> {
                if (operation.equals("fdatasync")) {
                    forces.countDown();
                }
            });
            log.append(Logs.text("record 1")).get();
            forces.await();
        }
    }

    @Test
    void aCallbackThatHangsKeepsOneThreadAndNoOtherLog() throws Exception {
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        try (LogRuntime runtime = LogRuntime.ofThreads(6);
                MessageLog one = MessageLog.open(options(1, runtime));
                MessageLog other = MessageLog.open(options(2, runtime))) {
            one.append(
                    new CallbackAppend(
                            durable -> {
                                hangs.countDown();
                                Logs.await(goOn);
                            },
                            failed -> {}),
                    Logs.text("record 1"));
            hangs.await();
            for (long i = 1; i <= 100; i++) {
                assertThat(other.append(Logs.text("record " + i)).get()).isEqualTo(i);
            }
            goOn.countDown();
        }
    }

    @Test
    void aNumberOfThreadsThatCannotBeIsNamed() {
        assertThatThrownBy(() -> LogRuntime.ofThreads(2))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("threads is 2: expected 3 to 1024");
    }
}
