package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.SegmentHeader;
import io.plog.log.file.WriterClaim;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.Storage;
import io.plog.log.testing.ForwardingStorage;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Two writers on one disk that both believe to be alone, because the kernel's lock was lost. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ClaimTest {
    private static final LogOptions OPTIONS =
            Logs.options(Path.of("simulated")).withGroupsInFlight(1).withReserveSegments(2);

    private final SimulatedDisk disk = new SimulatedDisk(512, 7);

    @Test
    void aSecondWriterIsNoticedBeforeTheFirstWritesOrAcknowledgesAnythingMore() throws Exception {
        MessageLog first = MessageLog.open(OPTIONS, disk);
        Logs.appendTexts(first, 1, 3);
        disk.dropLock();
        MessageLog second = MessageLog.open(OPTIONS, disk);
        assertThat(second.recovery().lastIndex()).isEqualTo(3);
        byte[] before = disk.bytes(SegmentHeader.fileName(1));

        assertThatThrownBy(() -> first.appendAndWait(Logs.text("record 4, of the first")))
                .isInstanceOf(LogFailedException.class)
                .hasMessageContaining(
                        "is written by process " + ProcessHandle.current().pid() + ", too")
                .hasRootCauseInstanceOf(LogLockedException.class);
        assertThat(disk.bytes(SegmentHeader.fileName(1))).isEqualTo(before);
        Logs.appendTexts(second, 4, 6);
        assertThatThrownBy(() -> first.saveCheckpoint(1, Logs.text("state"))).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(() -> first.truncateBefore(2)).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(first::close).isInstanceOf(LogFailedException.class);
        Logs.appendTexts(second, 7, 7);
        second.close();
        assertThat(readTexts(disk)).isEqualTo(Logs.texts(1, 7));
    }

    @Test
    void aWriterAtRestNoticesWhenItsLogIsLookedAtAndSavesNothing() throws Exception {
        MessageLog first = MessageLog.open(OPTIONS, disk);
        Logs.appendTexts(first, 1, 3);
        disk.dropLock();
        try (MessageLog second = MessageLog.open(OPTIONS, disk)) {
            first.housekeeper().look();
            assertThat(first.failure()).isNotNull();
            Logs.appendTexts(second, 4, 4);
        }
        assertThatThrownBy(first::close).isInstanceOf(LogFailedException.class);
    }

    /** Whatever the first was doing: what it acknowledged is the second's, and nothing the second's is lost. */
    @Test
    void aTakeoverInTheMiddleOfAnyWriteLosesNothingThatAnybodyAcknowledged() throws Exception {
        boolean happened = true;
        for (int at = 1; happened; at++) {
            happened = takeOverAfterStep(at);
            assertThat(at).isLessThan(1000);
        }
    }

    private static boolean takeOverAfterStep(int at) throws Exception {
        SimulatedDisk shared = new SimulatedDisk(512, at);
        StepStorage steps = new StepStorage(shared);
        MessageLog first = MessageLog.open(OPTIONS.withOverflow(LogOptions.Overflow.REFUSE), steps);
        List<MessageLog> second = new ArrayList<>();
        List<Long> acknowledged = new ArrayList<>();
        List<Long> found = new ArrayList<>();
        steps.atStep(at, () -> {
            found.add(first.durableIndex()); // what is acknowledged, whether or not the caller has noted it yet
            shared.dropLock();
            MessageLog log = MessageLog.open(OPTIONS, shared);
            second.add(log);
            assertThat(log.recovery().lastIndex()).as("step %d", at).isGreaterThanOrEqualTo(found.get(0));
            log.appendAndWait(Logs.text("of the second"));
        });
        try {
            for (int i = 1; i <= 20; i++) {
                acknowledged.add(first.append(Logs.bytes(5000, i)).get());
            }
        } catch (ExecutionException expected) {
            steps.awaitStep(); // the first notices as soon as it is claimed, which is before the second is open
            assertThat(second)
                    .withFailMessage(() ->
                            "the second did not open at step " + at + ": " + steps.failure + "; the first: " + expected)
                    .isNotEmpty();
            assertThat(expected.getCause()).isInstanceOf(LogFailedException.class);
        }
        try {
            first.close();
        } catch (LogFailedException expected) {
            assertThat(second).isNotEmpty();
        }
        if (second.isEmpty()) {
            return false; // it has no such step
        }
        assertThat((long) acknowledged.size())
                .as("acknowledged after step %d", at)
                .isEqualTo(found.get(0));
        MessageLog log = second.get(0);
        long mine = log.appendAndWait(Logs.text("of the second, too"));
        SimulatedDisk after = shared.afterCrash(at);
        try (LogReader reader = LogReader.open(after, 0)) {
            long index = 0;
            while (reader.next()) {
                index++;
                if (index <= acknowledged.size()) {
                    assertThat(reader.payload()).isEqualTo(Logs.bytes(5000, (int) index));
                }
            }
            assertThat(index).as("step %d", at).isEqualTo(mine);
        }
        assertThatThrownBy(log::close).isInstanceOf(IOException.class); // its disk is off
        return true;
    }

    /** The first fails while it makes a segment, and removes what it made; the second is making the same segment. */
    @Test
    void whatALostWriterCleansUpIsNotItsSuccessors() throws Exception {
        HookedStorage firsts = new HookedStorage(disk);
        HookedStorage seconds = new HookedStorage(disk);
        MessageLog first = MessageLog.open(OPTIONS, firsts);
        CountDownLatch secondSegmentIsInUse = new CountDownLatch(1);
        CountDownLatch secondMakesIt = new CountDownLatch(1);
        CountDownLatch firstHasFailed = new CountDownLatch(1);
        FutureTask<MessageLog> opening = new FutureTask<>(() -> MessageLog.open(OPTIONS, seconds));
        AtomicReference<String> segment = new AtomicReference<>();
        firsts.hook((operation, file) -> {
            if (file.equals(SegmentHeader.fileName(2)) && operation.equals("fdatasync")) {
                secondSegmentIsInUse.countDown();
            } else if (operation.equals("fsync") && file.endsWith(".tmp") && segment.get() == null) {
                segment.set(file.substring(0, SegmentHeader.fileName(1).length()));
                Logs.await(secondSegmentIsInUse); // else the second writer need not make this one
                disk.dropLock();
                new Thread(opening, "second").start();
                awaitOneOf(secondMakesIt, opening);
            }
        });
        seconds.hook((operation, file) -> {
            if (operation.equals("fsync") && file.endsWith(".tmp") && file.startsWith(segment.get())) {
                secondMakesIt.countDown();
                Logs.await(firstHasFailed);
            }
        });
        long acknowledged = 0;
        try {
            while (!opening.isDone()) { // else the second could not open the log, and says why below
                acknowledged = first.appendAndWait(Logs.bytes(5000, 1));
                if (secondSegmentIsInUse.getCount() == 0) { // a log that is being written cannot be taken over
                    awaitOneOf(secondMakesIt, opening);
                }
            }
        } catch (LogFailedException expected) {
            assertThatThrownBy(first::close).isInstanceOf(LogFailedException.class); // and has cleaned up
            firstHasFailed.countDown();
        }
        try (MessageLog second = opening.get()) {
            long recovered =
                    second.recovery().lastIndex(); // perhaps also what was being appended when the first failed
            assertThat(recovered).isGreaterThanOrEqualTo(acknowledged);
            for (int i = 1; i <= 20; i++) { // beyond the segment that both were making
                assertThat(second.appendAndWait(Logs.bytes(5000, i))).isEqualTo(recovered + i);
            }
        }
    }

    /** Waits for the latch; if the second cannot open its log, it will never come so far, and the test says why. */
    private static void awaitOneOf(CountDownLatch latch, FutureTask<MessageLog> opening) {
        try {
            while (!latch.await(10, TimeUnit.MILLISECONDS) && !opening.isDone()) {
                Thread.onSpinWait();
            }
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** A writer goes on while another reads its log: what it acknowledged before it was claimed is read once more. */
    @Test
    void whatWasAcknowledgedBetweenReadingAndClaimingIsNotLost() throws Exception {
        for (int records : new int[] {1, 30}) { // in the segment that was read, and beyond it
            SimulatedDisk shared = new SimulatedDisk(512, records);
            MessageLog first = MessageLog.open(OPTIONS, shared);
            Logs.appendTexts(first, 1, 3);
            shared.dropLock();
            List<Long> acknowledged = new ArrayList<>();
            StepStorage steps = new StepStorage(shared);
            steps.beforeFirstOpen(() -> {
                for (int i = 0; i < records; i++) {
                    acknowledged.add(first.appendAndWait(Logs.bytes(5000, i)));
                }
            });
            try (MessageLog second = MessageLog.open(OPTIONS, steps)) {
                assertThat(acknowledged).hasSize(records);
                assertThat(second.recovery().lastIndex()).isEqualTo(3 + records);
                assertThat(second.appendAndWait(Logs.text("mine"))).isEqualTo(4 + records);
            }
            assertThatThrownBy(() -> first.appendAndWait(Logs.text("x"))).isInstanceOf(LogFailedException.class);
            assertThatThrownBy(first::close).isInstanceOf(LogFailedException.class);
        }
    }

    @Test
    void anyFlippedBitOfAClaimIsHarmlessAtRest() throws Exception {
        try (MessageLog log = MessageLog.open(OPTIONS, disk)) {
            Logs.appendTexts(log, 1, 3);
        }
        for (int bit = 0; bit < 8 * 96; bit++) {
            SimulatedDisk copy = disk.copy();
            copy.damage().flipBit(SegmentHeader.fileName(1), 8L * WriterClaim.OFFSET + bit);
            try (MessageLog log = MessageLog.open(OPTIONS, copy)) {
                assertThat(log.recovery().lastIndex()).isEqualTo(3);
                assertThat(log.recovery().cleanlyClosed()).isTrue();
            }
        }
    }

    @Test
    void damageToAClaimInUseIsHarmlessOrEndsTheLogWithASentence() throws Exception {
        for (int at = 0; at < 96; at++) {
            SimulatedDisk used = new SimulatedDisk(512, at);
            MessageLog log = MessageLog.open(OPTIONS, used);
            Logs.appendTexts(log, 1, 1);
            used.damage().flipBit(SegmentHeader.fileName(1), 8L * (WriterClaim.OFFSET + at) + at % 8);
            boolean reported = at >= 16 && at < 32; // the writer id
            if (reported) {
                assertThatThrownBy(() -> log.appendAndWait(Logs.text("record 2")))
                        .isInstanceOf(LogFailedException.class)
                        .hasMessageContaining("an unknown writer");
                assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
            } else {
                Logs.appendTexts(log, 2, 2);
                log.close();
            }
            assertThat(readTexts(used)).isEqualTo(Logs.texts(1, reported ? 1 : 2));
        }
    }

    @Test
    void aClaimSaysWhetherItsLogIsOpenAndIsOfItsSegmentOnly() {
        WriterClaim claim = WriterClaim.ofThisProcess();
        ByteBuffer block = ByteBuffer.allocate(SegmentHeader.BLOCK_BYTES);
        claim.encode(block, WriterClaim.OFFSET, 77);
        ByteBuffer bytes = block.slice(WriterClaim.OFFSET, WriterClaim.BYTES);
        assertThat(WriterClaim.decode(bytes, 77)).isEqualTo(claim);
        assertThat(WriterClaim.decode(bytes, 78)).isNull();
        claim.closed(12_288).encode(block, WriterClaim.OFFSET, 77);
        assertThat(WriterClaim.decode(bytes, 77)).isEqualTo(claim.closed(12_288));
    }

    private static List<String> readTexts(SimulatedDisk disk) throws IOException {
        try (LogReader reader = LogReader.open(disk, 0)) {
            return Logs.readTexts(reader);
        }
    }

    private interface Action {
        void run() throws IOException;
    }

    /** Lets something happen after a write to a segment, or before a force of it, or before the first is opened to write. */
    private static final class StepStorage extends ForwardingStorage {
        private long steps = Long.MAX_VALUE;
        private @Nullable Action action;
        private @Nullable Action beforeOpen;
        private volatile @Nullable Throwable failure; // of the action

        StepStorage(Storage inner) {
            super(inner);
        }

        void atStep(int step, Action what) {
            steps = step;
            action = what;
        }

        void beforeFirstOpen(Action what) {
            beforeOpen = what;
        }

        private synchronized void step() throws IOException {
            Action due = --steps == 0 ? action : null;
            if (due != null) {
                try {
                    due.run();
                } catch (Throwable e) {
                    failure = e;
                    throw e;
                }
            }
        }

        /** Waits until the step that was asked for is over, if one of the log's threads is at it. */
        synchronized void awaitStep() {}

        @Override
        protected void before(String what, String name) {}

        @Override
        public Storage.FileHandle open(String name, Access access) throws IOException {
            Action due = access == Access.READ ? null : beforeOpen;
            if (due != null) {
                beforeOpen = null;
                due.run();
            }
            return super.open(name, access);
        }

        @Override
        protected Storage.FileHandle forwarding(String name, Storage.FileHandle file, Access access) {
            if (!name.endsWith(".seg") || access == Access.READ) {
                return file;
            }
            return new ForwardingFile(file) {
                @Override
                public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
                    long written = super.write(sources, offset, length, position);
                    step();
                    return written;
                }

                @Override
                public void force(boolean metadata) throws IOException {
                    step();
                    super.force(metadata);
                }
            };
        }
    }
}
