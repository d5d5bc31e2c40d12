package io.plog.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.LogOptions;
import io.plog.log.storage.Force;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What a server says of a record that takes its service long: a thread without a processor is no slow service. */
final class StalledServiceTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ServerNotices notices = new ServerNotices(out, () -> 0);
    private final TargetOptions target = TargetOptions.logged("t", Path.of("/srv/t"), Force.FDATASYNC);
    private final TargetLog listener =
            new TargetLog(target, ServerOptions.of(List.of(target)), LogOptions.in(Path.of("")), null, null, notices);

    private String said(Thread thread) {
        listener.callbackStalled(TimeUnit.MILLISECONDS.toNanos(1_670), thread);
        return out.toString(StandardCharsets.UTF_8);
    }

    @Test
    void aThreadThatCouldRunMayLackAProcessor() {
        assertThat(said(Thread.currentThread()))
                .contains("target t: its service has not returned from one record for 1670 ms")
                .contains("computes, or gets no processor")
                .doesNotContain("executing");
    }

    @Test
    void aThreadThatWaitsIsSaidToWait() throws InterruptedException {
        CountDownLatch latch = new CountDownLatch(1);
        Thread waiting = new Thread(() -> {
            try {
                latch.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        waiting.start();
        while (waiting.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        assertThat(said(waiting)).contains("waits for something");
        latch.countDown();
        waiting.join();
    }
}
