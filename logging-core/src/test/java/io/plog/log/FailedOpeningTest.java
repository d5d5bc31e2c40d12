package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.CheckpointFile;
import io.plog.log.file.HeadFile;
import io.plog.log.file.LogFiles;
import io.plog.log.file.SegmentHeader;
import io.plog.log.segment.PreparingPace;
import io.plog.log.segment.WorkThread;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import io.plog.log.testing.ForwardingStorage;
import io.plog.simdisk.SimulatedDisk;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** An opening that ends with an error of the virtual machine leaves nothing open, so it can be tried again. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class FailedOpeningTest {
    private static final LogOptions OPTIONS = Logs.options(Path.of("simulated"));

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void nothingIsLeftOpenWhenThereIsNoThreadForALane(int available) throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        AtomicInteger wanted = new AtomicInteger();
        LaneRunner lanes = new LogThreading.LaneThreads(
                name -> wanted.getAndIncrement() < available ? WorkThread.named(name) : new NoThread());
        LogThreading threading = new LogThreading(PreparingPace.NORMAL, lanes);
        assertThatThrownBy(() -> MessageLog.open(OPTIONS, List.of(disk), threading))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(disk.openFiles()).isZero();
        try (MessageLog log = MessageLog.open(OPTIONS, disk)) {
            Logs.appendTexts(log, 1, 3);
        }
    }

    /** To open a pipe for reading would wait for ever. */
    @Test
    @DisabledOnOs(OS.WINDOWS)
    void whatIsNoRegularFileIsNamedWhereAFileOfTheLogIsExpected(@TempDir Path directory) throws Exception {
        MessageLog.open(Logs.options(directory)).close();
        for (String name : List.of(HeadFile.NAME, CheckpointFile.NAME, SegmentHeader.fileName(1), LogFiles.LOCK)) {
            Path file = directory.resolve(name);
            Path aside = Files.move(Files.exists(file) ? file : Files.createFile(file), directory.resolve("aside"));
            Files.createDirectory(file);
            assertIsNamed(directory, file);
            Files.delete(file);
            assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor())
                    .isZero();
            assertIsNamed(directory, file);
            Files.delete(file);
            if (name.equals(CheckpointFile.NAME)) {
                Files.delete(aside);
            } else {
                Files.move(aside, file);
            }
        }
        MessageLog.open(Logs.options(directory)).close();
    }

    private static void assertIsNamed(Path directory, Path file) {
        assertThatThrownBy(() -> MessageLog.open(Logs.options(directory)))
                .isInstanceOf(LogException.class)
                .hasMessageContaining(file + " is not a regular file");
    }

    /** The lock of the first directory cannot even be closed without an error: all the same no other lock is kept. */
    @Test
    void anOpeningThatFailsReleasesEachLockAndNamesItsFirstCause() throws Exception {
        SimulatedDisk first = new SimulatedDisk(512);
        SimulatedDisk second = new SimulatedDisk(512);
        LogOptions options = OPTIONS.withDirectories(List.of(Path.of("a"), Path.of("b")));
        MessageLog.open(options, List.of(first, second)).close();
        HookedStorage stubborn = new HookedStorage(new BadLock(first));
        stubborn.hook((operation, file) -> {
            throw new IOException(operation + " of " + file + ": Input/output error");
        });
        assertThatThrownBy(() -> MessageLog.open(options, List.of(stubborn, second)))
                .hasMessageContaining("Input/output error")
                .satisfies(e -> assertThat(e.getSuppressed()).singleElement().isSameAs(BadLock.FAILURE));
        MessageLog.open(options, List.of(first, second)).close();
    }

    private static final class BadLock extends ForwardingStorage {
        static final IOException FAILURE = new IOException("close of log.lock: Input/output error");

        BadLock(Storage inner) {
            super(inner);
        }

        @Override
        public Closeable lock(String name) throws IOException {
            Closeable lock = super.lock(name);
            return () -> {
                lock.close();
                throw FAILURE;
            };
        }
    }

    private static final class NoThread implements WorkThread {
        @Override
        public void start(Runnable work) {
            throw new OutOfMemoryError("unable to create native thread");
        }

        @Override
        public void unpark() {}

        @Override
        public boolean join(long nanos) {
            return true;
        }
    }

    @Test
    void nothingIsLeftOpenWhenThereIsNoMemoryForOneOfItsSteps() throws Exception {
        SimulatedDisk first = new SimulatedDisk(512);
        SimulatedDisk second = new SimulatedDisk(512);
        LogOptions options = OPTIONS.withDirectories(List.of(Path.of("a"), Path.of("b")));
        MessageLog.open(options, List.of(first, second)).close();
        boolean failed = true;
        for (int step = 1; failed; step++) {
            HookedStorage hooked = new HookedStorage(second);
            AtomicInteger opened = new AtomicInteger();
            int failing = step;
            hooked.hook((operation, file) -> {
                if (operation.equals("open") && file.endsWith(".seg") && opened.incrementAndGet() == failing) {
                    throw new OutOfMemoryError("Java heap space");
                }
            });
            try {
                MessageLog log = MessageLog.open(options, List.of(first, hooked));
                failed = opened.get() >= step;
                hooked.hook((operation, file) -> {});
                log.close();
            } catch (OutOfMemoryError expected) {
                assertThat(first.openFiles() + second.openFiles())
                        .as("step %d", step)
                        .isZero();
            }
        }
    }
}
