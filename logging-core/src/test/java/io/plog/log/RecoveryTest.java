package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.HeadFile;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.RecoveryReport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecoveryTest {
    @TempDir
    Path temporary;

    private Path closedLog(int records) throws Exception {
        Path directory = Files.createDirectory(temporary.resolve("closed"));
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Logs.appendTexts(log, 1, records);
        }
        return directory;
    }

    /** A log with {@code records} acknowledged records, as a kill of the process leaves it. */
    private Path killedLog(int records) throws Exception {
        Path directory = Files.createDirectory(temporary.resolve("killed-original"));
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Logs.appendTexts(log, 1, records);
            return Logs.copyAsAfterKill(directory, temporary.resolve("killed"));
        }
    }

    @Test
    void whatLiesBehindTheWatermarkIsWrittenAgainAndForcedBeforeItIsShown() throws Exception {
        Path directory = killedLog(5);
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(Logs.options(directory), storage)) {
            String segment = SegmentHeader.fileName(1);
            List<String> writeAndForce = List.of("open " + segment, "write " + segment, "fsync " + segment);
            List<String> events = storage.events();
            int begin = events.indexOf("force directory");
            assertThat(events.subList(0, begin)) // the writer's claims, and nothing else
                    .startsWith("open " + segment, "write " + segment, "fdatasync " + segment)
                    .hasSizeLessThanOrEqualTo(3 * 3);
            List<String> expected = new ArrayList<>(List.of("force directory"));
            expected.addAll(writeAndForce); // the record again
            expected.addAll(writeAndForce); // zeros behind it
            expected.addAll(writeAndForce); // a mark that says that all of it is durable
            assertThat(events.subList(begin, begin + 10)).isEqualTo(expected);
            assertThat(log.durableIndex()).isEqualTo(5);
        }
    }

    @Test
    void aTornTailIsCutKeptAndReported() throws Exception {
        Path directory = killedLog(5);
        Path segment = Logs.segment(directory, 1);
        long end = LogTools.inspect(directory).segments().get(0).usedBytes();
        byte[] garbage = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11};
        Logs.overwrite(segment, end, garbage);
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            RecoveryReport report = log.recovery();
            assertThat(report.cutBytes()).isEqualTo(16);
            assertThat(report.text())
                    .contains("torn tail")
                    .contains("offset " + end)
                    .contains(report.cutFile());
            assertThat(Files.readAllBytes(directory.resolve(report.cutFile()))).startsWith(garbage);
            assertThat(log.durableIndex()).isEqualTo(5);
            Logs.appendTexts(log, 6, 7);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 7));
    }

    @Test
    void theCutIsForcedBeforeTheFirstAppend() throws Exception {
        Path directory = killedLog(5);
        long end = LogTools.inspect(directory).segments().get(0).usedBytes();
        Logs.overwrite(Logs.segment(directory, 1), end, new byte[] {1});
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(Logs.options(directory), storage)) {
            List<String> events = storage.events();
            String cut = log.recovery().cutFile();
            int kept = events.indexOf("rename " + cut);
            assertThat(events.indexOf("fsync " + cut + ".tmp")).isBetween(0, kept);
            assertThat(events.get(kept + 1)).isEqualTo("force directory");
            assertThat(events.subList(kept + 2, kept + 4))
                    .containsExactly("open " + SegmentHeader.fileName(1), "write " + SegmentHeader.fileName(1));
            assertThat(events.get(kept + 4)).isEqualTo("fsync " + SegmentHeader.fileName(1));
        }
    }

    @Test
    void aTornBatchKeepsItsGoodPrefixOnly() throws Exception {
        Path directory = killedLog(5);
        Path segment = Logs.segment(directory, 1);
        // The last record was never covered by a watermark; the one before was.
        long end = LogTools.inspect(directory).segments().get(0).usedBytes();
        Logs.overwrite(segment, end - 8, new byte[8]);
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            assertThat(log.durableIndex()).isEqualTo(4);
            assertThat(log.recovery().cutBytes()).isPositive();
            Logs.appendTexts(log, 5, 5);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 5));
    }

    @Test
    void damageToAnAcknowledgedRecordStopsWithExactWordsAndChangesNothing() throws Exception {
        Path directory = killedLog(10);
        Path segment = Logs.segment(directory, 1);
        long third = SegmentHeader.BLOCK_BYTES + 2 * RecordHeader.encodedBytes("record 1".length());
        Logs.overwrite(segment, third + RecordHeader.BYTES + 3, new byte[] {'X'});
        byte[] before = Files.readAllBytes(segment);
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory)))
                .isInstanceOf(LogDamagedException.class)
                .hasMessageContaining(SegmentHeader.fileName(1))
                .hasMessageContaining("offset " + third)
                .hasMessageContaining("expected record 3")
                .hasMessageContaining("found a payload of 8 bytes that gives crc")
                .hasMessageContaining("Nothing was changed");
        assertThat(Files.readAllBytes(segment)).isEqualTo(before);
        try (LogReader reader = LogReader.open(directory, 0)) {
            assertThat(reader.next()).isTrue();
            assertThat(reader.next()).isTrue();
            assertThatThrownBy(reader::next).isInstanceOf(LogDamagedException.class);
        }
    }

    @Test
    void anyZeroedBlockOfAClosedLogIsAnsweredByEverythingOrByDamage() throws Exception {
        Path directory = closedLog(300);
        Path segment = Logs.segment(directory, 1);
        byte[] intact = Files.readAllBytes(segment);
        for (int block : new int[] {512, 4096}) {
            for (int at = 0; at < intact.length; at += block) {
                byte[] zeroed = intact.clone();
                java.util.Arrays.fill(zeroed, at, at + block, (byte) 0);
                Files.write(segment, zeroed);
                LogTools.Inspection found = LogTools.inspect(directory);
                if (found.damage().isEmpty()) {
                    assertThat(found.lastIndex()).as("zeroed at %d", at).isEqualTo(300);
                }
            }
        }
    }

    @Test
    void bytesBehindTheEndOfASegmentFileAreIgnoredAndReported() throws Exception {
        Path directory = closedLog(5);
        Path segment = Logs.segment(directory, 1);
        Files.write(segment, new byte[] {1, 2, 3}, java.nio.file.StandardOpenOption.APPEND);
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            assertThat(log.recovery().text()).contains("3 bytes behind the segment's end");
            Logs.appendTexts(log, 6, 6);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 6));
    }

    @Test
    void aPreparedSegmentThatIsDamagedIsPreparedAgain() throws Exception {
        Path directory = closedLog(5);
        Path spare = Logs.segment(directory, 2);
        Logs.overwrite(spare, 20, new byte[] {1});
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            assertThat(log.recovery().text()).contains(SegmentHeader.fileName(2));
            Logs.appendTexts(log, 6, 6);
        }
        assertThat(SegmentHeader.decode(ByteBuffer.wrap(Files.readAllBytes(spare)), "", new StringBuilder()))
                .isNotNull();
    }

    @Test
    void anUnfinishedCreationIsStartedOver() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(Files.createDirectory(temporary.resolve("new"))));
        storage.hook((operation, file) -> {
            if (file.equals(HeadFile.NAME)) {
                throw new IOException("interrupted creation");
            }
        });
        Path directory = temporary.resolve("new");
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory), storage))
                .hasMessage("interrupted creation");
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            Logs.appendTexts(log, 1, 3);
        }
        assertThat(Logs.readTexts(directory)).isEqualTo(Logs.texts(1, 3));
    }

    @Test
    void recordsOfAnEarlierLifeOfTheSameBytesAreNotTakenForRecords() throws Exception {
        Path first = closedLog(5);
        Path second = Files.createDirectory(temporary.resolve("other"));
        try (MessageLog log = MessageLog.open(Logs.options(second))) {
            Logs.appendTexts(log, 1, 2);
        }
        // Stale bytes of another segment, each record valid there, right behind the end.
        byte[] stale = Files.readAllBytes(Logs.segment(first, 1));
        Path copy = Files.createDirectory(temporary.resolve("copy"));
        try (MessageLog log = MessageLog.open(Logs.options(second))) {
            Logs.appendTexts(log, 3, 3);
            Logs.copyAsAfterKill(second, copy);
        }
        long end = LogTools.inspect(copy).segments().get(0).usedBytes();
        long from = SegmentHeader.BLOCK_BYTES + 3 * RecordHeader.encodedBytes("record 1".length());
        Logs.overwrite(Logs.segment(copy, 1), end, java.util.Arrays.copyOfRange(stale, (int) from, (int) from + 80));
        try (MessageLog log = MessageLog.open(Logs.options(copy))) {
            assertThat(log.durableIndex()).isEqualTo(3);
            assertThat(log.recovery().cutBytes()).isEqualTo(80);
        }
    }
}
