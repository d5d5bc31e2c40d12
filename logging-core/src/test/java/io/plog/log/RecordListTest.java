package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.plog.log.storage.Force;
import io.plog.log.storage.LogRefusedException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Records that are appended together stand or fall together, and one that expects an index gets it or is refused. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RecordListTest {
    @TempDir
    private Path directory;

    private static List<ByteBuffer> list(int from, int to) {
        return new ArrayList<>(Logs.texts(from, to).stream().map(Logs::text).toList());
    }

    private static Throwable failureOf(CompletableFuture<Long> future) {
        return future.handle((index, failure) -> failure).join();
    }

    @Test
    void theRecordsOfAListStandTogetherBetweenTheirNeighboursAndAreWrittenAtOnce() throws Exception {
        try (HeldLog held = new HeldLog(directory, Force.FDATASYNC)) {
            List<ByteBuffer> mine = list(3, 6);
            CompletableFuture<Long> before = held.log.append("record 2".getBytes(StandardCharsets.UTF_8));
            CompletableFuture<Long> together = held.log.append(mine);
            assertThat(mine).allMatch(record -> !record.hasRemaining());
            mine.clear(); // the list is the caller's at once
            CompletableFuture<Long> after = held.log.append(7, list(7, 7));
            assertThat(held.log.queuedRecords()).isEqualTo(4);
            assertThat(held.log.queuedBytes()).isEqualTo(7 * "record 1".length());
            held.storage.clearEvents();
            held.goOn();
            assertThat(List.of(before.get(), together.get(), after.get())).containsExactly(2L, 6L, 7L);
            assertThat(held.storage.events().stream().filter(event -> event.startsWith("write")))
                    .hasSize(2);
            assertThat(held.log.queuedRecords()).isZero();
            assertThat(held.log.queuedBytes()).isZero();
            assertThat(held.log.appendAndWait(list(8, 9))).isEqualTo(9);
            assertThat(held.log.appendAndWait(10, list(10, 12))).isEqualTo(12);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 12));
    }

    @ParameterizedTest
    @EnumSource(value = Force.class, names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    void ofAListOfWhichOneRecordChangedNothingIsWritten(Force force) throws Exception {
        byte[] mine = "to be changed".getBytes(StandardCharsets.UTF_8);
        try (HeldLog held = new HeldLog(directory, force)) {
            CompletableFuture<Long> first = held.log.append(List.of(Logs.text("of it"), ByteBuffer.wrap(mine)));
            CompletableFuture<Long> before = held.log.append(Logs.text("record 2"));
            CompletableFuture<Long> changed =
                    held.log.append(List.of(Logs.text("of a list"), Logs.text("one more"), ByteBuffer.wrap(mine)));
            CompletableFuture<Long> after = held.log.append(list(3, 4));
            mine[3] = 'X';
            held.goOn();
            assertThat(before.get()).isEqualTo(2);
            assertThat(after.get()).isEqualTo(4);
            assertThat(failureOf(first)).isInstanceOf(LogRefusedException.RecordChanged.class);
            assertThat(failureOf(changed)).isInstanceOf(LogRefusedException.RecordChanged.class);
            assertThat(held.log.queuedBytes()).isZero();
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 4));
    }

    @Test
    void aListThatDoesNotFitAnyMoreGoesToTheNextSegmentAsAWhole() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            List<ByteBuffer> third = Collections.nCopies(3, ByteBuffer.allocate(Logs.SEGMENT_BYTES / 9));
            long last = 0;
            for (int i = 1; i <= 20; i++) {
                third.get(0).clear(); // one buffer, three times
                last = log.append(last + 1, third).get();
                assertThat(last).isEqualTo(3L * i);
            }
            assertThat(log.segmentFirstIndexes()).hasSize(20).allMatch(index -> index % 3 == 1);
        }
    }

    /** What a pipeline of 3,000 appends met: 2,943 were refused, the first being number 9, and 49 behind it were accepted. */
    @Test
    void ofAPipelineBehindAFullQueueNothingIsAcceptedBehindWhatWasRefused() throws Exception {
        LogOptions options =
                Logs.options(directory).withOverflow(LogOptions.Overflow.REFUSE).withMaxQueuedRecords(8);
        try (MessageLog log = MessageLog.open(options)) {
            List<CompletableFuture<Long>> sent = new ArrayList<>();
            for (int i = 1; i <= 3_000; i++) {
                sent.add(log.append(i, list(i, i)));
            }
            List<Boolean> taken =
                    sent.stream().map(each -> failureOf(each) == null).toList();
            int first = taken.indexOf(false);
            assertThat(first).isPositive();
            assertThat(taken.subList(first, taken.size())).containsOnly(false);
            assertThat(log.durableIndex()).isEqualTo(first);
            assertThat(log.append(first + 1, list(1, 3)).get()).isEqualTo(first + 3L); // begun anew
        }
    }

    @Test
    void whateverAnAppendWasRefusedForWhatIsExpectedBehindItIsRefusedToo() throws Exception {
        byte[] mine = new byte[20];
        ByteBuffer twice = Logs.text("- twice").position(2);
        LogOptions options =
                Logs.options(directory).withOverflow(LogOptions.Overflow.REFUSE).withMaxQueuedRecords(8);
        try (HeldLog held = new HeldLog(directory, options)) {
            CompletableFuture<Long> good = held.log.append(2, list(2, 3));
            Thread.currentThread().interrupt();
            assertThat(catchThrowable(() -> held.log.appendAndWait(4, list(4, 5))))
                    .isInstanceOf(AppendInterruptedException.class)
                    .matches(e -> !((AppendInterruptedException) e).isIndeterminate());
            assertThat(Thread.interrupted()).isTrue();
            CompletableFuture<Long> behind = held.log.append(6, list(6, 7));
            CompletableFuture<Long> again = held.log.append(4, list(4, 5));
            CompletableFuture<Long> changed = held.log.append(6, List.of(ByteBuffer.wrap(mine)));
            CompletableFuture<Long> last = held.log.append(7, list(7, 7));
            CompletableFuture<Long> early = held.log.append(5, list(5, 5));
            assertThat(failureOf(held.log.append(6, List.of(twice, twice))))
                    .isInstanceOf(LogRefusedException.QueueFull.class);
            assertThat(twice.position()).isEqualTo(2);
            mine[0]++;
            held.goOn();
            assertThat(List.of(good.get(), again.get())).containsExactly(3L, 5L);
            assertThat(failureOf(changed)).isInstanceOf(LogRefusedException.RecordChanged.class);
            assertThat(List.of(behind, last, early))
                    .allSatisfy(each ->
                            assertThat(failureOf(each)).isInstanceOf(LogRefusedException.UnexpectedIndex.class));
            LogRefusedException.UnexpectedIndex unexpected = (LogRefusedException.UnexpectedIndex) failureOf(last);
            assertThat(List.of(unexpected.expected(), unexpected.next())).containsExactly(7L, 6L);
            assertThat(unexpected.isIndeterminate()).isFalse();
            assertThatThrownBy(() -> held.log.appendAndWait(9, list(9, 9)))
                    .isInstanceOf(LogRefusedException.UnexpectedIndex.class)
                    .hasMessage("index 9 was expected, the next is 6; nothing was written");
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 5));
    }

    @Test
    void aListThatNoLogTakesIsRefusedWithWhatItIsAndTheLimitAndLeftAlone() throws Exception {
        int quarter = Logs.SEGMENT_BYTES / 4;
        try (MessageLog log = MessageLog.open(Logs.options(directory).withMaxQueuedBytes(2 * quarter))) {
            List<ByteBuffer> mine = new ArrayList<>(Collections.nCopies(2, ByteBuffer.allocate(quarter)));
            assertRefused(log, mine, 1, "list with 32832 bytes of a segment: this log takes 0 to 32256");
            mine.add(ByteBuffer.allocate(1));
            assertRefused(log, mine, 1, "list of 32769 bytes: this log takes 0 to 32768");
            mine.set(2, ByteBuffer.allocate(quarter + 1));
            assertRefused(log, mine, 1, "record of 16385 bytes: this log takes 0 to 16384");
            assertRefused(log, List.of(), 1, "list of 0 records: this log takes 1 to 4096");
            assertRefused(
                    log,
                    Collections.nCopies(4097, ByteBuffer.allocate(0)),
                    1,
                    "list of 4097 records: this log takes 1 to 4096");
            assertRefused(log, mine, 0, "expected index 0: indexes begin with 1");
            assertThat(mine).allMatch(record -> record.position() == 0);
            List<ByteBuffer> one = List.of(ByteBuffer.allocate(quarter));
            assertThat(log.appendAndWait(1, one)).isEqualTo(1);
        }
    }

    private static void assertRefused(MessageLog log, List<ByteBuffer> records, long index, String message) {
        assertThatThrownBy(() -> log.append(index, records))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(message);
    }

    @Test
    void asManyRecordsAsABatchTakesGoIntoOneListAlsoBehindOthers() throws Exception {
        try (HeldLog held = new HeldLog(
                directory, Logs.options(directory).withSegmentBytes(4 << 20).withMaxBatchBytes(16 * 1024))) {
            // All of them together are more than a batch can count.
            List<CompletableFuture<Long>> sent = IntStream.of(1, 4096, 7, 4090, 4096, 4096, 4096, 4096, 4096, 4096)
                    .mapToObj(size -> held.log.append(Collections.nCopies(size, ByteBuffer.allocate(0))))
                    .toList();
            held.goOn();
            assertThat(sent.stream().map(CompletableFuture::join))
                    .startsWith(2L, 4098L, 4105L, 8195L)
                    .endsWith(28_675L, 32_771L);
        }
    }
}
