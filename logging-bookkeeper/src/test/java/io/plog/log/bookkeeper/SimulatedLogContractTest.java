package io.plog.log.bookkeeper;

import io.plog.log.DurableLog;
import io.plog.log.LogOptions;
import io.plog.log.testing.DurableLogContract;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;

/** The replicated log keeps the contract over simulated bookies. */
class SimulatedLogContractTest extends DurableLogContract {
    private final DrivenBookies bookies = new DrivenBookies(5);

    @AfterEach
    void end() {
        bookies.close();
    }

    @Override
    protected DurableLog open(LogOptions options) throws IOException {
        return bookies.open(options);
    }

    @Override
    protected void crash(DurableLog log) {
        SimulatedCluster cluster = bookies.cluster;
        synchronized (cluster) {
            bookies.kill();
            for (int i = 0; i < cluster.bookies.size(); i++) {
                cluster.crash(i);
            }
            cluster.bookies.forEach(SimulatedBookie::restart);
        }
    }

    @Override
    protected void fail(DurableLog log) {
        synchronized (bookies.cluster) {
            bookies.cluster.crash(0);
            bookies.cluster.crash(1);
            bookies.cluster.crash(2);
        }
    }
}
