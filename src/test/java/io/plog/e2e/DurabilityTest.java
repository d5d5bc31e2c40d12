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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What was acknowledged is in the log, in one directory or three: after a kill under load, a restart, an orderly end. */
@Execution(ExecutionMode.CONCURRENT)
@Order(4)
final class DurabilityTest {
    /** Some seven hundred acknowledgements: the server is well under load then. */
    private static final long LEDGER_BYTES_UNDER_LOAD = 40_000;

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @SuppressWarnings("NullAway.Init")
    private Path logA;

    @SuppressWarnings("NullAway.Init")
    private Path logB;

    @SuppressWarnings("NullAway.Init")
    private String striped;

    @SuppressWarnings("NullAway.Init")
    private Path ledger;

    @BeforeEach
    void makeDirectories() throws Exception {
        logA = Files.createDirectory(directory.resolve("a"));
        logB = Files.createDirectory(directory.resolve("b"));
        striped = Files.createDirectory(directory.resolve("one")) + "+"
                + Files.createDirectory(directory.resolve("two")) + "+"
                + Files.createDirectory(directory.resolve("three"));
        ledger = directory.resolve("ledger");
    }

    @Test
    @Timeout(300)
    void aKillAndThenAnOrderlyEndUnderLoadLoseNothingAcknowledged() throws Exception {
        try (TestServer server = startServer();
                Plog client = startLoad(server)) {
            awaitLoad(0);
            server.process.kill();
            assertPartial(client);
        }
        audit();
        List<LogContents.Entry> before = LogContents.dump(logA);
        long had = Files.size(ledger);
        try (TestServer server = startServer()) {
            assertThat(server.process.errText())
                    .containsPattern("target a: .* " + before.size() + " records recovered");
            try (Plog client = startLoad(server)) {
                awaitLoad(had);
                assertThat(server.stop()).as("exit code of %s", server.process).isZero();
                server.process.withoutStackTrace();
                assertPartial(client);
            }
        }
        assertThat(LocalRun.of("log verify %s", logA).exited(0).outText()).contains("closed in order");
        audit();
        // The one audit in a process of its own: exit code and streams are those of the process.
        Plog audit =
                Plog.run("audit --ledger %s --target 0 --log %s", ledger, logA).exited(0);
        assertThat(audit.outText()).contains("holds: all ");
        assertThat(audit.err()).isEmpty();
        assertThat(LogContents.dump(logA)).startsWith(before.toArray(LogContents.Entry[]::new));
    }

    /** Starts twenty processes, one after the other. */
    @Test
    @Tag("slow")
    @Timeout(400)
    void killsInARowLoseNothingAcknowledged() throws Exception {
        for (int round = 1; round <= 10; round++) {
            long had = round == 1 ? 0 : Files.size(ledger);
            try (TestServer server = startServer();
                    Plog client = startLoad(server)) {
                awaitLoad(had);
                server.process.kill();
                client.awaitExit();
            }
            audit();
            assertThat(LocalRun.of("log verify %s", striped).exited(0).outText())
                    .startsWith("fine: ");
        }
        assertThat(LocalRun.of("log info %s", striped).exited(0).outText()).contains("/one", "/two", "/three");
        assertThat(LocalRun.of("log verify %s", directory.resolve("two"))
                        .exited(1)
                        .onlyErrLine())
                .contains("is stripe 2 of 3 of log", "open the log with all of its 3 directories");
    }

    private TestServer startServer() throws Exception {
        return TestServer.start(
                directory,
                "--log a=%s,segment=4MiB --log b=%s,segment=4MiB,force=dsync --log c=%s,segment=1MiB --admin-port 0",
                logA,
                logB,
                striped);
    }

    private Plog startLoad(TestServer server) throws Exception {
        return Plog.start(
                "measure --server %s --sizes 100,1k --iterations 10000000 --trials 1 --warmup 200"
                        + " --blocks 100000 --connections 4 --ledger %s --out %s",
                server.address(), ledger, directory.resolve("results-" + server.port));
    }

    /** Lines reach the file while the first target may still be the only one that was asked. */
    private void awaitLoad(long had) throws Exception {
        Await.until(
                "more is acknowledged by all",
                () -> Files.exists(ledger) && Files.size(ledger) > had + LEDGER_BYTES_UNDER_LOAD);
    }

    private static void assertPartial(Plog client) throws Exception {
        client.exited(1);
        assertThat(client.errText()).contains("the run is partial");
    }

    private void audit() throws Exception {
        List<Path> logs = List.of(logA, logB, Path.of(striped));
        for (int target = 0; target < logs.size(); target++) {
            LocalRun.of("audit --ledger %s --target %s --log %s", ledger, target, logs.get(target))
                    .exited(0);
            // The project's own eyes agree.
            LogContents.check(LogContents.ledger(ledger, target), LogContents.dump(logs.get(target)));
        }
    }
}
