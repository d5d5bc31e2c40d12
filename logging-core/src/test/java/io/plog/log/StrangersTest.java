package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in a log's directory that the log did not make: an opening deletes none of them. */
class StrangersTest {
    private static final int RECORD_BYTES = 8_000; // four in a segment
    private static final int LONG_BYTES = 15_000; // two

    @TempDir
    Path parent;

    private Path log(String name, int records, int bytes) throws Exception {
        Path directory = Files.createDirectory(parent.resolve(name));
        try (MessageLog log = MessageLog.open(Logs.options(directory))) {
            for (int i = 1; i <= records; i++) {
                log.appendAndWait(Logs.bytes(bytes, i));
            }
        }
        return directory;
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void segmentsOfAnotherLogBehindTheLastAreSetAsideAndSaid() throws Exception {
        Path mine = log("mine", 14, RECORD_BYTES);
        Path other = log("other", 14, LONG_BYTES);
        byte[] moved = Files.readAllBytes(Logs.segment(other, 5)); // records 9 and 10
        Files.move(Logs.segment(other, 5), Logs.segment(mine, 5), StandardCopyOption.REPLACE_EXISTING);
        Files.move(Logs.segment(other, 7), Logs.segment(mine, 7));
        LogTools.Inspection inspected = LogTools.inspect(mine);
        assertThat(inspected.notes()).hasSize(2).allMatch(note -> note.contains("a segment of another log"));
        try (MessageLog log = MessageLog.open(Logs.options(mine))) {
            assertThat(log.recovery().lastIndex()).isEqualTo(14);
            assertThat(log.recovery().setAside())
                    .isEqualTo("cut-00000000000000000005.seg-1.bin, cut-00000000000000000007.seg-1.bin");
            for (int i = 1; i <= 10; i++) {
                log.appendAndWait(Logs.bytes(RECORD_BYTES, i));
            }
        }
        assertThat(Files.readAllBytes(mine.resolve("cut-00000000000000000005.seg-1.bin")))
                .isEqualTo(moved);
        assertThat(LogTools.inspect(mine).records()).isEqualTo(24);
    }

    @Test
    void segmentsOfAnotherLogBeforeTheFirstAreSetAsideToo() throws Exception {
        Path mine = log("mine", 14, RECORD_BYTES);
        Path other = log("other", 7, LONG_BYTES);
        try (MessageLog log = MessageLog.open(Logs.options(mine))) {
            log.truncateBefore(13);
            assertThat(log.firstIndex()).isGreaterThan(4);
        }
        byte[] moved = Files.readAllBytes(Logs.segment(other, 1));
        Files.move(Logs.segment(other, 1), Logs.segment(mine, 1));
        MessageLog.open(Logs.options(mine)).close();
        assertThat(Files.readAllBytes(mine.resolve("cut-00000000000000000001.seg-1.bin")))
                .isEqualTo(moved);
    }

    @Test
    void onlyTemporaryFilesWithALogsOwnNamesAreDeleted() throws Exception {
        Path mine = log("mine", 4, RECORD_BYTES);
        Files.writeString(mine.resolve("export.tmp"), "mine");
        Files.writeString(mine.resolve("backup.seg.tmp"), "mine");
        Files.createDirectory(mine.resolve("x.tmp"));
        Files.writeString(mine.resolve("x.tmp/y"), "mine");
        List<String> before = names(mine);
        Files.writeString(mine.resolve("log.head.tmp"), "unfinished");
        Files.writeString(mine.resolve("log.checkpoint.tmp"), "unfinished");
        Files.writeString(mine.resolve("00000000000000000009.seg.0123abcd.tmp"), "unfinished");
        Files.writeString(mine.resolve("cut-1-at-4096-1.bin.tmp"), "unfinished");
        MessageLog.open(Logs.options(mine)).close();
        assertThat(names(mine)).isEqualTo(before);
    }
}
