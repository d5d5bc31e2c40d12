package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.LogContents;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A server whose log is striped over three directories, killed under load again and again. */
final class StripedServerTest {
    private static final long LEDGER_BYTES_UNDER_LOAD = 40_000;

    @TempDir(factory = DiskDirectory.class)
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @Test
    void killsInARowLoseNothingAcknowledged() throws Exception {
        killsInARow(2);
    }

    @Test
    @Tag("slow")
    void manyKillsInARowLoseNothingAcknowledged() throws Exception {
        killsInARow(10);
    }

    private void killsInARow(int rounds) throws Exception {
        String log = Files.createDirectory(directory.resolve("one")) + "+"
                + Files.createDirectory(directory.resolve("two")) + "+"
                + Files.createDirectory(directory.resolve("three"));
        Path ledger = directory.resolve("ledger");
        for (int round = 1; round <= rounds; round++) {
            long had = round == 1 ? 0 : Files.size(ledger);
            try (TestServer server = TestServer.start(
                            directory,
                            "--log",
                            "main=" + log + ",segment=1MiB",
                            "--admin-port",
                            "0",
                            "--max-payload",
                            "64k");
                    Plog client = load(server, ledger)) {
                Await.until(
                        "more is acknowledged",
                        () -> Files.exists(ledger) && Files.size(ledger) > had + LEDGER_BYTES_UNDER_LOAD);
                server.process.kill();
                client.awaitExit();
            }
            assertThat(LocalRun.of("log", "verify", log).exited(0).outText()).startsWith("fine: ");
            LocalRun.of("audit", "--ledger", ledger, "--log", log).exited(0);
            LogContents.check(LogContents.ledger(ledger, 0), dump(log));
        }
        assertThat(LocalRun.of("log", "info", log).exited(0).outText()).contains("in ", "/one", "/two", "/three");
        List<String> alone =
                LocalRun.of("log", "verify", directory.resolve("two")).exited(1).err();
        assertThat(alone).hasSize(1);
        assertThat(alone.get(0)).contains("is stripe 2 of 3 of log", "open the log with all of its 3 directories");
    }

    private static List<LogContents.Entry> dump(String log) throws Exception {
        return LogContents.dump(Path.of(log));
    }

    private Plog load(TestServer server, Path ledger) throws Exception {
        return Plog.start(
                Map.of(),
                "measure",
                "--server",
                server.address(),
                "--sizes",
                "100,10k",
                "--iterations",
                "10000000",
                "--warmup",
                "200",
                "--blocks",
                "100000",
                "--connections",
                "8",
                "--ledger",
                ledger,
                "--out",
                directory.resolve("results-" + server.port));
    }
}
