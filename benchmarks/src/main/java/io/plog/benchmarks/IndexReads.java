package io.plog.benchmarks;

import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import io.plog.log.MessageLog;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.rocksdb.FlushOptions;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;

/** Records by their indexes, from the page cache, by plog and by RocksDB in turns, and in order; in microseconds for each. */
final class IndexReads {
    private static final long BYTES = 320L << 20;
    private static final int ROUNDS = 5;
    private static final int READS = 40_000;

    /** Reads a record, whole. */
    private interface Reads {
        byte[] get(long index) throws Exception;
    }

    private IndexReads() {}

    static void run(Path parent) throws Exception {
        for (int size : new int[] {1024, 16 * 1024}) {
            Path directory = Files.createTempDirectory(parent, "random-reads");
            try {
                compare(directory, size, (int) (BYTES / size));
            } finally {
                Directories.delete(directory);
            }
        }
    }

    private static void compare(Path directory, int size, int records) throws Exception {
        try (MessageLog log = MessageLog.open(LogOptions.in(Files.createDirectory(directory.resolve("log"))));
                Options options = new Options().setCreateIfMissing(true);
                RocksDB rocks =
                        RocksDB.open(options, directory.resolve("rocksdb").toString());
                FlushOptions flush = new FlushOptions()) {
            CompletableFuture<Long> last = CompletableFuture.completedFuture(0L);
            for (int i = 1; i <= records; i++) {
                byte[] record = new byte[size];
                new SplittableRandom(i).nextBytes(record);
                ByteBuffer.wrap(record).putLong(0, i);
                last = log.append(ByteBuffer.wrap(record));
                rocks.put(key(i), record);
            }
            last.join();
            rocks.flush(flush);
            for (int round = 1; round <= ROUNDS; round++) {
                System.out.printf("%d records of %d B, round %d: in order %.2f", records, size, round, inOrder(log));
                for (int threads : new int[] {1, 4}) {
                    double get =
                            atRandom(threads, records, index -> log.get(index).orElseThrow());
                    double base = atRandom(threads, records, index -> rocks.get(key(index)));
                    System.out.printf("; %d threads: get %.2f, RocksDB %.2f", threads, get, base);
                }
                System.out.println();
            }
        }
    }

    private static double inOrder(MessageLog log) throws Exception {
        long begin = System.nanoTime();
        try (LogReader reader = log.read(1)) {
            while (reader.next()) {}
            return (System.nanoTime() - begin) / 1e3 / reader.index();
        }
    }

    private static double atRandom(int threads, int records, Reads reads) {
        CompletableFuture<?>[] all = new CompletableFuture<?>[threads];
        long begin = System.nanoTime();
        for (int i = 0; i < threads; i++) {
            SplittableRandom random = new SplittableRandom(i);
            all[i] = CompletableFuture.runAsync(() -> read(records, random, reads), task -> new Thread(task).start());
        }
        CompletableFuture.allOf(all).join();
        return (System.nanoTime() - begin) / 1e3 / READS / threads;
    }

    private static void read(int records, SplittableRandom random, Reads reads) {
        try {
            for (int i = 0; i < READS; i++) {
                long index = random.nextLong(1, records + 1);
                if (ByteBuffer.wrap(reads.get(index)).getLong(0) != index) {
                    throw new IllegalStateException("another record at " + index);
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    private static byte[] key(long index) {
        return ByteBuffer.allocate(Long.BYTES).putLong(index).array();
    }
}
