package io.plog.benchmarks;

import io.plog.benchmarks.result.Medians;
import io.plog.log.Append;
import io.plog.log.LogException;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

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
        Loop loop = new Loop();
        double rate;
        try (MessageLog log = MessageLog.open(options)) {
            rate = loop.run(log, seconds);
        }
        for (Path log : logs) {
            Directories.delete(log);
        }
        return rate;
    }

    private static final class Loop {
        private final AtomicLong acknowledged = new AtomicLong();
        private final AtomicReference<LogException> failure = new AtomicReference<>();

        double run(MessageLog log, double seconds) throws Exception {
            ByteBuffer[] payloads = new ByteBuffer[OUTSTANDING];
            Arrays.setAll(payloads, i -> ByteBuffer.allocateDirect(BYTES));
            long begin = System.nanoTime();
            long submitted = 0;
            while (System.nanoTime() - begin < seconds * 1e9) {
                await(submitted - OUTSTANDING + 1);
                ByteBuffer payload = payloads[(int) (submitted % OUTSTANDING)].clear();
                log.append(new Counted(), payload);
                submitted++;
            }
            await(submitted);
            return submitted * (double) BYTES / (System.nanoTime() - begin) * 1e3;
        }

        @SuppressWarnings("ThreadPriorityCheck") // the log's threads may need this processor
        private void await(long count) throws LogException {
            while (acknowledged.get() < count) {
                LogException failed = failure.get();
                if (failed != null) {
                    throw failed;
                }
                Thread.yield();
            }
        }

        private final class Counted extends Append {
            @Override
            protected void onDurable() {
                acknowledged.incrementAndGet();
            }

            @Override
            protected void onFailed(LogException cause) {
                failure.set(cause);
            }
        }
    }
}
