package io.plog.client;

import static io.plog.client.RetryingClientTest.QUICK;
import static io.plog.client.RetryingClientTest.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client of several servers of which one serves. */
@Timeout(60)
class FailoverTest {
    private static RetryingClient client(RetryOptions options, int... ports) {
        List<InetSocketAddress> servers = new ArrayList<>();
        for (int port : ports) {
            servers.add(InetSocketAddress.createUnresolved("127.0.0.1", port));
        }
        return RetryingClient.of(servers, 1, ClientOptions.defaults().withClientId(5), options, RetryListener.NONE);
    }

    private static int freePort() throws Exception {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static FakeServer standby() {
        return FakeServer.answering(
                (request, count) -> List.of(FakeServer.refusal(request, Status.NOT_SERVING, "this one waits")));
    }

    @Test
    void theServerThatServesIsFoundAndKept() throws Exception {
        try (FakeServer standby = standby();
                FakeServer holder = FakeServer.good();
                RetryingClient client = client(QUICK, freePort(), standby.port(), holder.port())) {
            for (int i = 1; i <= 20; i++) {
                assertThat(client.callAndWait("a", bytes(10)).requestNumber()).isEqualTo(i);
            }
            assertThat(standby.requests()).hasSize(1);
            assertThat(holder.requests().stream().map(RequestHeader::request))
                    .isSorted()
                    .hasSize(20);
        }
    }

    @Test
    void whatAServerNeverAnsweredIsSentToTheNextUnderTheSameNumber() throws Exception {
        try (FakeServer silent = FakeServer.answering((request, count) -> List.of(FakeServer.NOTHING));
                FakeServer next = FakeServer.good();
                RetryingClient client =
                        client(QUICK.withReplyTimeout(Duration.ofMillis(30)), silent.port(), next.port())) {
            assertThat(client.callAndWait("a", bytes(10)).requestNumber()).isEqualTo(1);
            ByteBuf first = silent.requests().get(0);
            assertThat(next.requests()).singleElement().isEqualTo(first);
        }
    }

    /** It answers so until it is the holder again: to a number that was under way when the other one took the log over. */
    @Test
    void aServerThatNoLongerKnowsWhetherARequestWasLoggedIsFollowedByTheNext() throws Exception {
        try (FakeServer fenced = FakeServer.answering((request, count) ->
                        List.of(FakeServer.refusal(request, Status.LOG_FAILED, "it was under way at the fence")));
                FakeServer holder = FakeServer.good();
                RetryingClient client = client(QUICK, fenced.port(), holder.port())) {
            for (int i = 1; i <= 5; i++) {
                assertThat(client.callAndWait("a", bytes(10)).requestNumber()).isEqualTo(i);
            }
            assertThat(fenced.requests()).hasSize(1);
            assertThat(holder.requests().get(0)).isEqualTo(fenced.requests().get(0));
        }
    }

    /** The only server has no other server to send its clients to; so a refusal there is waited out, on the same connection. */
    @Test
    void theOnlyServerIsAskedAgain() throws Exception {
        AtomicInteger asked = new AtomicInteger();
        try (FakeServer late = FakeServer.answering((request, count) -> asked.incrementAndGet() < 3
                        ? List.of(FakeServer.refusal(request, Status.NOT_SERVING, "not yet"))
                        : List.of(FakeServer.reply(request)));
                RetryingClient client = client(QUICK, late.port())) {
            assertThat(client.callAndWait("a", bytes(10)).requestNumber()).isEqualTo(1);
            assertThat(asked).hasValue(3);
        }
    }

    @Test
    void whereNoneServesEachIsNamedWithWhatWasSeenThere() throws Exception {
        int unused = freePort();
        int other = freePort();
        try (RetryingClient client = client(QUICK, unused, other)) {
            assertThatThrownBy(() -> client.server(Duration.ofMillis(300)))
                    .isInstanceOf(ServerUnavailableException.class)
                    .hasMessageContainingAll(
                            "none of 2 servers serves: 127.0.0.1:" + unused + ": no server at ",
                            "; 127.0.0.1:" + other + ": no server at ");
        }
    }

    @Test
    void noServerAndTheSameTwiceAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> client(QUICK, 7411, 7411))
                .withMessageContaining("none twice");
        assertThatIllegalArgumentException().isThrownBy(() -> client(QUICK)).withMessageContaining("at least one");
    }

    /** Two servers with one log: who holds it changes at random, before and after a request was executed. */
    @Test
    void randomTakeoversExecuteEveryRequestOnce() throws Exception {
        long seed = Long.getLong("plog.seed", System.nanoTime());
        System.out.println("random takeovers, -Dplog.seed=" + seed);
        SplittableRandom random = new SplittableRandom(seed);
        Map<Long, Integer> executions = new HashMap<>();
        Map<Long, ByteBuf> answers = new HashMap<>();
        AtomicInteger holder = new AtomicInteger();
        AtomicInteger takeovers = new AtomicInteger();
        Object log = new Object();
        List<BiFunction<ByteBuf, Long, List<ByteBuf>>> services = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            int self = i;
            services.add((request, count) -> {
                synchronized (log) {
                    if (holder.get() != self) {
                        return List.of(FakeServer.refusal(request, Status.NOT_SERVING, "the other one serves"));
                    }
                    int fate = random.nextInt(12);
                    if (fate == 0) {
                        takeovers.incrementAndGet();
                        holder.set(1 - self);
                        return List.of(FakeServer.CLOSE);
                    }
                    ByteBuf answer = answers.computeIfAbsent(RequestHeader.request(request), number -> {
                        executions.merge(number, 1, Integer::sum);
                        return FakeServer.reply(request);
                    });
                    if (fate == 1) {
                        takeovers.incrementAndGet();
                        holder.set(1 - self);
                        return random.nextBoolean() ? List.of(FakeServer.CLOSE) : List.of(FakeServer.NOTHING);
                    }
                    return List.of(Unpooled.copiedBuffer(answer));
                }
            });
        }
        try (FakeServer one = FakeServer.answering(services.get(0));
                FakeServer two = FakeServer.answering(services.get(1));
                RetryingClient client = client(QUICK.withReplyTimeout(Duration.ofMillis(50)), one.port(), two.port())) {
            List<CompletableFuture<Reply>> replies = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                replies.add(client.call("a", bytes(i)));
            }
            for (int i = 0; i < 300; i++) {
                assertThat(replies.get(i).get().requestNumber())
                        .as("seed %d", seed)
                        .isEqualTo(i + 1);
            }
            synchronized (log) {
                assertThat(executions).hasSize(300);
                assertThat(executions.values()).as("seed %d", seed).containsOnly(1);
            }
            assertThat(takeovers).hasPositiveValue();
        }
    }
}
