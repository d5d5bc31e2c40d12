package io.plog.benchmarks;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.journal.Journal;
import io.plog.benchmarks.journal.Regime;
import io.plog.benchmarks.journal.UnavailableException;
import io.plog.benchmarks.journal.Workload;
import io.plog.benchmarks.result.Cell;
import io.plog.benchmarks.result.DiskCounters;
import io.plog.benchmarks.result.MachineTime;
import io.plog.benchmarks.result.Measurement;
import io.plog.benchmarks.result.SampleQuantiles;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The JVM of one contestant: takes orders, one JSON object on a line of standard input each, and answers with a line that
 * begins with {@link #ANSWER}. It stays for the whole campaign, so that the compiler has seen every cell before the first
 * round that counts, and never the code of another contestant.
 */
final class Worker {
    /** What the line of an answer begins with; libraries may print other lines. */
    static final String ANSWER = "@answer ";

    private static final ObjectMapper JSON = new ObjectMapper();

    private Worker() {}

    static void run(Contestant contestant) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            RunAnswer answer = carryOut(contestant, JSON.readValue(line, RunOrder.class));
            answers.println(ANSWER + JSON.writeValueAsString(answer));
            answers.flush();
        }
        // Not every contestant ends its threads.
        Runtime.getRuntime().halt(0);
    }

    private static RunAnswer carryOut(Contestant contestant, RunOrder order) {
        try {
            return new RunAnswer(measure(contestant, order), null, null);
        } catch (UnavailableException e) {
            return new RunAnswer(null, e.getMessage(), null);
        } catch (Exception | LinkageError e) {
            e.printStackTrace();
            return new RunAnswer(null, null, e.toString());
        }
    }

    private static Measurement measure(Contestant contestant, RunOrder order) throws Exception {
        Cell cell = order.cell();
        Path directory = Path.of(order.directory());
        boolean burst = order.regime() == Regime.PREPARED;
        long warmUp = burst ? Math.max(2L * cell.outstanding(), cell.appends() / 10) : Long.MAX_VALUE;
        Workload workload = new Workload(
                directory,
                cell.outstanding(),
                cell.payloadBytes(),
                burst ? cell.appends() + warmUp : 0,
                order.regime());
        long mostNanos = (long) (order.mostSeconds() * 1e9);
        MeasuredDevice device = MeasuredDevice.of(directory);
        try (Journal journal = contestant.open(workload)) {
            ClosedLoop loop = new ClosedLoop(journal, cell);
            loop.run(Math.min(warmUp, cell.appends()), mostNanos / 4);
            journal.settle();
            Optional<DiskCounters> diskBefore = device.counters();
            MachineTime machineBefore = machineTime();
            ProcessCounters before = ProcessCounters.read();
            long appends = loop.run(cell.appends(), mostNanos);
            ProcessCounters after = ProcessCounters.read();
            Optional<DiskCounters> diskAfter = device.counters();
            double others =
                    othersShare(machineBefore, machineTime(), after.cpuNanos() - before.cpuNanos(), loop.nanos());
            return measurement(contestant, order, loop, appends, before, after, diskBefore, diskAfter, others);
        }
    }

    private static Measurement measurement(
            Contestant contestant,
            RunOrder order,
            ClosedLoop loop,
            long appends,
            ProcessCounters before,
            ProcessCounters after,
            Optional<DiskCounters> diskBefore,
            Optional<DiskCounters> diskAfter,
            double othersShare) {
        Histogram latencies = loop.latencies();
        List<Double> knots = SampleQuantiles.SHARES.stream()
                .map(share -> micros(latencies, share))
                .toList();
        double seconds = loop.nanos() / 1e9;
        double payloadBytes = (double) appends * order.cell().payloadBytes();
        Double flushes = perUnit(diskBefore, diskAfter, (double) appends, DiskCounters::flushesSince);
        Double written = perUnit(diskBefore, diskAfter, payloadBytes, DiskCounters::bytesWrittenSince);
        return new Measurement(
                contestant.label(),
                order.cell().label(),
                order.round(),
                appends,
                seconds,
                appends / seconds,
                micros(latencies, 0.5),
                micros(latencies, 0.99),
                micros(latencies, 0.999),
                latencies.getMaxValue() / 1e3,
                (after.cpuNanos() - before.cpuNanos()) / 1e3 / appends,
                (double) (after.allocatedBytes() - before.allocatedBytes()) / appends,
                flushes,
                written,
                othersShare,
                knots);
    }

    private static double micros(Histogram latencies, double share) {
        return latencies.getValueAtPercentile(100 * share) / 1e3;
    }

    /** What the machine's processors have done so far. */
    static MachineTime machineTime() throws IOException {
        return MachineTime.parse(Files.readString(Path.of("/proc/stat")), KernelThreads.ticks());
    }

    /** The share that others had of all processors, while this process used {@code cpuNanos} in {@code nanos}. */
    static double othersShare(MachineTime before, MachineTime after, long cpuNanos, long nanos) {
        double all = (double) nanos * Runtime.getRuntime().availableProcessors();
        return after.othersSince(before, cpuNanos / all);
    }

    /** A difference of two readings of the device. */
    @FunctionalInterface
    interface Difference {
        long between(DiskCounters later, DiskCounters earlier);
    }

    /** What the device did, for each of {@code units}; null if it does not say. */
    static @Nullable Double perUnit(
            Optional<DiskCounters> before, Optional<DiskCounters> after, double units, Difference difference) {
        if (before.isEmpty() || after.isEmpty()) {
            return null;
        }
        return difference.between(after.get(), before.get()) / units;
    }
}
