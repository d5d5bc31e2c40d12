package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.Await;
import io.plog.e2e.support.BookieCluster;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.TestServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The tools on a log that BookKeeper's bookies keep, each a process of its own. */
@Tag("slow")
@Timeout(300)
class ReplicatedToolsTest {
    @TempDir
    Path scratch;

    /** Runs one command; a load may also end as not valid, for how quick the machine is is not the question here. */
    private Plog run(int exitCode, String line, Object... values) throws Exception {
        Plog run = Plog.start(BookieCluster.ENVIRONMENT, line, values);
        assertThat(run.awaitExit()).as("%s", run).isIn(exitCode, line.startsWith("load") ? 5 : exitCode);
        run.withoutStackTrace();
        return run;
    }

    @Test
    void theLogOfAServerAtWorkIsLookedIntoAndAuditedAndTheServerNoticesNothing() throws Exception {
        Path ledger = scratch.resolve("ledger");
        try (BookieCluster bookies = BookieCluster.start(scratch)) {
            String address = bookies.address("orders");
            assertThat(run(1, "log info %s", address).errText())
                    .contains("there is no log at " + address, "BookKeeper's own messages are in ");
            try (TestServer server =
                    TestServer.start(BookieCluster.ENVIRONMENT, scratch, "--log r=%s --admin-port free", address)) {
                load(server, ledger);
                assertThat(run(0, "log info %s", address).outText())
                        .contains("records    500 (1 to 500)", "not in order, or open at this moment");
                assertThat(run(0, "log verify %s", address).outText()).startsWith("fine: 500 records (1 to 500)");
                assertThat(run(0, "log dump --json %s", address).out()).hasSize(500);
                assertThat(run(0, "audit --ledger %s --log %s", ledger, address).outText())
                        .contains("holds: all 500 acknowledged requests are in the log");
                load(server, ledger);
                server.process.kill();
            }
            // The log was not closed, and the end of what was acknowledged is not reported by any bookie.
            assertThat(run(0, "audit --ledger %s --log %s", ledger, address).outText())
                    .contains("holds: all 1000 acknowledged requests are in the log");
            Files.write(ledger, List.of("7 1 0 5 100 00000000"), StandardOpenOption.APPEND);
            assertThat(run(4, "audit --ledger %s --log %s", ledger, address).outText())
                    .contains("does not hold: 1 of 1001 acknowledged requests are missing or wrong");
        }
    }

    @Test
    void aLoadFollowsTheLogToTheServerThatTakesItOver() throws Exception {
        Path ledger = scratch.resolve("ledger");
        int second = BadInputTest.freePort();
        try (BookieCluster bookies = BookieCluster.start(scratch)) {
            String address = bookies.address("orders");
            try (TestServer old =
                            TestServer.start(BookieCluster.ENVIRONMENT, scratch, "--log r=%s --admin-port 0", address);
                    Plog load = Plog.start(
                            BookieCluster.ENVIRONMENT,
                            "load --server %s,127.0.0.1:%s --mode closed --connections 4 --duration 15s --warmup 0s"
                                    + " --ledger %s --out %s",
                            old.address(),
                            second,
                            ledger,
                            scratch.resolve("load"))) {
                Await.until("requests are acknowledged", () -> Files.exists(ledger) && Files.size(ledger) > 10_000);
                try (TestServer taking = TestServer.start(
                        BookieCluster.ENVIRONMENT, scratch, "--log r=%s --admin-port 0 --port %s", address, second)) {
                    assertThat(taking.process.errText()).contains("records recovered");
                    load.exited(0, 5);
                    assertThat(load.outText()).contains("NOT_SERVING=");
                    String page = run(0, "log info --json %s", address).outText();
                    assertThat(page).contains("\"damage\":\"\"");
                }
                assertThat(run(0, "audit --ledger %s --log %s", ledger, address).outText())
                        .contains("holds: all ");
            }
        }
    }

    private void load(TestServer server, Path ledger) throws Exception {
        run(
                0,
                "load --server 127.0.0.1:%s --mode closed --connections 4 --requests 500 --warmup 0s"
                        + " --ledger %s --out %s",
                server.port,
                ledger,
                scratch.resolve("load-" + System.nanoTime()));
    }

    @Test
    void theReplicatedDemoShowsWhatAQuorumCostsNextToTheForce() throws Exception {
        Path out = scratch.resolve("demo");
        Plog demo = Plog.start(
                        BookieCluster.ENVIRONMENT,
                        "demo --replicated --out %s --sizes 100,10k --iterations 100 --trials 1 --warmup 20",
                        out)
                .exited(0, 5);
        assertThat(demo.outText()).contains("Logging 100 B takes", " µs with fdatasync on this machine; ", "with r3,");
        assertThat(Files.readString(out.resolve("report.html"))).contains("r3 (quorum)");
        assertThat(Files.readString(out.resolve("results.json"))).contains("Apache BookKeeper 4.", "journalSyncData");
        assertThat(demo.processes()).isEmpty();
        assertThat(out.resolve("log-bookies")).doesNotExist();
        assertThat(out.resolve("log")).doesNotExist();
    }
}
