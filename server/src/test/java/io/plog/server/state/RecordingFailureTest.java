package io.plog.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.Outcomes;
import io.plog.protocol.Status;
import io.plog.server.service.BuiltInService;
import io.plog.server.service.ChainService;
import io.plog.server.service.Service;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An answer that cannot be recorded fails its target cleanly, whichever step it was that failed. */
@Timeout(60)
class RecordingFailureTest {
    private static final MemoryBounds BOUNDS = new MemoryBounds(64, 8, 1 << 20, 4_000);

    private final FailingArrays arrays = new FailingArrays();
    private final List<TestRequest> waiting = new ArrayList<>();
    private long durable;

    private TestRequest admitted(TargetState state, long client, long number) {
        TestRequest request = new TestRequest(state, client, number, new byte[] {1, 2, 3});
        state.admit(request);
        waiting.add(request);
        return request;
    }

    private void makeDurable(TestRequest request) {
        Outcomes.taken(request, request.record());
        try {
            Outcomes.durable(request, ++durable, 1);
        } catch (OutOfMemoryError e) { // which JUnit would take for one of its own
            throw new AssertionError("thrown on, to the log, instead of failing the target", e);
        }
    }

    private static long client(boolean keys, int i) {
        return keys ? ClientKind.HTTP_KEY.id(i) : i % 3;
    }

    /** Runs into the failure of this allocation. Says whether there was one. */
    private boolean failAt(int allocation, BuiltInService service, boolean keys) throws Exception {
        TargetState state = new TargetState("t", service.get(), BOUNDS, arrays, () -> 0);
        arrays.failAfter(allocation);
        int before = arrays.failures();
        waiting.clear();
        durable = 0;
        int requests = 150;
        for (int i = 1; i <= requests && state.failure() == null; i++) {
            TestRequest request = admitted(state, client(keys, i), i);
            TestRequest repeat = admitted(state, client(keys, i), i);
            TestRequest queued = admitted(state, client(keys, i + 1), i + 10_000);
            int failuresBefore = arrays.failures();
            makeDurable(request);
            assertThat(state.failure() != null)
                    .as("failed, if its answer could not be recorded")
                    .isEqualTo(arrays.failures() > failuresBefore);
            if (state.failure() != null) {
                assertFailedCleanly(state, request, repeat, queued);
            } else {
                assertThat(request.status()).isEqualTo(Status.OK);
                assertThat(repeat.isRepeat()).isTrue();
                Outcomes.failed(queued, Outcomes.overloaded());
            }
        }
        state.awaitIdle();
        assertThat(waiting).allMatch(TestRequest::isOver);
        return arrays.failures() > before;
    }

    private void assertFailedCleanly(TargetState state, TestRequest request, TestRequest repeat, TestRequest queued) {
        makeDurable(queued); // it was on its way to the log
        TestRequest later = admitted(state, 7, 1);
        for (TestRequest each : List.of(request, repeat, queued, later)) {
            assertThat(each.status()).isEqualTo(Status.FAILED);
            assertThat(each.sentence())
                    .contains("target t could not remember the answer to record", "as the test says", "larger heap");
        }
        assertThat(state.failedSentence()).contains("could not remember");
        assertThat(state.clients()).isNotNegative();
        assertThatIllegalStateException().isThrownBy(state::snapshot).withMessageContaining("could not remember");
    }

    @Test
    void noHeapForAnArrayOfTheMemoryFailsTheTargetAndEveryAppendIsCompleted() throws Exception {
        for (BuiltInService service : BuiltInService.values()) {
            for (boolean keys : new boolean[] {false, true}) {
                int allocation = 0;
                while (failAt(allocation, service, keys)) {
                    allocation++;
                }
                assertThat(allocation).as("allocations of %s", service).isGreaterThan(3);
            }
        }
    }

    @Test
    void noHeapForTheCopyOfAClientFailsTheCheckpointAndNotTheTarget() {
        TargetState state = new TargetState("t", BuiltInService.INVERT.get(), BOUNDS, arrays, () -> 0);
        for (int number = 1; number <= 3; number++) {
            makeDurable(admitted(state, 1, number));
        }
        StateImage image = state.snapshot();
        arrays.failAfter(0);
        makeDurable(admitted(state, 1, 4)); // has room among the answers, which are copied before
        arrays.failAfter(Integer.MAX_VALUE);
        assertThat(arrays.failures()).isEqualTo(1);
        assertThat(state.failure()).isNull();
        assertThatThrownBy(image::encode).isInstanceOf(OutOfMemoryError.class);
        assertThat(state.snapshot().encode()).isNotEmpty();
    }

    /** A request whose own copies fail. */
    private static class Greedy extends TestRequest {
        private final boolean inCopy;

        Greedy(TargetState state, boolean inCopy) {
            super(state, 1, 1, new byte[0]);
            this.inCopy = inCopy;
        }

        @Override
        protected void execute(Service service) {
            if (!inCopy) {
                throw new OutOfMemoryError("in the service");
            }
        }

        @Override
        protected byte[] copyOfAnswer() {
            throw new OutOfMemoryError("in the copy");
        }
    }

    @Test
    void noHeapForTheAnswerItselfFailsTheTargetToo() throws Exception {
        for (boolean inCopy : new boolean[] {false, true}) {
            TargetState state = new TargetState("t", new ChainService(), BOUNDS);
            Greedy request = new Greedy(state, inCopy);
            assertThat(state.admit(request)).isTrue();
            Outcomes.taken(request, request.record());
            Outcomes.durable(request, 1, 1);
            assertThat(request.status()).isEqualTo(Status.FAILED);
            assertThat(request.sentence()).contains(inCopy ? "in the copy" : "in the service");
            state.awaitIdle();
            assertThat(state.failure()).isInstanceOf(OutOfMemoryError.class);
        }
    }

    /** No heap for a sentence about it, either. */
    private static final class Unspeakable extends Error {
        private static final long serialVersionUID = 1;

        @Override
        public String getMessage() {
            throw new OutOfMemoryError("in the sentence");
        }
    }

    @Test
    void noHeapForTheSentenceIsReportedInAShorterOne() throws Exception {
        TargetState state = new TargetState("t", new ChainService(), BOUNDS);
        TestRequest request = admitted(state, 1, 1);
        state.fail(new Unspeakable());
        makeDurable(request);
        assertThat(request.status()).isEqualTo(Status.FAILED);
        assertThat(request.sentence()).contains("target t", "restart the server");
    }

    @Test
    void noHeapForOneRequestMoreRefusesThatOneOnly() throws Exception {
        TargetState state = new TargetState("t", new ChainService(), BOUNDS);
        TestRequest first = admitted(state, 1, 1);
        Greedy repeat = new Greedy(state, true) {
            @Override
            protected int recordCrc() {
                throw new OutOfMemoryError("in the check");
            }
        };
        assertThat(state.admit(repeat)).isFalse();
        assertThat(repeat.status()).isEqualTo(Status.OVERLOADED);
        assertThat(repeat.sentence()).contains("no heap for one request more; this one was not logged");
        makeDurable(first);
        assertThat(first.status()).isEqualTo(Status.OK);
        assertThat(state.failure()).isNull();
    }
}
