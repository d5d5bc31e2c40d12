package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.HeadFile;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.spi.LogDirectories;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Striped logs on real directories. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class StripesTest {
    @TempDir
    private Path temporary;

    private Path first;
    private Path second;

    @BeforeEach
    void makeDirectories() throws Exception {
        first = Files.createDirectory(temporary.resolve("first"));
        second = Files.createDirectory(temporary.resolve("second"));
    }

    private List<Path> both() {
        return List.of(first, second);
    }

    private static LogOptions options(List<Path> directories) {
        LogOptions small = Logs.options(directories.get(0));
        return LogOptions.in(directories)
                .withMaxRecordBytes(small.maxRecordBytes())
                .withSegmentBytes(small.segmentBytes())
                .withIdleMark(small.idleMark())
                .withSpin(small.spin())
                .withForce(Force.FSYNC)
                .withGroupsInFlight(1);
    }

    /** A log of both directories with records "record 1" to this one, closed in order. */
    private void write(int records) throws Exception {
        try (MessageLog log = MessageLog.open(options(both()))) {
            List<CompletableFuture<Long>> appends = new ArrayList<>();
            for (int i = 1; i <= records; i++) {
                appends.add(log.append(Logs.text("record " + i)));
            }
            for (CompletableFuture<Long> append : appends) {
                append.get();
            }
        }
    }

    private List<String> read() throws IOException {
        try (LogReader reader = LogReader.open(both(), 0)) {
            return Logs.readTexts(reader);
        }
    }

    @Test
    void theRecordsOfBothDirectoriesAreReadInTheirOrder() throws Exception {
        write(500);
        assertThat(read()).isEqualTo(Logs.texts(1, 500));
        LogTools.Inspection found = LogTools.inspect(both());
        assertThat(found.records()).isEqualTo(500);
        assertThat(found.cleanlyClosed()).isTrue();
        assertThat(found.segments().stream().map(LogTools.Segment::directory).distinct())
                .containsExactly(
                        first.toRealPath().toString(), second.toRealPath().toString());
        try (MessageLog log = MessageLog.open(options(both()));
                LogReader reader = log.read(1)) {
            assertThat(Logs.readTexts(reader)).isEqualTo(Logs.texts(1, 500));
            Logs.appendTexts(log, 501, 520);
            assertThat(Logs.readTexts(reader)).isEqualTo(Logs.texts(501, 520));
        }
    }

    @Test
    void nothingIsAcknowledgedBeforeWhatLiesBeforeItInTheOtherDirectory() throws Exception {
        CountDownLatch firstForceBegins = new CountDownLatch(1);
        CountDownLatch firstForceMayEnd = new CountDownLatch(1);
        CountDownLatch thirdForceBegins = new CountDownLatch(1);
        AtomicInteger forces = new AtomicInteger();
        HookedStorage.Hook hook = (operation, file) -> {
            int force = operation.equals("fsync") && file.endsWith(".seg") ? forces.incrementAndGet() : 0;
            try {
                if (force == 1) {
                    firstForceBegins.countDown();
                    if (!firstForceMayEnd.await(20, TimeUnit.SECONDS)) {
                        throw new IOException("the test did not let this force end");
                    }
                } else if (force == 3) {
                    thirdForceBegins.countDown();
                }
            } catch (InterruptedException e) {
                throw new IOException(e);
            }
        };
        List<Storage> storages = new ArrayList<>();
        List<HookedStorage> hooked = new ArrayList<>();
        for (Path directory : both()) {
            HookedStorage storage = new HookedStorage(new DiskStorage(directory));
            hooked.add(storage);
            storages.add(storage);
        }
        try (MessageLog log = MessageLog.open(options(both()), storages)) {
            hooked.forEach(storage -> storage.hook(hook));
            CompletableFuture<Long> one = log.append(Logs.text("record 1"));
            firstForceBegins.await();
            CompletableFuture<Long> two = log.append(Logs.text("record 2"));
            CompletableFuture<Long> three = log.append(Logs.text("record 3"));
            CompletableFuture<Long> four = log.append(Logs.text("record 4"));
            // One directory is held, so the other one did both: what came first there is durable by now.
            thirdForceBegins.await();
            try {
                assertThat(List.of(one, two, three, four)).noneMatch(CompletableFuture::isDone);
                assertThat(log.durableIndex()).isZero();
            } finally {
                firstForceMayEnd.countDown(); // also if that failed: the log waits for this force when it is closed
            }
            assertThat(List.of(one.get(), two.get(), three.get(), four.get())).containsExactly(1L, 2L, 3L, 4L);
        }
        assertThat(read()).isEqualTo(Logs.texts(1, 4));
    }

    @Test
    void otherDirectoriesThanThoseOfOneLogInOrderAreRefusedInASentence() throws Exception {
        write(10);
        Path third = Files.createDirectory(temporary.resolve("third"));
        Path ordinary = Files.createDirectory(temporary.resolve("ordinary"));
        MessageLog.open(Logs.options(ordinary)).close();
        Path other = Files.createDirectory(temporary.resolve("other"));
        Path another = Files.createDirectory(temporary.resolve("another"));
        MessageLog.open(options(List.of(other, another))).close();

        assertRefused(List.of(first), "first is stripe 1 of 2 of log", "open the log with all of its 2 directories");
        assertRefused(List.of(second), "second is stripe 2 of 2 of log", "1 directory was given");
        assertRefused(List.of(second, first), "was given as number 1: give the directories in the order");
        assertRefused(List.of(first, second, third), "first is stripe 1 of 2 of log", "3 directories were given");
        assertRefused(List.of(first, another), "another is stripe 2 of 2 of log", "and not of log");
        assertRefused(List.of(ordinary, second), "ordinary is a log of one directory", "open it alone");
        assertRefused(List.of(first, third), "third, file log.head", "is the first of 2 directories", "no such file");
        assertRefused(List.of(third, second), "third, file log.head", "holds records in", "second", "no such file");
        assertThat(read()).isEqualTo(Logs.texts(1, 10));
    }

    private static void assertRefused(List<Path> directories, String... words) {
        assertThatThrownBy(() -> MessageLog.open(options(directories)).close())
                .isInstanceOf(LogException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void aMissingDirectoryIsNamed() throws Exception {
        write(10);
        Files.move(second, temporary.resolve("away"));
        assertThatThrownBy(() -> MessageLog.open(options(both())))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("second does not exist");
    }

    @Test
    void theFailureOfOneDirectoryStopsTheLog() throws Exception {
        List<Storage> storages = new ArrayList<>(List.of(new DiskStorage(first)));
        HookedStorage failing = new HookedStorage(new DiskStorage(second));
        storages.add(failing);
        MessageLog log = MessageLog.open(options(both()), storages);
        Logs.appendTexts(log, 1, 5);
        failing.hook((operation, file) -> {
            if (operation.equals("fsync")) {
                throw new IOException("the second disk failed");
            }
        });
        assertThatThrownBy(() -> Logs.appendTexts(log, 6, 10_000))
                .isInstanceOf(LogFailedException.class)
                .hasMessageContaining("the second disk failed");
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @Test
    void aRepairCutsBothDirectoriesAtTheSameRecord() throws Exception {
        int records = 0;
        Optional<LogTools.Segment> ofSecond = Optional.empty();
        while (ofSecond.isEmpty()) { // it is the lanes' choice which directory takes what
            try (MessageLog log = MessageLog.open(options(both()))) {
                Logs.appendTexts(log, records + 1, records + 50);
                records += 50;
            }
            ofSecond = LogTools.inspect(both()).segments().stream()
                    .filter(segment ->
                            segment.directory().endsWith("second") && segment.lastIndex() >= segment.firstIndex())
                    .findFirst();
        }
        LogTools.Segment damaged = ofSecond.get();
        Logs.overwrite(second.resolve(damaged.file()), SegmentHeader.BLOCK_BYTES + RecordHeader.BYTES, new byte[] {1});
        List<Storage> storages = LogDirectories.open(both());
        LogTools.RepairPlan plan = LogTools.planRepair(storages).orElseThrow();
        assertThat(plan.remedy()).isEqualTo(LogTools.Remedy.CUT);
        assertThat(plan.damage().stripe()).isEqualTo(2);
        assertThat(plan.firstLost()).isEqualTo(damaged.firstIndex());
        assertThat(plan.acknowledged()).isEqualTo(records);
        assertThat(LogTools.repair(plan, storages)).isNotEmpty();
        int left = (int) damaged.firstIndex() - 1;
        assertThat(read()).isEqualTo(Logs.texts(1, left));
        try (MessageLog log = MessageLog.open(options(both()))) {
            Logs.appendTexts(log, left + 1, left + 3);
        }
        assertThat(read()).isEqualTo(Logs.texts(1, left + 3));
    }

    @Test
    void aHeadIsMadeAnewFromThatOfTheOtherDirectory() throws Exception {
        write(20);
        for (Path directory : both()) {
            byte[] before = Files.readAllBytes(directory.resolve(HeadFile.NAME));
            Files.delete(directory.resolve(HeadFile.NAME));
            List<Storage> storages = LogDirectories.open(both());
            LogTools.RepairPlan plan = LogTools.planRepair(storages).orElseThrow();
            assertThat(plan.remedy()).isEqualTo(LogTools.Remedy.REBUILD_HEAD);
            assertThat(LogTools.repair(plan, storages)).isEmpty();
            assertThat(Files.readAllBytes(directory.resolve(HeadFile.NAME))).isEqualTo(before);
        }
        assertThat(read()).isEqualTo(Logs.texts(1, 20));
    }

    @Test
    void ofBothHeadsThatAreDamagedNoneIsMadeAnewAndTheOtherIsNamed() throws Exception {
        write(20);
        for (Path directory : both()) {
            Logs.overwrite(directory.resolve(HeadFile.NAME), 33, new byte[] {7});
        }
        assertThatThrownBy(() -> LogTools.planRepair(LogDirectories.open(both())))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining("It cannot be made anew, because that of "
                        + both().get(1).toRealPath());
    }

    @Test
    void salvageFindsEveryRecordOfBothDirectories() throws Exception {
        write(100);
        LogTools.SalvageSummary found = LogTools.salvage(both(), (file, offset, index, payload) -> {});
        assertThat(found.records()).isEqualTo(100);
        assertThat(found.missing()).isZero();
        assertThat(found.lastIndex()).isEqualTo(100);
    }

    @Test
    void namesOfDirectoriesAreSeparatedByPlusUnlessThereIsOneOfThatName() throws Exception {
        assertThat(LogDirectories.parse("a+b")).containsExactly(Path.of("a"), Path.of("b"));
        assertThat(LogDirectories.parse("a")).containsExactly(Path.of("a"));
        Path plus = Files.createDirectory(temporary.resolve("c++"));
        assertThat(LogDirectories.parse(plus.toString())).containsExactly(plus);
        assertThatThrownBy(() -> LogDirectories.parse("a++b")).isInstanceOf(IllegalArgumentException.class);
    }
}
