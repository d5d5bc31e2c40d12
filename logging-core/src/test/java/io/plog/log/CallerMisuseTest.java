package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.plog.log.storage.Force;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.testing.CallbackAppend;
import java.nio.ByteBuffer;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What a caller does to its buffers, and when it leaves, harms no other. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class CallerMisuseTest {
    @TempDir
    private Path directory;

    @AfterEach
    void leaveNoInterruptBehind() {
        Thread.interrupted();
    }

    @Test
    @SuppressWarnings("NullAway")
    void anAppendWithNobodyToTellIsRefusedAndTheLogGoesOn() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            for (ByteBuffer[] payload : List.of(new ByteBuffer[1], new ByteBuffer[2])) {
                Arrays.setAll(payload, i -> Logs.text("lost"));
                assertThatThrownBy(() -> log.append((Append) null, payload)).hasMessage("append");
                assertThatThrownBy(() -> log.appendAndWait((Append) null, payload))
                        .hasMessage("append");
                assertThatThrownBy(() -> log.append((Append) null, payload[0])).hasMessage("append");
            }
            Logs.appendTexts(log, 1, 2);
        }
    }

    @ParameterizedTest
    @EnumSource(value = Force.class, names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    void aRecordThatChangedBeforeItWasCopiedFailsAlone(Force force) throws Exception {
        byte[] mine = "to be changed".getBytes(StandardCharsets.UTF_8);
        try (HeldLog held = new HeldLog(directory, force)) {
            CompletableFuture<Long> before = held.log.append(Logs.text("record 2"));
            CompletableFuture<Long> changed = held.log.append(ByteBuffer.wrap(mine));
            CompletableFuture<Long> several = held.log.append(Logs.text("x"), ByteBuffer.wrap(mine));
            CompletableFuture<Long> after = held.log.append(Logs.text("record 3"));
            mine[3] = 'X';
            held.goOn();
            assertThat(before.get()).isEqualTo(2);
            assertThat(after.get()).isEqualTo(3);
            for (CompletableFuture<Long> each : List.of(changed, several)) {
                assertThatThrownBy(each::get)
                        .cause()
                        .isInstanceOf(LogRefusedException.RecordChanged.class)
                        .hasMessageContaining("the record changed while it belonged to the log")
                        .matches(e -> !((LogException) e).isIndeterminate());
            }
            assertThat(held.log.durableIndex()).isEqualTo(3);
            assertThat(held.log.queuedRecords()).isZero();
            assertThat(held.log.queuedBytes()).isZero();
            Logs.appendTexts(held.log, 4, 5);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 5));
    }

    @Test
    void theChangedRecordIsReportedInItsTurn() throws Exception {
        byte[] mine = new byte[10];
        List<String> reported = new ArrayList<>();
        try (HeldLog held = new HeldLog(directory, Force.FDATASYNC)) {
            held.log.append(noted("first", reported), Logs.text("record 2"));
            held.log.append(noted("changed", reported), ByteBuffer.wrap(mine));
            held.log.append(noted("last", reported), Logs.text("record 3"));
            mine[0]++;
            held.goOn();
        }
        assertThat(reported).containsExactly("first durable", "changed RecordChanged", "last durable");
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 3));
    }

    @Test
    void aBatchOfWhichEveryRecordChangedIsNotWritten() throws Exception {
        byte[] mine = new byte[10];
        try (HeldLog held = new HeldLog(directory, Force.FDATASYNC)) {
            CompletableFuture<Long> changed = held.log.append(ByteBuffer.wrap(mine));
            CompletableFuture<Long> too = held.log.append(ByteBuffer.wrap(mine));
            mine[0]++;
            held.storage.clearEvents();
            held.goOn(); // which writes the first record
            assertThat(catchThrowable(changed::get)).hasCauseInstanceOf(LogRefusedException.RecordChanged.class);
            assertThat(catchThrowable(too::get)).hasCauseInstanceOf(LogRefusedException.RecordChanged.class);
            assertThat(held.storage.events().stream().filter(event -> event.startsWith("write")))
                    .hasSize(1);
            Logs.appendTexts(held.log, 2, 2);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 2));
    }

    @Test
    void positionsAndLimitsAreTheCallersAtOnce() throws Exception {
        ByteBuffer moved = Logs.text("- record 2").position(2);
        ByteBuffer shortened = Logs.text("a longer one than is left");
        try (HeldLog held = new HeldLog(directory, Force.FDATASYNC)) {
            CompletableFuture<Long> first = held.log.append(moved);
            assertThat(moved.hasRemaining()).isFalse();
            moved.position(1);
            CompletableFuture<Long> second = held.log.append(shortened);
            shortened.limit(4);
            CompletableFuture<Long> third = held.log.append(Logs.text("record 3"));
            held.goOn();
            assertThat(first.get()).isEqualTo(2);
            assertThat(second.get()).isEqualTo(3);
            assertThat(third.get()).isEqualTo(4);
            assertThat(moved.position()).isEqualTo(1);
        }
        assertThat(Logs.readTexts(directory))
                .containsExactly("record 1", "record 2", "a longer one than is left", "record 3");
    }

    /**
     * The virtual machine says that a mapping is gone at any later moment, once for each page. Mostly that moment is the copying,
     * and only the record fails; if it is not, the log fails. Whichever it is, nothing wrong is logged.
     */
    @Test
    void aMappedFileThatIsCutFailsItsRecordOrTheLogAndNothingWrongIsLogged(@TempDir Path elsewhere) throws Exception {
        int bytes = 12_000;
        HeldLog held = new HeldLog(directory, Force.FDATASYNC);
        boolean failed;
        try (FileChannel file = FileChannel.open(
                elsewhere.resolve("mapped"),
                StandardOpenOption.CREATE,
                StandardOpenOption.READ,
                StandardOpenOption.WRITE)) {
            MappedByteBuffer mapped = file.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
            mapped.put(0, new byte[] {1}).put(bytes - 1, (byte) 2);
            CompletableFuture<Long> cut = held.log.append(mapped);
            CompletableFuture<Long> next = held.log.append(Logs.text("record 2"));
            file.truncate(0);
            held.goOn();
            Throwable reported = catchThrowable(cut::get);
            assertThat(reported.getCause())
                    .isInstanceOfAny(LogRefusedException.RecordChanged.class, LogFailedException.class);
            failed = catchThrowable(next::get) != null;
            assertThat(failed).isEqualTo(held.log.failure() != null);
        }
        assertThat(catchThrowable(held::close))
                .satisfiesAnyOf(
                        none -> assertThat(none).isNull(), e -> assertThat(e).isInstanceOf(LogFailedException.class));
        assertThat(Logs.readTexts(directory))
                .isIn(Logs.texts(1, 1), Logs.texts(1, 2))
                .hasSizeGreaterThanOrEqualTo(failed ? 1 : 2);
    }

    @ParameterizedTest
    @EnumSource(value = Force.class, names = "OFF", mode = EnumSource.Mode.EXCLUDE)
    void oneBufferTwiceIsLoggedTwice(Force force) throws Exception {
        ByteBuffer twice = ByteBuffer.allocateDirect(40_000);
        for (int i = 0; i < twice.capacity(); i++) {
            twice.put(i, (byte) (i * 7));
        }
        twice.position(100);
        try (MessageLog log = MessageLog.open(LogOptions.in(directory).withForce(force));
                LogReader reader = log.read(1)) {
            log.appendAndWait(twice, twice);
            assertThat(twice.hasRemaining()).isFalse();
            twice.position(100);
            assertThat(reader.next()).isTrue();
            assertThat(reader.payload().remaining()).isEqualTo(2 * 39_900);
            assertThat(reader.payload().slice(0, 39_900)).isEqualTo(twice);
            assertThat(reader.payload().slice(39_900, 39_900)).isEqualTo(twice);
        }
    }

    @Test
    void aRefusedAppendLeavesItsBuffersWhereTheyWere() throws Exception {
        LogOptions options =
                Logs.options(directory).withOverflow(LogOptions.Overflow.REFUSE).withMaxQueuedRecords(2);
        ByteBuffer one = Logs.text("record");
        ByteBuffer two = Logs.text("another").position(2);
        try (HeldLog held = new HeldLog(directory, options)) {
            CompletableFuture<Long> taken = held.log.append(Logs.text("record 2"));
            List<String> reported = new ArrayList<>();
            assertThat(held.log.append(one)).isCompletedExceptionally();
            assertThat(held.log.append(two, two, one)).isCompletedExceptionally();
            held.log.append(noted("refused", reported), one);
            held.log.append(noted("refused", reported), two, one);
            assertThat(reported).containsExactly("refused QueueFull", "refused QueueFull");
            assertThatThrownBy(() -> held.log.appendAndWait(two, one))
                    .isInstanceOf(LogRefusedException.QueueFull.class);
            assertThatThrownBy(() -> held.log.append(ByteBuffer.allocate(Logs.SEGMENT_BYTES)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThat(one.position()).isZero();
            assertThat(two.position()).isEqualTo(2);
            held.goOn();
            assertThat(taken.get()).isEqualTo(2);
        }
    }

    @Test
    void aCallerThatIsInterruptedWhileTheDiskHangsLeavesAtOnceAndNothingOfItIsLogged() throws Exception {
        ByteBuffer mine = Logs.text("never logged");
        try (HeldLog held = new HeldLog(directory, Force.FDATASYNC)) {
            Thread.currentThread().interrupt();
            AppendInterruptedException left =
                    catchThrowableOfType(AppendInterruptedException.class, () -> held.log.appendAndWait(mine));
            assertThat(Thread.interrupted()).isTrue();
            assertThat(left.isIndeterminate()).isFalse(); // and the disk still hangs
            assertThat(held.log.status().stalledNanos()).isPositive();
            CompletableFuture<Long> next = held.log.append(Logs.text("record 2"));
            held.goOn();
            assertThat(next.get()).isEqualTo(2);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 2));
    }

    /** The lane is in the middle of copying: the caller must not have its buffers back before it is done. */
    @Test
    void aCallerThatIsInterruptedWhileItsRecordIsCopiedWaitsForTheCopyOnly() throws Exception {
        BlockingAppend append = new BlockingAppend();
        assertThat(append.take()).isTrue();
        AtomicReference<Throwable> end = new AtomicReference<>();
        CountDownLatch begun = new CountDownLatch(1);
        Thread caller = new Thread(() -> {
            Waiter waiter = new Waiter();
            Thread.currentThread().interrupt();
            begun.countDown();
            end.set(catchThrowable(() -> append.await(waiter)));
        });
        caller.start();
        begun.await();
        while (caller.getState() != Thread.State.TIMED_WAITING) {
            assertThat(caller.isAlive()).as("left before its record was copied").isTrue();
            Thread.onSpinWait();
        }
        assertThat(end).hasNullValue();
        append.copied();
        caller.join();
        assertThat(end.get())
                .isInstanceOf(AppendInterruptedException.class)
                .matches(e -> ((AppendInterruptedException) e).isIndeterminate());
    }

    @Test
    void aCallerThatIsInterruptedWhileItWaitsForRoomKnowsThatNothingWasLogged() throws Exception {
        ByteBuffer mine = Logs.text("no room");
        try (HeldLog held = new HeldLog(directory, Logs.options(directory).withMaxQueuedRecords(2))) {
            CompletableFuture<Long> taken = held.log.append(Logs.text("record 2"));
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> held.log.appendAndWait(mine))
                    .isInstanceOf(AppendInterruptedException.class)
                    .hasMessageContaining("was not written")
                    .matches(e -> !((AppendInterruptedException) e).isIndeterminate());
            CompletableFuture<Long> refused = held.log.append(mine);
            assertThat(Thread.interrupted()).isTrue(); // the interrupt is still the caller's
            assertThat(catchThrowable(refused::get))
                    .isInstanceOf(ExecutionException.class)
                    .hasCauseInstanceOf(LogRefusedException.QueueFull.class);
            assertThat(mine.position()).isZero();
            held.goOn();
            assertThat(taken.get()).isEqualTo(2);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 2));
    }

    private static Append noted(String name, List<String> reported) {
        return new CallbackAppend(
                append -> reported.add(name + " durable"),
                cause -> reported.add(name + " " + cause.getClass().getSimpleName()));
    }
}
