package io.plog.measure;

import io.plog.client.RpcException;
import io.plog.measure.ledger.LedgerException;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Samples;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Runs one cell after the other on all connections, each connection on a thread of its own.
 *
 * <p>For one thread.
 */
final class CellRunner implements AutoCloseable {
    private final long seed;
    private final int trial;
    private final List<ConnectionWorker> workers;
    private final Runnable onFailure;
    private final ExecutorService threads;

    /**
     * Sets up the threads.
     *
     * @param seed of the payloads
     * @param workers one for each connection
     * @param onFailure called when a connection fails, so that the others end their turns
     */
    CellRunner(long seed, int trial, List<ConnectionWorker> workers, Runnable onFailure) {
        this.seed = seed;
        this.trial = trial;
        this.workers = workers;
        this.onFailure = onFailure;
        threads = Executors.newFixedThreadPool(workers.size(), task -> {
            Thread thread = new Thread(task, "plog-measure");
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Sends the requests of one turn.
     *
     * @param requests over all connections, at least 1
     * @param ratePerSecond of all connections together; 0 for as soon as there is a reply
     * @param sink lends the room for the samples, and gets them back, one part for each connection
     * @return the samples, until the sink is written out, and what failed, if anything did
     * @throws IOException if it is not a connection or the ledger that failed
     */
    Ran run(CellKey cell, int block, boolean warmup, long requests, double ratePerSecond, SampleSink sink)
            throws IOException {
        List<Samples> parts = new ArrayList<>();
        for (ConnectionWorker worker : workers) {
            parts.add(sink.take((int) worker.share(requests)));
            worker.prepare(cell, seed);
        }
        ConnectionWorker.Turn turn =
                new ConnectionWorker.Turn(cell, trial, block, warmup, requests, ratePerSecond, System.nanoTime());
        List<Future<?>> turns = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            ConnectionWorker worker = workers.get(i);
            Samples part = parts.get(i);
            turns.add(threads.submit(() -> {
                try {
                    worker.run(turn, part);
                } catch (IOException e) {
                    onFailure.run(); // the others need not go on: the run is over
                    throw e;
                }
                return null;
            }));
        }
        IOException failure = await(turns);
        sink.give(cell, parts);
        return new Ran(parts, failure);
    }

    record Ran(List<Samples> parts, @Nullable IOException failure) {}

    /** Waits for all; returns the first failure of a connection or of the ledger, throws any other. */
    private static @Nullable IOException await(List<Future<?>> turns) throws IOException {
        @Nullable IOException failure = null;
        for (Future<?> turn : turns) {
            try {
                turn.get();
            } catch (ExecutionException e) {
                Throwable cause = e.getCause();
                if (cause instanceof RpcException || cause instanceof LedgerException) {
                    failure = failure == null ? (IOException) cause : failure;
                } else if (cause instanceof IOException io) {
                    throw io;
                } else {
                    throw new IllegalStateException("measuring failed in an unexpected way", cause);
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException("the measuring thread was interrupted; use stop() instead", e);
            }
        }
        return failure;
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
