package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.HeadFile;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.SegmentState;
import io.plog.log.spi.LogDirectories;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.RecoveryReport;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LogCopyTest {
    private static final int RECORD_BYTES = 15_000; // two in a segment

    @TempDir
    private Path parent;

    private Path directory(String name) throws IOException {
        return Files.createDirectories(parent.resolve(name));
    }

    private LogTools.CopySummary copy(String from, String to) throws IOException {
        return LogTools.copy(List.of(new DiskStorage(directory(from))), List.of(new DiskStorage(directory(to))));
    }

    @Test
    void aCopyOfAClosedLogIsThatLog() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory("log")))) {
            Logs.appendTexts(log, 1, 20);
            log.saveCheckpoint(7, Logs.text("state"));
        }
        LogTools.CopySummary copied = copy("log", "copy");
        assertThat(copied.records()).isEqualTo(20);
        assertThat(copied.checkpointIndex()).isEqualTo(7);
        assertThat(LogTools.inspect(directory("copy")).cleanlyClosed()).isTrue();
        assertThat(LogTools.inspect(directory("copy")).logId())
                .isEqualTo(LogTools.inspect(directory("log")).logId());
        try (MessageLog log = MessageLog.open(Logs.options(directory("copy")))) {
            assertThat(log.checkpoint()).map(Checkpoint::state).contains(Logs.text("state"));
            Logs.appendTexts(log, 21, 25);
        }
        assertThat(Logs.readTexts(directory("copy"))).isEqualTo(Logs.texts(1, 25));
        assertThat(Logs.readTexts(directory("log"))).isEqualTo(Logs.texts(1, 20));
    }

    /** A checkpoint is saved, a prefix dropped and its files used again in the middle of the copy, at every place once. */
    @Test
    void aCopyOfALogThatIsBeingWrittenHasWhatWasDurableWhenItBegan() throws Exception {
        for (int place = 0; place < 40; place += 2) {
            Path from = directory("log" + place);
            try (MessageLog log = MessageLog.open(Logs.options(from).withReserveSegments(2))) {
                List<byte[]> appended = new ArrayList<>();
                append(log, appended, 12);
                log.saveCheckpoint(5, Logs.text("state"));
                HookedStorage target = new HookedStorage(new DiskStorage(directory("copy" + place)));
                int at = place;
                AtomicBoolean done = new AtomicBoolean();
                target.hook((operation, file) -> {
                    if (target.events().size() >= at && done.compareAndSet(false, true)) {
                        turnOver(log, appended);
                    }
                });
                LogTools.CopySummary copied = LogTools.copy(List.of(new DiskStorage(from)), List.of(target));
                assertThat(copied.lastIndex()).isGreaterThanOrEqualTo(12);
                checkRecords(directory("copy" + place), appended, copied);
            }
        }
    }

    private static void append(MessageLog log, List<byte[]> appended, int count) throws LogException {
        for (int i = 0; i < count; i++) {
            byte[] record = new byte[RECORD_BYTES];
            record[0] = (byte) appended.size();
            appended.add(record);
            try {
                log.appendAndWait(ByteBuffer.wrap(record));
            } catch (AppendInterruptedException e) {
                throw new AssertionError(e);
            }
        }
    }

    private static void turnOver(MessageLog log, List<byte[]> appended) throws IOException {
        log.saveCheckpoint(log.durableIndex(), Logs.text("state at " + log.durableIndex()));
        log.truncateBefore(log.durableIndex() - 1);
        append(log, appended, 8);
    }

    private static void checkRecords(Path copy, List<byte[]> appended, LogTools.CopySummary copied) throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(copy))) {
            assertThat(log.durableIndex()).isEqualTo(copied.lastIndex());
            try (LogReader reader = log.read(log.firstIndex())) {
                for (long index = log.firstIndex(); index <= log.durableIndex(); index++) {
                    assertThat(reader.next()).isTrue();
                    assertThat(reader.payload()).isEqualTo(ByteBuffer.wrap(appended.get((int) index - 1)));
                }
            }
        }
    }

    @Test
    void aStripedLogIsCopied() throws Exception {
        List<Path> from = List.of(directory("log/1"), directory("log/2"));
        List<Path> to = List.of(directory("copy/1"), directory("copy/2"));
        LogOptions options = Logs.options(from.get(0));
        try (MessageLog log = MessageLog.open(options, LogDirectories.open(from))) {
            for (int i = 0; i < 12; i++) {
                log.appendAndWait(Logs.bytes(RECORD_BYTES, i));
            }
            assertThat(LogTools.copy(LogDirectories.open(from), LogDirectories.open(to))
                            .records())
                    .isEqualTo(12);
        }
        try (MessageLog log = MessageLog.open(options, LogDirectories.open(to))) {
            assertThat(log.durableIndex()).isEqualTo(12);
        }
        assertThatThrownBy(() -> LogTools.copy(LogDirectories.open(from), List.of(new DiskStorage(directory("one")))))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("2 directories to 1");
    }

    @Test
    void whatMayHaveBeenAcknowledgedIsReportedByTheOpeningOfTheCopyToo() throws Exception {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512, 1).inNewDirectory(), 1);
        log.open(ModelledLog.Opening.of(Force.FDATASYNC));
        log.append(100, 200);
        log.append(9_000);
        SimulatedDisk killed = log.disk().copy().afterKill();
        log.close();
        SegmentState last = LogAnalysis.of(List.of(killed)).stripes().get(0).last();
        killed.damage().zero(last.file(), (last.endOffset() - 1) / 512 * 512, 512);
        SimulatedDisk copy = new SimulatedDisk(512, 2).inNewDirectory();
        assertThat(LogTools.copy(List.of(killed), List.of(copy)).lastIndex()).isEqualTo(2);
        RecoveryReport ofLog = recover(killed);
        assertThat(ofLog.cutBytes()).isPositive();
        assertThat(recover(copy).text()).isEqualTo(ofLog.text());
    }

    private RecoveryReport recover(SimulatedDisk disk) throws IOException {
        try (MessageLog log = MessageLog.open(Logs.options(directory("simulated")), disk)) {
            return log.recovery();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aCopyThatIsInterruptedIsNotTakenForALog(boolean checkpoint) throws Exception {
        Path from = directory("log");
        try (MessageLog log = MessageLog.open(Logs.options(from))) {
            for (int i = 0; i < 5; i++) {
                log.appendAndWait(Logs.bytes(RECORD_BYTES, i));
            }
            if (checkpoint) {
                log.saveCheckpoint(2, Logs.text("state"));
            }
        }
        boolean interrupted = true;
        int refused = 0;
        for (int operation = 1; interrupted; operation++) {
            SimulatedDisk disk = new SimulatedDisk(512, operation);
            disk.faults().crashAtOperation(operation);
            interrupted = isInterrupted(from, disk);
            for (SimulatedDisk left :
                    List.of(disk.copy().afterKill(), disk.copy().afterCrash(operation))) {
                if (left.files().isEmpty()) {
                    continue; // nothing was begun
                }
                try (MessageLog log = MessageLog.open(Logs.options(from), left)) {
                    assertThat(log.durableIndex()).as("operation %s", operation).isEqualTo(5);
                    assertThat(log.checkpointIndex()).isEqualTo(checkpoint ? 2 : 0);
                } catch (LogException e) {
                    refused++;
                }
            }
        }
        assertThat(refused).isGreaterThan(20);
    }

    private static boolean isInterrupted(Path from, SimulatedDisk disk) {
        try {
            LogTools.copy(List.of(new DiskStorage(from)), List.of(disk));
            return false;
        } catch (IOException powerLost) {
            return true;
        }
    }

    @Test
    void theRootOfAnEmptyFileSystemIsEmptyAndKeepsItsOwnFolder() throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(directory("log")))) {
            Logs.appendTexts(log, 1, 20);
        }
        Files.writeString(directory("disk/lost+found").resolve("found"), "");
        assertThat(copy("log", "disk").records()).isEqualTo(20);
        assertThat(parent.resolve("disk/lost+found/found")).exists();
        assertThat(Logs.readTexts(directory("disk"))).isEqualTo(Logs.texts(1, 20));
    }

    @Test
    void onlyAnIntactLogIsCopiedAndOnlyToAnEmptyDirectory() throws Exception {
        assertThatThrownBy(() -> copy("nothing", "copy"))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("there is no log in");
        try (MessageLog log = MessageLog.open(Logs.options(directory("log")))) {
            Logs.appendTexts(log, 1, 5);
        }
        assertThatThrownBy(() -> copy("log", "log"))
                .isInstanceOf(LogException.class)
                .hasMessageContaining("is not empty");
        Files.delete(directory("log").resolve(HeadFile.NAME));
        assertThatThrownBy(() -> copy("log", "other")).isInstanceOf(LogDamagedException.class);
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory("other"))))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining(HeadFile.NAME)
                .hasMessageEndingWith(
                        "found an unfinished copy of a log. Delete this directory, and copy the log again");
    }
}
