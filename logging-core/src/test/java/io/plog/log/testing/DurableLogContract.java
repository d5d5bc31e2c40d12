package io.plog.log.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.plog.log.Append;
import io.plog.log.DurableLog;
import io.plog.log.LogFailedException;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every {@link DurableLog} promises, whatever it is kept on. A subclass says how one is opened, crashed and broken. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
public abstract class DurableLogContract {
    private static final int SMALLEST_SEGMENT = 64 * 1024;

    /** For subclasses. */
    protected DurableLogContract() {}

    /** Opens the log of this test, recovering it, or creates it. */
    protected abstract DurableLog open(LogOptions options) throws IOException;

    /** The log's process and what else it is made to survive go away, without a close. The next {@link #open} finds what is left. */
    protected abstract void crash(DurableLog log) throws IOException;

    /** From now on, what an append needs to become durable fails. */
    protected abstract void fail(DurableLog log) throws IOException;

    private static LogOptions options() {
        return LogOptions.in(Path.of("."))
                .withSegmentBytes(SMALLEST_SEGMENT)
                .withMaxRecordBytes(SMALLEST_SEGMENT / 4)
                .withReserveSegments(1);
    }

    private static byte[] record(long index) {
        byte[] head = ("record " + index + " ").getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[head.length + (int) (index * 37 % 300)];
        System.arraycopy(head, 0, all, 0, head.length);
        all[all.length - 1] ^= (byte) index;
        return all;
    }

    private static ByteBuffer buffer(long index) {
        return ByteBuffer.wrap(record(index));
    }

    /** Appends the records with these indexes, many at a time, and waits until all are durable. */
    private static void append(DurableLog log, long from, long to) {
        List<CompletableFuture<Long>> all = new ArrayList<>();
        for (long index = from; index <= to; index++) {
            all.add(log.append(buffer(index)));
        }
        for (int i = 0; i < all.size(); i++) {
            assertThat(all.get(i).join()).isEqualTo(from + i);
        }
    }

    private static void assertHolds(DurableLog log, long from, long to) throws IOException {
        assertThat(log.durableIndex()).isEqualTo(to);
        try (LogReader reader = log.read(from)) {
            for (long index = from; index <= to; index++) {
                assertThat(reader.next()).isTrue();
                assertThat(reader.index()).isEqualTo(index);
                assertThat(reader.payload()).isEqualTo(buffer(index));
            }
            assertThat(reader.next()).isFalse();
            for (long index = to; index >= from; index -= Math.max(1, (to - from) / 10)) {
                assertThat(log.get(index)).hasValue(record(index));
                reader.seek(index);
                assertThat(reader.next()).isTrue();
                assertThat(reader.payload()).isEqualTo(buffer(index));
            }
            assertThat(log.get(to + 1)).isEmpty();
            assertThatThrownBy(() -> log.get(0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> reader.seek(to + 2)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void indexesAreDenseAndBeginWithOneInTheOrderOfTheCalls() throws Exception {
        try (DurableLog log = open(options())) {
            assertThat(log.firstIndex()).isEqualTo(1);
            assertThat(log.durableIndex()).isZero();
            assertThat(log.appendAndWait(buffer(1))).isEqualTo(1);
            append(log, 2, 200);
            assertThat(log.appendAndWait(
                            ByteBuffer.wrap(record(201), 0, 4),
                            ByteBuffer.wrap(record(201), 4, record(201).length - 4)))
                    .isEqualTo(201);
            assertHolds(log, 1, 201);
        }
    }

    @Test
    void aListIsTakenAsAWholeOrThisKindOfLogSaysThatItTakesNone() throws Exception {
        try (DurableLog log = open(options())) {
            assertThat(log.appendAndWait(record(1))).isEqualTo(1);
            try {
                assertThat(log.append(2, List.of(buffer(2), buffer(3))).join()).isEqualTo(3);
                assertThat(log.awaitDurable(3, Duration.ZERO)).isTrue();
            } catch (UnsupportedOperationException none) {
                append(log, 2, 3);
            }
            assertHolds(log, 1, 3);
        }
    }

    /** A record that its caller changes meanwhile is refused or written as it was; what was acknowledged can be read. */
    @Test
    void whatIsDoneToBuffersWhileTheyAreHandedOverHarmsNoOtherRecord() throws Exception {
        ByteBuffer[] changing = {buffer(1), ByteBuffer.allocate(5_000), buffer(3)};
        AtomicBoolean over = new AtomicBoolean();
        Thread changer = new Thread(() -> {
            for (int i = 0; !over.get(); i++) {
                changing[1].limit(i % 2 == 0 ? 1_000 : 5_000);
                changing[1].put(0, (byte) i);
            }
        });
        try (DurableLog log = open(options())) {
            List<CompletableFuture<Long>> others = new ArrayList<>();
            changer.start();
            for (int i = 0; i < 1_000; i++) {
                Stream.of(changing).forEach(ByteBuffer::rewind);
                try {
                    CompletableFuture<Long> mine = log.append(changing);
                    assertThat(mine.handle((index, refusal) -> refusal == null ? null : refusal)
                                    .join())
                            .satisfiesAnyOf(
                                    refusal -> assertThat(refusal).isNull(),
                                    refusal ->
                                            assertThat(refusal).isInstanceOf(LogRefusedException.RecordChanged.class));
                } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                    continue; // thrown by a buffer before the log has anything of the record
                }
                others.add(log.append(buffer(others.size() + 1)));
            }
            over.set(true);
            changer.join();
            assertThat(others).isNotEmpty();
            try (LogReader reader = log.read(1)) {
                long read = 0;
                for (int i = 0; i < others.size(); i++) {
                    for (long index = others.get(i).join(); read < index; read++) {
                        assertThat(reader.next()).isTrue();
                    }
                    assertThat(reader.payload()).isEqualTo(buffer(i + 1));
                }
            }
        } finally {
            over.set(true);
        }
    }

    @Test
    void whatWasAcknowledgedIsThereAfterACrash() throws Exception {
        for (long from = 1; from <= 1 + 2 * 300; from += 300) {
            DurableLog log = open(options());
            assertHolds(log, 1, from - 1);
            append(log, from, from + 299);
            crash(log);
        }
        try (DurableLog log = open(options())) {
            assertThat(log.recovery().lastIndex()).isEqualTo(900);
            assertHolds(log, 1, 900);
            assertThat(log.appendAndWait(buffer(901))).isEqualTo(901);
        }
    }

    @Test
    void afterAnOrderlyCloseEverythingIsThereAndTheReportSaysSo() throws Exception {
        try (DurableLog log = open(options())) {
            append(log, 1, 50);
        }
        try (DurableLog log = open(options())) {
            assertThat(log.recovery().cleanlyClosed()).isTrue();
            assertThat(log.recovery().firstIndex()).isEqualTo(1);
            assertThat(log.recovery().markedIndex()).isEqualTo(50);
            assertHolds(log, 1, 50);
        }
    }

    @Test
    void aReaderOfALiveLogDeliversWhatIsDurableAndCanBeAskedAgain() throws Exception {
        try (DurableLog log = open(options())) {
            try (LogReader reader = log.read(1)) {
                assertThat(reader.next()).isFalse();
                assertThatThrownBy(reader::payload).isInstanceOf(IllegalStateException.class);
                for (long index = 1; index <= 600; index++) { // over several segments
                    log.appendAndWait(buffer(index));
                    assertThat(reader.next()).isTrue();
                    assertThat(reader.index()).isEqualTo(index);
                    assertThat(reader.payload()).isEqualTo(buffer(index));
                    assertThat(reader.next()).isFalse();
                }
            }
            assertThatThrownBy(() -> log.read(602)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> log.read(0)).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aCheckpointReplacesTheOneBeforeAndIsThereAfterACrash() throws Exception {
        byte[] large = new byte[2_500_000];
        large[2_000_000] = 7;
        DurableLog log = open(options());
        assertThat(log.checkpoint()).isEmpty();
        log.saveCheckpoint(0, ByteBuffer.allocate(0));
        assertThat(log.checkpoint().orElseThrow().state().remaining()).isZero();
        append(log, 1, 20);
        log.saveCheckpoint(10, ByteBuffer.wrap(large, 0, 5), ByteBuffer.wrap(large, 5, large.length - 5));
        crash(log);
        try (DurableLog again = open(options())) {
            assertThat(again.checkpointIndex()).isEqualTo(10);
            assertThat(again.checkpoint().orElseThrow().index()).isEqualTo(10);
            assertThat(again.checkpoint().orElseThrow().state()).isEqualTo(ByteBuffer.wrap(large));
            assertThatThrownBy(() -> again.saveCheckpoint(9, buffer(9))).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> again.saveCheckpoint(21, buffer(9))).isInstanceOf(IllegalArgumentException.class);
            assertThat(again.checkpointIndex()).isEqualTo(10);
        }
    }

    @Test
    void aPrefixIsDroppedInWholePartsAndWhatLiesBehindItIsUntouched() throws Exception {
        DurableLog log = open(options());
        append(log, 1, 6_000);
        LogReader late = log.read(1);
        log.saveCheckpoint(5_000, buffer(3));
        long first = log.truncateBefore(5_001);
        assertThat(first).isEqualTo(log.firstIndex()).isBetween(2L, 5_001L);
        assertThatThrownBy(() -> {
                    while (late.next()) {
                        assertThat(late.index()).isLessThan(first);
                    }
                })
                .isInstanceOfSatisfying(
                        LogReader.RecordsDroppedException.class,
                        e -> assertThat(e.firstIndex()).isEqualTo(first));
        late.close();
        assertThatThrownBy(() -> log.read(first - 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> log.truncateBefore(6_002)).isInstanceOf(IllegalArgumentException.class);
        assertHolds(log, first, 6_000);
        crash(log);
        try (DurableLog again = open(options())) {
            assertThat(again.firstIndex()).isEqualTo(first);
            assertHolds(again, first, 6_000);
            assertThat(again.truncateBefore(1)).isEqualTo(first);
            assertThat(again.appendAndWait(buffer(6_001))).isEqualTo(6_001);
        }
    }

    @Test
    void afterAFailureNothingIsAcknowledgedAnyMoreAndEveryAppendLearnsWhetherItMayBeThere() throws Exception {
        DurableLog log = open(options());
        append(log, 1, 10);
        fail(log);
        CompletableFuture<Long> waiting = log.append(buffer(11));
        assertThatThrownBy(waiting::join)
                .isInstanceOf(CompletionException.class)
                .hasCauseInstanceOf(LogFailedException.class)
                .extracting(Throwable::getCause)
                .isInstanceOfSatisfying(
                        LogFailedException.class,
                        e -> assertThat(e.isIndeterminate()).isTrue());
        assertThat(log.failure()).isNotNull();
        assertThatThrownBy(() -> log.appendAndWait(buffer(12)))
                .isInstanceOfSatisfying(
                        LogFailedException.class,
                        e -> assertThat(e.isIndeterminate()).isFalse());
        assertThatThrownBy(() -> log.saveCheckpoint(10, buffer(1))).isInstanceOf(LogException.class);
        assertThatThrownBy(() -> log.truncateBefore(5)).isInstanceOf(LogException.class);
        assertThat(log.durableIndex()).isEqualTo(10);
        crash(log);
        try (DurableLog again = open(options())) {
            assertThat(again.durableIndex()).isBetween(10L, 11L);
            assertHolds(again, 1, again.durableIndex());
        }
    }

    @Test
    void callbacksComeInLogOrderAndMayAppendButNotWait() throws Exception {
        List<Long> reported = Collections.synchronizedList(new ArrayList<>());
        List<Throwable> refused = Collections.synchronizedList(new ArrayList<>());
        CompletableFuture<Long> fromCallback = new CompletableFuture<>();
        try (DurableLog log = open(options())) {
            for (int i = 1; i <= 300; i++) {
                boolean last = i == 300;
                log.append(
                        new CallbackAppend(
                                append -> {
                                    reported.add(append.index());
                                    if (last) {
                                        refused.add(catchThrowable(() -> log.appendAndWait(buffer(1))));
                                        CompletableFuture<Long> unused = log.append(buffer(301))
                                                .whenComplete((index, e) -> fromCallback.complete(index));
                                    }
                                },
                                cause -> reported.add(-1L)),
                        buffer(i));
            }
            assertThat(fromCallback.join()).isEqualTo(301);
            assertThat(refused).singleElement().isInstanceOf(IllegalStateException.class);
            assertThat(reported).hasSize(300).isSorted().startsWith(1L).endsWith(300L);
            assertHolds(log, 1, 301);
        }
    }

    @Test
    void anAppendSaysHowLongItTookAndIsUsedAgain() throws Exception {
        Append append = new CallbackAppend(durable -> {}, cause -> {});
        try (DurableLog log = open(options())) {
            log.appendAndWait(append, buffer(1));
            assertThat(append.index()).isEqualTo(1);
            assertThat(append.loggingNanos()).isPositive();
            assertThat(append.batchRecords()).isPositive();
            log.appendAndWait(append, buffer(2));
            assertThat(append.index()).isEqualTo(2);
            assertHolds(log, 1, 2);
        }
    }

    @Test
    void theBuffersOfARecordAreReadToTheirLimitsAndARecordThatIsTooLongIsRefused() throws Exception {
        try (DurableLog log = open(options())) {
            ByteBuffer first = buffer(1);
            log.appendAndWait(first);
            assertThat(first.hasRemaining()).isFalse();
            int most = SMALLEST_SEGMENT / 4;
            assertThatThrownBy(() -> log.append(ByteBuffer.allocate(most + 1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContainingAll(Integer.toString(most), Integer.toString(most + 1));
            assertThat(log.appendAndWait(ByteBuffer.allocate(most))).isEqualTo(2);
            assertThat(log.appendAndWait(ByteBuffer.allocate(0))).isEqualTo(3);
        }
    }

    @Test
    void aLogThatIsClosedRefusesAndCloseWaitsForWhatWasAccepted() throws Exception {
        DurableLog log = open(options());
        List<CompletableFuture<Long>> accepted = new ArrayList<>();
        for (int i = 1; i <= 100; i++) {
            accepted.add(log.append(buffer(i)));
        }
        log.close();
        assertThat(accepted).allSatisfy(each -> assertThat(each).isCompleted());
        assertThatThrownBy(() -> log.appendAndWait(buffer(101)))
                .isInstanceOf(LogRefusedException.Closed.class)
                .satisfies(e -> assertThat(((LogException) e).isIndeterminate()).isFalse());
        assertThatThrownBy(() -> log.truncateBefore(1)).isInstanceOf(LogException.class);
        log.close();
        try (DurableLog again = open(options())) {
            assertHolds(again, 1, 100);
        }
    }

    @Test
    void aFullQueueRefusesWhenAskedToAndNothingOfItIsLogged() throws Exception {
        LogOptions small = options().withMaxQueuedRecords(4).withOverflow(LogOptions.Overflow.REFUSE);
        long accepted = 0;
        long refused = 0;
        try (DurableLog log = open(small)) {
            List<CompletableFuture<Long>> all = new ArrayList<>();
            for (int round = 0; round < 10_000 && refused == 0; round++) {
                all.clear();
                for (int i = 0; i < 64; i++) {
                    all.add(log.append(buffer(round)));
                }
                for (CompletableFuture<Long> each : all) {
                    try {
                        each.join();
                        accepted++;
                    } catch (CompletionException e) {
                        assertThat(e).hasCauseInstanceOf(LogRefusedException.QueueFull.class);
                        refused++;
                    }
                }
            }
            assertThat(refused).isPositive();
            assertThat(log.durableIndex()).isEqualTo(accepted);
        }
    }
}
