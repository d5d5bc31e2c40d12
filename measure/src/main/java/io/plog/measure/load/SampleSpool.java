package io.plog.measure.load;

import io.plog.measure.plan.Load;
import io.plog.measure.plan.Mix;
import io.plog.measure.samples.BinnedSamples;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.measure.samples.Samples;
import java.io.Closeable;
import java.io.IOException;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Takes samples from the thread that drives the load and writes them to a file on a thread of its own, chunk by chunk, in the
 * order of the replies, or in bins. As long as the writing keeps up, the driving thread neither waits for it nor allocates anything.
 */
final class SampleSpool implements Closeable {
    /** With 20 columns of 8 bytes: 1.3 MB. */
    private static final int CHUNK = 8 * 1024;

    /** Chunks that are kept to be used again. */
    private static final int KEPT = 16;

    /** Chunks that may wait for the disk, which may stall for a while; then the load does. */
    private static final int MOST_WAITING = 48;

    /** Bins are of so many samples, or of what there is after two seconds. */
    private static final int BINNED = 8 * CHUNK;

    private static final long BINNED_NANOS = 2_000_000_000;

    private static final long MOMENT_NANOS = 1_000_000;
    private static final long MOST_HELD_NANOS = 2_000_000_000;

    private final int targetId;
    private final Mix mix;
    private final boolean keepSamples;
    private final ArrayBlockingQueue<Samples> free = new ArrayBlockingQueue<>(KEPT);
    private final ArrayBlockingQueue<Samples> full = new ArrayBlockingQueue<>(MOST_WAITING);
    private final Map<CellKey, Samples> cells = new TreeMap<>();
    private long collected;
    private long writtenNanos = System.nanoTime();
    private @Nullable Thread writing;
    private Samples current = new Samples(CHUNK);
    private long passedNanos = System.nanoTime();
    private volatile boolean closing;
    private volatile @Nullable IOException failure;

    /**
     * Keeps what comes until it is {@link #writeTo written}.
     *
     * @param targetId of the target; its read-only cells are those of {@link LoadTargets#readOnly}
     */
    SampleSpool(int targetId, Load plan) {
        this.targetId = targetId;
        mix = plan.mix();
        keepSamples = plan.keepSamples();
        free.add(new Samples(CHUNK));
        free.add(new Samples(CHUNK));
    }

    void writeTo(SampleFileWriter writer) {
        writing = new Thread(() -> write(writer), "plog-load-samples");
        writing.setDaemon(true);
        writing.start();
    }

    /** Where the next sample is to be recorded: {@link Samples#begin} on this. For the driving thread. */
    Samples next() {
        if (current.count() == CHUNK) {
            passCurrent();
        }
        return current;
    }

    /** Has what is recorded written if that is a while ago. For the driving thread. */
    void passOn(long now) {
        if (current.count() > 0 && now - passedNanos > MOST_HELD_NANOS) {
            passCurrent();
        }
    }

    private void passCurrent() {
        passedNanos = System.nanoTime();
        pass(current);
        Samples next = free.poll();
        current = next == null ? new Samples(CHUNK) : next;
    }

    private void pass(Samples chunk) {
        Thread writer = writing;
        while (!full.offer(chunk) && (writer == null || writer.isAlive())) {
            LockSupport.parkNanos(MOMENT_NANOS);
        }
    }

    /** What went wrong while writing; null if nothing did. */
    @Nullable
    IOException failure() {
        return failure;
    }

    private void write(SampleFileWriter writer) {
        try {
            while (true) {
                Samples chunk = full.poll(100, TimeUnit.MILLISECONDS);
                if (chunk == null) {
                    if (closing && full.isEmpty()) {
                        writeOut(writer);
                        return;
                    }
                    continue;
                }
                append(writer, chunk);
                chunk.clear();
                free.offer(chunk);
            }
        } catch (IOException e) {
            failure = e;
        } catch (InterruptedException | RuntimeException e) {
            failure = new IOException("the thread that writes samples ended: " + e, e);
        }
    }

    private void append(SampleFileWriter writer, Samples chunk) throws IOException {
        for (int i = 0; i < chunk.count(); i++) {
            boolean readOnly = chunk.get(Column.KIND, i) != 0;
            CellKey key = new CellKey(readOnly ? LoadTargets.readOnly(targetId) : targetId, mix.cellBytes((int)
                    chunk.get(Column.PAYLOAD_BYTES, i)));
            cells.computeIfAbsent(key, cell -> new Samples(256)).append(chunk, i);
        }
        collected += chunk.count();
        if (keepSamples || collected >= BINNED || System.nanoTime() - writtenNanos >= BINNED_NANOS) {
            writeOut(writer);
        }
    }

    private void writeOut(SampleFileWriter writer) throws IOException {
        for (Map.Entry<CellKey, Samples> cell : cells.entrySet()) {
            writer.append(cell.getKey(), keepSamples ? cell.getValue() : BinnedSamples.of(cell.getValue()));
        }
        cells.clear();
        collected = 0;
        writtenNanos = System.nanoTime();
    }

    /**
     * Writes out what is left, as far as that succeeds; {@link #writeTo} must have been called. For the driving thread, which
     * records nothing afterwards.
     */
    @Override
    public void close() throws IOException {
        pass(current);
        closing = true;
        try {
            Objects.requireNonNull(writing).join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the samples were written", e);
        }
    }
}
