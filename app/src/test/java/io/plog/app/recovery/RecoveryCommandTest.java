package io.plog.app.recovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.app.CommandRun;
import java.nio.file.Path;
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
}
