package io.plog.benchmarks;

import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.journal.Journal;
import io.plog.benchmarks.journal.Workload;
import io.plog.benchmarks.result.Cell;
import io.plog.benchmarks.result.SoakResult;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;

/**
 * The steady state: the log with its defaults at four fifths of what it can do, records of 1 KiB, while what is old is dropped
 * from it. Measures in this JVM, which does nothing else.
 */
final class Soak {
    private static final int PAYLOAD_BYTES = 1024;
    private static final int OUTSTANDING = 64;
    private static final double LOAD = 0.8;
    private static final double WARM_UP_SECONDS = 10; // the log has dropped its beginning a few times then
    private static final double CAPACITY_SECONDS = 20;
    private static final long KEEP_RECORDS = 1_000_000;
    private static final long DROP_EVERY_SECONDS = 5;

    private final Path directory;
    private final double minutes;

    Soak(Path directory, double minutes) {
        this.directory = directory;
        this.minutes = minutes;
    }

    SoakResult run() throws Exception {
        Path scratch = Directories.recreate(directory.resolve("scratch"));
        try {
            double capacity = capacity(Directories.recreate(scratch.resolve("capacity")));
            Directories.delete(scratch.resolve("capacity"));
            double offered = LOAD * capacity;
            System.err.printf(
                    Locale.ROOT,
                    "capacity %.0f/s with %d outstanding; %.0f/s offered%n",
                    capacity,
                    OUTSTANDING,
                    offered);
            return SoakResult.of(offered, openLoop(Directories.recreate(scratch.resolve("log")), offered));
        } finally {
            Directories.delete(scratch);
        }
    }

    /** What lasts: some disks give more for a few seconds. */
    private static double capacity(Path directory) throws Exception {
        Workload workload = new Workload(directory, OUTSTANDING, PAYLOAD_BYTES);
        try (Journal journal = Contestant.PLOG_FDATASYNC.open(workload)) {
            ClosedLoop loop = new ClosedLoop(journal, new Cell(OUTSTANDING, PAYLOAD_BYTES));
            loop.run((long) (WARM_UP_SECONDS * 1e9));
            long appends = loop.run((long) (CAPACITY_SECONDS * 1e9));
            return appends / (loop.nanos() / 1e9);
        }
    }

    private List<SoakResult.Interval> openLoop(Path directory, double perSecond) throws Exception {
        List<SoakResult.Interval> intervals = new ArrayList<>();
        int count = Math.max(4, (int) Math.round(minutes));
        long intervalNanos = (long) (minutes * 60e9 / count);
        try (MessageLog log = MessageLog.open(LogOptions.in(directory))) {
            OpenLoop loop = new OpenLoop(log, PAYLOAD_BYTES);
            Thread submitter = new Thread(() -> loop.run(perSecond), "open-loop");
            submitter.start();
            for (int i = 0; i < count && loop.failure() == null; i++) {
                intervals.add(interval(log, loop, intervalNanos));
                print(i, intervals.get(i));
            }
            loop.stop();
            submitter.join();
            if (loop.failure() != null) {
                throw new IOException("an append failed", loop.failure());
            }
        }
        return intervals;
    }

    private static SoakResult.Interval interval(MessageLog log, OpenLoop loop, long nanos) throws Exception {
        long begin = System.nanoTime();
        long completed = loop.completed();
        long fullCollections = Memory.fullCollections();
        ProcessCounters before = ProcessCounters.read();
        loop.latencies().getIntervalHistogram();
        for (long left = nanos; left > 0; left = nanos - (System.nanoTime() - begin)) {
            TimeUnit.NANOSECONDS.sleep(Math.min(left, TimeUnit.SECONDS.toNanos(DROP_EVERY_SECONDS)));
            log.truncateBefore(Math.max(log.firstIndex(), log.durableIndex() + 1 - KEEP_RECORDS));
        }
        Histogram latencies = loop.latencies().getIntervalHistogram();
        ProcessCounters after = ProcessCounters.read();
        long appends = Math.max(1, loop.completed() - completed);
        double seconds = (System.nanoTime() - begin) / 1e9;
        return new SoakResult.Interval(
                appends / seconds,
                latencies.getValueAtPercentile(50) / 1e3,
                latencies.getValueAtPercentile(99) / 1e3,
                latencies.getValueAtPercentile(99.9) / 1e3,
                latencies.getMaxValue() / 1e3,
                (double) (after.allocatedBytes() - before.allocatedBytes()) / appends,
                Memory.heapAfterGcBytes(),
                OtherProcesses.residentBytes(ProcessHandle.current().pid()),
                Memory.fullCollections() - fullCollections);
    }

    private static void print(int number, SoakResult.Interval interval) {
        System.err.printf(
                Locale.ROOT,
                "interval %2d: %9.0f/s  p50 %8.1f  p99 %9.1f  p99.9 %9.1f  max %9.1f us  %6.1f B/append  heap %4d MiB"
                        + "  resident %4d MiB  full collections %d%n",
                number + 1,
                interval.appendsPerSecond(),
                interval.p50Micros(),
                interval.p99Micros(),
                interval.p999Micros(),
                interval.maxMicros(),
                interval.allocatedBytesPerAppend(),
                interval.heapAfterGcBytes() >> 20,
                interval.residentBytes() >> 20,
                interval.fullCollections());
    }
}
