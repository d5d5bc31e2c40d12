package io.plog.benchmarks;

import io.plog.log.Force;
import io.plog.log.LogOptions;
import io.plog.log.MessageLog;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/**
 * The log against a plain loop (write, force, on a file filled with zeros; no check, no format), one append outstanding, in
 * one directory and one run, round about. Prints medians, and the ratio of the medians.
 *
 * <p>Arguments: directory, appends of each cell (default 2000), rounds (default 5).
 */
public final class DepthOne {
    private static final int[] SIZES = {100, 1_000, 10_000, 50_000, 100_000};
    private static final long FILE_BYTES = 256L * 1024 * 1024;

    private DepthOne() {}

    public static void main(String[] args) throws Exception {
        Path directory = Path.of(args[0]);
        int appends = args.length > 1 ? Integer.parseInt(args[1]) : 2000;
        int rounds = args.length > 2 ? Integer.parseInt(args[2]) : 5;
        Path logDirectory = Files.createDirectories(directory.resolve("depth-one-log"));
        Path plainFile = directory.resolve("depth-one-plain");
        fill(plainFile);
        System.out.println("force      bytes   plain p50 us   plog p50 us   ratio   plain p99   plog p99");
        for (Force force : List.of(Force.FDATASYNC, Force.DSYNC)) {
            for (int size : SIZES) {
                measure(force, size, appends, rounds, plainFile, logDirectory);
            }
        }
        Files.delete(plainFile);
        delete(logDirectory);
    }

    private static void measure(Force force, int size, int appends, int rounds, Path plainFile, Path logDirectory)
            throws Exception {
        ByteBuffer payload = ByteBuffer.allocateDirect(size);
        byte[] bytes = new byte[size];
        new SplittableRandom(size).nextBytes(bytes);
        payload.put(bytes).flip();
        double[][] medians = new double[2][rounds];
        double[][] tails = new double[2][rounds];
        for (int round = 0; round <= rounds; round++) {
            long[] plain = plainLoop(force, payload, appends, plainFile);
            long[] plog = logLoop(force, payload, appends, logDirectory);
            if (round > 0) { // the first round warms up
                medians[0][round - 1] = quantile(plain, 0.5);
                medians[1][round - 1] = quantile(plog, 0.5);
                tails[0][round - 1] = quantile(plain, 0.99);
                tails[1][round - 1] = quantile(plog, 0.99);
            }
        }
        double plain = median(medians[0]);
        double plog = median(medians[1]);
        System.out.printf(
                Locale.ROOT,
                "%-9s %6d %14.1f %13.1f %7.2f %11.1f %10.1f%n",
                force.label(),
                size,
                plain,
                plog,
                plog / plain,
                median(tails[0]),
                median(tails[1]));
    }

    private static long[] plainLoop(Force force, ByteBuffer payload, int appends, Path file) throws IOException {
        long[] nanos = new long[appends];
        StandardOpenOption[] options = force == Force.DSYNC
                ? new StandardOpenOption[] {StandardOpenOption.WRITE, StandardOpenOption.DSYNC}
                : new StandardOpenOption[] {StandardOpenOption.WRITE};
        try (FileChannel channel = FileChannel.open(file, options)) {
            for (int i = 0; i < appends; i++) {
                if (channel.position() + payload.capacity() > FILE_BYTES) {
                    channel.position(0);
                }
                payload.clear();
                long begin = System.nanoTime();
                while (payload.hasRemaining()) {
                    channel.write(payload);
                }
                if (force == Force.FDATASYNC) {
                    channel.force(false);
                }
                nanos[i] = System.nanoTime() - begin;
            }
        }
        return nanos;
    }

    private static long[] logLoop(Force force, ByteBuffer payload, int appends, Path directory) throws Exception {
        long[] nanos = new long[appends];
        delete(directory);
        Files.createDirectories(directory);
        LogOptions options = LogOptions.in(directory).withForce(force).withPreparedSegments((int)
                (2 + (long) appends * payload.capacity() / (64L << 20)));
        try (MessageLog log = MessageLog.open(options)) {
            for (int i = 0; i < appends; i++) {
                payload.clear();
                long begin = System.nanoTime();
                log.appendAndWait(payload);
                nanos[i] = System.nanoTime() - begin;
            }
        }
        return nanos;
    }

    private static void fill(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            ByteBuffer zeros = ByteBuffer.allocateDirect(1 << 20);
            for (long at = 0; at < FILE_BYTES; at += zeros.capacity()) {
                zeros.clear();
                while (zeros.hasRemaining()) {
                    channel.write(zeros);
                }
            }
            channel.force(true);
        }
    }

    private static void delete(Path directory) throws IOException {
        if (Files.exists(directory)) {
            try (Stream<Path> files = Files.walk(directory)) {
                for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    private static double quantile(long[] nanos, double q) {
        long[] sorted = nanos.clone();
        Arrays.sort(sorted);
        return sorted[(int) Math.min(sorted.length - 1, Math.ceil(q * sorted.length) - 1)] / 1000.0;
    }

    private static double median(double[] values) {
        double[] sorted = values.clone();
        Arrays.sort(sorted);
        return sorted[sorted.length / 2];
    }
}
