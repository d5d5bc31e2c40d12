package io.plog.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.client.SimulatedWire.Arrival;
import io.plog.protocol.Status;
import io.plog.protocol.Welcome;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rules of sending again, in simulated time. */
class RetransmitterTest {
    /** Statuses that another attempt would not change. */
    private static final Set<Status> PERMANENT = EnumSet.of(
            Status.UNKNOWN_TARGET,
            Status.TOO_LARGE,
            Status.UNSUPPORTED,
            Status.OUTDATED,
            Status.CONFLICT,
            Status.NOT_ALLOWED);

    /** What the server does with one request after the other; answers when there is nothing left. */
    private final Queue<Consumer<Arrival>> script = new ArrayDeque<>();

    /** Why connections are refused, one after the other. */
    private final Queue<RpcException> refusedConnections = new ArrayDeque<>();

    private final List<String> retries = new ArrayList<>();
    private SimulatedWire wire = new SimulatedWire(new Scripted());
    private RetryOptions options = RetryOptions.defaults();
    private @Nullable Retransmitter retransmitter;

    private final class Scripted implements SimulatedWire.Server {
        @Override
        public void arrived(Arrival arrival) {
            Consumer<Arrival> next = script.poll();
            if (next == null) {
                arrival.answer();
            } else {
                next.accept(arrival);
            }
        }

        @Override
        public @Nullable RpcException refusesConnection() {
            return refusedConnections.poll();
        }
    }

    private static void silence(Arrival arrival) {
        // The test is that nothing comes.
    }

    private Retransmitter sender() {
        Retransmitter made = retransmitter;
        if (made == null) {
            made = new Retransmitter(
                    wire,
                    options,
                    5,
                    () -> 0,
                    (why, pause) -> retries.add(pause.toMillis() + " ms: " + why.getMessage()));
            retransmitter = made;
        }
        return made;
    }

    private Call submit(long number) {
        return submit(number, "a", 10);
    }

    private Call submit(long number, String target, int bytes) {
        Call call = new Call(
                target, number, ByteBuffer.wrap(new byte[bytes]), wire.nanoTime() + options.deadline.toNanos());
        sender().submit(call);
        return call;
    }

    private static Reply reply(Call call) {
        assertThat(call.reply).isCompleted();
        return call.reply.join();
    }

    private static CallFailedException failure(Call call) {
        assertThat(call.reply).isCompletedExceptionally();
        try {
            call.reply.join();
            throw new AssertionError("it was acknowledged");
        } catch (CompletionException e) {
            return (CallFailedException) requireNonNull(e.getCause());
        }
    }

    private List<Long> arrivedMillis() {
        return wire.arrivals.stream().map(arrival -> arrival.millis).toList();
    }

    private List<Long> arrivedNumbers() {
        return wire.arrivals.stream().map(arrival -> arrival.number).toList();
    }

    @Test
    void whatIsAnsweredIsSentOnce() {
        Call call = submit(1);
        wire.run();
        assertThat(reply(call).requestNumber()).isEqualTo(1);
        assertThat(wire.arrivals).hasSize(1);
        assertThat(wire.arrivals.get(0).target).isEqualTo(3);
        assertThat(retries).isEmpty();
    }

    @Test
    void aLostConnectionIsMadeAgainAndTheSameNumberSentAgainAfterGrowingPauses() {
        for (int i = 0; i < 5; i++) {
            script.add(Arrival::drop);
        }
        Call call = submit(7);
        wire.run();
        assertThat(reply(call).requestNumber()).isEqualTo(7);
        assertThat(arrivedNumbers()).containsExactly(7L, 7L, 7L, 7L, 7L, 7L);
        assertThat(arrivedMillis()).containsExactly(0L, 10L, 30L, 70L, 150L, 310L);
        assertThat(wire.arrivals)
                .allSatisfy(arrival -> assertThat(arrival.payload).hasSize(10));
        assertThat(retries)
                .hasSize(5)
                .first()
                .isEqualTo("10 ms: the connection broke; the request may have been executed");
    }

    @Test
    void everyTemporaryRefusalIsSentAgainOnTheSameConnection() {
        EnumSet<Status> temporary = EnumSet.allOf(Status.class);
        temporary.removeAll(PERMANENT);
        temporary.remove(Status.OK);
        temporary.forEach(status -> script.add(arrival -> arrival.refuse(status)));
        Call call = submit(1);
        wire.run();
        assertThat(reply(call).requestNumber()).isEqualTo(1);
        assertThat(temporary)
                .containsExactlyInAnyOrder(
                        Status.OVERLOADED,
                        Status.LOG_FULL,
                        Status.LOG_FAILED,
                        Status.LOG_UNAVAILABLE,
                        Status.SHUTTING_DOWN,
                        Status.FAILED,
                        Status.NOT_SERVING,
                        Status.NO_QUORUM);
        assertThat(arrivedMillis()).containsExactly(0L, 10L, 30L, 70L, 150L, 310L, 630L, 1270L, 2550L);
        assertThat(wire.connectedMillis).containsExactly(0L);
    }

    @Test
    void aPermanentRefusalIsNotSentAgain() {
        for (Status status : PERMANENT) {
            script.add(arrival -> arrival.refuse(status));
            Call call = submit(status.code());
            wire.run();
            CallFailedException failure = failure(call);
            assertThat(failure.mayHaveBeenExecuted()).as("%s", status).isEqualTo(status == Status.OUTDATED);
            assertThat(failure.transmissions()).isEqualTo(1);
            assertThat(failure.requestNumber()).isEqualTo(status.code());
            assertThat(failure.getCause())
                    .isInstanceOfSatisfying(
                            RefusedException.class, e -> assertThat(e.status()).isEqualTo(status.code()));
        }
        assertThat(wire.arrivals).hasSize(PERMANENT.size());
    }

    @Test
    void anUnknownStatusIsNotSentAgainAndMayHaveBeenExecuted() {
        script.add(arrival -> arrival.fail(new RefusedException(4711, "refused with status 4711")));
        Call call = submit(1);
        wire.run();
        assertThat(failure(call).mayHaveBeenExecuted()).isTrue();
        assertThat(wire.arrivals).hasSize(1);
    }

    @Test
    void onceUnknownALaterDefiniteRefusalDoesNotMakeItCertain() {
        script.add(Arrival::drop);
        script.add(arrival -> arrival.refuse(Status.CONFLICT));
        Call call = submit(1);
        wire.run();
        assertThat(failure(call).mayHaveBeenExecuted()).isTrue();
        assertThat(failure(call))
                .hasMessage("request 1 of client 5 failed after 2 transmissions: refused with CONFLICT;"
                        + " the request may have been executed");
    }

    @Test
    void definiteRefusalsUpToTheDeadlineAreCertain() {
        for (int i = 0; i < 100; i++) {
            script.add(arrival -> arrival.refuse(Status.OVERLOADED));
        }
        Call call = submit(1);
        wire.run();
        CallFailedException failure = failure(call);
        assertThat(failure.mayHaveBeenExecuted()).isFalse();
        assertThat(failure)
                .hasMessageMatching("request 1 of client 5 ended without an acknowledgement in time after \\d+"
                        + " transmissions: refused with OVERLOADED; the request was not executed");
        assertThat(wire.arrivals).hasSize(failure.transmissions());
    }

    @Test
    void aServerThatNeverComesIsWaitedForUpToTheDeadlineAndNothingWasSent() {
        for (int i = 0; i < 1_000; i++) {
            refusedConnections.add(new ServerUnavailableException("no server at x:1"));
        }
        Call call = submit(1);
        wire.runUntil(29_999);
        assertThat(call.reply).isNotDone();
        wire.run();
        CallFailedException failure = failure(call);
        assertThat(failure.mayHaveBeenExecuted()).isFalse();
        assertThat(failure.transmissions()).isZero();
        assertThat(failure)
                .hasMessage("request 1 of client 5 ended without an acknowledgement in time before it was sent:"
                        + " no server at x:1; the request was not executed")
                .hasCauseInstanceOf(ServerUnavailableException.class);
        // 10, 20, 40, ... 1280 ms, then every 2 s up to 30 s, and never after.
        assertThat(wire.connectedMillis).hasSize(9 + 13).startsWith(0L, 10L, 30L, 70L, 150L);
    }

    @Test
    void aServerThatComesBackIsFound() {
        script.add(Arrival::drop);
        Call call = submit(1);
        wire.runUntil(5);
        for (int i = 0; i < 3; i++) {
            refusedConnections.add(new ServerUnavailableException("no server at x:1"));
        }
        wire.run();
        assertThat(reply(call)).isNotNull();
        // The loss costs 10 ms; then connections are refused at 10, 20 and 40 ms, each with its own growing pause.
        assertThat(wire.connectedMillis).containsExactly(0L, 10L, 20L, 40L, 80L);
    }

    @Test
    void anAttemptToConnectThatThrowsIsMadeAgain() {
        wire.connectThrows = new OutOfMemoryError("unable to create native thread");
        Call call = submit(1);
        wire.run();
        assertThat(reply(call)).isNotNull();
        assertThat(retries)
                .containsExactly("10 ms: the client failed to connect: java.lang.OutOfMemoryError: unable to create"
                        + " native thread");
    }

    @Test
    void aListenerThatThrowsIsReportedAndHoldsNothingUp() {
        refusedConnections.add(new ServerUnavailableException("no server at x:1"));
        script.add(arrival -> arrival.refuse(Status.OVERLOADED));
        retransmitter = new Retransmitter(wire, options, 5, () -> 0, (why, pause) -> {
            throw new IllegalStateException("listener");
        });
        List<Throwable> thrown = new ArrayList<>();
        Thread.currentThread().setUncaughtExceptionHandler((thread, failure) -> thrown.add(failure));
        try {
            Call call = submit(1);
            wire.run();
            assertThat(reply(call)).isNotNull();
        } finally {
            Thread.currentThread().setUncaughtExceptionHandler(null);
        }
        assertThat(thrown).hasSize(2);
    }

    @Test
    void somebodyElseAtTheAddressEndsEverything() {
        refusedConnections.add(new IncompatibleServerException("x:1 is not a plog server"));
        Call first = submit(1);
        Call second = submit(2);
        CompletableFuture<Welcome> server = new CompletableFuture<>();
        sender().server(server, wire.nanoTime() + 1_000_000_000L);
        wire.run();
        assertThat(failure(first)).hasCauseInstanceOf(IncompatibleServerException.class);
        assertThat(failure(second).mayHaveBeenExecuted()).isFalse();
        assertThat(server).isCompletedExceptionally();
        assertThat(wire.connectedMillis).hasSize(1);
    }

    @Test
    void aWrongReplyIsNotAskedForAgain() {
        script.add(arrival -> {
            arrival.fail(new WrongReplyException("the reply differs"));
            arrival.connection.end("the server answered another request wrongly");
        });
        Call call = submit(1);
        wire.run();
        assertThat(failure(call)).hasCauseInstanceOf(WrongReplyException.class);
        assertThat(failure(call).mayHaveBeenExecuted()).isTrue();
        assertThat(wire.arrivals).hasSize(1);
    }

    @Test
    void silenceCostsTheConnectionAndTheRequestIsSentAgain() {
        script.add(RetransmitterTest::silence);
        Call call = submit(1);
        wire.run();
        assertThat(reply(call)).isNotNull();
        assertThat(arrivedMillis()).containsExactly(0L, 5_010L);
        assertThat(wire.arrivals.get(0).connection.open).isFalse();
        assertThat(retries).containsExactly("10 ms: no reply within 5000 ms; the request may have been executed");
    }

    @Test
    void aReplyOnAConnectionThatWasGivenUpIsTooLate() {
        wire.closeDelayMillis = 1_000;
        script.add(arrival -> wire.scheduleMillis(5_200, arrival::answer));
        script.add(arrival -> wire.scheduleMillis(400, () -> arrival.refuse(Status.TOO_LARGE)));
        Call call = submit(1);
        wire.run();
        assertThat(failure(call)).hasCauseInstanceOf(RefusedException.class);
        assertThat(failure(call).mayHaveBeenExecuted()).isTrue();
    }

    @Test
    void repliesKeepASlowConnectionUnlessTheOldestTransmissionIsTooOld() {
        script.add(RetransmitterTest::silence); // the first is never answered; the others in 3 s each
        for (int i = 0; i < 3; i++) {
            script.add(arrival -> wire.scheduleMillis(3_000, arrival::answer));
        }
        Call first = submit(1);
        wire.scheduleMillis(1_000, () -> submit(2));
        wire.scheduleMillis(3_000, () -> submit(3));
        wire.runUntil(4_999);
        assertThat(wire.connectedMillis).hasSize(1);
        wire.run();
        assertThat(reply(first)).isNotNull();
        assertThat(arrivedNumbers()).containsExactly(1L, 2L, 3L, 1L, 3L);
    }

    @Test
    void aReplyMayTakeAsLongAsPartsOfItCome() {
        script.add(arrival -> {
            for (int second = 4; second <= 20; second += 4) {
                wire.scheduleMillis(second * 1_000, () -> arrival.connection.partOfReplyNanos = wire.nanoTime());
            }
            wire.scheduleMillis(24_000, arrival::answer);
        });
        script.add(arrival -> wire.scheduleMillis(
                4_000, () -> arrival.connection.partOfReplyNanos = wire.nanoTime())); // and nothing more
        Call whole = submit(1);
        wire.run();
        assertThat(reply(whole)).isNotNull();
        assertThat(arrivedMillis()).containsExactly(0L);

        Call half = submit(2);
        wire.run();
        assertThat(reply(half)).isNotNull();
        assertThat(arrivedMillis()).containsExactly(0L, 25_000L, 34_010L);
    }

    @Test
    void firstTransmissionsKeepTheOrderOfNumbersAndRepeatedOnesGoFirst() {
        options = options.withMaxOutstanding(3, 1 << 20);
        script.add(RetransmitterTest::silence);
        script.add(RetransmitterTest::silence);
        script.add(Arrival::drop);
        List<Call> calls = new ArrayList<>();
        for (int number = 1; number <= 6; number++) {
            calls.add(submit(number));
        }
        wire.run();
        assertThat(calls).allSatisfy(call -> assertThat(call.reply).isCompleted());
        assertThat(arrivedNumbers()).containsExactly(1L, 2L, 3L, 1L, 2L, 3L, 4L, 5L, 6L);
    }

    @Test
    void noNumberRunsAWindowAheadOfOneThatMayBeRepeated() {
        wire = new SimulatedWire(new Scripted(), 100, Map.of("service", "chain", "window", "4"));
        script.add(RetransmitterTest::silence);
        submit(1);
        for (int number = 2; number <= 10; number++) {
            submit(number);
        }
        wire.runUntil(4_999);
        assertThat(arrivedNumbers()).containsExactly(1L, 2L, 3L, 4L);
        wire.run();
        assertThat(arrivedNumbers()).containsExactly(1L, 2L, 3L, 4L, 1L, 5L, 6L, 7L, 8L, 9L, 10L);
    }

    @Test
    void aTargetThatRemembersNothingLimitsNothing() {
        wire = new SimulatedWire(new Scripted(), 100, Map.of("window", "0"));
        script.add(RetransmitterTest::silence);
        for (int number = 1; number <= 10; number++) {
            submit(number);
        }
        wire.runUntil(1_000);
        assertThat(wire.arrivals).hasSize(10);
    }

    @Test
    void longPayloadsDoNotRunFarAheadEither() {
        options = options.withMaxOutstanding(64, 25);
        script.add(RetransmitterTest::silence);
        for (int number = 1; number <= 4; number++) {
            submit(number, "a", 10);
        }
        submit(5, "a", 100);
        wire.runUntil(4_999);
        assertThat(arrivedNumbers()).containsExactly(1L, 2L);
        wire.run();
        assertThat(arrivedNumbers()).containsExactly(1L, 2L, 1L, 3L, 4L, 5L);
    }

    @Test
    void noMoreAreOutstandingThanTheServerAllows() {
        wire = new SimulatedWire(new Scripted(), 2, Map.of());
        for (int i = 0; i < 5; i++) {
            script.add(arrival -> wire.scheduleMillis(100, arrival::answer));
        }
        for (int number = 1; number <= 5; number++) {
            submit(number);
        }
        wire.run();
        assertThat(arrivedMillis()).containsExactly(0L, 0L, 100L, 100L, 200L);
    }

    @Test
    void aRefusedRequestDoesNotHoldUpOthers() {
        script.add(arrival -> arrival.refuse(Status.LOG_FULL));
        submit(1);
        submit(2);
        submit(3);
        wire.run();
        assertThat(arrivedNumbers()).containsExactly(1L, 2L, 3L, 1L);
    }

    @Test
    void anIdleConnectionThatEndsIsMadeAgainWithoutAPause() {
        submit(1);
        wire.run();
        long idle = wire.millis();
        requireNonNull(wire.current).end("the server closed the connection");
        assertThat(wire.connectedMillis).hasSize(1);
        Call call = submit(2);
        wire.runUntil(idle);
        assertThat(reply(call)).isNotNull();
        assertThat(retries).isEmpty();
    }

    @Test
    void aTargetThatTheServerDoesNotHaveAndAPayloadThatItDoesNotTakeAreNotSent() {
        Call unknown = submit(1, "b", 10);
        Call tooLong = submit(2, "a", 1_001);
        wire.run();
        assertThat(failure(unknown))
                .hasMessage("request 1 of client 5 failed before it was sent: the server has no target 'b'; it has a;"
                        + " the request was not executed");
        assertThat(failure(tooLong))
                .hasMessage("request 2 of client 5 failed before it was sent: payload has 1001 bytes: expected at most"
                        + " 1000, the server's limit; the request was not executed");
        assertThat(failure(tooLong).mayHaveBeenExecuted()).isFalse();
        assertThat(wire.arrivals).isEmpty();
    }

    @Test
    void thousandsThatFailAtOnceDoNotNest() {
        List<Call> calls = new ArrayList<>();
        for (int number = 1; number <= 20_000; number++) {
            calls.add(submit(number, "b", 0));
        }
        wire.run();
        assertThat(calls).allSatisfy(call -> assertThat(call.reply).isCompletedExceptionally());
    }

    @Test
    void aCallThatIsForgottenIsNotSentAgain() {
        script.add(arrival -> arrival.refuse(Status.OVERLOADED));
        Call call = submit(1);
        wire.runUntil(5);
        call.reply.cancel(false);
        sender().release(call);
        wire.run();
        assertThat(wire.arrivals).hasSize(1);
        assertThat(wire.millis()).as("no timer is left").isLessThan(6_000);
    }

    @Test
    void aCallThatIsForgottenNoLongerHoldsUpOthers() {
        options = options.withMaxOutstanding(1, 1 << 20);
        script.add(arrival -> arrival.refuse(Status.OVERLOADED));
        Call first = submit(1);
        Call second = submit(2);
        wire.runUntil(5);
        first.reply.cancel(false);
        sender().release(first);
        wire.runUntil(6);
        assertThat(reply(second)).isNotNull();
    }

    @Test
    void anAbandonedCallSaysWhatIsKnown() {
        script.add(arrival -> arrival.refuse(Status.OVERLOADED));
        Call call = submit(1);
        wire.runUntil(5);
        sender().abandon(call, "because its thread was interrupted,");
        assertThat(failure(call))
                .hasMessage("request 1 of client 5 ended because its thread was interrupted, after 1 transmission:"
                        + " refused with OVERLOADED; the request was not executed");
    }

    @Test
    void closeFailsWhatIsUnfinishedAsFarAsItIsKnown() {
        options = options.withMaxOutstanding(1, 1 << 20);
        script.add(RetransmitterTest::silence);
        Call sent = submit(1);
        Call waiting = submit(2);
        wire.runUntil(1);
        sender().close();
        assertThat(failure(sent).mayHaveBeenExecuted()).isTrue();
        assertThat(failure(waiting).mayHaveBeenExecuted()).isFalse();
        Call late = submit(3);
        assertThat(failure(late).mayHaveBeenExecuted()).isFalse();
        wire.run();
        assertThat(wire.connectedMillis).hasSize(1);
        assertThat(wire.arrivals).hasSize(1);
    }

    @Test
    void theServerIsWaitedForWithoutACall() {
        refusedConnections.add(new ServerUnavailableException("no server at x:1"));
        CompletableFuture<Welcome> server = new CompletableFuture<>();
        sender().server(server, wire.nanoTime() + 1_000_000_000L);
        wire.runUntil(9);
        assertThat(server).isNotDone();
        wire.run();
        assertThat(server.join().targets()).hasSize(1);
    }

    @Test
    void aServerThatDoesNotComeInTimeIsSaid() {
        for (int i = 0; i < 100; i++) {
            refusedConnections.add(new ServerUnavailableException("no server at x:1"));
        }
        CompletableFuture<Welcome> server = new CompletableFuture<>();
        sender().server(server, wire.nanoTime() + 1_000_000_000L);
        wire.run();
        assertThatThrownBy(server::join).hasCauseInstanceOf(ServerUnavailableException.class);
        assertThat(refusedConnections).hasSizeGreaterThan(80);
    }

    @Test
    void pausesAreBetweenHalfAndAllOfADoublingTime() {
        Object[][] table = {
            // attempts, chance, milliseconds
            {1, 0.0, 10},
            {1, 1.0, 5},
            {2, 0.0, 20},
            {2, 0.5, 15},
            {8, 0.0, 1280},
            {9, 0.0, 2000},
            {9, 1.0, 1000},
            {Integer.MAX_VALUE, 0.0, 2000},
        };
        for (Object[] row : table) {
            assertThat(RetryOptions.defaults().pauseNanos((int) row[0], (double) row[1]))
                    .as("%s", List.of(row))
                    .isEqualTo((int) row[2] * 1_000_000L);
        }
    }

    @Test
    void optionsThatMakeNoSenseNameTheValueAndItsRange() {
        assertThatThrownBy(() -> options.withDeadline(Duration.ZERO))
                .hasMessage("deadline is 0 ms: expected 1 ms to 86400000 ms");
        assertThatThrownBy(() -> options.withPauses(Duration.ofMillis(5), Duration.ofMillis(4)))
                .hasMessage("longestPause is 4 ms: expected 5 ms to 3600000 ms");
        assertThatThrownBy(() -> options.withMaxOutstanding(0, 1 << 20))
                .hasMessage("maxOutstanding is 0: expected 1 to 65536");
        assertThatThrownBy(() -> ClientOptions.defaults().withToken("x".repeat(513)))
                .hasMessage("the token has 513 characters: expected at most 512, all of them ASCII");
        assertThatThrownBy(() -> ClientOptions.defaults().withToken("\u00fc"))
                .hasMessageContaining("all of them ASCII");
    }
}
