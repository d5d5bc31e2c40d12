package io.plog.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.server.monitoring.ServerNotices;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class CheckpointHealthTest {
    private static final IOException BROKEN = new IOException("rename of log.head.tmp: Input/output error");

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final AtomicLong nanos = new AtomicLong(17);
    private final CheckpointHealth health =
            new CheckpointHealth("a", 1_000, new ServerNotices(out, () -> 0), nanos::get);

    private List<String> lines() {
        return out.toString(StandardCharsets.UTF_8).lines().toList();
    }

    @Test
    void aFailureIsReportedOnceAndSoIsItsEnd() {
        health.succeeded();
        assertThat(lines()).isEmpty();
        health.failed(false, BROKEN, true);
        health.failed(false, BROKEN, true);
        assertThat(lines()).hasSize(1);
        assertThat(lines().get(0))
                .endsWith(
                        "target a: no checkpoint can be saved (rename of log.head.tmp: Input/output error); the one before"
                                + " is still good. It is tried again each second");
        health.succeeded();
        health.succeeded();
        assertThat(lines()).hasSize(2);
        assertThat(lines().get(1)).endsWith("target a: its checkpoints are saved and its records dropped again");
    }

    @Test
    void aDropThatFailedIsNotReportedAsACheckpointThatWasNotSaved() {
        health.failed(true, BROKEN, true);
        assertThat(lines()).hasSize(1);
        assertThat(lines().get(0))
                .contains(
                        "records that its checkpoint covers cannot be dropped (rename of log.head.tmp: Input/output error)")
                .doesNotContain("saved");
    }

    @Test
    void whatIsNotTriedAgainIsNotSaidToBe() {
        health.failed(false, BROKEN, false);
        assertThat(lines().get(0)).endsWith("the one before is still good");
    }

    @Test
    void aTargetIsReadyUntilItFailsForLong() {
        health.failed(false, BROKEN, true);
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(60));
        health.failed(false, BROKEN, true);
        assertThat(health.problem(1_500)).isNull();
        nanos.addAndGet(TimeUnit.SECONDS.toNanos(1));
        assertThat(health.problem(1_500)).contains("for 61 s although it was due: no checkpoint can be saved");
        health.succeeded();
        assertThat(health.problem(1_500)).isNull();
    }

    @Test
    void aTargetIsNotReadyWhenItsLogTakesTwiceItsBoundSinceNothingIsDropped() {
        assertThat(health.problem(1_000_000)).isNull(); // large, but nothing fails: the next drop makes it smaller
        health.failed(true, BROKEN, true);
        assertThat(health.problem(2_000)).isNull();
        assertThat(health.problem(50_500))
                .startsWith(
                        "the log of target a takes 50500 bytes, 50.5 times its bound (retain) of 1000: records that");
    }
}
