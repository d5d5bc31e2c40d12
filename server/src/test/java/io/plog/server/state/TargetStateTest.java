package io.plog.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.plog.log.LogFailedException;
import io.plog.log.Outcomes;
import io.plog.protocol.Status;
import io.plog.server.service.BreakingService;
import io.plog.server.service.BuiltInService;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Exactly once, and the same state again from the log or a checkpoint: without channels, files and threads. */
class TargetStateTest {
    private static final MemoryBounds ROOMY = new MemoryBounds(100, 100, 1 << 20, 1 << 20);

    private final TargetState chain = machine(BuiltInService.CHAIN, ROOMY);
    private long durable;

    private static TargetState machine(BuiltInService service, MemoryBounds bounds) {
        return new TargetState("t", service.get(), bounds);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private TestRequest send(TargetState machine, long client, long number, String payload) {
        TestRequest request = new TestRequest(machine, client, number, bytes(payload));
        if (request.run(machine, durable + 1)) {
            durable++;
        }
        return request;
    }

    @Test
    void aRepeatGetsTheAnswerThatTheFirstGotAndIsNotExecutedAgain() {
        TestRequest first = send(chain, 7, 1, "a");
        TestRequest second = send(chain, 7, 2, "bb");
        TestRequest repeat = send(chain, 7, 1, "a");
        assertThat(repeat.isRepeat()).isTrue();
        assertThat(repeat.reply()).isEqualTo(first.reply());
        assertThat(repeat.answerIndex()).isEqualTo(1);
        assertThat(durable).isEqualTo(2);
        TargetState other = machine(BuiltInService.CHAIN, ROOMY);
        durable = 0;
        send(other, 7, 1, "a");
        assertThat(send(other, 7, 2, "bb").reply()).isEqualTo(second.reply());
        assertThat(send(other, 7, 3, "c").reply()).isEqualTo(new TestRequestAfter(chain).reply(7, 3, "c"));
    }

    /** One more request to a machine at index 3. */
    private record TestRequestAfter(TargetState machine) {
        byte[] reply(long client, long number, String payload) {
            TestRequest request = new TestRequest(machine, client, number, bytes(payload));
            assertThat(request.run(machine, 3)).isTrue();
            return request.reply();
        }
    }

    @Test
    void theSameNumberOfAnotherClientIsAnotherRequest() {
        send(chain, 7, 1, "a");
        assertThat(send(chain, 8, 1, "a").isRepeat()).isFalse();
        assertThat(durable).isEqualTo(2);
    }

    @Test
    void anotherPayloadUnderAUsedNumberIsAConflictAndNothingIsExecuted() {
        TestRequest first = send(chain, 7, 1, "a");
        for (String other : new String[] {"b", "aa", ""}) {
            TestRequest conflict = send(chain, 7, 1, other);
            assertThat(conflict.status()).isEqualTo(Status.CONFLICT);
            assertThat(conflict.sentence()).contains("number 1 was used", "1 bytes", "index 1");
        }
        assertThat(send(chain, 7, 1, "a").reply()).isEqualTo(first.reply());
        assertThat(durable).isEqualTo(1);
    }

    @Test
    void aRepeatInFlightWaitsForTheFirstAndIsNotAppended() {
        TestRequest first = new TestRequest(chain, 7, 1, bytes("a"));
        TestRequest repeat = new TestRequest(chain, 7, 1, bytes("a"));
        TestRequest again = new TestRequest(chain, 7, 1, bytes("a"));
        TestRequest conflict = new TestRequest(chain, 7, 1, bytes("b"));
        assertThat(chain.admit(first)).isTrue();
        for (TestRequest each : List.of(repeat, again, conflict)) {
            assertThat(chain.admit(each)).isFalse();
            assertThat(each.isOver()).isFalse();
        }
        Outcomes.taken(first, first.record());
        Outcomes.durable(first, 1, 1);
        for (TestRequest each : List.of(repeat, again)) {
            assertThat(each.status()).isEqualTo(Status.OK);
            assertThat(each.answerIndex()).isEqualTo(1);
            assertThat(each.reply()).isEqualTo(first.reply());
        }
        assertThat(conflict.status()).isEqualTo(Status.CONFLICT);
    }

    @Test
    void whatComesAfterTheLogFailedIsNotLoggedAndWhatWasUnderWayStaysUnknown() {
        TestRequest answered = send(chain, 7, 1, "a");
        TestRequest underWay = new TestRequest(chain, 7, 2, bytes("b"));
        chain.admit(underWay);
        chain.logFailed("the log of target t failed for good (Input/output error)", LogFailedException.Reason.ERROR);
        TestRequest repeat = new TestRequest(chain, 7, 2, bytes("b"));
        assertThat(chain.admit(repeat)).isFalse();
        Outcomes.failed(underWay, Outcomes.failedForGood());
        assertThat(underWay.status()).isEqualTo(Status.LOG_FAILED);
        assertThat(repeat.status()).as("a repeat of what is under way").isEqualTo(Status.LOG_FAILED);

        assertThat(send(chain, 7, 2, "b").status()).as("sent again later").isEqualTo(Status.LOG_FAILED);
        assertThat(send(chain, 7, 3, "c").status()).isEqualTo(Status.LOG_UNAVAILABLE);
        assertThat(send(chain, 8, 2, "b").status()).as("of another client").isEqualTo(Status.LOG_UNAVAILABLE);
        TestRequest again = send(chain, 7, 1, "a");
        assertThat(again.status()).as("answered before").isEqualTo(Status.OK);
        assertThat(again.reply()).isEqualTo(answered.reply());
        assertThat(chain.clients()).isEqualTo(1);
    }

    @Test
    void aStandbyThatLostTheLogStillDoesNotKnowWhatBecameOfWhatWasUnderWay() {
        assertThat(chain.notServing()).isNull();
        TestRequest underWay = new TestRequest(chain, 7, 1, bytes("a"));
        chain.admit(underWay);
        chain.logFailed("another server took it over", LogFailedException.Reason.FENCED);
        TargetState standby = machine(BuiltInService.CHAIN, ROOMY);
        standby.standsByAfter(chain, "target t is a standby: host-b:7411 holds the log");
        Outcomes.failed(underWay, Outcomes.failedForGood()); // reported late
        TestRequest again = send(standby, 7, 1, "a");
        assertThat(again.status()).isEqualTo(Status.LOG_FAILED);
        assertThat(again.sentence())
                .contains("host-b:7411 holds the log", "whether it is logged is unknown here: send it to the server");
        TestRequest later = send(standby, 7, 2, "b");
        assertThat(later.status()).isEqualTo(Status.NOT_SERVING);
        assertThat(later.sentence()).contains("host-b:7411 holds the log", "not logged and not executed");
        assertThat(chain.notServing()).isEqualTo("another server took it over");
        assertThat(standby.notServing()).contains("host-b:7411 holds the log");
    }

    @Test
    void aRefusalFreesTheNumberAndIsReportedToTheRepeatsToo() {
        TestRequest first = new TestRequest(chain, 7, 1, bytes("a"));
        TestRequest repeat = new TestRequest(chain, 7, 1, bytes("a"));
        chain.admit(first);
        chain.admit(repeat);
        Outcomes.failed(first, Outcomes.full());
        assertThat(first.status()).isEqualTo(Status.LOG_FULL);
        assertThat(repeat.status()).isEqualTo(Status.LOG_FULL);
        TestRequest later = send(chain, 7, 1, "another payload");
        assertThat(later.status()).isEqualTo(Status.OK);
        assertThat(later.isRepeat()).isFalse();
        assertThat(chain.clients()).isEqualTo(1);
    }

    @Test
    void aRequestThatTheLogNeverTookLeavesNoTrace() {
        TestRequest refused = new TestRequest(chain, 7, 1, bytes("a"));
        chain.admit(refused);
        Session session = refused.session;
        Outcomes.failed(refused, Outcomes.overloaded());
        assertThat(chain.clients()).isZero();
        TestRequest next = new TestRequest(chain, 7, 2, bytes("a"));
        assertThat(chain.admit(next)).isTrue();
        assertThat(next.session).isNotSameAs(session);
    }

    @Test
    void whatIsOlderThanTheWindowIsOutdatedWhetherOrNotItWasExecuted() {
        TargetState narrow = machine(BuiltInService.INVERT, new MemoryBounds(3, 10, 0, 1 << 20));
        for (int number : new int[] {1, 2, 5, 6, 7, 8}) {
            send(narrow, 7, number, "a");
        }
        assertThat(send(narrow, 7, 8, "a").isRepeat()).isTrue();
        assertThat(send(narrow, 7, 6, "a").isRepeat()).isTrue();
        for (int number : new int[] {1, 3, 4, 5}) {
            TestRequest outdated = send(narrow, 7, number, "a");
            assertThat(outdated.status()).isEqualTo(Status.OUTDATED);
            assertThat(outdated.sentence()).contains("request " + number, "up to 5 are forgotten");
        }
        assertThat(durable).isEqualTo(6);
    }

    @Test
    void aNumberThatWasLeftOutAndIsInsideTheWindowIsNew() {
        send(chain, 7, 5, "a");
        TestRequest late = send(chain, 7, 3, "b");
        assertThat(late.status()).isEqualTo(Status.OK);
        assertThat(late.isRepeat()).isFalse();
    }

    @Test
    void storedAnswersAreBoundedInBytesForEachClientAndItsNewestStays() {
        TargetState small = machine(BuiltInService.CHAIN, new MemoryBounds(100, 10, 10, 1 << 20));
        for (int number = 1; number <= 4; number++) {
            send(small, 7, number, "abcd");
        }
        assertThat(send(small, 7, 3, "abcd").isRepeat()).isTrue();
        assertThat(send(small, 7, 2, "abcd").status()).isEqualTo(Status.OUTDATED);
        send(small, 7, 5, "longer than ten bytes");
        assertThat(send(small, 7, 5, "longer than ten bytes").isRepeat()).isTrue();
        assertThat(send(small, 7, 4, "abcd").status()).isEqualTo(Status.OUTDATED);
    }

    /** Of heap for so many answers of four bytes. */
    private static long heap(int answers) {
        return Answers.heapBytes(answers, 100, true, 4L * answers);
    }

    @Test
    void answersOfAllAreBoundedInHeapAndTheQuietestClientLosesItsOldestFirst() {
        String large = "much longer than all that may be stored".repeat(4);
        TargetState small = machine(BuiltInService.CHAIN, new MemoryBounds(100, 10, 100, heap(2) + heap(1)));
        send(small, 1, 1, "abcd");
        send(small, 2, 1, "abcd");
        send(small, 1, 2, "abcd"); // full; the client 2 is the quietest now
        send(small, 3, 1, "abcd");
        assertThat(send(small, 2, 1, "abcd").status()).isEqualTo(Status.OUTDATED);
        assertThat(send(small, 1, 1, "abcd").isRepeat()).isTrue();
        send(small, 3, 2, "abcd");
        assertThat(send(small, 1, 1, "abcd").status()).isEqualTo(Status.OUTDATED);
        assertThat(send(small, 1, 2, "abcd").isRepeat()).isTrue();
        send(small, 3, 3, large);
        assertThat(send(small, 1, 2, "abcd").status()).isEqualTo(Status.OUTDATED);
        assertThat(send(small, 3, 2, "abcd").status()).isEqualTo(Status.OUTDATED);
        assertThat(send(small, 3, 3, large).isRepeat()).isTrue();
    }

    @Test
    void answersOfAStatelessServiceAreBoundedInHeapToo() {
        long oneClient = Answers.heapBytes(64, 64, false, 0);
        TargetState small = machine(BuiltInService.INVERT, new MemoryBounds(64, 10, 0, oneClient));
        for (int number = 1; number <= 100; number++) {
            send(small, 1, number, "a");
            assertThat(small.answerBytes()).isLessThanOrEqualTo(oneClient);
        }
        assertThat(send(small, 1, 37, "a").isRepeat()).isTrue();
        send(small, 2, 1, "a");
        assertThat(small.answerBytes()).isLessThanOrEqualTo(oneClient);
        assertThat(send(small, 1, 37, "a").status()).isEqualTo(Status.OUTDATED);
        assertThat(send(small, 1, 100, "a").isRepeat()).isTrue();
    }

    @Test
    void theClientWhoseLastRequestLiesFurthestBackIsForgotten() {
        TargetState few = machine(BuiltInService.INVERT, new MemoryBounds(10, 2, 0, 1 << 20));
        send(few, 1, 1, "a");
        send(few, 2, 1, "a");
        send(few, 1, 2, "a");
        send(few, 3, 1, "a"); // forgets client 2
        assertThat(few.clients()).isEqualTo(2);
        assertThat(send(few, 1, 1, "a").isRepeat()).isTrue();
        assertThat(send(few, 3, 1, "a").isRepeat()).isTrue();
        assertThat(send(few, 2, 1, "a").isRepeat()).isFalse();
    }

    @Test
    void aClientThatIsForgottenWhileItWaitsIsRememberedAgainWithItsOutcome() {
        TargetState few = machine(BuiltInService.INVERT, new MemoryBounds(10, 1, 0, 1 << 20));
        send(few, 1, 1, "a");
        TestRequest waiting = new TestRequest(few, 1, 2, bytes("b"));
        few.admit(waiting);
        send(few, 2, 1, "a"); // forgets client 1
        TestRequest repeat = new TestRequest(few, 1, 2, bytes("b"));
        assertThat(few.admit(repeat)).isFalse();
        Outcomes.taken(waiting, waiting.record());
        Outcomes.durable(waiting, ++durable, 1);
        assertThat(repeat.answerIndex()).isEqualTo(durable);
        assertThat(send(few, 1, 2, "b").isRepeat()).isTrue();
        assertThat(few.clients()).isEqualTo(1);
    }

    @Test
    void aServiceThatThrowsFailsTheTargetForGood() {
        TargetState broken = new TargetState("t", new BreakingService(false), ROOMY);
        assertThat(send(broken, 7, 1, "fine").status()).isEqualTo(Status.OK);
        TestRequest queued = new TestRequest(broken, 7, 3, bytes("fine"));
        broken.admit(queued);
        TestRequest bad = new TestRequest(broken, 7, 2, bytes("break"));
        TestRequest repeat = new TestRequest(broken, 7, 2, bytes("break"));
        assertThat(broken.admit(bad)).isTrue();
        broken.admit(repeat);
        Outcomes.taken(bad, bad.record());
        Outcomes.durable(bad, 2, 1);
        Outcomes.taken(queued, queued.record());
        Outcomes.durable(queued, 3, 1);
        TestRequest later = new TestRequest(broken, 8, 1, bytes("fine"));
        assertThat(broken.admit(later)).isFalse();
        for (TestRequest each : List.of(bad, repeat, queued, later, send(broken, 7, 1, "fine"))) {
            assertThat(each.status()).isEqualTo(Status.FAILED);
            assertThat(each.sentence()).contains("service of target t failed", "half done");
        }
        assertThatIllegalStateException().isThrownBy(broken::snapshot).withMessageContaining("half done");
    }

    /** The table that a live machine has is the one that its log gives, from the beginning or from any checkpoint. */
    @Test
    void replayAndCheckpointsMakeTheVeryStateAgain() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 60; round++) {
            BuiltInService service = random.nextBoolean() ? BuiltInService.CHAIN : BuiltInService.INVERT;
            MemoryBounds bounds = new MemoryBounds(
                    1 + random.nextInt(6), 1 + random.nextInt(5), random.nextInt(60), random.nextInt(1_200));
            String what = "seed " + seed + ", round " + round + ", " + service + ", " + bounds;
            TargetState live = machine(service, bounds);
            List<byte[]> log = new ArrayList<>();
            ByteBuffer checkpoint = state(live);
            StateImage image = live.snapshot();
            int checkpointIndex = 0;
            for (int i = 0; i < 150; i++) {
                byte[] payload = new byte[random.nextInt(25)];
                random.nextBytes(payload);
                long number = Math.max(0, log.size() / 3L + random.nextInt(8) - 4);
                TestRequest request = new TestRequest(live, random.nextInt(8), number, payload);
                if (request.run(live, log.size() + 1)) {
                    log.add(request.record().array());
                }
                if (random.nextInt(40) == 0) {
                    checkpoint = state(live);
                    image = live.snapshot();
                    checkpointIndex = log.size();
                }
            }
            assertThat(state(image)).as("encoded later, %s", what).isEqualTo(checkpoint);
            TargetState replayed = machine(service, bounds);
            replay(replayed, log, 0);
            assertThat(state(replayed)).as(what).isEqualTo(state(live));
            assertThat(replayed.appliedIndex()).as(what).isEqualTo(log.size());
            TargetState restored = machine(service, bounds);
            restored.restore(checkpointIndex, checkpoint);
            assertThat(state(restored)).as(what).isEqualTo(checkpoint);
            replay(restored, log, checkpointIndex);
            assertThat(state(restored)).as(what).isEqualTo(state(live));
            assertThat(restored.clients()).as(what).isEqualTo(live.clients());
        }
    }

    /** More or less heap at each start: an answer may be forgotten, but nothing that was executed is ever new again. */
    @Test
    void anotherHeapAfterARestartExecutesNothingTwice() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 40; round++) {
            BuiltInService service = random.nextBoolean() ? BuiltInService.CHAIN : BuiltInService.INVERT;
            String what = "seed " + seed + ", round " + round + ", " + service;
            List<byte[]> log = new ArrayList<>();
            ByteBuffer checkpoint = state(machine(service, ROOMY));
            int checkpointIndex = 0;
            for (int life = 0; life < 6; life++) {
                MemoryBounds bounds = new MemoryBounds(10, 5 + 360, 1 << 20, random.nextInt(3_000));
                TargetState machine = machine(service, bounds);
                machine.restore(checkpointIndex, checkpoint.duplicate());
                replay(machine, log, checkpointIndex);
                for (byte[] executed : log) {
                    TestRequest again = again(machine, executed);
                    assertThat(machine.admit(again)).as(what).isFalse();
                    assertThat(again.status()).as(what).isIn(Status.OK, Status.OUTDATED);
                }
                for (int i = 0; i < 60; i++) {
                    boolean key = random.nextInt(3) == 0;
                    long client = key ? ClientKind.HTTP_KEY.id(random.nextInt()) : random.nextInt(5);
                    TestRequest request =
                            new TestRequest(machine, client, log.size() + 1L, new byte[random.nextInt(50)]);
                    assertThat(request.run(machine, log.size() + 1)).as(what).isTrue();
                    log.add(request.record().array());
                    if (random.nextInt(40) == 0) {
                        checkpoint = state(machine);
                        checkpointIndex = log.size();
                    }
                }
            }
        }
    }

    private static TestRequest again(TargetState machine, byte[] record) {
        RequestId id = TargetModel.idOf(record);
        return new TestRequest(machine, id.client(), id.number(), Arrays.copyOfRange(record, 24, record.length));
    }

    @Test
    void aClientThatUsedTheLargestNumberIsAskedToTakeAnotherId() {
        TargetState narrow = machine(BuiltInService.INVERT, new MemoryBounds(2, 10, 0, 1 << 20));
        long largest = -1;
        assertThat(send(narrow, 7, largest, "a").status()).isEqualTo(Status.OK);
        assertThat(send(narrow, 7, largest, "a").isRepeat()).isTrue();
        send(narrow, 7, 1, "a");
        assertThat(send(narrow, 7, 5, "a").status()).isEqualTo(Status.OK); // forgets the largest
        TestRequest refused = send(narrow, 7, 6, "a");
        assertThat(refused.status()).isEqualTo(Status.OUTDATED);
        assertThat(refused.sentence())
                .contains("up to 18446744073709551615 are forgotten", "continue under another client id");
        send(narrow, 8, 1, "a");
        send(narrow, 8, 2, "a");
        send(narrow, 8, 3, "a");
        assertThat(send(narrow, 8, 1, "a").sentence()).contains("Numbers above that are taken");
    }

    private static void replay(TargetState machine, List<byte[]> log, int from) {
        for (int i = from; i < log.size(); i++) {
            machine.replay(i + 1, ByteBuffer.wrap(log.get(i)).asReadOnlyBuffer());
        }
    }

    private static ByteBuffer state(TargetState machine) {
        return state(machine.snapshot());
    }

    private static ByteBuffer state(StateImage image) {
        ByteBuffer all = ByteBuffer.allocate(1 << 20);
        for (ByteBuffer piece : image.encode()) {
            all.put(piece.duplicate());
        }
        return all.flip();
    }

    @Test
    void recordsThatAreNoRequestsAreSkippedInReplay() {
        assertThat(chain.replay(1, ByteBuffer.wrap(bytes("not a request at all, but long enough"))))
                .isFalse();
        assertThat(chain.replay(2, ByteBuffer.wrap(TestRequest.record(7, 1, bytes("a")))))
                .isTrue();
        assertThat(chain.replay(3, ByteBuffer.allocate(0))).isFalse();
        assertThat(chain.appliedIndex()).isEqualTo(3);
        durable = 3;
        assertThat(send(chain, 7, 1, "a").answerIndex()).isEqualTo(2);
    }

    @Test
    void narrowerBoundsThanThoseOfACheckpointAreKeptFromTheStartOn() {
        for (int number = 1; number <= 9; number++) {
            send(chain, number % 3, number, "abcd");
        }
        TargetState narrow = machine(BuiltInService.CHAIN, new MemoryBounds(2, 2, 1 << 20, heap(2)));
        narrow.restore(9, state(chain));
        assertThat(narrow.clients()).isEqualTo(2);
        durable = 9;
        assertThat(send(narrow, 0, 9, "abcd").isRepeat()).isTrue();
        assertThat(send(narrow, 0, 6, "abcd").isRepeat()).isTrue();
        assertThat(send(narrow, 2, 8, "abcd").status()).isEqualTo(Status.OUTDATED);
    }

    @Test
    void aCheckpointThatDoesNotFitIsRefusedWithWhatWasFoundAndExpected() {
        send(chain, 7, 1, "abcd");
        ByteBuffer good = state(chain);
        assertRefused(good, BuiltInService.INVERT, "made by the service 'chain': expected 'invert'");
        assertRefused(
                with(good, 3, 9),
                BuiltInService.CHAIN,
                "was written by a newer plog (state version 9, this one reads 1); nothing is wrong with it");
        assertRefused(with(good, 11, 0), BuiltInService.CHAIN, "lacks stored answers");
        assertRefused(with(good, 3, 0), BuiltInService.CHAIN, "has a state of version 0: expected 1");
        for (int length = 0; length < good.limit(); length++) {
            assertRefused(good.slice(0, length), BuiltInService.CHAIN, "");
        }
        ByteBuffer longer = ByteBuffer.allocate(good.limit() + 3).put(good.duplicate());
        assertRefused(longer.rewind(), BuiltInService.CHAIN, "goes on for 3 bytes");
    }

    private static ByteBuffer with(ByteBuffer good, int at, int value) {
        ByteBuffer copy = ByteBuffer.allocate(good.limit()).put(good.duplicate());
        return copy.put(at, (byte) value).flip();
    }

    private static void assertRefused(ByteBuffer state, BuiltInService service, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> machine(service, ROOMY).restore(1, state))
                .withMessageContaining(message);
    }
}
