package io.plog.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.plog.log.storage.Force;
import io.plog.log.testing.Await;
import io.plog.protocol.Status;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.monitoring.TargetEvents;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.TestService;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.TargetState;
import io.plog.server.state.TestRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A log that is found damaged in the background fails its target, whether the target serves by then or is still being opened. */
@Timeout(60)
final class FailureWhileOpeningTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();

    @TempDir
    Path directory;

    @Test
    void aLogThatFailsWhileItsStateIsRestoredFailsItsTargetAndNotTheStart() throws Exception {
        try (TargetLog log = open(new TestService())) {
            for (int record = 1; record <= 12; record++) {
                TestRequest request = new TestRequest(log.state(), 1, record, new byte[15_000]);
                assertThat(log.state().admit(request)).isTrue();
                log.records().append(request, request.record());
                assertThat(request.await()).isEqualTo(Status.OK);
            }
        }
        damageTheFirstRecord();

        try (TargetLog log = open(new RestoredLate())) {
            TestRequest request = new TestRequest(log.state(), 1, 13, new byte[10]);
            assertThat(log.state().admit(request)).isFalse();
            assertThat(request.await()).isEqualTo(Status.LOG_UNAVAILABLE);
            assertThat(log.problem()).contains("failed for good", "damaged log: file ");
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("closed a log that had failed");
        }
    }

    private String said() {
        return out.toString(StandardCharsets.UTF_8);
    }

    private TargetLog open(TestService service) throws IOException {
        TargetOptions target = TargetOptions.logged("t", directory, Force.FDATASYNC)
                .withSegmentBytes(64 << 10)
                .withCheckAtStartBytes(0);
        return TargetLog.open(
                target,
                ServerOptions.of(List.of(target)),
                new TargetState("t", service, new MemoryBounds(8, 8, 100_000, 100_000)),
                null,
                new TargetMeters(new SimpleMeterRegistry(), target, TargetEvents.NONE),
                new ServerNotices(out, () -> 0));
    }

    private void damageTheFirstRecord() throws IOException {
        Path first = directory.resolve("00000000000000000001.seg");
        try (RandomAccessFile bytes = new RandomAccessFile(first.toFile(), "rw")) {
            bytes.seek(10_000);
            bytes.write(1); // where the record has zeros
        }
    }

    /** Is restored only once the log has failed. */
    private final class RestoredLate extends TestService {
        @Override
        public void restore(ByteBuffer state) {
            try {
                Await.until(() -> said().contains("failed for good"));
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        }
    }
}
