package io.plog.benchmarks;

import io.plog.benchmarks.result.Medians;
import io.plog.log.Force;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;

/**
 * How fast a log is opened, and read after that, against {@code cat FILES >/dev/null} of the same files, all from the page
 * cache, round about in one run. Prints medians and ratios; run it with a heap far smaller than the log ({@code -Xmx64m}) to
 * see that memory does not depend on the log's size.
 *
 * <p>Arguments: directory, records (default 1,000,000), bytes of a record (default 1000), rounds (default 7).
 */
public final class RecoverySpeed {
    private RecoverySpeed() {}

    public static void main(String[] args) throws Exception {
        Path directory = Files.createDirectories(Path.of(args[0]));
        int records = args.length > 1 ? Integer.parseInt(args[1]) : 1_000_000;
        int recordBytes = args.length > 2 ? Integer.parseInt(args[2]) : 1000;
        int rounds = args.length > 3 ? Integer.parseInt(args[3]) : 7;
        fill(directory, records, recordBytes);
        double[][] seconds = new double[3][rounds];
        for (int round = -2; round < rounds; round++) { // two rounds warm up
            double cat = seconds(() -> cat(directory));
            double open =
                    seconds(() -> MessageLog.open(LogOptions.in(directory)).close());
            double replay = seconds(() -> replay(directory, records));
            if (round >= 0) {
                seconds[0][round] = cat;
                seconds[1][round] = open;
                seconds[2][round] = replay;
            }
        }
        double megabytes = sizeOf(directory) / 1e6;
        double cat = Medians.of(seconds[0]);
        for (int i = 0; i < 3; i++) {
            System.out.printf(
                    Locale.ROOT,
                    "%-28s %8.3f s %8.0f MB/s  %5.2f of cat%n",
                    List.of("cat", "open and close", "open, replay and close").get(i),
                    Medians.of(seconds[i]),
                    megabytes / Medians.of(seconds[i]),
                    cat / Medians.of(seconds[i]));
        }
        System.out.printf(
                Locale.ROOT,
                "log %.0f MB, heap at most %d MB%n",
                megabytes,
                Runtime.getRuntime().maxMemory() / 1_000_000);
        Directories.delete(directory);
    }

    /** A step of the comparison. */
    private interface Step {
        void run() throws Exception;
    }

    private static double seconds(Step step) throws Exception {
        long begin = System.nanoTime();
        step.run();
        return (System.nanoTime() - begin) / 1e9;
    }

    private static void fill(Path directory, int records, int recordBytes) throws Exception {
        byte[] bytes = new byte[recordBytes];
        new SplittableRandom(recordBytes).nextBytes(bytes);
        try (MessageLog log = MessageLog.open(LogOptions.in(directory).withForce(Force.WRITE))) {
            CompletableFuture<Long> last = null;
            for (int i = 0; i < records; i++) {
                last = log.append(ByteBuffer.wrap(bytes));
            }
            if (last != null) {
                last.get();
            }
        }
    }

    private static void cat(Path directory) throws Exception {
        int code = new ProcessBuilder("sh", "-c", "cat \"$0\"/*.seg > /dev/null", directory.toString())
                .inheritIO()
                .start()
                .waitFor();
        if (code != 0) {
            throw new IOException("cat ended with " + code);
        }
    }

    private static void replay(Path directory, int records) throws IOException {
        long sum = 0;
        try (MessageLog log = MessageLog.open(LogOptions.in(directory));
                LogReader reader = log.read(log.firstIndex())) {
            while (reader.next()) {
                sum += reader.payload().get(0) == 0 ? 1 : 2;
            }
            if (sum < records || reader.index() != records) {
                throw new IllegalStateException("read up to " + reader.index() + ", expected " + records);
            }
        }
    }

    private static long sizeOf(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".seg"))
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
