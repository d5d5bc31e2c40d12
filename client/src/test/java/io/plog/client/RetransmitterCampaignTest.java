package io.plog.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.client.SimulatedWire.Arrival;
import io.plog.protocol.Status;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random histories: a server that executes each number once, on connections that break before it executes, after it, or
 * long before; that refuses, keeps silent, and goes away. Repeat one with {@code -Dplog.seed=N -Dplog.runs=1}.
 */
class RetransmitterCampaignTest {
    private static final int RUNS = Integer.getInteger("plog.runs", 1_000);
    private static final int CALLS = 30;
    private static final long TROUBLE_MILLIS = 20_000;

    @Test
    void everyRequestIsExecutedOnceAndAcknowledgedWhenTheTroubleEnds() {
        long first = Long.getLong("plog.seed", new SplittableRandom().nextLong() >>> 16);
        System.out.println("retransmitting: " + RUNS + " histories from seed " + first);
        int retransmitted = 0;
        for (long seed = first; seed < first + RUNS; seed++) {
            History history = new History(seed, Duration.ofHours(1));
            history.run();
            for (Call call : history.calls) {
                assertThat(call.reply.isDone() && !call.reply.isCompletedExceptionally())
                        .as("seed %d: request %d is acknowledged", seed, call.number)
                        .isTrue();
                assertThat(call.reply.join().requestNumber()).isEqualTo(call.number);
                assertThat(history.executed).as("seed %d", seed).contains(call.number);
                retransmitted += call.transmissions - 1;
            }
        }
        assertThat(retransmitted).as("the campaign had trouble").isGreaterThan(RUNS);
    }

    @Test
    void whatIsSaidNotToHaveBeenExecutedNeverIs() {
        long first = Long.getLong("plog.seed", new SplittableRandom().nextLong() >>> 16);
        System.out.println("giving up: " + RUNS + " histories from seed " + first);
        int certain = 0;
        int uncertain = 0;
        int uncertainButNot = 0;
        for (long seed = first; seed < first + RUNS; seed++) {
            History history = new History(seed, Duration.ofMillis(50 + seed % 700));
            history.run();
            for (Call call : history.calls) {
                assertThat(call.reply).as("seed %d", seed).isDone();
                boolean executed = history.executed.contains(call.number);
                Boolean may = mayHaveBeenExecuted(call);
                if (may == null) {
                    assertThat(executed)
                            .as("seed %d: %d is acknowledged", seed, call.number)
                            .isTrue();
                } else if (!may) {
                    assertThat(executed)
                            .as("seed %d: %d is certain", seed, call.number)
                            .isFalse();
                    certain++;
                } else {
                    uncertain++;
                    uncertainButNot += executed ? 0 : 1;
                }
            }
        }
        assertThat(certain).isPositive();
        assertThat(uncertain).isGreaterThan(uncertainButNot);
        assertThat(uncertainButNot).isPositive();
    }

    /** Null if it was acknowledged. */
    private static @Nullable Boolean mayHaveBeenExecuted(Call call) {
        try {
            call.reply.join();
            return null;
        } catch (CompletionException e) {
            return e.getCause() instanceof CallFailedException failed && failed.mayHaveBeenExecuted();
        }
    }

    private static final class History implements SimulatedWire.Server {
        private final long seed;
        private final SplittableRandom random;
        private final SimulatedWire wire;
        private final RetryOptions options;
        private final Retransmitter retransmitter;
        private final int window;
        final Set<Long> executed = new HashSet<>();
        private final Map<Long, Integer> transmitted = new HashMap<>();
        private long highestFirst;
        private long highest;
        final List<Call> calls = new ArrayList<>();

        History(long seed, Duration deadline) {
            this.seed = seed;
            this.random = new SplittableRandom(seed);
            this.window = 1 + random.nextInt(12);
            this.wire = new SimulatedWire(this, 1 + random.nextInt(8), Map.of("window", Integer.toString(window)));
            wire.closeDelayMillis = random.nextInt(50);
            this.options = RetryOptions.defaults()
                    .withDeadline(deadline)
                    .withReplyTimeout(Duration.ofMillis(500))
                    .withPauses(Duration.ofMillis(1 + random.nextInt(20)), Duration.ofMillis(300))
                    .withMaxOutstanding(1 + random.nextInt(12), 8 + random.nextInt(100));
            this.retransmitter = new Retransmitter(wire, options, 5, random::nextDouble, (why, pause) -> {});
        }

        void run() {
            for (long number = 1; number <= CALLS; number++) {
                long next = number;
                wire.scheduleMillis(number * 10 + random.nextInt(10), () -> submit(next));
            }
            for (int i = 0; i < 20; i++) {
                wire.scheduleMillis(random.nextInt(1_000), () -> {
                    SimulatedWire.SimulatedConnection current = wire.current;
                    if (current != null) {
                        current.end("the connection broke");
                    }
                });
            }
            wire.run();
        }

        private void submit(long number) {
            Call call = new Call(
                    "a",
                    number,
                    ByteBuffer.allocate(8).putLong(0, number * seed),
                    wire.nanoTime() + options.deadline.toNanos());
            calls.add(call);
            retransmitter.submit(call);
        }

        private boolean isTrouble() {
            return wire.millis() < TROUBLE_MILLIS && random.nextInt(3) == 0;
        }

        @Override
        public @Nullable RpcException refusesConnection() {
            return isTrouble() ? new ServerUnavailableException("no server") : null;
        }

        @Override
        public void arrived(Arrival arrival) {
            assertThat(arrival.payload)
                    .as("seed %d: a number's payload never changes", seed)
                    .isEqualTo(ByteBuffer.allocate(8)
                            .putLong(0, arrival.number * seed)
                            .array());
            if (transmitted.merge(arrival.number, 1, Integer::sum) == 1) {
                assertThat(arrival.number)
                        .as("seed %d: first transmissions keep the order", seed)
                        .isGreaterThan(highestFirst);
                highestFirst = arrival.number;
            }
            if (arrival.number <= highest - window && !executed.contains(arrival.number)) {
                throw new AssertionError("seed " + seed + ": " + arrival.number + " is behind the window");
            }
            if (!isTrouble()) {
                execute(arrival.number);
                answerLater(arrival);
                return;
            }
            switch (random.nextInt(7)) {
                case 0 -> arrival.drop();
                case 1 -> {
                    execute(arrival.number);
                    arrival.drop();
                }
                case 2 -> {
                    execute(arrival.number);
                    refuse(arrival, random.nextBoolean() ? Status.LOG_FAILED : Status.FAILED);
                }
                case 3 -> refuse(arrival, random.nextBoolean() ? Status.OVERLOADED : Status.LOG_FULL);
                case 4 -> refuse(arrival, Status.LOG_FAILED);
                // No caller waits for it any more when it is executed.
                case 5 -> wire.scheduleMillis(random.nextInt(2_000), () -> execute(arrival.number));
                default -> {
                    execute(arrival.number);
                    wire.scheduleMillis(random.nextInt(2_000), () -> answer(arrival));
                }
            }
        }

        /** Once, however often it is asked for: what a server that remembers does. */
        private void execute(long number) {
            executed.add(number);
            highest = Math.max(highest, number);
        }

        private void answerLater(Arrival arrival) {
            wire.scheduleMillis(random.nextInt(30), () -> answer(arrival));
        }

        private static void answer(Arrival arrival) {
            if (arrival.connection.open) {
                arrival.answer();
            }
        }

        private static void refuse(Arrival arrival, Status status) {
            arrival.refuse(status);
        }
    }
}
