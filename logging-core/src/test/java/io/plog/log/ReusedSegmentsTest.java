package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.LogFiles;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.SegmentState;
import io.plog.log.storage.Force;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Segments whose records were dropped are used again: their bytes stay, and are no records of the log any more. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class ReusedSegmentsTest {
    private static final int RECORD_BYTES = 15_000; // two in a segment
    private static final int BLOCK_BYTES = SegmentHeader.BLOCK_BYTES;

    @TempDir
    private Path directory;

    private static LogOptions options(Path directory) {
        return Logs.options(directory).withReserveSegments(2);
    }

    /** Appends records, drops all before the last two now and then; returns the files by their inodes. */
    private static void appendAndDrop(MessageLog log, int from, int to) throws Exception {
        for (int i = from; i <= to; i++) {
            log.appendAndWait(Logs.bytes(RECORD_BYTES, i));
            if (i > 4) {
                log.truncateBefore(i - 3);
            }
        }
    }

    private static SegmentHeader header(Path file) throws IOException {
        SegmentHeader header = SegmentHeader.decode(
                ByteBuffer.wrap(Files.readAllBytes(file)).limit(BLOCK_BYTES), file.toString(), new StringBuilder());
        if (header == null) {
            throw new AssertionError("no header in " + file);
        }
        return header;
    }

    private Map<Object, Path> filesByInode() throws IOException {
        return filesByInode(directory);
    }

    private static Map<Object, Path> filesByInode(Path directory) throws IOException {
        Map<Object, Path> files = new HashMap<>();
        try (var listed = Files.list(directory)) {
            for (Path file :
                    listed.filter(each -> each.toString().endsWith(".seg")).toList()) {
                files.put(Files.getAttribute(file, "unix:ino"), file);
            }
        }
        return files;
    }

    @Test
    void aSegmentOfWhichSomebodyKeepsALinkIsNotUsedAgain() throws Exception {
        Path links = Files.createDirectory(directory.resolve("links"));
        Map<Path, byte[]> linked = new HashMap<>();
        try (MessageLog log = MessageLog.open(options(directory))) {
            long reserve = log.status().reserveBytes();
            int next = 1;
            while (linked.isEmpty()) { // they may all have been taken already
                appendAndDrop(log, next, next + 7);
                while (log.status().reserveBytes() < reserve) {
                    Thread.onSpinWait(); // a file that is being taken already gets its link too late
                }
                try (var files = Files.list(directory)) {
                    for (Path file : files.filter(Files::isRegularFile).toList()) {
                        Path link = links.resolve(next + "-" + file.getFileName());
                        try {
                            Files.createLink(link, file);
                        } catch (NoSuchFileException e) {
                            continue; // on its way from one name to another
                        }
                        if (file.toString().contains(".seg.") || file.equals(Logs.segment(directory, 1))) {
                            linked.put(link, Files.readAllBytes(link)); // dropped already
                        }
                    }
                }
                next += 8;
            }
            appendAndDrop(log, next, next + 21);
            for (Map.Entry<Path, byte[]> each : linked.entrySet()) {
                assertThat(each.getKey()).hasBinaryContent(each.getValue());
            }
        }
    }

    @Test
    void aLogThatDropsItsBeginningMakesNoMoreFiles() throws Exception {
        try (MessageLog log = MessageLog.open(options(directory))) {
            appendAndDrop(log, 1, 40);
            Map<Object, Path> before = filesByInode();
            appendAndDrop(log, 41, 120);
            Map<Object, Path> after = filesByInode();
            // One may be under way between two names at the moment.
            assertThat(before.keySet()).filteredOn(after::containsKey).hasSizeGreaterThanOrEqualTo(before.size() - 2);
            assertThat(after.values())
                    .allMatch(file -> SegmentHeader.numberOf(file.getFileName().toString()) > 30);
        }
        assertThat(LogTools.inspect(directory).damage()).isEmpty();
        try (var names = Files.list(directory)) {
            assertThat(names.filter(name -> name.toString().endsWith(LogFiles.TEMPORARY_SUFFIX)))
                    .isEmpty();
        }
    }

    @Test
    void whatItHoldsIsReadBackAndTheLogGoesOnFromThere() throws Exception {
        for (int round = 0; round < 6; round++) {
            int last = 20 * round;
            try (MessageLog log = MessageLog.open(options(directory))) {
                assertThat(log.durableIndex()).isEqualTo(last);
                appendAndDrop(log, last + 1, last + 20);
            }
            try (LogReader reader = LogReader.open(directory, 0)) {
                int read = 0;
                while (reader.next()) {
                    assertThat(reader.payload()).isEqualTo(Logs.bytes(RECORD_BYTES, (int) reader.index()));
                    read++;
                }
                assertThat(reader.index()).isEqualTo(last + 20);
                assertThat(read).isGreaterThan(3);
            }
        }
    }

    @Test
    void aStripedLogUsesItsSegmentsAgainToo() throws Exception {
        List<Path> directories =
                List.of(Files.createDirectory(directory.resolve("a")), Files.createDirectory(directory.resolve("b")));
        LogOptions options = LogOptions.in(directories)
                .withMaxRecordBytes(Logs.SEGMENT_BYTES / 4)
                .withSegmentBytes(Logs.SEGMENT_BYTES)
                .withReserveSegments(2);
        int again = 0;
        for (int round = 0; round < 4; round++) {
            int last = 40 * round;
            try (MessageLog log = MessageLog.open(options)) {
                Map<Object, Path> before = filesByInode(directories.get(0));
                assertThat(log.durableIndex()).isEqualTo(last);
                appendAndDrop(log, last + 1, last + 40);
                assertThat(log.firstIndex()).isGreaterThan(last);
                for (Map.Entry<Object, Path> file :
                        filesByInode(directories.get(0)).entrySet()) {
                    Path name = before.get(file.getKey());
                    again += name != null && !name.equals(file.getValue()) ? 1 : 0;
                }
            }
            try (LogReader reader = LogReader.open(directories, 0)) {
                while (reader.next()) {
                    assertThat(reader.payload()).isEqualTo(Logs.bytes(RECORD_BYTES, (int) reader.index()));
                }
                assertThat(reader.index()).isEqualTo(last + 40);
            }
        }
        assertThat(LogTools.inspect(directories).damage()).isEmpty();
        assertThat(again).as("files under another name").isPositive();
    }

    @Test
    void noRecordOfTheEarlierUseHasARightCheckInTheLaterOne() throws Exception {
        Path first = Logs.segment(directory, 1);
        long oldEpoch;
        byte[] old;
        Map<Object, Path> before;
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            for (int i = 1; i <= 6; i++) {
                log.appendAndWait(Logs.bytes(RECORD_BYTES, i));
            }
            oldEpoch = header(first).epoch();
            before = filesByInode();
            old = Files.readAllBytes(first);
            log.truncateBefore(3);
            for (int i = 7; i <= 12; i++) {
                log.appendAndWait(Logs.bytes(RECORD_BYTES, i));
            }
        }
        RecordHeader record = new RecordHeader();
        ByteBuffer bytes = ByteBuffer.wrap(old);
        assertThat(record.decode(bytes, BLOCK_BYTES, oldEpoch)).isTrue();
        int again = 0;
        for (Map.Entry<Object, Path> file : filesByInode().entrySet()) {
            if (before.containsKey(file.getKey()) && !file.getValue().equals(before.get(file.getKey()))) {
                again++;
                assertThat(record.decode(
                                bytes, BLOCK_BYTES, header(file.getValue()).epoch()))
                        .isFalse();
            }
        }
        assertThat(again).isPositive();
    }

    /** A log at rest whose active segment was used before and holds one small record; it was killed, not closed. */
    private static ModelledLog killedInASegmentUsedAgain(int lastBytes) throws IOException {
        ModelledLog log = new ModelledLog(new SimulatedDisk(512, 1).inNewDirectory(), 1);
        log.open(ModelledLog.Opening.of(Force.FDATASYNC));
        for (int i = 0; i < 6; i++) {
            log.append(RECORD_BYTES);
        }
        log.truncateBefore(5);
        log.append(RECORD_BYTES);
        log.append(RECORD_BYTES);
        log.append(3 * BLOCK_BYTES - RecordHeader.BYTES); // the first in its segment; ends where a block does
        log.append(lastBytes);
        log.kill();
        return log;
    }

    private static SegmentState lastSegment(SimulatedDisk disk) throws IOException {
        SegmentState last = LogAnalysis.of(List.of(disk)).stripes().get(0).last();
        assertThat(SegmentHeaders.isUsedAgain(disk, last.file())).isTrue();
        return last;
    }

    @Test
    void whatTheEarlierUseLeftIsNotTakenForATornWrite() throws Exception {
        for (int bytes : new int[] {100, 4064}) { // ends within a block, and with one
            ModelledLog log = killedInASegmentUsedAgain(bytes);
            SegmentState last = lastSegment(log.disk());
            assertThat(last.content()).isEqualTo("valid");
            log.open(ModelledLog.Opening.of(Force.FDATASYNC));
            assertThat(log.log().recovery().cutBytes()).isZero();
            log.close();
        }
    }

    @Test
    void aDamagedLastRecordIsCutAndNamedWhateverPartOfItsHeaderIsLeft() throws Exception {
        for (int field : new int[] {0, 5, 8, 12, 16, 23, 24, 28, 40}) {
            ModelledLog log = killedInASegmentUsedAgain(100);
            SegmentState last = lastSegment(log.disk());
            long lastRecordAt = last.endOffset() - RecordHeader.encodedBytes(100);
            assertThat(lastRecordAt % BLOCK_BYTES).isZero();
            log.disk().damage().flipBit(last.file(), 8L * (lastRecordAt + field) + 2);
            SegmentState damaged = lastSegment(log.disk());
            assertThat(damaged.endOffset()).as("field at %s", field).isEqualTo(lastRecordAt);
            assertThat(damaged.content()).as("field at %s", field).isEqualTo("torn");
            try (MessageLog recovered = MessageLog.open(Logs.options(directory), log.disk())) {
                assertThat(recovered.recovery().cutBytes()).isPositive();
                assertThat(recovered.recovery().text()).contains("may have been acknowledged");
            }
        }
    }

    @Test
    void aReaderWhoseSegmentIsUsedAgainSaysThatItsRecordsWereDropped() throws Exception {
        try (MessageLog log = MessageLog.open(options(directory))) {
            for (int i = 1; i <= 12; i++) {
                log.appendAndWait(Logs.bytes(RECORD_BYTES, i));
            }
            try (LogReader reader = log.read(1)) {
                assertThat(reader.next()).isTrue();
                log.truncateBefore(9);
                for (int i = 13; i <= 24; i++) {
                    log.appendAndWait(Logs.bytes(RECORD_BYTES, i));
                }
                assertThatThrownBy(() -> {
                            while (reader.next()) {
                                assertThat(reader.payload()).isEqualTo(Logs.bytes(RECORD_BYTES, (int) reader.index()));
                            }
                        })
                        .isInstanceOf(LogReader.RecordsDroppedException.class);
            }
        }
    }
}
