package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.plog.client.CallFailedException;
import io.plog.client.ClientOptions;
import io.plog.client.RefusedException;
import io.plog.client.RetryOptions;
import io.plog.client.RetryingClient;
import io.plog.e2e.support.Acknowledged;
import io.plog.e2e.support.Await;
import io.plog.e2e.support.KillClient;
import io.plog.e2e.support.Mounts;
import io.plog.e2e.support.Plog;
import io.plog.e2e.support.TestServer;
import io.plog.protocol.Status;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A disk that is full, and one that fails, under load. {@code tools/kill-matrix} makes such disks. */
@Tag("slow")
@Timeout(300)
final class DiskFaultTest {
    private static final long CLIENT_BASE = 1_000;

    private final Acknowledged acknowledged = new Acknowledged("t0", false);
    private final ConcurrentLinkedQueue<Throwable> failures = new ConcurrentLinkedQueue<>();
    private int port;
    private int adminPort;

    @BeforeEach
    void choosePorts() throws Exception {
        port = BadInputTest.freePort();
        adminPort = BadInputTest.freePort();
    }

    static List<String> failing() {
        return Stream.of(System.getProperty("plog.fault.failing", "").split(",", -1))
                .filter(name -> !name.isEmpty())
                .toList();
    }

    @Test
    void aFullDiskIsRefusedInTypeAndTheServiceGoesOnWhenThereIsSpaceAgain() throws Exception {
        String small = System.getProperty("plog.fault.small", "");
        assumeTrue(!small.isEmpty(), "tools/kill-matrix makes a small file system for this test");
        Path log = Files.createDirectory(Path.of(small, "log"));
        Path filler = Path.of(small, "filler");
        try (Plog server = startServer(log, "1MiB");
                KillClient client = new KillClient(1, CLIENT_BASE, port, List.of(acknowledged), failures)) {
            awaitReady(server);
            client.start();
            acknowledged.awaitMore(1_000, failures);
            Mounts.fill(filler);
            Await.until("a request is refused because the disk is full", () -> refusal() == Status.LOG_FULL.code());
            assertThat(server.isAlive()).isTrue();
            Await.until("health says so", () -> get("/health/ready").statusCode() == 503);
            assertThat(get("/health/ready").body())
                    .contains("target t0 in " + log + " has refused requests since", "space");
            assertThat(get("/metrics").body()).containsPattern("plog_log_healthy.*target=\"t0\".* 0.0");
            int full = acknowledged.count();

            Files.delete(filler);
            Await.until("requests are acknowledged again", () -> acknowledged.count() > full + 1_000);
            assertThat(get("/health/ready").statusCode()).isEqualTo(200);
            client.stop();
            client.awaitAll();
            server.terminate();
            server.exited(0);
            assertThat(server.errText()).containsOnlyOnce("requests are refused from now on (LOG_FULL)");
            assertThat(server.errText()).containsOnlyOnce("takes requests again");
        }
        assertThat(failures).isEmpty();
        // The one that asked whether it is full got some records, too.
        acknowledged.audit(log, CLIENT_BASE, false);
    }

    @ParameterizedTest(allowZeroInvocations = true)
    @MethodSource("failing")
    void aFailedDiskStopsTheLogAndNothingAcknowledgedIsLost(String mount) throws Exception {
        Path log = Files.createDirectory(Path.of(mount, "log"));
        try (KillClient client = new KillClient(1, CLIENT_BASE, port, List.of(acknowledged), failures)) {
            try (Plog server = startServer(log, "4MiB")) {
                awaitReady(server);
                client.start();
                acknowledged.awaitMore(2_000, failures);
                Mounts.shutDown(Path.of(mount));
                Await.until("health is red", () -> get("/health/ready").statusCode() == 503);
                assertThat(get("/health/ready").body()).contains("t0");
                assertThat(refusal()).isEqualTo(Status.LOG_UNAVAILABLE.code());
                int then = acknowledged.count();
                assertThat(refusal()).isEqualTo(Status.LOG_UNAVAILABLE.code());
                assertThat(acknowledged.count())
                        .as("acknowledged after the failure")
                        .isEqualTo(then);
                server.interrupt();
                server.exited(1);
                assertThat(server.errText()).contains("the log is failed for good", "Open it again to recover");
            }
            Mounts.again(Path.of(mount));
            acknowledged.audit(log, CLIENT_BASE, false);
            try (Plog server = startServer(log, "4MiB")) {
                client.stop();
                client.awaitAll();
                assertThat(failures).isEmpty();
                server.terminate();
                server.exited(0);
            }
        }
        acknowledged.audit(log, CLIENT_BASE, false);
    }

    private Plog startServer(Path log, String segment) throws IOException {
        return Plog.start(
                "server --port %s --admin-port %s --max-payload 16KiB --log t0=%s,segment=%s",
                port, adminPort, log, segment);
    }

    private void awaitReady(Plog server) throws Exception {
        Await.until("the server is ready", () -> {
            assertThat(server.isAlive()).as("%s", server).isTrue();
            try {
                return get("/health/ready").statusCode() == 200;
            } catch (IOException notYet) {
                return false;
            }
        });
    }

    /** The status of the refusal of a request of somebody else's; 0 if it was executed. */
    private int refusal() throws Exception {
        RetryOptions brief = RetryOptions.defaults().withDeadline(Duration.ofSeconds(1));
        try (RetryingClient client = RetryingClient.of("127.0.0.1", port, ClientOptions.defaults(), brief)) {
            client.callAndWait("t0", ByteBuffer.wrap(new byte[10]));
            return 0;
        } catch (CallFailedException failed) {
            return failed.getCause() instanceof RefusedException refused ? refused.status() : -1;
        }
    }

    private HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return TestServer.get(adminPort, path);
    }
}
