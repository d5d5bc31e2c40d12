package io.plog.app.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.app.CommandRun;
import java.nio.file.Path;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class RecoveryCommandTest {
    @TempDir
    private Path directory;

    @Test
    void aCheckpointThatIsNoSizeIsRefusedBeforeAnythingIsWritten() {
        Path out = directory.resolve("out");
        CommandRun run = CommandRun.of("recovery", "--checkpoint", "none,foo", "--out", out)
                .exited(2);
        assertThat(run.err)
                .contains("--checkpoint is 'foo'", "expected none or a size")
                .doesNotContain("--log");
        assertThat(out).doesNotExist();
    }

    @Test
    void logsThatDoNotFitOnTheDiskAreRefusedBeforeTheFirstRequest() {
        String lengths =
                IntStream.range(0, 1_000).mapToObj(i -> "" + (99_000_000 + i)).collect(Collectors.joining(","));
        CommandRun run = CommandRun.of(
                        "recovery", "--requests", lengths, "--log-dir", directory, "--out", directory.resolve("out"))
                .exited(1);
        assertThat(run.err.strip())
                .matches("(?s).*the logs need up to \\d+ MiB, but " + directory
                        + " has \\d+ free; name another place with --log-dir, or fewer --requests");
        assertThat(directory.toFile().list()).doesNotContain("plog-recovery-");
    }
}
