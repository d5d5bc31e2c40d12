package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.CheckpointFile;
import io.plog.log.file.DiskStorage;
import io.plog.log.file.HeadFile;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.Storage;
import io.plog.log.testing.BadSectors;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that cannot read one block any more: that is damage, which is named, and everything around it is read. */
class LostSectorTest {
    private static final int RECORDS = 12; // four in a segment
    private static final long IN_RECORD_6 = 12_288;
    private static final String SECOND = SegmentHeader.fileName(2);

    @TempDir
    Path directory;

    private Storage storage;

    @BeforeEach
    void writeLog() throws Exception {
        storage = new DiskStorage(directory);
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            for (int i = 1; i <= RECORDS; i++) {
                log.appendAndWait(Logs.bytes(8_000, i));
            }
            log.saveCheckpoint(2, Logs.text("state"));
        }
    }

    private Storage without(String file, long offset) {
        return new BadSectors(storage, file, offset, 4096);
    }

    @Test
    void everyRecordThatDoesNotTouchItIsSavedAndItIsNamed() throws Exception {
        List<Long> saved = new ArrayList<>();
        LogTools.SalvageSummary found =
                LogSalvage.search(List.of(without(SECOND, IN_RECORD_6)), (file, offset, index, payload) -> {
                    assertThat(payload).isEqualTo(Logs.bytes(8_000, (int) index));
                    saved.add(index);
                });
        assertThat(saved)
                .isEqualTo(LongStream.of(1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 12)
                        .boxed()
                        .toList());
        assertThat(found.missing()).isEqualTo(1);
        assertThat(found.lost()).containsExactly(SECOND + ": bytes 12288 to 16383, which the disk cannot read");
    }

    @Test
    void aLogWithARecordThatCannotBeReadIsDamagedAndEndsBeforeIt() throws Exception {
        Storage bad = without(SECOND, IN_RECORD_6);
        LogTools.Inspection inspected = LogTools.inspect(bad);
        LogDamagedException damage = inspected.damage().orElseThrow();
        assertThat(inspected.lastIndex()).isEqualTo(5);
        assertThat(damage.file()).isEqualTo(SECOND);
        assertThat(damage.offset()).isEqualTo(inspected.segments().get(1).usedBytes());
        assertThat(damage.found()).isEqualTo("bytes 12288 to 16383, which the disk cannot read");
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory), bad)).isInstanceOf(LogDamagedException.class);
        Path copy = Files.createDirectory(directory.resolve("copy"));
        assertThatThrownBy(() -> LogTools.copy(List.of(bad), List.of(new DiskStorage(copy))))
                .isInstanceOf(LogDamagedException.class);
        try (LogReader reader = LogReader.open(bad, 0)) {
            for (int i = 1; i <= 5; i++) {
                assertThat(reader.next()).isTrue();
            }
            assertThatThrownBy(reader::next).hasMessageContaining("bytes 12288 to 16383, which the disk cannot read");
        }
    }

    @Test
    void theReaderOfALogAtWorkNamesItToo() throws Exception {
        BadSectors[] bad = new BadSectors[1];
        Storage.Opener opener = path -> bad[0] = new BadSectors(new DiskStorage(path), SECOND, 0, 0);
        try (MessageLog log = MessageLog.open(Logs.options(directory).withStorage(opener))) {
            bad[0].lose(IN_RECORD_6, 4096);
            try (LogReader reader = log.read(5)) {
                assertThat(reader.next()).isTrue();
                assertThatThrownBy(reader::next)
                        .isInstanceOf(LogDamagedException.class)
                        .hasMessageContaining("bytes 12288 to 16383, which the disk cannot read");
            }
        }
    }

    @Test
    void itsRepairEndsTheLogBeforeIt() throws Exception {
        List<Storage> bad = List.of(without(SECOND, IN_RECORD_6));
        LogTools.RepairPlan plan = LogTools.planRepair(bad).orElseThrow();
        assertThat(plan.remedy()).isEqualTo(LogTools.Remedy.CUT);
        assertThat(plan.firstLost()).isEqualTo(6);
        assertThat(plan.intactBehind()).isEqualTo(6);
        LogTools.repair(plan, bad);
        assertThat(LogTools.inspect(storage).damage()).isEmpty();
        assertThat(LogTools.inspect(storage).lastIndex()).isEqualTo(5);
    }

    @Test
    void aHeadACheckpointAndTheHeaderOfASegmentThatCannotBeReadHaveTheirRemedies() throws Exception {
        assertRemedy(HeadFile.NAME, LogTools.Remedy.REBUILD_HEAD, RECORDS);
        assertRemedy(CheckpointFile.NAME, LogTools.Remedy.DROP_CHECKPOINT, RECORDS);
        assertRemedy(SegmentHeader.fileName(3), LogTools.Remedy.CUT, 8);
    }

    private void assertRemedy(String file, LogTools.Remedy remedy, int left) throws Exception {
        List<Storage> bad = List.of(without(file, 0));
        LogTools.RepairPlan plan = LogTools.planRepair(bad).orElseThrow();
        assertThat(plan.damage().found()).contains("which the disk cannot read");
        assertThat(plan.remedy()).isEqualTo(remedy);
        LogTools.repair(plan, bad);
        assertThat(LogTools.inspect(storage).damage()).isEmpty();
        assertThat(LogTools.inspect(storage).lastIndex()).isEqualTo(left);
    }

    @Test
    void whereNothingOfTheLogStandsItDoesNotMatter() throws Exception {
        LogTools.Inspection intact = LogTools.inspect(storage);
        for (LogTools.Segment segment : intact.segments()) {
            long behind = (segment.usedBytes() + 4095) / 4096 * 4096 + 4096;
            Storage bad = without(segment.file(), behind);
            assertThat(LogTools.inspect(bad).damage()).isEmpty();
            assertThat(LogTools.inspect(bad).records()).isEqualTo(RECORDS);
        }
    }
}
