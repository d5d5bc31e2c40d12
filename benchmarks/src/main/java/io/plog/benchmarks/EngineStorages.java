package io.plog.benchmarks;

import com.alipay.sofa.jraft.conf.ConfigurationManager;
import com.alipay.sofa.jraft.entity.EnumOutter.EntryType;
import com.alipay.sofa.jraft.entity.LogEntry;
import com.alipay.sofa.jraft.entity.LogId;
import com.alipay.sofa.jraft.entity.codec.v2.LogEntryV2CodecFactory;
import com.alipay.sofa.jraft.option.LogStorageOptions;
import com.alipay.sofa.jraft.option.RaftOptions;
import com.alipay.sofa.jraft.storage.LogStorage;
import com.alipay.sofa.jraft.storage.impl.RocksDBLogStorage;
import io.plog.examples.JRaftServices;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** SOFAJRaft's log storage, its own on RocksDB and the example's on plog, in turns; every append is forced. */
final class EngineStorages {
    private static final int ROUNDS = 3;
    private static final int READS = 20_000;

    /** Entries of so many bytes, so many in an append, so often. */
    private record Shape(int bytes, int entries, int appends) {
        @Override
        public String toString() {
            return bytes / 1024 + " KiB x " + entries;
        }
    }

    private static final List<Shape> SHAPES =
            List.of(new Shape(1024, 1, 4000), new Shape(1024, 32, 2000), new Shape(16 * 1024, 100, 100));

    /** Of the storage that is measured, the median of the rounds; restart is from shutdown to all that a node waits for. */
    private static final List<String> FIGURES = List.of(
            "appends/s", "read in order, us", "read at random, us", "restart, ms", "disk, of the entries' bytes");

    private interface Maker {
        LogStorage make(Path directory);
    }

    private static final JRaftServices PLOG = new JRaftServices();

    private EngineStorages() {}

    static void run(Path parent) throws IOException {
        System.out.printf("%-12s %-28s %10s %10s %8s%n", "entries", "", "plog", "RocksDB", "ratio");
        measure(parent, SHAPES.get(1), EngineStorages::plog); // the compiler's share
        measure(parent, SHAPES.get(1), EngineStorages::rocksDb);
        for (Shape shape : SHAPES) {
            double[][] plog = new double[ROUNDS][];
            double[][] rocks = new double[ROUNDS][];
            for (int round = 0; round < ROUNDS; round++) {
                plog[round] = measure(parent, shape, EngineStorages::plog);
                rocks[round] = measure(parent, shape, EngineStorages::rocksDb);
            }
            for (int i = 0; i < FIGURES.size(); i++) {
                double mine = median(plog, i);
                double theirs = median(rocks, i);
                System.out.printf(
                        Locale.ROOT,
                        "%-12s %-28s %10.2f %10.2f %8.2f%n",
                        shape,
                        FIGURES.get(i),
                        mine,
                        theirs,
                        mine / theirs);
            }
        }
    }

    private static LogStorage plog(Path directory) {
        return PLOG.createLogStorage(directory.toString(), new RaftOptions());
    }

    private static LogStorage rocksDb(Path directory) {
        return new RocksDBLogStorage(directory.toString(), new RaftOptions());
    }

    private static double median(double[][] rounds, int figure) {
        return Arrays.stream(rounds)
                .mapToDouble(round -> round[figure])
                .sorted()
                .toArray()[ROUNDS / 2];
    }

    private static double[] measure(Path parent, Shape shape, Maker maker) throws IOException {
        Path directory = Files.createTempDirectory(parent, "engine-storages");
        try {
            LogStorage storage = open(maker, directory.resolve("log"));
            double appends = append(storage, shape);
            long entries = storage.getLastLogIndex();
            double inOrder =
                    read(storage, entries, entries, false); // all, since an append leaves nothing in the page cache
            double atRandom = read(storage, entries, READS, true);
            storage.shutdown();
            long begin = System.nanoTime();
            storage = open(maker, directory.resolve("log"));
            double restart = (System.nanoTime() - begin) / 1e6;
            double disk = (double) bytesIn(directory) / (entries * shape.bytes);
            storage.shutdown();
            return new double[] {appends, inOrder, atRandom, restart, disk};
        } finally {
            Directories.delete(directory);
        }
    }

    private static LogStorage open(Maker maker, Path directory) {
        LogStorage storage = maker.make(directory);
        LogStorageOptions options = new LogStorageOptions();
        options.setGroupId("benchmark");
        options.setConfigurationManager(new ConfigurationManager());
        options.setLogEntryCodecFactory(LogEntryV2CodecFactory.getInstance());
        if (!storage.init(options)) {
            throw new IllegalStateException("the storage did not open");
        }
        return storage;
    }

    private static double append(LogStorage storage, Shape shape) {
        SplittableRandom random = new SplittableRandom(1);
        long index = 1;
        long nanos = 0;
        for (int i = 0; i < shape.appends; i++) {
            List<LogEntry> entries = new ArrayList<>();
            for (int j = 0; j < shape.entries; j++) {
                byte[] data = new byte[shape.bytes];
                random.nextBytes(data);
                LogEntry entry = new LogEntry(EntryType.ENTRY_TYPE_DATA);
                entry.setId(new LogId(index++, 1));
                entry.setData(ByteBuffer.wrap(data));
                entries.add(entry);
            }
            long begin = System.nanoTime();
            if (storage.appendEntries(entries) != entries.size()) {
                throw new IllegalStateException("an append was refused");
            }
            nanos += System.nanoTime() - begin;
        }
        return shape.appends * 1e9 / nanos;
    }

    private static double read(LogStorage storage, long entries, long reads, boolean atRandom) {
        SplittableRandom random = new SplittableRandom(2);
        long begin = System.nanoTime();
        for (long i = 1; i <= reads; i++) {
            long index = atRandom ? random.nextLong(1, entries + 1) : i;
            if (storage.getEntry(index).getId().getIndex() != index) {
                throw new IllegalStateException("another entry at " + index);
            }
        }
        return (System.nanoTime() - begin) / 1e3 / reads;
    }

    private static long bytesIn(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
