package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.DiskStorage;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log that lacks memory leaves nobody waiting. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class SmallHeapTest {
    @TempDir
    private Path directory;

    @Test
    void eachAppendGetsItsOutcomeWhenAForceFailsWhileTheHeapIsFull() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx16m",
                        "-XX:+UseSerialGC",
                        "-XX:-UseTLAB",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName(),
                        directory.toString())
                .start();
        assertThat(new String(child.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .isEqualTo("LogFailedException LogFailedException");
    }

    private static final class Child {
        private static final Object[] NOTHING = {};
        private static volatile Object[] heap = NOTHING;

        /** Another thread may fail the log for want of heap before the force fails. */
        private static volatile boolean freed;

        public static void main(String[] arguments) throws Exception {
            Path directory = Path.of(arguments[0]);
            CountDownLatch forcing = new CountDownLatch(1);
            CountDownLatch goOn = new CountDownLatch(1);
            CountDownLatch reported = new CountDownLatch(1);
            LogListener listener = new LogListener() {
                @Override
                public void failed(Throwable cause) {
                    freed = true;
                    heap = NOTHING; // nothing can be allocated yet
                    reported.countDown();
                }
            };
            IOException error = new IOException("Input/output error");
            HookedStorage storage = new HookedStorage(new DiskStorage(directory));
            MessageLog log = MessageLog.open(Logs.options(directory).withListener(listener), storage);
            storage.hook((operation, file) -> {
                if (operation.equals("fdatasync")) {
                    forcing.countDown();
                    Logs.await(goOn);
                    fillHeap();
                    throw error;
                }
            });
            CompletableFuture<Long> inBatch = log.append(Logs.text("in the batch whose force fails"));
            forcing.await();
            CompletableFuture<Long> queued = log.append(Logs.text("queued behind it"));
            goOn.countDown();
            boolean inTime = reported.await(100, TimeUnit.SECONDS);
            System.out.print(inTime ? outcome(inBatch) + " " + outcome(queued) : "still waiting");
            System.out.flush();
            Runtime.getRuntime().halt(0);
        }

        private static String outcome(CompletableFuture<Long> append) throws Exception {
            try {
                return append.get(100, TimeUnit.SECONDS).toString();
            } catch (ExecutionException e) {
                return Objects.requireNonNull(e.getCause()).getClass().getSimpleName();
            }
        }

        private static void fillHeap() {
            for (int size : List.of(1 << 16, 1 << 10, 1)) {
                try {
                    while (!freed) {
                        Object[] more = new Object[size];
                        more[0] = heap;
                        heap = more;
                    }
                } catch (OutOfMemoryError full) {
                    // for this size
                }
            }
            heap = freed ? NOTHING : heap;
        }
    }
}
