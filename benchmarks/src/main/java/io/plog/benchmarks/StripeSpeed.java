package io.plog.benchmarks;

import io.plog.benchmarks.journal.LogJournal;
import io.plog.benchmarks.result.Cell;
import io.plog.benchmarks.result.Medians;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One log over one, two, four ... of the directories given, 16 appends of 100 kB outstanding, round about in one run. Prints
 * the median of each and its ratio to the log in one directory.
 *
 * <p>Arguments: rounds, seconds for each measurement, directories. {@code benchmarks/stripes} makes directories on devices of
 * limited speed for it.
 */
final class StripeSpeed {
    private static final int OUTSTANDING = 16;
    private static final int BYTES = 100_000;
    private static final long SEGMENT_BYTES = 64L << 20;

    private StripeSpeed() {}

    static void main(List<String> args) throws Exception {
        int rounds = Integer.parseInt(args.get(0));
        double seconds = Double.parseDouble(args.get(1));
        List<Path> directories =
                args.subList(2, args.size()).stream().map(Path::of).toList();
        List<Integer> widths = new ArrayList<>();
        for (int width = 1; width <= directories.size(); width *= 2) {
            widths.add(width);
        }
        double[][] rates = new double[widths.size()][rounds];
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < widths.size(); i++) {
                rates[i][round] = measure(directories.subList(0, widths.get(i)), seconds);
                System.out.printf(
                        Locale.ROOT,
                        "round %d, %d directories: %.1f MB/s%n",
                        round + 1,
                        widths.get(i),
                        rates[i][round]);
            }
        }
        double one = Medians.of(rates[0]);
        System.out.println("directories   median MB/s   of one directory");
        for (int i = 0; i < widths.size(); i++) {
            double median = Medians.of(rates[i]);
            System.out.printf(Locale.ROOT, "%11d %13.1f %18.2f%n", widths.get(i), median, median / one);
        }
    }

    private static double measure(List<Path> directories, double seconds) throws Exception {
        List<Path> logs = new ArrayList<>();
        for (Path directory : directories) {
            Path log = directory.resolve("stripe-speed");
            Directories.delete(log);
            logs.add(Files.createDirectories(log));
        }
        LogOptions options = LogOptions.in(logs).withSegmentBytes(SEGMENT_BYTES).withReserveSegments(8);
        double rate;
        try (LogJournal journal = new LogJournal(MessageLog.open(options), false)) {
            ClosedLoop loop = new ClosedLoop(journal, new Cell(OUTSTANDING, BYTES));
            rate = loop.run((long) (seconds * 1e9)) * (double) BYTES / loop.nanos() * 1e3;
        }
        for (Path log : logs) {
            Directories.delete(log);
        }
        return rate;
    }
}
