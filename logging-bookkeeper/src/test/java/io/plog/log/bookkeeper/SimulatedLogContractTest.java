package io.plog.log.bookkeeper;

import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.testing.DurableLogContract;
import java.io.IOException;
import java.util.SplittableRandom;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;

/** The replicated log keeps the contract over simulated bookies, which a thread of their own drives here. */
class SimulatedLogContractTest extends DurableLogContract {
    private final SimulatedCluster cluster = new SimulatedCluster(4, new SplittableRandom(5));
    private final BlockingQueue<Runnable> tasks = new LinkedBlockingQueue<>();
    private final Thread engine = new Thread(this::drive, "simulated-bookies");
    private final Thread changes = new Thread(this::change, "ledger-changes");
    private SharedStore current = new SharedStore(cluster, new ReadGate());

    @AfterEach
    void end() throws InterruptedException {
        engine.interrupt();
        changes.interrupt();
        engine.join();
        changes.join();
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
    protected DurableLog open(LogOptions options) throws IOException {
        if (!engine.isAlive()) {
            engine.start();
            changes.start();
        }
        synchronized (cluster) {
            current = new SharedStore(cluster, new ReadGate());
        }
        return ReplicatedLog.open("r", current, null, options, tasks::add, LogClock.SYSTEM);
    }

    @Override
    protected void crash(DurableLog log) {
        synchronized (cluster) {
            current.kill();
            for (int i = 0; i < cluster.bookies.size(); i++) {
                cluster.crash(i);
            }
            cluster.bookies.forEach(SimulatedBookie::restart);
        }
    }

    @Override
    protected void fail(DurableLog log) {
        synchronized (cluster) {
            cluster.crash(0);
            cluster.crash(1);
            cluster.crash(2);
        }
    }
}
