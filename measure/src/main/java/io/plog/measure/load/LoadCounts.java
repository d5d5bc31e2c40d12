package io.plog.measure.load;

import java.util.concurrent.atomic.AtomicLong;

/** What a load's driving thread counts besides the samples. Only the atomic ones are for other threads, while it runs. */
final class LoadCounts {
    final AtomicLong answered = new AtomicLong();
    final AtomicLong outstanding = new AtomicLong();
    long mostOutstanding;
    long connects;
    long failedConnects;
    long lostConnections;
    String lastLoss = "";

    void outstanding(int now) {
        outstanding.setRelease(now);
        mostOutstanding = Math.max(mostOutstanding, now);
    }
}
