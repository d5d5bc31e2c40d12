package io.plog.benchmarks;

import io.plog.benchmarks.result.ReplicatedResults.Recovery;
import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.LogReader;
import java.io.IOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;

/** How long it takes to take a log over from a writer that still has it open, and to read all of it, against its length. */
final class ReplicatedRecovery {
    private static final int RECORD_BYTES = 1_000;
    private static final int[] RECORDS = {10_000, 100_000, 1_000_000};
    private static final int OUTSTANDING = 256;

    private final String zooKeeper;
    private final int rounds;

    ReplicatedRecovery(String zooKeeper, int rounds) {
        this.zooKeeper = zooKeeper;
        this.rounds = rounds;
    }

    List<Recovery> run() throws Exception {
        List<Recovery> all = new ArrayList<>();
        measure(RECORDS[0], 1); // warms up
        for (int records : RECORDS) {
            all.addAll(measure(records, rounds));
            System.err.println("recovered " + records + " records " + rounds + " times");
        }
        return all;
    }

    private List<Recovery> measure(int records, int times) throws Exception {
        URI address = URI.create(
                "bookkeeper://" + zooKeeper + "/recovery-" + records + "-" + System.nanoTime() + "?ensemble=3&ack=2");
        List<Recovery> all = new ArrayList<>();
        Deque<DurableLog> open = new ArrayDeque<>(); // fenced ones stay open, as those of servers that are cut off
        try {
            open.push(open(address));
            fill(open.element(), records);
            for (int round = 1; round <= times; round++) {
                long begin = System.nanoTime();
                open.push(open(address));
                long opened = System.nanoTime();
                read(open.element(), records);
                long read = System.nanoTime();
                all.add(new Recovery(records, RECORD_BYTES, round, (opened - begin) / 1e9, (read - opened) / 1e9));
            }
            return all;
        } finally {
            for (DurableLog each : open) {
                close(each);
            }
        }
    }

    private static DurableLog open(URI address) throws Exception {
        return DurableLog.open(address, LogOptions.in(Path.of("unused")));
    }

    /** The last one closes its ledger; those that were fenced may say that they cannot. */
    private static void close(DurableLog log) {
        try {
            log.close();
        } catch (IOException e) {
            System.err.println("closing a log: " + e.getMessage());
        }
    }

    private static void fill(DurableLog log, int records) throws Exception {
        byte[] bytes = new byte[RECORD_BYTES];
        new SplittableRandom(RECORD_BYTES).nextBytes(bytes);
        Deque<CompletableFuture<Long>> waiting = new ArrayDeque<>();
        for (int i = 0; i < records; i++) {
            if (waiting.size() == OUTSTANDING) {
                waiting.remove().get();
            }
            waiting.add(log.append(ByteBuffer.wrap(bytes)));
        }
        for (CompletableFuture<Long> each : waiting) {
            each.get();
        }
    }

    private static void read(DurableLog log, int records) throws Exception {
        try (LogReader reader = log.read(log.firstIndex())) {
            long found = 0;
            while (reader.next()) {
                found += reader.payload().remaining() == RECORD_BYTES ? 1 : 0;
            }
            if (found != records) {
                throw new IllegalStateException("read " + found + " records, expected " + records);
            }
        }
    }
}
