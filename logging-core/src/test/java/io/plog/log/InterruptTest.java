package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.file.DiskStorage;
import io.plog.log.storage.Force;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever a thread asks of a log on a real directory, its interrupt flag harms nothing and is still set afterwards. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InterruptTest {
    @TempDir
    private Path directory;

    @AfterEach
    void leaveNoInterruptBehind() {
        Thread.interrupted();
    }

    private static void interruptMyself() {
        Thread.currentThread().interrupt();
    }

    private static void assertStillInterrupted() {
        assertThat(Thread.interrupted()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(
            value = Force.class,
            names = {"FDATASYNC", "DIRECT", "DSYNC", "FSYNC", "WRITE"})
    void everyOperationOfALogDoesItsWorkForAnInterruptedThread(Force force) throws Exception {
        LogOptions options = Logs.options(directory).withForce(force);
        interruptMyself();
        MessageLog log = MessageLog.open(options);
        assertStillInterrupted();
        for (int i = 1; i <= 12; i++) {
            assertThat(log.append(Logs.bytes(Logs.SEGMENT_BYTES / 5, i)).get()).isEqualTo(i);
        }

        interruptMyself();
        log.saveCheckpoint(9, Logs.text("the state"));
        assertStillInterrupted();

        interruptMyself();
        assertThat(log.checkpoint()).map(Checkpoint::index).contains(9L);
        assertStillInterrupted();

        interruptMyself();
        long first = log.truncateBefore(10);
        assertStillInterrupted();
        assertThat(first).isBetween(5L, 10L);

        interruptMyself();
        LogReader reader = log.read(first);
        assertStillInterrupted();
        for (long index = first; index <= 12; index++) {
            interruptMyself();
            assertThat(reader.next()).isTrue();
            assertStillInterrupted();
            assertThat(reader.payload()).isEqualTo(Logs.bytes(Logs.SEGMENT_BYTES / 5, (int) index));
        }
        assertThat(log.append(Logs.text("and on")).get()).isEqualTo(13);
        interruptMyself();
        assertThat(reader.next()).isTrue(); // it was not harmed either
        reader.close();
        assertStillInterrupted();

        interruptMyself();
        log.close();
        assertStillInterrupted();
        assertThat(LogTools.inspect(directory).cleanlyClosed()).isTrue();
    }

    @Test
    void recoveringInspectingAndReadingADirectoryDoTheirWorkForAnInterruptedThread() throws Exception {
        Path killed = directory.resolve("killed");
        Path original = Files.createDirectory(directory.resolve("log"));
        try (MessageLog log = MessageLog.open(Logs.options(original))) {
            Logs.appendTexts(log, 1, 20);
            log.saveCheckpoint(3, ByteBuffer.allocate(10));
            Logs.copyAsAfterKill(original, killed);
        }
        interruptMyself();
        assertThat(LogTools.inspect(killed).records()).isEqualTo(20);
        assertStillInterrupted();
        interruptMyself();
        assertThat(Logs.readTexts(killed)).isEqualTo(Logs.texts(1, 20));
        assertStillInterrupted();
        interruptMyself();
        assertThat(Checkpoint.read(killed)).map(Checkpoint::index).contains(3L);
        assertStillInterrupted();
        interruptMyself();
        try (MessageLog log = MessageLog.open(Logs.options(killed))) {
            assertStillInterrupted();
            assertThat(log.recovery().lastIndex()).isEqualTo(20);
        }
        assertThat(LogTools.planRepair(List.of(new DiskStorage(killed)))).isEmpty();
    }
}
