package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.Outcomes;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.InvertService;
import io.plog.server.state.ClientKind;
import io.plog.server.state.MemoryBounds;
import io.plog.server.state.TargetState;
import io.plog.server.state.TestRequest;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** What is remembered takes of the heap what the accounts say, as the JVM itself measures it. */
class MemoryTest {
    private static final MemoryBounds ROOMY = new MemoryBounds(MemoryBounds.WINDOW, 1 << 20, 8 << 20, 1L << 40);

    /** What references are kept in is let go of only some collections later. */
    private static long usedHeap() {
        Runtime runtime = Runtime.getRuntime();
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 6; i++) {
            System.gc();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    /** Heap that a machine takes after so many requests of so many clients, one after the other. */
    private static long measured(TargetState state, int clients, int requests, int payload, LongUnaryOperator id) {
        byte[] bytes = new byte[payload];
        long before = usedHeap();
        long index = 0;
        for (int number = 1; number <= requests; number++) {
            for (int client = 0; client < clients; client++) {
                TestRequest request = new TestRequest(state, id.applyAsLong(client), number, bytes);
                assertThat(state.admit(request, null)).isTrue();
                Outcomes.taken(request, request.record());
                Outcomes.durable(request, ++index, 1);
            }
        }
        long after = usedHeap();
        assertThat(state.appliedIndex()).isEqualTo(index); // keeps the machine alive until here
        return after - before;
    }

    private static void assertAccounted(String what, long measured, long accounted) {
        System.out.printf("%s: %,d bytes measured, %,d accounted%n", what, measured, accounted);
        assertThat((double) measured / accounted).as(what).isBetween(0.6, 1.1);
    }

    @Test
    void whatClientsAndKeysTakeIsWhatTheAccountsSay() {
        for (BuiltInService service : BuiltInService.values()) {
            for (int[] each : new int[][] {{10_000, 1, 100}, {10_000, 2, 100}, {150, 1_024, 40}, {400, 300, 10}}) {
                TargetState state = new TargetState("t", service.get(), ROOMY);
                long measured = measured(state, each[0], each[1], each[2], client -> client * 0x1_0001L);
                long accounted = state.answerBytes() + (long) MemoryPlan.CLIENT_BYTES * each[0];
                assertAccounted(service + ", " + each[0] + " clients of " + each[1] + " answers", measured, accounted);
            }
            TargetState state = new TargetState("t", service.get(), ROOMY);
            int keys = 1 << 15;
            long measured = measured(state, keys, 1, 50, lower -> ClientKind.HTTP_KEY.id((int) lower));
            assertAccounted(
                    service + ", " + keys + " keys",
                    measured,
                    state.answerBytes() + (long) MemoryPlan.CLIENT_BYTES * keys);
        }
    }

    @Test
    void aClientThatSendsManyAtOnceKeepsNothingOfThatWhenTheyAreAnswered() {
        bursts(); // loads the classes, and lets go of what that needed
        long before = usedHeap();
        TargetState state = bursts();
        long measured = usedHeap() - before;
        assertAccounted("bursts", measured, state.answerBytes() + MemoryPlan.CLIENT_BYTES * 1_024L);
    }

    private static TargetState bursts() {
        TargetState state = new TargetState("t", new InvertService(), new MemoryBounds(1, 1_024, 0, 1 << 20));
        long index = 0;
        for (int client = 0; client < 1_024; client++) {
            TestRequest[] burst = new TestRequest[256];
            for (int i = 0; i < burst.length; i++) {
                burst[i] = new TestRequest(state, client, i, new byte[0]);
                assertThat(state.admit(burst[i], null)).isTrue();
            }
            for (TestRequest each : burst) {
                Outcomes.taken(each, each.record());
                Outcomes.durable(each, ++index, 1);
            }
        }
        return state;
    }
}
