package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.WriterClaim;
import io.plog.log.segment.CoveredRecordsCheck;
import io.plog.log.segment.PreparingPace;
import io.plog.log.segment.Recovery;
import io.plog.log.segment.RecoveryResult;
import io.plog.log.segment.SegmentLinks;
import io.plog.log.segment.SegmentListener;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogLockedException;
import io.plog.log.storage.Storage;
import io.plog.log.testing.ForwardingStorage;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An opening that leaves for later what a checkpoint covers. {@link AtRestDamageTest} compares it with one that reads everything. */
class CoveredRecordsTest {
    private static final int RECORDS = 24;

    @TempDir
    Path directory;

    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private final List<Long> checked = new CopyOnWriteArrayList<>();

    private LogOptions options() {
        return Logs.options(directory).withCheck(LogOptions.Check.IN_BACKGROUND).withListener(new LogListener() {
            @Override
            public void coveredRecordsChecked(long lastIndex, long bytes, long nanos) {
                checked.add(lastIndex);
            }

            @Override
            public void failed(Throwable cause) {
                failures.add(cause);
            }
        });
    }

    private MessageLog open(Storage storage) throws IOException {
        return open(storage, Housekeeper.ON_DEMAND, Duration.ofMinutes(1));
    }

    /** @param lookNanos {@link Housekeeper#ON_DEMAND} if the test says when the check runs */
    private MessageLog open(Storage storage, long lookNanos, Duration patience) throws IOException {
        return MessageLog.open(
                options(),
                List.of(storage),
                new LogThreading(
                        PreparingPace.NORMAL,
                        LogThreading.normal().runner(),
                        lookNanos,
                        new CloseTimeouts(patience, patience)));
    }

    /** Several segments, and a checkpoint at a record of the last but one. */
    private void fill(Force force) throws Exception {
        try (MessageLog log = MessageLog.open(options().withForce(force))) {
            for (int i = 1; i <= RECORDS; i++) {
                log.appendAndWait(Logs.bytes(15_000, i));
            }
            log.saveCheckpoint(RECORDS - 5, Logs.text("a state"));
        }
    }

    private static String segment(int number) {
        return SegmentHeader.fileName(number);
    }

    private void flip(String file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(directory.resolve(file));
        bytes[(int) at] ^= 1;
        Files.write(directory.resolve(file), bytes);
    }

    @Test
    void theOpeningLeavesCoveredSegmentsForTheCheckBehindIt() throws Exception {
        fill(Force.FDATASYNC);
        try (MessageLog log = open(new DiskStorage(directory))) {
            assertThat(log.recovery().lastIndex()).isEqualTo(RECORDS);
            assertThat(log.recovery().text()).contains("are read and checked in the background");
            assertThat(log.status().uncheckedBytes()).isGreaterThanOrEqualTo(3L * Logs.SEGMENT_BYTES);
            log.checkCoveredRecords();
            assertThat(log.status().uncheckedBytes()).isZero();
            assertThat(checked).hasSize(1);
            try (LogReader reader = log.read(1)) {
                for (int i = 1; i <= RECORDS; i++) {
                    assertThat(reader.next()).isTrue();
                    assertThat(reader.payload()).isEqualTo(Logs.bytes(15_000, i));
                }
            }
        }
        assertThat(failures).isEmpty();
    }

    @Test
    void damageToACoveredRecordFailsTheLogWithTheWordsOfAnOpeningThatReadsEverything() throws Exception {
        fill(Force.FDATASYNC);
        flip(segment(2), 20_000);
        try (MessageLog log = open(new DiskStorage(directory))) {
            assertThat(log.appendAndWait(Logs.text("before it is found"))).isEqualTo(RECORDS + 1);
            log.checkCoveredRecords();
            assertThatThrownBy(() -> log.appendAndWait(Logs.text("after"))).isInstanceOf(LogFailedException.class);
        } catch (LogFailedException closing) {
            assertThat(closing).hasMessageContaining(segment(2));
        }
        assertThat(failures).hasSize(1);
        assertThat(checked).isEmpty();
        LogDamagedException found = (LogDamagedException) failures.get(0);
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory)))
                .isInstanceOfSatisfying(LogDamagedException.class, atOpening -> {
                    assertThat(found.file()).isEqualTo(atOpening.file());
                    assertThat(found.offset()).isEqualTo(atOpening.offset());
                });
    }

    @Test
    void theLogsOwnThreadFindsTheDamage() throws Exception {
        fill(Force.FDATASYNC);
        flip(segment(1), 20_000);
        MessageLog log = MessageLog.open(options());
        while (log.failure() == null && checked.isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(log.failure()).hasMessageContaining(segment(1));
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @Test
    void theLastOfTheUnreadSegmentsIsCheckedToo() throws Exception {
        fill(Force.FDATASYNC);
        int last;
        try (MessageLog log = open(new DiskStorage(directory))) {
            last = (int) (log.status().uncheckedBytes() / Logs.SEGMENT_BYTES);
        }
        flip(segment(last), 20_000);
        MessageLog log = open(new DiskStorage(directory));
        assertThat(log.status().uncheckedBytes()).isEqualTo((long) last * Logs.SEGMENT_BYTES);
        log.checkCoveredRecords();
        assertThat(log.failure()).hasMessageContaining(segment(last));
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @Test
    void theOpeningReadsWhatTheCheckpointDoesNotCover() throws Exception {
        int needed;
        try (MessageLog log = MessageLog.open(options())) {
            for (int i = 1; i <= RECORDS; i++) {
                log.appendAndWait(Logs.bytes(15_000, i));
            }
            log.saveCheckpoint(RECORDS / 2, Logs.text("a state"));
            needed = (int) (log.status().sizeBytes() / Logs.SEGMENT_BYTES) - 2;
        }
        flip(segment(needed), 20_000);
        assertThatThrownBy(() -> open(new DiskStorage(directory)))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining(segment(needed));
    }

    /** A record that was written to the wrong place, the beginning of its segment: intact, and of the segment. */
    @Test
    void aFirstRecordThatIsNotTheFirstIsFoundThoughItIsIntact() throws Exception {
        fill(Force.FDATASYNC);
        Path file = directory.resolve(segment(2));
        byte[] bytes = Files.readAllBytes(file);
        int recordBytes = (int) RecordHeader.align(RecordHeader.BYTES + 15_000, RecordHeader.ALIGNMENT);
        System.arraycopy(bytes, SegmentHeader.BLOCK_BYTES + recordBytes, bytes, SegmentHeader.BLOCK_BYTES, recordBytes);
        Files.write(file, bytes);
        MessageLog log = open(new DiskStorage(directory));
        log.checkCoveredRecords();
        LogFailedException failure = log.failure();
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory)))
                .isInstanceOfSatisfying(
                        LogDamagedException.class,
                        atOpening -> assertThat(failure)
                                .hasMessageContaining("file " + atOpening.file() + ", offset " + atOpening.offset()));
    }

    @Test
    void segmentsThatWereDroppedMeanwhileNeedNotBeIntact() throws Exception {
        fill(Force.FDATASYNC);
        flip(segment(1), 20_000);
        try (MessageLog log = open(new DiskStorage(directory))) {
            assertThat(log.truncateBefore(RECORDS - 8)).isGreaterThan(4);
            log.checkCoveredRecords();
        }
        assertThat(failures).isEmpty();
        assertThat(checked).hasSize(1);
    }

    @Test
    void whatNothingProvesToBeDurableIsReadAtTheOpening() throws Exception {
        Path killed;
        try (MessageLog log = MessageLog.open(options().withForce(Force.WRITE))) {
            for (int i = 1; i <= RECORDS; i++) {
                log.appendAndWait(Logs.bytes(15_000, i));
            }
            log.saveCheckpoint(RECORDS - 5, Logs.text("a state"));
            killed = Logs.copyAsAfterKill(directory, directory.resolve("killed"));
        }
        directory = killed;
        try (MessageLog log = open(new DiskStorage(directory))) {
            assertThat(log.recovery().lastIndex()).isEqualTo(RECORDS);
            assertThat(log.status().uncheckedBytes()).isZero();
        }
    }

    /** A storage whose files can be kept from being opened. */
    private static final class ObstructedStorage extends ForwardingStorage {
        private volatile HookedStorage.Hook hook = (operation, file) -> {};

        ObstructedStorage(Storage inner) {
            super(inner);
        }

        @Override
        protected void before(String what, String name) {}

        @Override
        protected Storage.FileHandle forwarding(String name, Storage.FileHandle file, Access access) {
            return file;
        }

        @Override
        public Storage.FileHandle open(String name, Access access) throws IOException {
            hook.before("open", name);
            return super.open(name, access);
        }

        /** Refuses to open the first segment so many times. */
        AtomicInteger refuse(int times, String reason) {
            AtomicInteger left = new AtomicInteger(times);
            hook = (operation, file) -> {
                if (file.equals(segment(1)) && left.getAndDecrement() > 0) {
                    throw new FileSystemException(file, null, reason);
                }
            };
            return left;
        }

        /** Does this whenever the log's own thread opens a segment to check it. */
        void onItsThread(HookedStorage.Hook what) {
            hook = (operation, file) -> {
                if (Thread.currentThread().getName().equals("plog-check")) {
                    what.before(operation, file);
                }
            };
        }
    }

    @Test
    void withoutAFileDescriptorTheCheckWaitsAndThenReadsEverything() throws Exception {
        fill(Force.FDATASYNC);
        flip(segment(3), 20_000);
        ObstructedStorage storage = new ObstructedStorage(new DiskStorage(directory));
        RecoveryResult log = Recovery.recover(List.of(storage), options().segments(), WriterClaim.ofThisProcess());
        List<SegmentLinks.Link> unchecked = log.stripes().get(0).unchecked();
        AtomicInteger left = storage.refuse(5, "Too many open files");
        CoveredRecordsCheck check = new CoveredRecordsCheck(
                storage, segment -> true, unchecked, log.checkpoint(), new SegmentListener() {}, failures::add, 1);
        check.start();
        assertThat(check.join(TimeUnit.MINUTES.toNanos(1)))
                .as("the thread ended")
                .isTrue();
        assertThat(left).as("opened once after the refusals").hasValue(-1);
        assertThat(failures)
                .singleElement()
                .isInstanceOfSatisfying(
                        LogDamagedException.class,
                        found -> assertThat(found.file()).isEqualTo(segment(3)));
        assertThat(check.uncheckedBytes()).isEqualTo((unchecked.size() - 3L) * Logs.SEGMENT_BYTES);
    }

    @Test
    void aSegmentThatCannotBeReadFailsTheLog() throws Exception {
        fill(Force.FDATASYNC);
        ObstructedStorage storage = new ObstructedStorage(new DiskStorage(directory));
        MessageLog log = open(storage);
        storage.refuse(1, "Input/output error");
        log.checkCoveredRecords();
        assertThat(log.failure()).hasMessageContaining("Input/output error");
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @Test
    void closingEndsACheckThatWaits() throws Exception {
        fill(Force.FDATASYNC);
        ObstructedStorage storage = new ObstructedStorage(new DiskStorage(directory));
        CountDownLatch waits = new CountDownLatch(1);
        storage.onItsThread((operation, file) -> {
            waits.countDown();
            throw new FileSystemException(file, null, "Too many open files");
        });
        MessageLog log = open(storage, Housekeeper.PERIOD_NANOS, Duration.ofSeconds(4));
        waits.await();
        log.close();
        assertThat(failures).isEmpty();
        assertThat(checked).isEmpty();
        assertThatCode(() -> MessageLog.open(options()).close()).doesNotThrowAnyException();
    }

    @Test
    void theDirectoryStaysLockedWhileTheCheckHangs() throws Exception {
        fill(Force.FDATASYNC);
        ObstructedStorage storage = new ObstructedStorage(new DiskStorage(directory));
        CountDownLatch hangs = new CountDownLatch(1);
        CountDownLatch goesOn = new CountDownLatch(1);
        storage.onItsThread((operation, file) -> {
            hangs.countDown();
            try {
                goesOn.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        MessageLog log = open(storage, Housekeeper.PERIOD_NANOS, Duration.ofMillis(200));
        hangs.await();
        assertThatThrownBy(log::close).isInstanceOf(LogException.class).hasMessageContaining("stays locked");
        goesOn.countDown();
    }

    @Test
    void whenAnotherWriterHasTheLogTheCheckSaysThatAndNotThatItIsDamaged() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512, 7);
        try (MessageLog log = open(disk)) {
            for (int i = 1; i <= RECORDS; i++) {
                log.appendAndWait(Logs.bytes(15_000, i));
            }
            log.saveCheckpoint(RECORDS - 5, Logs.text("a state"));
        }
        MessageLog first = open(disk);
        assertThat(first.status().uncheckedBytes()).isPositive();
        disk.dropLock();
        try (MessageLog second = open(disk)) {
            second.truncateBefore(RECORDS - 8);
            first.checkCoveredRecords();
            assertThat(first.failure()).hasRootCauseInstanceOf(LogLockedException.class);
            assertThatThrownBy(first::close).isInstanceOf(LogFailedException.class);
        }
    }

    @Test
    void theFailureSaysWhatToDoAndNotThatAnotherOpeningRecovers() throws Exception {
        fill(Force.FDATASYNC);
        flip(segment(2), 20_000);
        MessageLog log = open(new DiskStorage(directory));
        log.checkCoveredRecords();
        assertThat(log.failure())
                .hasMessageContaining("file " + segment(2) + ", offset ")
                .hasMessageContaining("Close the log, then restore the file from a copy")
                .hasMessageNotContaining("Open it again");
        assertThatThrownBy(() -> log.appendAndWait(Logs.text("later")))
                .hasMessageContaining("was not written")
                .hasMessageNotContaining("Open it again");
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @Test
    void ofAStripedLogEverythingIsReadAtTheOpening() throws Exception {
        List<Path> directories = List.of(directory.resolve("one"), directory.resolve("other"));
        LogOptions striped = LogOptions.in(directories)
                .withMaxRecordBytes(16 * 1024)
                .withSegmentBytes(Logs.SEGMENT_BYTES)
                .withCheck(LogOptions.Check.IN_BACKGROUND);
        for (Path each : directories) {
            Files.createDirectory(each);
        }
        try (MessageLog log = MessageLog.open(striped)) {
            for (int i = 1; i <= 2 * RECORDS; i++) {
                log.appendAndWait(Logs.bytes(15_000, i));
            }
            log.saveCheckpoint(2 * RECORDS - 5, Logs.text("a state"));
        }
        Path damaged = directories.get(1).resolve(segment(1));
        byte[] bytes = Files.readAllBytes(damaged);
        bytes[20_000] ^= 1;
        Files.write(damaged, bytes);
        assertThatThrownBy(() -> MessageLog.open(striped))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining(segment(1));
    }
}
