package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.DiskStorage;
import io.plog.log.file.LogFiles;
import io.plog.log.segment.PreparingPace;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Somebody takes a log's files away while it is open. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FileIdentityCheckTest {
    @TempDir
    private Path parent;

    private Path directory() throws IOException {
        return Files.createDirectories(parent.resolve("log"));
    }

    private MessageLog open() throws IOException {
        return open(PreparingPace.NORMAL);
    }

    /** No thread looks by itself. */
    private MessageLog open(PreparingPace pace) throws IOException {
        LogThreading schedule = new LogThreading(pace, LogThreading.normal().runner());
        return MessageLog.open(Logs.options(directory()), List.of(new DiskStorage(directory())), schedule);
    }

    private static void deleteAll(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.deleteIfExists(file);
            }
        }
    }

    private void harm(String what) throws IOException {
        Path segment = Logs.segment(directory(), 1);
        switch (what) {
            case "the directory is deleted" -> {
                deleteAll(directory());
                Files.delete(directory());
            }
            case "the directory is moved away" -> Files.move(directory(), parent.resolve("old"));
            case "the directory is replaced" -> {
                Files.move(directory(), parent.resolve("old"));
                directory();
            }
            case "the directory is emptied" -> deleteAll(directory());
            case "the lock is deleted" -> Files.delete(directory().resolve(LogFiles.LOCK));
            case "the segment is deleted" -> Files.delete(segment);
            case "the segment is replaced by a copy" -> {
                Files.copy(segment, parent.resolve("copy"));
                Files.move(parent.resolve("copy"), segment, StandardCopyOption.REPLACE_EXISTING);
            }
            default -> throw new IllegalArgumentException(what);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "the directory is deleted",
                "the directory is moved away",
                "the directory is replaced",
                "the directory is emptied",
                "the lock is deleted",
                "the segment is deleted",
                "the segment is replaced by a copy"
            })
    void aLogWhoseFilesAreTakenAwayFailsInASentenceWhenItIsLookedAt(String what) throws Exception {
        Path path = directory().toRealPath();
        MessageLog log = open();
        Logs.appendTexts(log, 1, 3);
        log.housekeeper().look();
        assertThat(log.failure()).isNull();
        harm(what);
        log.housekeeper().look();
        assertThatThrownBy(() -> log.appendAndWait(Logs.text("record 4")))
                .isInstanceOf(LogFailedException.class)
                .hasMessageContaining("was removed or replaced while")
                .hasMessageContaining(path.toString());
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @Test
    void nothingIsAcknowledgedInASegmentBehindAChangeThatCameAfterTheDirectoryWasReplaced() throws Exception {
        // The segments that are ready are all there are, so that the thread that prepares the next is not the one that
        // notices.
        AtomicBoolean ready = new AtomicBoolean();
        MessageLog log = open(new PreparingPace() {
            @Override
            public void beforeTry(long segment) throws IOException {
                if (ready.get()) {
                    throw new IOException("No space left on device");
                }
            }
        });
        ready.set(true);
        Logs.appendTexts(log, 1, 3);
        harm("the directory is replaced");
        int acknowledged = 3;
        try {
            while (acknowledged < 1000) {
                log.appendAndWait(Logs.bytes(9000, acknowledged + 1));
                acknowledged++;
            }
        } catch (LogFailedException expected) {
            assertThat(expected).hasMessageContaining("was removed or replaced while its log was open");
        }
        assertThat(acknowledged).isLessThan(12);
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        assertThat(LogTools.inspect(parent.resolve("old")).records()).isGreaterThanOrEqualTo(acknowledged);
        assertThat(directory()).isEmptyDirectory();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3}) // complete, the one before, the active one
    void aLogOfWhichASegmentIsCutFailsInASentenceWhenItIsLookedAt(long segment) throws Exception {
        MessageLog log = open();
        for (int i = 1; i <= 15; i++) {
            log.appendAndWait(Logs.bytes(Logs.SEGMENT_BYTES / 6, i));
        }
        log.housekeeper().look();
        assertThat(log.failure()).isNull();
        Path file = Logs.segment(directory(), segment);
        cut(file, 8192);
        log.housekeeper().look();
        assertThatThrownBy(() -> log.appendAndWait(Logs.text("one more")))
                .isInstanceOf(LogFailedException.class)
                .hasMessageContaining(file.getFileName() + " in " + directory().toRealPath()
                        + " was cut to 8192 of its " + Logs.SEGMENT_BYTES + " bytes");
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @Test
    void nothingIsAcknowledgedBehindASegmentThatIsCutBeforeItIsUsedOrLeft() throws Exception {
        for (long segment = 1; segment <= 2; segment++) {
            MessageLog log = open();
            log.appendAndWait(Logs.text("a record"));
            cut(Logs.segment(directory(), segment), 8192);
            int acknowledged = 0;
            try {
                while (acknowledged < 100) {
                    log.appendAndWait(Logs.bytes(Logs.SEGMENT_BYTES / 6, 1));
                    acknowledged++;
                }
            } catch (LogFailedException expected) {
                assertThat(expected).hasMessageContaining("was cut to");
            }
            assertThat(acknowledged).isLessThan(6);
            assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
            deleteAll(directory());
        }
    }

    private static void cut(Path file, long bytes) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(bytes);
        }
    }

    @Test
    void whoSavesACheckpointOrDropsRecordsHearsOfItAtOnce() throws Exception {
        MessageLog log = open();
        Logs.appendTexts(log, 1, 3);
        harm("the directory is replaced");
        assertThatThrownBy(() -> log.saveCheckpoint(2, Logs.text("state"))).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(() -> log.truncateBefore(2)).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        assertThat(directory()).isEmptyDirectory();
    }
}
