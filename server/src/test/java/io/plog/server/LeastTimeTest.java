package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.Outcomes;
import io.plog.protocol.Status;
import io.plog.server.service.InvertService;
import io.plog.server.state.HeapArrays;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.RequestId;
import io.plog.server.state.TargetState;
import io.plog.server.state.TestRequest;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Each client is remembered for its least time after its last request, whatever others send. */
final class LeastTimeTest {
    private static final long LEAST = 5_000_000_000L;
    private static final int CLIENTS = 8;

    private long now = 17;
    private long durable;
    private final TargetState state = state();

    private TargetState state() {
        return new TargetState(
                "t", new InvertService(), new MemoryBounds(10, CLIENTS, 0, 1 << 20, LEAST), HeapArrays.JVM, () -> now);
    }

    private TestRequest request(long client, long number) {
        return new TestRequest(state, client, number, new byte[3]);
    }

    /** Makes it durable if it is new. */
    private TestRequest send(long client, long number) {
        TestRequest request = request(client, number);
        if (request.run(state, durable + 1)) {
            durable++;
        }
        return request;
    }

    private void takeAndMakeDurable(TestRequest request) {
        Outcomes.taken(request, request.record());
        Outcomes.durable(request, ++durable, 1);
    }

    @Test
    void whoMakesUpClientsIsRefusedBeforeOneIsForgottenTooEarly() {
        send(1, 1);
        int refused = 0;
        for (int i = 0; i < 4_100; i++) {
            now += 1_000_000;
            TestRequest stranger = send(1_000 + i, 1);
            if (stranger.status() != Status.OK) {
                refused++;
                assertThat(stranger.status()).isEqualTo(Status.OVERLOADED);
                assertThat(stranger.sentence()).contains("more new clients came", "not logged", "Try again later");
            }
        }
        assertThat(refused).isEqualTo(4_100 - (CLIENTS - 1));
        assertThat(send(1, 1).isRepeat()).isTrue();
        assertThat(send(1, 2).status()).as("who is remembered is served").isEqualTo(Status.OK);
    }

    @Test
    void aNewClientTakesThePlaceOfOneThatWasQuietForLongEnough() {
        for (int i = 1; i <= CLIENTS; i++) {
            send(i, 1);
            now += LEAST / CLIENTS;
        }
        assertThat(send(100, 1).status()).isEqualTo(Status.OK);
        assertThat(send(101, 1).status()).as("the next one is not old enough").isEqualTo(Status.OVERLOADED);
        assertThat(send(2, 1).isRepeat()).isTrue();
        assertThat(state.clients()).isEqualTo(CLIENTS);
    }

    @Test
    void whoGivesItsPlaceAwayIsRefusedUntilTheNewClientIsLoggedOrIsNot() {
        for (int i = 1; i <= CLIENTS; i++) {
            send(i, 1);
        }
        now += LEAST;
        for (int i = 2; i <= CLIENTS; i++) {
            send(i, 2);
        }
        TestRequest young = request(100, 1);
        assertThat(state.admit(young)).isTrue();
        assertThat(send(1, 2).status()).isEqualTo(Status.OVERLOADED);
        assertThat(send(1, 1).isRepeat()).as("its answers are still there").isTrue();
        Outcomes.failed(young, Outcomes.overloaded());
        assertThat(send(1, 2).status()).isEqualTo(Status.OK);
    }

    /** Requests overlap, fail and are repeated; there is always somebody who makes clients up. */
    @Test
    void noClientIsForgottenBeforeItsLeastTimeWhateverTheOrder() {
        long seed = Long.getLong("plog.seed", new Random().nextLong());
        System.out.println("the least time of clients, -Dplog.seed=" + seed);
        Random random = new Random(seed);
        Map<Long, Long> lastNumber = new HashMap<>();
        Map<Long, Long> lastLogged = new HashMap<>();
        Map<Long, Long> nextNumber = new HashMap<>();
        Deque<long[]> names = new ArrayDeque<>();
        Deque<TestRequest> flight = new ArrayDeque<>();
        int refused = 0;
        int reused = 0;
        for (int step = 0; step < 200_000; step++) {
            now += random.nextInt((int) (LEAST / 50));
            long client = random.nextInt(4) == 0 ? 1_000 + step : 1 + random.nextInt(12);
            long number = nextNumber.merge(client, 1L, Long::sum);
            TestRequest request = request(client, number);
            if (state.admit(request)) {
                flight.add(request);
                names.add(new long[] {client, number});
            } else {
                refused++;
                assertThat(request.status()).isEqualTo(Status.OVERLOADED);
            }
            while (flight.size() > random.nextInt(6)) {
                TestRequest first = flight.remove();
                long[] name = names.remove();
                if (random.nextInt(8) == 0) {
                    Outcomes.failed(first, Outcomes.overloaded());
                } else {
                    takeAndMakeDurable(first);
                    lastNumber.put(name[0], name[1]);
                    lastLogged.put(name[0], now);
                }
            }
            assertThat(state.clients()).isLessThanOrEqualTo(CLIENTS);
            lastLogged.values().removeIf(logged -> now - logged >= LEAST);
            reused += lastLogged.size();
            for (long known : lastLogged.keySet()) {
                TestRequest repeat = request(known, lastNumber.get(known));
                assertThat(state.admit(repeat))
                        .as("client %d, step %d", known, step)
                        .isFalse();
                assertThat(repeat.isRepeat())
                        .as("client %d, step %d", known, step)
                        .isTrue();
            }
        }
        assertThat(refused).isPositive();
        assertThat(reused).isPositive();
        while (!flight.isEmpty()) {
            takeAndMakeDurable(flight.remove());
        }
        // None of the places got lost.
        now += LEAST;
        for (int i = 0; i < CLIENTS; i++) {
            assertThat(send(2_000_000 + i, 1).status()).isEqualTo(Status.OK);
        }
        assertThat(send(3_000_000, 1).status()).isEqualTo(Status.OVERLOADED);
    }

    /** A table that is full refused every new client for the least time after each start. */
    @Test
    void afterAReplayTheQuietestEighthOfAFullTableMakesRoomAndNoOther() {
        for (int i = 1; i <= CLIENTS; i++) {
            state.replay(++durable, ByteBuffer.wrap(TestRequest.record(i, 1, new byte[3])));
        }
        assertThat(send(100, 1).status()).isEqualTo(Status.OK);
        assertThat(send(101, 1).status()).isEqualTo(Status.OVERLOADED);
        for (int i = 2; i <= CLIENTS; i++) {
            assertThat(send(i, 1).isRepeat()).isTrue();
        }
        now += LEAST;
        assertThat(send(101, 1).status()).isEqualTo(Status.OK);
    }

    /** Keys and clients share one table, one bound and one least time. */
    @Test
    void whoMakesUpKeysMakesTheServerForgetNoClientTooEarlyNorTheOtherWayRound() {
        send(1, 1);
        RequestId mine = RequestId.ofKey("mine");
        send(mine.client(), mine.number());
        int taken = 0;
        for (int i = 0; i < 1_000; i++) {
            RequestId key = RequestId.ofKey("foreign " + i);
            taken += send(key.client(), key.number()).status() == Status.OK ? 1 : 0;
            taken += send(1_000 + i, 1).status() == Status.OK ? 1 : 0;
        }
        assertThat(taken).isEqualTo(CLIENTS - 2);
        assertThat(send(1, 1).isRepeat()).isTrue();
        assertThat(send(mine.client(), mine.number()).isRepeat()).isTrue();
        assertThat(state.clients()).isEqualTo(CLIENTS);
    }

    @Test
    void aReplayForgetsTheSameClientsAndRemembersTheOthersForTheirLeastTime() {
        TargetState replayed = state();
        for (int i = 1; i <= 3 * CLIENTS; i++) {
            now += LEAST;
            send(i, 1);
            replayed.replay(i, ByteBuffer.wrap(TestRequest.record(i, 1, new byte[3])));
        }
        for (int i = 1; i <= 3 * CLIENTS; i++) {
            TestRequest here = new TestRequest(state, i, 1, new byte[3]);
            TestRequest there = new TestRequest(replayed, i, 1, new byte[3]);
            if (i > 2 * CLIENTS) {
                assertThat(state.admit(here) || replayed.admit(there)).isFalse();
                assertThat(here.isRepeat() && there.isRepeat()).isTrue();
            }
        }
        now += LEAST - 1;
        TestRequest early = new TestRequest(replayed, 500, 1, new byte[3]);
        assertThat(replayed.clients()).isEqualTo(CLIENTS);
        assertThat(replayed.admit(early)).as("the oldest was replayed long ago").isTrue();
    }
}
