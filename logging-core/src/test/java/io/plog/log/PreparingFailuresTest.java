package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.file.DiskStorage;
import io.plog.log.segment.PreparingPace;
import io.plog.log.segment.RetiredFiles;
import io.plog.log.segment.WorkThread;
import io.plog.log.storage.Force;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong while the next segment is prepared: a full disk, a shortage that passes, or a failure. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class PreparingFailuresTest {
    @TempDir
    private Path directory;

    private static void appendUntilItEnds(MessageLog log) throws Exception {
        for (int i = 0; i < 1000; i++) {
            log.appendAndWait(Logs.bytes(9000, i));
        }
        throw new AssertionError("no append failed");
    }

    @ParameterizedTest
    @ValueSource(strings = {"write", "fsync", "rename", "force"})
    void aFailureIsNoFullDiskAndFailsTheLogForGood(String where) throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(Logs.options(directory), storage);
        AtomicBoolean failed = new AtomicBoolean();
        storage.hook((operation, file) -> {
            boolean preparing = file.endsWith(".tmp") || file.equals("directory") || operation.equals("rename");
            if (operation.equals(where) && preparing && failed.compareAndSet(false, true)) {
                throw new IOException(where + " of " + file + ": Input/output error");
            }
        });
        assertThatThrownBy(() -> appendUntilItEnds(log))
                .isInstanceOf(LogFailedException.class)
                .hasMessageContaining(where + " of ")
                .hasMessageContaining("Input/output error");
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
    }

    @ParameterizedTest
    @CsvSource({
        "No space left on device, NoSpace",
        "Disk quota exceeded, NoSpace",
        "File too large, NoSpace",
        "Permission denied, NoSpace",
        "Too many open files, Shortage",
        "Too many open files in system, Shortage",
        "Cannot allocate memory, Shortage"
    })
    void aShortageThatPassesIsReportedByItsNameAndTheLogGoesOnByItself(String words, String exception)
            throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(Logs.options(directory), storage)) {
            storage.hook((operation, file) -> {
                if (operation.equals("create") || operation.equals("open")) {
                    throw new IOException(operation + " of " + file + ": " + words);
                }
            });
            assertThatThrownBy(() -> appendUntilItEnds(log))
                    .matches(e -> e.getClass().getSimpleName().equals(exception), "is a " + exception)
                    .matches(e -> !((LogException) e).isIndeterminate(), "definitely not logged")
                    .hasMessageContaining(words);
            assertThat(log.failure()).isNull();
            CountDownLatch made = new CountDownLatch(1);
            storage.hook((operation, file) -> {
                if (operation.equals("rename")) {
                    made.countDown();
                }
            });
            long before = log.durableIndex();
            long index = 0;
            while (index == 0) {
                try {
                    index = log.appendAndWait(Logs.bytes(9000, 1));
                } catch (LogRefusedException.NoSpace | LogRefusedException.Shortage notYet) {
                    made.await();
                }
            }
            assertThat(index).isEqualTo(before + 1);
        }
    }

    /** Who asks a listener whether a log takes records sends it none meanwhile: the end must come without any. */
    @Test
    void aSegmentThatIsReadyAndCannotBeOpenedIsReportedAndSoIsTheEnd() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        AtomicBoolean shortage = new AtomicBoolean();
        CountDownLatch begin = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        LogListener listener = new LogListener() {
            @Override
            public void segmentNotPrepared(Throwable cause) {
                assertThat(cause).hasMessageContaining("Too many open files");
                begin.countDown();
            }

            @Override
            public void segmentPrepared(long segment, long prepareNanos) {
                if (begin.getCount() == 0 && !shortage.get()) {
                    end.countDown();
                }
            }
        };
        try (MessageLog log =
                MessageLog.open(Logs.options(directory).withReserveSegments(8).withListener(listener), storage)) {
            shortage.set(true);
            storage.hook((operation, file) -> {
                if (operation.equals("open") && file.endsWith(".seg") && shortage.get()) {
                    throw new IOException("open of " + file + ": Too many open files");
                }
            });
            assertThatThrownBy(() -> appendUntilItEnds(log)).isInstanceOf(LogRefusedException.Shortage.class);
            assertThat(begin.await(20, TimeUnit.SECONDS)).as("it is reported").isTrue();
            shortage.set(false);
            assertThat(end.await(20, TimeUnit.SECONDS))
                    .as("its end is reported")
                    .isTrue();
            log.appendAndWait(Logs.bytes(9000, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"No space left on device", "Too many open files"})
    void aForceOfTheDirectoryThatFailedIsNotTriedAgainWhateverItIsCalled(String words) throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        MessageLog log = MessageLog.open(Logs.options(directory), storage);
        AtomicBoolean failed = new AtomicBoolean();
        storage.hook((operation, file) -> {
            if (file.equals("directory") && failed.compareAndSet(false, true)) {
                throw new IOException("fsync of the directory: " + words);
            }
        });
        assertThatThrownBy(() -> appendUntilItEnds(log)).isInstanceOf(LogFailedException.class);
        assertThatThrownBy(log::close).isInstanceOf(LogFailedException.class);
        assertThat(failed).isTrue();
    }

    @Test
    void anErrorOnTheThreadThatPreparesLeavesNoAppendWaiting() throws Exception {
        HookedStorage storage = new HookedStorage(new DiskStorage(directory));
        try (MessageLog log = MessageLog.open(Logs.options(directory), storage)) {
            AtomicBoolean failed = new AtomicBoolean();
            CountDownLatch made = new CountDownLatch(1);
            storage.hook((operation, file) -> {
                boolean opensAhead = file.endsWith(".seg")
                        && Thread.currentThread().getName().equals("plog-prepare");
                if (opensAhead && operation.equals("open") && failed.compareAndSet(false, true)) {
                    throw new OutOfMemoryError("Java heap space");
                }
                if (failed.get() && operation.equals("rename")) {
                    made.countDown();
                }
            });
            for (int logged = 0; logged < 40; ) {
                try {
                    log.appendAndWait(Logs.bytes(9000, logged));
                    logged++;
                } catch (LogRefusedException.Shortage notYet) {
                    made.await();
                }
            }
            assertThat(failed).isTrue();
        }
    }

    /** Without the bound, a large reserve of small segments lets a fast writer run out of file descriptors. */
    @Test
    void onlySoManyFilesOfCompleteSegmentsAreOpen() throws Exception {
        SimulatedDisk disk = new SimulatedDisk(512);
        AtomicInteger open = new AtomicInteger();
        CountDownLatch laneWaits = new CountDownLatch(1);
        AtomicBoolean slow = new AtomicBoolean();
        PreparingPace pace = new PreparingPace() {
            @Override
            public WorkThread newThread(String name) {
                WorkThread thread = WorkThread.named(name);
                return new WorkThread() {
                    @Override
                    public void start(Runnable work) {
                        thread.start(work);
                    }

                    @Override
                    public void unpark() {
                        open.accumulateAndGet(disk.openFiles(), Math::max);
                        laneWaits.countDown();
                        thread.unpark();
                    }

                    @Override
                    public boolean join(long nanos) {
                        return thread.join(nanos);
                    }
                };
            }

            @Override
            public void beforeTry(long segment) {
                if (slow.get()) {
                    Logs.await(laneWaits);
                }
            }
        };
        int reserve = 2 * RetiredFiles.MOST_WAITING;
        LogOptions options = Logs.options(directory).withForce(Force.WRITE).withReserveSegments(reserve);
        LogThreading threading = new LogThreading(pace, new LogThreading.LaneThreads(WorkThread::named));
        try (MessageLog log = MessageLog.open(options, List.of(disk), threading)) {
            slow.set(true);
            List<CompletableFuture<Long>> appends = new ArrayList<>();
            for (int i = 0; i < 3 * reserve; i++) { // at most two of them fit into a segment
                appends.add(log.append(Logs.bytes(16_000, i)));
            }
            for (CompletableFuture<Long> append : appends) {
                append.get();
            }
            int filesOfOne = 2; // to write to, and to look at the claim
            assertThat(open.get())
                    .isBetween(filesOfOne * RetiredFiles.MOST_WAITING, filesOfOne * (RetiredFiles.MOST_WAITING + 8));
        }
    }
}
