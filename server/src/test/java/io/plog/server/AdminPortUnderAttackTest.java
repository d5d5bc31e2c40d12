package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.plog.server.HttpTestClient.Response;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is asked or left unsaid at the admin port, health is answered, and nothing is held for ever. */
@Timeout(60)
class AdminPortUnderAttackTest {
    private static final String HEALTH = "GET /health/ready HTTP/1.1\r\nHost: localhost\r\n\r\n";
    private static final String EVENTS = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n";

    private final CountDownLatch eventsMayBeTold = new CountDownLatch(1);
    private final Semaphore eventsAsked = new Semaphore(0);
    private final List<HttpTestClient> open = new ArrayList<>();
    private volatile String events = "{}";

    @SuppressWarnings("NullAway.Init") // each test starts it
    private AdminServer admin;

    private void start(Duration patience) throws Exception {
        ServerOptions options = ServerOptions.of(List.of(TargetOptions.unlogged("off")))
                .withPorts(0, 0)
                .withPatience(patience);
        admin = AdminServer.start(
                options,
                new AdminServer.Sources(
                        new PrometheusMeterRegistry(PrometheusConfig.DEFAULT),
                        () -> new AdminServer.Health(true, "ready"),
                        name -> new AdminServer.Answer(200, "saved"),
                        since -> {
                            eventsAsked.release();
                            try {
                                eventsMayBeTold.await();
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                            return events;
                        },
                        () -> "{}"),
                new ChannelInboundHandlerAdapter());
    }

    @AfterEach
    void close() throws Exception {
        for (HttpTestClient client : open) {
            client.close();
        }
        admin.close();
    }

    private HttpTestClient connect() throws Exception {
        HttpTestClient client = new HttpTestClient(admin.address().getPort());
        open.add(client);
        return client;
    }

    private void assertThatHealthIsTold() throws Exception {
        try (HttpTestClient client = new HttpTestClient(admin.address().getPort())) {
            client.send(HEALTH);
            Response health = client.read();
            assertThat(health.status()).isEqualTo(200);
            assertThat(health.text()).isEqualTo("ready\n");
        }
    }

    @Test
    void halfSentRequestsHoldNobodyUp() throws Exception {
        start(Duration.ofMinutes(1));
        for (String half : List.of(
                "",
                "G",
                "GET /health/live HTTP/1.1\r\n",
                "POST /checkpoint HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf")) {
            for (int i = 0; i < 5; i++) {
                connect().send(half);
            }
            assertThatHealthIsTold();
        }
    }

    @Test
    void aRequestThatIsNotWholeInTimeIsRefusedAndItsConnectionEnds() throws Exception {
        start(Duration.ofMillis(200));
        for (String half : List.of(
                "GET /health/live HTTP/1.1\r\nHost:",
                "POST /checkpoint HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf")) {
            HttpTestClient client = connect();
            client.send(half);
            Response late = client.read();
            assertThat(late.status()).isEqualTo(408);
            assertThat(late.text()).contains("within 200 ms");
            assertThat(client.isAtEnd()).isTrue();
        }
    }

    @Test
    void aConnectionThatSaysNothingEnds() throws Exception {
        start(Duration.ofMillis(50));
        assertThat(connect().isAtEnd()).isTrue();
    }

    @Test
    void manyWhoAskForEventsDoNotHoldUpHealthAndWhatIsTooMuchIsToldSo() throws Exception {
        start(Duration.ofMinutes(1));
        List<HttpTestClient> askers = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            HttpTestClient client = connect();
            client.send(EVENTS);
            askers.add(client);
        }
        eventsAsked.acquire();
        assertThatHealthIsTold();
        for (HttpTestClient client : askers.subList(5, 20)) {
            Response busy = client.read();
            assertThat(busy.status()).isEqualTo(503);
            assertThat(busy.header("Retry-After")).isEqualTo("2");
            assertThat(busy.text()).contains("try again in a moment");
        }
        eventsMayBeTold.countDown();
        for (HttpTestClient client : askers.subList(0, 5)) {
            assertThat(client.read().status()).isEqualTo(200);
        }
        HttpTestClient later = connect();
        later.send(EVENTS);
        assertThat(later.read().status()).isEqualTo(200);
    }

    @Test
    void whoReadsNothingOfALargeAnswerKeepsItsPlaceForALimitedTime() throws Exception {
        events = "x".repeat(16 << 20); // more than sockets take
        eventsMayBeTold.countDown();
        start(Duration.ofMillis(300));
        for (int i = 0; i < 5; i++) {
            connect().send(EVENTS);
        }
        eventsAsked.acquire(5);
        assertThatHealthIsTold();
        HttpTestClient other = connect();
        int status;
        do {
            other.send(EVENTS);
            status = other.read().status();
        } while (status == 503);
        assertThat(status).isEqualTo(200);
    }

    @Test
    void connectionsAreBoundedAndTheOldestMakesPlace() throws Exception {
        start(Duration.ofMinutes(1));
        HttpTestClient asker = connect();
        asker.send(EVENTS);
        eventsAsked.acquire();
        HttpTestClient oldest = connect();
        oldest.send(HEALTH);
        assertThat(oldest.read().status()).isEqualTo(200);
        for (int i = 0; i < AdminConnections.MOST; i++) {
            connect().send("GET /half");
            assertThatHealthIsTold();
        }
        assertThat(oldest.isAtEnd()).isTrue();
        eventsMayBeTold.countDown();
        assertThat(asker.read().status()).as("who waits for an answer gets it").isEqualTo(200);
    }

    @Test
    void requestsThatFollowEachOtherAreAnsweredOnOneConnection() throws Exception {
        start(Duration.ofMinutes(1));
        HttpTestClient client = connect();
        client.send(HEALTH + HEALTH + "GET /cl");
        assertThat(client.read().text()).isEqualTo("ready\n");
        assertThat(client.read().text()).isEqualTo("ready\n");
        client.send("ock HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(Long.parseLong(client.read().text().strip())).isLessThanOrEqualTo(System.nanoTime());
        client.send(EVENTS + HEALTH);
        eventsMayBeTold.countDown();
        assertThat(client.read().text()).isEqualTo("{}");
        assertThat(client.isAtEnd())
                .as("one that came before the answer is not read")
                .isTrue();
    }

    @Test
    void nonsenseGetsASentenceAndALongBodyIsNotRead() throws Exception {
        start(Duration.ofMinutes(1));
        for (String bad : List.of(
                "GET /health/live HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n",
                "nonsense\r\n",
                "POST /checkpoint HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1025\r\n\r\n",
                "POST /checkpoint HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n401\r\n")) {
            HttpTestClient client = connect();
            client.send(bad);
            Response refused = client.read();
            assertThat(refused.status()).isIn(400, 413);
            assertThat(refused.header("Connection")).isEqualTo("close");
            assertThat(client.isAtEnd()).isTrue();
        }
    }
}
