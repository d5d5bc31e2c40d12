package io.plog.server;

import static io.plog.server.http.HttpTestClient.inverted;
import static io.plog.server.http.HttpTestClient.post;
import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.plog.log.Outcomes;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.server.http.HttpTestClient;
import io.plog.server.http.HttpTestClient.Response;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.targets.FakeLog;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The HTTP port's promises on real sockets, over logs that are durable when the test says so. */
class HttpPortTest extends FakeLogServer {
    private FakeLog disk = new FakeLog();
    private FakeLog other = new FakeLog();

    @BeforeEach
    void start() throws Exception {
        start(options());
    }

    private ServerOptions options() {
        return options(TargetOptions.unlogged("off"), logged("disk"), logged("other"))
                .withHttpPort(0);
    }

    @Override
    PlogServer start(ServerOptions options) throws Exception {
        return start(options, (target, state, meters) -> switch (target.name()) {
            case "disk" -> disk;
            case "other" -> other;
            default -> null;
        });
    }

    private void restart(ServerOptions options) throws Exception {
        server.close();
        disk = new FakeLog();
        other = new FakeLog();
        start(options);
    }

    private HttpTestClient http() throws Exception {
        return new HttpTestClient(server.httpPort());
    }

    private static void assertAnswers(Response response, String body) {
        assertThat(response.status()).as(response.text()).isEqualTo(200);
        assertThat(response.body()).isEqualTo(inverted(body));
    }

    @Test
    void noResponseLeavesBeforeItsRecordIsDurable() throws Exception {
        try (HttpTestClient client = http();
                HttpTestClient second = http()) {
            client.send(post("/log/disk", "hello"));
            disk.awaitAppended(1);
            // A whole exchange on another connection of the same event loop: the first had its chance.
            second.send(post("/log/off", "x"));
            assertAnswers(second.read(), "x");
            assertThat(client.available()).isZero();
            disk.makeDurable(1);
            Response response = client.read();
            assertAnswers(response, "hello");
            assertThat(response.header("Plog-Index")).isEqualTo("1");
            assertThat(response.header("Plog-Batch")).isEqualTo("1");
            assertThat(response.header("Content-Type")).isEqualTo("application/octet-stream");
            assertThat(response.header("Date")).matches("[A-Z][a-z]{2}, \\d\\d [A-Z][a-z]{2} \\d{4} [0-9:]{8} GMT");
            assertThat(response.header("Server-Timing"))
                    .matches("waiting;dur=\\d+\\.\\d{6}, batch;dur=\\d+\\.\\d{6}, write;dur=\\d+\\.\\d{6}, "
                            + "force;dur=\\d+\\.\\d{6}, exec;dur=\\d+\\.\\d{6}, total;dur=\\d+\\.\\d{6}");
        }
        assertThat(disk.durable()).hasSize(1);
        assertThat(new String(disk.durable().get(0), 24, 5, StandardCharsets.US_ASCII))
                .isEqualTo("hello");
    }

    @Test
    void responsesLeaveInTheOrderOfTheRequestsWhateverTheTargetsDo() throws Exception {
        try (HttpTestClient client = http()) {
            client.send(post("/log/disk", "one")
                    + post("/log/other", "two")
                    + post("/log/off", "three")
                    + HttpTestClient.get("/")
                    + post("/log/nowhere", "four")
                    + post("/log/disk", ""));
            other.makeDurable(1);
            disk.awaitAppended(2);
            assertThat(client.available()).isZero();
            disk.makeDurable(2);
            assertAnswers(client.read(), "one");
            assertAnswers(client.read(), "two");
            assertAnswers(client.read(), "three");
            assertThat(client.read().text()).contains("POST /log/disk");
            assertThat(client.read().status()).isEqualTo(404);
            Response last = client.read();
            assertThat(last.status()).isEqualTo(200);
            assertThat(last.body()).isEmpty();
            assertThat(last.header("Plog-Batch")).isEqualTo("2");
        }
    }

    private static String chunk(String size, String data) {
        return size + "\r\n" + data + "\r\n";
    }

    @Test
    void bodiesOfAllKindsAreLogged() throws Exception {
        String large = "0123456789abcdef".repeat(1 << 16); // 1 MiB, the limit
        try (HttpTestClient client = http()) {
            for (int bytes : new int[] {0, 1, 8_191, 8_192, 8_193, 100_000, 1 << 20}) {
                String body = large.substring(0, bytes);
                client.send(post("/log/off", body));
                assertAnswers(client.read(), body);
            }
            String head = "POST /log/off HTTP/1.1\r\nhOST:localhost\r\nTransfer-Encoding: CHUNKED\r\n\r\n";
            client.send(head + chunk("5", "hello") + chunk("00001;name=\"value\"", ",") + chunk("A", " and world")
                    + "0\r\nTrailer: x\r\n\r\n");
            assertAnswers(client.read(), "hello, and world");
            client.send("POST http://localhost:1/log/off HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\nhi");
            assertAnswers(client.read(), "hi");
        }
    }

    @Test
    void aClientThatWaitsIsAskedToGoOnWhenItsTurnHasCome() throws Exception {
        try (HttpTestClient client = http()) {
            client.send(post("/log/disk", "one")
                    + "POST /log/off HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n");
            disk.awaitAppended(1);
            assertThat(client.available()).isZero();
            disk.makeDurable(1);
            assertAnswers(client.read(), "one");
            assertThat(client.read().status()).isEqualTo(100);
            client.send("ab");
            assertAnswers(client.read(), "ab");
            client.send(
                    "POST /log/off HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 9999999\r\n\r\n");
            Response refused = client.read();
            assertThat(refused.status()).isEqualTo(413);
            assertThat(refused.text()).isEqualTo("a body of 9999999 bytes: expected at most 1048576\n");
            assertThat(client.isAtEnd()).isTrue();
        }
        try (HttpTestClient client = http()) {
            client.send(
                    "POST /log/no HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\n");
            Response refused = client.read();
            assertThat(refused.status()).isEqualTo(404);
            assertThat(refused.header("Connection")).isEqualTo("close");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void connectionsEndWhenTheClientSaysSoAndStayOtherwise() throws Exception {
        try (HttpTestClient client = http()) {
            client.send(post("/log/off", "a", "Connection: x, Close") + post("/log/off", "ignored"));
            Response response = client.read();
            assertAnswers(response, "a");
            assertThat(response.header("Connection")).isEqualTo("close");
            assertThat(client.isAtEnd()).isTrue();
        }
        try (HttpTestClient client = http()) {
            client.send("POST /log/off HTTP/1.0\r\nConnection: Keep-Alive\r\nContent-Length: 1\r\n\r\nb");
            Response kept = client.read();
            assertAnswers(kept, "b");
            assertThat(kept.header("Connection")).isEqualTo("keep-alive");
            client.send("GET / HTTP/1.0\r\n\r\n");
            assertThat(client.read().header("Connection")).isEqualTo("close");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void theDescriptionIsForPeopleAndForPrograms() throws Exception {
        try (HttpTestClient client = http()) {
            client.send(HttpTestClient.get("/"));
            Response text = client.read();
            assertThat(text.header("Content-Type")).startsWith("text/plain");
            assertThat(text.text())
                    .contains("POST /log/disk   force=fdatasync, service=invert, at most 1048576 bytes")
                    .contains("curl -H 'Content-Type: application/octet-stream' --data-binary hello http://127.0.0.1:"
                            + server.httpPort() + "/log/off");
            client.send("HEAD / HTTP/1.1\r\nHost: localhost\r\n\r\n");
            Response head = client.read(false);
            assertThat(head.status()).isEqualTo(200);
            assertThat(head.header("Content-Length"))
                    .isEqualTo(Integer.toString(text.body().length()));
            client.send("GET / HTTP/1.1\r\nHost: localhost\r\nAccept: application/json, */*\r\n\r\n");
            Response json = client.read();
            assertThat(json.header("Content-Type")).isEqualTo("application/json");
            assertThat(json.text())
                    .contains("{\"name\":\"disk\",\"path\":\"/log/disk\",\"force\":\"fdatasync\",")
                    .contains("\"rememberedClients\":32768,\"rememberedSeconds\":5");
        }
    }

    @Test
    void whatIsNotUnderstoodIsRefusedWithASentenceAndTheConnectionGoesOn() throws Exception {
        String host = " HTTP/1.1\r\nHost: localhost\r\n";
        Object[][] cases = {
            {"GET /log/disk" + host + "\r\n", 405, "GET: expected POST here\n"},
            {"DELETE /" + host + "\r\n", 405, "DELETE: expected GET, HEAD here\n"},
            {"GET /metrics" + host + "\r\n", 404, "no such path here: expected POST /log/TARGET"},
            {post("/log/nowhere", "abc"), 404, "no such target: expected one of off, disk, other\n"},
            {post("/log/off?x=1", "abc"), 400, "a query: expected none"},
            {"POST /log/off" + host + "\r\n", 411, "neither Content-Length nor Transfer-Encoding"},
            {post("/log/off", "abc", "Idempotency-Key: k"), 400, "which keeps no log and remembers nothing"},
            {post("/read/disk", "abc", "Idempotency-Key: k"), 400, "a request that is not logged"},
            {post("/log/off", "abc", "Plog-Client: 7\r\nPlog-Request: 1"), 400, "which keeps no log"},
        };
        try (HttpTestClient client = http()) {
            for (Object[] each : cases) {
                client.send((String) each[0]);
                Response response = client.read();
                assertThat(response.text()).as("%s", each[0]).contains((String) each[2]);
                assertThat(response.status()).isEqualTo(each[1]);
                assertThat(response.header("Connection")).isEmpty();
            }
            client.send(post("/log/off", "still here"));
            assertAnswers(client.read(), "still here");
        }
        assertThat(disk.queuedRecords()).isZero();
    }

    @Test
    void refusalsOfTheServerHaveAStatusAndASentenceHoweverShortTheBodyWas() throws Exception {
        try (HttpTestClient client = http()) {
            disk.refuse(Outcomes.overloaded());
            client.send(post("/log/disk", "x"));
            Response busy = client.read();
            assertThat(busy.status()).isEqualTo(503);
            assertThat(busy.header("Retry-After")).isEqualTo("1");
            assertThat(busy.header("Plog-Status")).isEqualTo("overloaded");
            assertThat(busy.text()).contains("not logged, not executed: try again later");
            disk.refuse(null);
            client.send(post("/log/disk", "y"));
            disk.fail(Outcomes.failedForGood());
            Response failed = client.read();
            assertThat(failed.status()).isEqualTo(500);
            assertThat(failed.header("Plog-Status")).isEqualTo("log_failed");
            assertThat(failed.text()).contains("whether the request is logged is not known");
        }
    }

    @Test
    void aRequestThatDoesNotComeToItsEndIsAnsweredAndTheConnectionClosed() throws Exception {
        restart(options().withPatience(Duration.ofMillis(50)));
        String[] beginnings = {
            "P",
            "POST /log/disk HTTP/1.1\r\nHo",
            post("/log/disk", "abc").replace("abc", "a"),
            "POST / HTTP/1.1\r\nHost: localhost\r\n"
        };
        for (String beginning : beginnings) {
            try (HttpTestClient client = http()) {
                client.send(post("/log/off", "a") + beginning);
                assertAnswers(client.read(), "a");
                Response late = client.read();
                assertThat(late.status()).isEqualTo(408);
                assertThat(late.text()).isEqualTo("the rest of the request did not come: expected it within 50 ms\n");
                assertThat(client.isAtEnd()).isTrue();
            }
        }
        assertThat(disk.queuedRecords()).isZero();
    }

    @Test
    void aConnectionTooManyIsReportedWhicheverPortTheOthersUse() throws Exception {
        restart(options().withLimits(1 << 20, 2, 1_024, 8 << 20));
        try (TestClient binary = TestClient.greeted(server.address());
                HttpTestClient first = http()) {
            first.send(post("/log/off", "a"));
            assertAnswers(first.read(), "a");
            try (HttpTestClient third = http()) {
                Response refused = third.read();
                assertThat(refused.status()).isEqualTo(503);
                assertThat(refused.header("Retry-After")).isEqualTo("1");
                assertThat(refused.text()).contains("the server already has 2 connections");
                assertThat(third.isAtEnd()).isTrue();
            }
            assertThat(binary.available()).isZero();
        }
    }

    @Test
    void anIdleConnectionStays() throws Exception {
        restart(options().withPatience(Duration.ofMillis(20)));
        try (HttpTestClient idle = http();
                HttpTestClient late = http()) {
            idle.send(post("/log/off", "a") + "\r\n");
            assertAnswers(idle.read(), "a");
            late.send("P");
            assertThat(late.read().status()).isEqualTo(408); // so the watchdogs have looked, at least twice
            idle.send(post("/log/off", "b"));
            assertAnswers(idle.read(), "b");
        }
    }

    @Test
    void closingAnswersWhatWasAppended() throws Exception {
        try (HttpTestClient client = http()) {
            client.send(post("/log/disk", "last words"));
            disk.awaitAppended(1);
            server.close();
            assertAnswers(client.read(), "last words");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void theThrottleHoldsAConnectionThatSendsMoreThanIsAnswered() throws Exception {
        restart(options().withLimits(1 << 20, 100, 4, 64 << 10));
        StringBuilder many = new StringBuilder();
        for (int i = 0; i < 20_000; i++) {
            many.append(post("/log/disk", Integer.toString(i)));
        }
        try (HttpTestClient client = http()) {
            Thread sender = new Thread(() -> {
                try {
                    client.send(many.toString());
                } catch (java.io.IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
            });
            sender.start();
            for (int i = 0; i < 20_000; i++) {
                disk.makeDurable(1);
                assertAnswers(client.read(), Integer.toString(i));
                // Far fewer than were sent: those of one read of the socket at most.
                assertThat(disk.queuedRecords()).isLessThan(5_000);
            }
            sender.join();
        }
    }

    @Test
    void aKeyIsExecutedOnceAndItsAnswerGivenAgain() throws Exception {
        try (HttpTestClient client = http();
                HttpTestClient another = http()) {
            String request = post("/log/disk", "pay 7", "Idempotency-Key: order 1");
            client.send(request);
            disk.awaitAppended(1);
            another.send(request); // while the first is under way
            another.send(post("/log/other", "x"));
            other.awaitAppended(1); // so the repeat was taken before
            disk.makeDurable(1);
            other.makeDurable(1);
            Response first = client.read();
            assertAnswers(first, "pay 7");
            assertThat(first.header("Idempotency-Replayed")).isEqualTo("false");
            Response repeat = another.read();
            assertAnswers(repeat, "pay 7");
            assertThat(repeat.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(repeat.header("Plog-Index")).isEqualTo("1");
            assertThat(another.read().header("Idempotency-Replayed")).isEmpty();
            // Three at once on one connection: each gets the answer that is its own.
            client.send(request + post("/log/disk", "pay 8", "Idempotency-Key: order 1") + request);
            assertAnswers(client.read(), "pay 7");
            Response conflict = client.read();
            assertThat(conflict.status()).isEqualTo(422);
            assertThat(conflict.header("Plog-Status")).isEqualTo("conflict");
            assertThat(conflict.text()).contains("this Idempotency-Key or number was used for another body");
            assertAnswers(client.read(), "pay 7");
            // The same key is free at another target.
            client.send(post("/log/other", "pay 8", "Idempotency-Key: order 1"));
            other.makeDurable(1);
            assertAnswers(client.read(), "pay 8");
        }
        assertThat(disk.durable()).hasSize(1);
    }

    @Test
    void aClientThatNumbersItsRequestsIsTheSameAtBothPorts() throws Exception {
        String identity = "Plog-Client: " + TestClient.CLIENT + "\r\nPlog-Request: ";
        byte[] payload = "pay 7".getBytes(StandardCharsets.US_ASCII);
        int target = 1;
        try (HttpTestClient http = http();
                TestClient binary = TestClient.greeted(server.address())) {
            http.send(post("/log/disk", "pay 7", identity + "1"));
            disk.makeDurable(1);
            Response first = http.read();
            assertAnswers(first, "pay 7");
            assertThat(first.header("Plog-Memory")).isEqualTo("clients=32768, seconds=5");
            ByteBuf repeat = binary.call(target, 1, payload);
            assertThat(ReplyHeader.status(repeat)).isEqualTo(Status.OK.code());
            assertThat(ReplyHeader.logIndex(repeat)).isEqualTo(1);
            assertThat(ReplyHeader.batchRecords(repeat)).isZero();
            binary.send(TestClient.request(target, 2, payload));
            disk.makeDurable(1);
            assertThat(ReplyHeader.logIndex(binary.frame())).isEqualTo(2);
            http.send(post("/log/disk", "pay 7", identity + "2") + post("/log/disk", "pay 8", identity + "2"));
            Response again = http.read();
            assertAnswers(again, "pay 7");
            assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
            assertThat(again.header("Plog-Index")).isEqualTo("2");
            assertThat(http.read().status()).isEqualTo(422);
        }
        assertThat(disk.durable()).hasSize(2);
    }
}
