package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.Outcomes;
import io.plog.server.options.MemoryOptions;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.InvertService;
import io.plog.server.service.Service;
import io.plog.server.state.ClientKind;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.TargetState;
import io.plog.server.state.TestRequest;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What is remembered takes of the heap what the accounts say, as the JVM itself measures it. */
@Timeout(120)
class MemoryTest {
    private static final MemoryBounds ROOMY = new MemoryBounds(MemoryBounds.WINDOW, 1 << 20, 8 << 20, 1L << 40);

    /**
     * Other tests of this JVM leave up to a megabyte that goes in its own time. A state takes five or more, and is measured
     * again if it is out of bounds: what it really takes is there each time.
     */
    private static final int MEASUREMENTS = 5;

    private static final double LEAST = 0.6;
    private static final double MOST = 1.1;

    private static final int BURST_CLIENTS = 3 << 13;

    /** What references are kept in is let go of only some collections later. */
    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 4; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /** The state after so many requests of so many clients, one after the other. */
    private static TargetState remembering(
            Service service, int clients, int requests, int payload, LongUnaryOperator id) {
        TargetState state = new TargetState("t", service, ROOMY);
        byte[] bytes = new byte[payload];
        long index = 0;
        for (int number = 1; number <= requests; number++) {
            for (int client = 0; client < clients; client++) {
                TestRequest request = new TestRequest(state, id.applyAsLong(client), number, bytes);
                assertThat(state.admit(request)).isTrue();
                Outcomes.taken(request, request.record());
                Outcomes.durable(request, ++index, 1);
            }
        }
        return state;
    }

    /** Compares the heap that such a state takes with what it says that it takes. */
    private static void assertAccounted(String what, int clients, Supplier<TargetState> states) {
        double ratio = Double.NaN;
        for (int i = 0; i < MEASUREMENTS && !(ratio >= LEAST && ratio <= MOST); i++) {
            long before = usedHeap();
            TargetState state = states.get();
            long measured = usedHeap() - before;
            long accounted =
                    state.answerBytes() + (long) MemoryOptions.BYTES_OF_A_CLIENT * clients; // it lives until here
            System.out.printf("%s: %,d bytes measured, %,d accounted%n", what, measured, accounted);
            ratio = (double) measured / accounted;
        }
        assertThat(ratio).as(what).isBetween(LEAST, MOST);
    }

    @ParameterizedTest
    @EnumSource
    void whatClientsAndKeysTakeIsWhatTheAccountsSay(BuiltInService service) {
        for (int[] each : new int[][] {{24_000, 1, 100}, {24_000, 2, 100}, {200, 1_024, 40}, {400, 300, 10}}) {
            assertAccounted(
                    service + ", " + each[0] + " clients of " + each[1] + " answers",
                    each[0],
                    () -> remembering(service.get(), each[0], each[1], each[2], client -> client * 0x1_0001L));
        }
        int keys = 3 << 13;
        assertAccounted(
                service + ", " + keys + " keys",
                keys,
                () -> remembering(service.get(), keys, 1, 50, lower -> ClientKind.HTTP_KEY.id((int) lower)));
    }

    @Test
    void aClientThatSendsManyAtOnceKeepsNothingOfThatWhenTheyAreAnswered() {
        assertAccounted("bursts", BURST_CLIENTS, MemoryTest::bursts);
    }

    private static TargetState bursts() {
        TargetState state = new TargetState("t", new InvertService(), new MemoryBounds(1, BURST_CLIENTS, 0, 1 << 20));
        long index = 0;
        for (int client = 0; client < BURST_CLIENTS; client++) {
            TestRequest[] burst = new TestRequest[32]; // four times what is kept
            for (int i = 0; i < burst.length; i++) {
                burst[i] = new TestRequest(state, client, i, new byte[0]);
                assertThat(state.admit(burst[i])).isTrue();
            }
            for (TestRequest each : burst) {
                Outcomes.taken(each, each.record());
                Outcomes.durable(each, ++index, 1);
            }
        }
        return state;
    }
}
