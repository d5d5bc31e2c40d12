package io.plog.log.bookkeeper;

import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Simulated bookies that a thread of their own drives, for logs with callers on threads of theirs. */
final class DrivenBookies implements AutoCloseable {
    final SimulatedCluster cluster;
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Thread engine = new Thread(this::drive, "simulated-bookies");
    private final Thread changes = new Thread(this::change, "ledger-changes");
    private SharedStore current; // guarded by the cluster

    DrivenBookies(long seed) {
        cluster = new SimulatedCluster(4, new SplittableRandom(seed));
        current = new SharedStore(cluster, new ReadGate(), new SimulatedElection());
        engine.start();
        changes.start();
    }

    /** Opens the log, as another process would. */
    DurableLog open(LogOptions options) throws IOException {
        SharedStore store = new SharedStore(cluster, new ReadGate(), new SimulatedElection());
        synchronized (cluster) {
            current = store;
        }
        return ReplicatedLog.open("r", store.ledgers(), null, options, tasks::add, LogClock.SYSTEM);
    }

    /** The process that opened the log last is killed. */
    void kill() {
        synchronized (cluster) {
            current.kill();
        }
    }

    private void drive() {
        while (!Thread.currentThread().isInterrupted()) {
            Runnable answers;
            synchronized (cluster) {
                cluster.step();
                answers = current.takeAnswers();
            }
            answers.run();
            Thread.onSpinWait();
        }
    }

    private void change() {
        try {
            while (true) {
                tasks.take().run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        engine.interrupt();
        changes.interrupt();
        try {
            engine.join();
            changes.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
