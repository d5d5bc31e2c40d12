package io.plog.benchmarks;

import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.journal.Journal;
import io.plog.benchmarks.journal.UnavailableException;
import io.plog.benchmarks.journal.Workload;
import io.plog.benchmarks.result.Cell;
import io.plog.benchmarks.result.Measurement;
import io.plog.host.events.MachineLoad;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import org.HdrHistogram.Histogram;

/**
 * The JVM of one contestant: takes orders, one JSON object on a line of standard input each, and answers with a line that
 * begins with {@link #ANSWER}. It stays for the whole campaign, so that the compiler has seen every cell before the first
 * round that counts, and never the code of another contestant.
 */
final class Worker {
    /** What the line of an answer begins with; libraries may print other lines. */
    static final String ANSWER = "@answer ";

    private static final int FILLING_BYTES = 1 << 20;
    private static final long MOST_FILLING_NANOS = 20_000_000_000L;

    private Worker() {}

    static void run(Contestant contestant) throws IOException {
        PrintStream answers = System.out;
        System.setOut(System.err);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            RunAnswer answer = carryOut(contestant, Benchmarks.LINE.readValue(line, RunOrder.class));
            answers.println(ANSWER + Benchmarks.LINE.writeValueAsString(answer));
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

    /** Appends until the first files have been dropped. Before that every file is a new one, and its bytes are written twice. */
    private static void fill(Journal journal, int payloadBytes) throws Exception {
        Cell large = new Cell(Math.max(1, FILLING_BYTES / payloadBytes), payloadBytes);
        new ClosedLoop(journal, large)
                .run((Workload.RETAINED_BYTES + 2 * Workload.RESERVE_BYTES) / payloadBytes, MOST_FILLING_NANOS);
    }

    private static Measurement measure(Contestant contestant, RunOrder order) throws Exception {
        Cell cell = order.cell();
        Workload workload = new Workload(Path.of(order.directory()), cell.outstanding(), cell.payloadBytes());
        long mostNanos = (long) (order.mostSeconds() * 1e9);
        try (Journal journal = contestant.open(workload)) {
            if (contestant.kind() != Contestant.Kind.PLAIN) {
                fill(journal, cell.payloadBytes());
            }
            ClosedLoop loop = new ClosedLoop(journal, cell);
            loop.run(mostNanos);
            MachineLoad.Mark machine = MachineLoad.mark();
            ProcessCounters before = ProcessCounters.read();
            long appends = loop.run(mostNanos);
            ProcessCounters after = ProcessCounters.read();
            long cpuNanos = after.cpuNanos() - before.cpuNanos();
            Histogram latencies = loop.latencies();
            return new Measurement(
                    contestant.label(),
                    cell.label(),
                    order.round(),
                    appends,
                    loop.nanos() / 1e9,
                    appends / (loop.nanos() / 1e9),
                    latencies.getValueAtPercentile(50) / 1e3,
                    latencies.getValueAtPercentile(99) / 1e3,
                    latencies.getValueAtPercentile(99.9) / 1e3,
                    latencies.getMaxValue() / 1e3,
                    cpuNanos / 1e3 / appends,
                    (double) (after.allocatedBytes() - before.allocatedBytes()) / appends,
                    Surroundings.othersShare(machine, cpuNanos, loop.nanos()));
        }
    }
}
