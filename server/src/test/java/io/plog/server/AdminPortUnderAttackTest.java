package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.plog.server.access.Access;
import io.plog.server.admin.AdminRouter;
import io.plog.server.admin.AdminSources;
import io.plog.server.http.CallerCheck;
import io.plog.server.http.HttpConnections;
import io.plog.server.http.HttpServer;
import io.plog.server.http.HttpStatus;
import io.plog.server.http.HttpTestClient;
import io.plog.server.http.HttpTestClient.Response;
import io.plog.server.monitoring.ServerMeters;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.net.TransportSecurity;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is asked or left unsaid at the admin port, health is answered, and nothing is held for ever. */
@Timeout(60)
class AdminPortUnderAttackTest {
    private static final String HEALTH = HttpTestClient.get("/health/ready");
    private static final String EVENTS = HttpTestClient.get("/events");

    private final CountDownLatch eventsMayBeReported = new CountDownLatch(1);
    private final CountDownLatch othersMayBeReported = new CountDownLatch(1);
    private final Semaphore eventsAsked = new Semaphore(0);
    private final List<HttpTestClient> open = new ArrayList<>();
    private volatile String events = "{}";

    @SuppressWarnings("NullAway.Init") // each test starts it
    private HttpServer admin;

    private void start(Duration patience) throws Exception {
        AdminSources sources = new AdminSources(
                null,
                target -> new AdminSources.Health(true, "ready"),
                name -> {
                    await(othersMayBeReported);
                    return HttpServer.Answer.say(HttpStatus.OK, "saved");
                },
                since -> {
                    eventsAsked.release();
                    await(eventsMayBeReported);
                    return events;
                },
                () -> {
                    await(othersMayBeReported);
                    return "{}";
                });
        admin = HttpServer.start(
                "127.0.0.1",
                0,
                "admin port",
                "--admin-port",
                patience,
                new ChannelInboundHandlerAdapter(),
                new TransportSecurity(
                        null, new ServerMeters(new SimpleMeterRegistry()), ServerNotices.standardError(), () -> 0),
                new AdminRouter(new CallerCheck("127.0.0.1", List.of(), false), Access.of(null, Set.of()), sources));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
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

    private void assertThatHealthIsReported() throws Exception {
        Response health = HttpTestClient.ask(admin.address().getPort(), HEALTH);
        assertThat(health.status()).isEqualTo(200);
        assertThat(health.text()).isEqualTo("ready\n");
    }

    @Test
    void halfSentRequestsHoldNoOtherUp() throws Exception {
        start(Duration.ofMinutes(1));
        for (String half : List.of(
                "",
                "G",
                "GET /health/live HTTP/1.1\r\n",
                "POST /checkpoint HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\nhalf")) {
            for (int i = 0; i < 5; i++) {
                connect().send(half);
            }
            assertThatHealthIsReported();
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
    void manyWhoAskForEventsDoNotHoldUpHealthAndWhatIsTooMuchIsReported() throws Exception {
        start(Duration.ofMinutes(1));
        // Which of them get a place is up to the system, so all are read at once.
        ExecutorService readers = Executors.newCachedThreadPool();
        CompletionService<Response> answers = new ExecutorCompletionService<>(readers);
        for (int i = 0; i < 20; i++) {
            HttpTestClient client = connect();
            client.send(EVENTS);
            answers.submit(client::read);
        }
        eventsAsked.acquire();
        assertThatHealthIsReported();
        for (int i = 0; i < 15; i++) {
            Response busy = answers.take().get();
            assertThat(busy.status()).isEqualTo(503);
            assertThat(busy.header("Retry-After")).isEqualTo("2");
            assertThat(busy.text()).contains("try again in a moment");
        }
        eventsMayBeReported.countDown();
        for (int i = 0; i < 5; i++) {
            assertThat(answers.take().get().status()).isEqualTo(200);
        }
        readers.shutdown();
        HttpTestClient later = connect();
        later.send(EVENTS);
        assertThat(later.read().status()).isEqualTo(200);
    }

    @Test
    void whoReadsNothingOfALargeAnswerKeepsItsPlaceForALimitedTime() throws Exception {
        events = "x".repeat(16 << 20); // more than sockets take
        eventsMayBeReported.countDown();
        start(Duration.ofMillis(300));
        for (int i = 0; i < 5; i++) {
            connect().send(EVENTS);
        }
        eventsAsked.acquire(5);
        assertThatHealthIsReported();
        assertThatEventsAreReportedAgain(connect());
    }

    @Test
    void aRequestThatComesByteForByteHasNoMoreTimeThanOthers() throws Exception {
        start(Duration.ofMillis(250));
        HttpTestClient client = connect();
        client.send("GET /health/live HTTP/1.1\r\nHost: localhost\r\nX: ");
        int sent = 0;
        for (; sent < 8_000 && client.available() == 0; sent++) {
            client.send("x");
            assertThatHealthIsReported(); // takes a moment
        }
        assertThat(sent).isLessThan(8_000);
        assertThat(client.read().status()).isEqualTo(408);
    }

    @Test
    void whoLeavesBeforeTheAnswerGivesThePlaceBack() throws Exception {
        events = "x".repeat(16 << 20); // more than sockets take
        start(Duration.ofMinutes(1));
        for (int i = 0; i < 5; i++) {
            connect().send(EVENTS);
        }
        eventsAsked.acquire();
        HttpTestClient other = connect();
        other.send(EVENTS);
        assertThat(other.read().status()).isEqualTo(503);
        for (HttpTestClient client : open.subList(0, 5)) {
            client.close();
        }
        assertThatHealthIsReported(); // later than the ends of the five
        eventsMayBeReported.countDown();
        for (int i = 0; i < 5; i++) {
            assertThatSomebodyGetsAPlaceAndKeepsIt();
        }
    }

    private void assertThatSomebodyGetsAPlaceAndKeepsIt() throws Exception {
        HttpTestClient client;
        int status;
        do {
            assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
            client = connect();
            client.send(EVENTS);
            status = client.read(false).status(); // and nothing of what comes behind the head
        } while (status == 503);
        assertThat(status).isEqualTo(200);
    }

    private static void assertThatEventsAreReportedAgain(HttpTestClient client) throws Exception {
        int status;
        do {
            assertThat(Thread.currentThread().isInterrupted()).as("out of time").isFalse();
            client.send(EVENTS);
            status = client.read().status();
        } while (status == 503);
        assertThat(status).isEqualTo(200);
    }

    @Test
    void countersAndMetricsHaveAFewPlacesAndTheNextIsReported() throws Exception {
        start(Duration.ofMinutes(1));
        HttpTestClient last;
        int asked = 0;
        do {
            last = connect();
            last.send(HttpTestClient.get("/counters"));
            assertThatHealthIsReported(); // later than the request, which has its place then, or has none
            asked++;
        } while (asked < 50 && last.available() == 0);
        assertThat(asked).isLessThan(50);
        assertThat(last.read().status()).isEqualTo(503);
        othersMayBeReported.countDown();
        assertThat(open.get(0).read().status()).isEqualTo(200);
    }

    @Test
    void oneCheckpointAtATimeIsSaved() throws Exception {
        String checkpoint = "POST /checkpoint HTTP/1.1\r\nHost: localhost\r\n\r\n";
        start(Duration.ofMinutes(1));
        HttpTestClient first = connect();
        first.send(checkpoint);
        assertThatHealthIsReported(); // later than the request, which has its place then
        HttpTestClient second = connect();
        second.send(checkpoint);
        Response refused = second.read();
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.text()).contains("is being saved");
        othersMayBeReported.countDown();
        assertThat(first.read().text()).isEqualTo("saved\n");
    }

    @Test
    void halfSentRequestsDoNotPushOutAMonitorThatKeepsItsConnection() throws Exception {
        start(Duration.ofMinutes(1));
        for (int i = 1; i < HttpConnections.MOST; i++) {
            connect().send("GET /half");
            assertThatHealthIsReported(); // later than the half, which has come then
        }
        HttpTestClient monitor = connect();
        for (int i = 0; i < 3; i++) {
            monitor.send(HEALTH);
            assertThat(monitor.read().status()).isEqualTo(200);
            connect().send("GET /half");
            assertThatHealthIsReported();
        }
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
        for (int i = 0; i < HttpConnections.MOST; i++) {
            connect().send("GET /half");
            assertThatHealthIsReported();
        }
        assertThat(oldest.isAtEnd()).isTrue();
        eventsMayBeReported.countDown();
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
        eventsMayBeReported.countDown();
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
