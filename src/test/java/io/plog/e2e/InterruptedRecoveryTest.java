package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.SystemCommand;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code plog recovery} that ends early. */
final class InterruptedRecoveryTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private static final Pattern SOME_ARE_OVER = Pattern.compile("\\b([2-9]|[1-9]\\d)/100");

    @Test
    void atTheEndOfItsTerminalItWritesWhatWasMeasuredAndRemovesTheLogs() throws Exception {
        Path out = directory.resolve("out");
        try (Plog recovery = Plog.start("recovery --requests 128 --checkpoint none --trials 100 --out %s", out)) {
            assumeFalse(Plog.ignores(Plog.SIGHUP, recovery.pid()), "this build ignores SIGHUP");
            Await.until(
                    "the first kill is over",
                    () -> SOME_ARE_OVER.matcher(recovery.errText()).find());
            List<ProcessHandle> servers = recovery.processes();
            SystemCommand.signal("-HUP", recovery.pid());
            recovery.exited(1);
            assertThat(recovery.errText()).containsPattern("the run is partial: interrupted after \\d+ of 100 kills");
            assertThat(servers).noneMatch(ProcessHandle::isAlive);
        }
        assertThat(out.resolve("results.json")).content().contains("\"recovered\" : {", "\"requests\" : 128");
        assertThat(out)
                .isDirectoryContaining("glob:**/report.html")
                .isDirectoryNotContaining("glob:**/plog-recovery-*");
    }
}
