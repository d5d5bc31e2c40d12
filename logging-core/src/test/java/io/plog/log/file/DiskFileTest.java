package io.plog.log.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.Logs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A file whose channel does its work later, on another thread, as on Windows. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DiskFileTest {
    @TempDir
    private Path directory;

    @AfterEach
    void leaveNoInterruptBehind() {
        Thread.interrupted();
    }

    /** Begins with a task only when the interrupt of the thread that waits for it was taken. */
    private static ExecutorService later() {
        return new ThreadPoolExecutor(0, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>()) {
            @Override
            public void execute(Runnable task) {
                Thread waits = Thread.currentThread();
                super.execute(() -> {
                    while (waits.isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    task.run();
                });
            }
        };
    }

    private DiskFile open() throws IOException {
        Path path = directory.resolve("file");
        return new DiskFile(
                path,
                AsynchronousFileChannel.open(
                        path,
                        Set.of(StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE),
                        later()));
    }

    @Test
    void whoIsInterruptedWhileAnOperationIsUnderWayWaitsForItsEndAndStaysInterrupted() throws Exception {
        try (DiskFile file = open()) {
            Thread.currentThread().interrupt();
            WriteFully.fully(file, Logs.text("some text"), 0);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(Files.readString(directory.resolve("file"))).isEqualTo("some text");

            ByteBuffer read = ByteBuffer.allocate(9);
            Thread.currentThread().interrupt();
            assertThat(file.read(read, 0)).isEqualTo(9);
            assertThat(Thread.interrupted()).isTrue();
            assertThat(read.flip()).isEqualTo(Logs.text("some text"));
        }
    }

    @Test
    void anErrorOfAnOperationThatEndsLaterIsReported() throws Exception {
        try (DiskFile file = open()) {
            Thread.currentThread().interrupt();
            assertThatThrownBy(() -> file.read(ByteBuffer.allocate(1), Long.MAX_VALUE))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("read of 1 bytes at offset " + Long.MAX_VALUE);
            assertThat(Thread.interrupted()).isTrue();
        }
    }
}
