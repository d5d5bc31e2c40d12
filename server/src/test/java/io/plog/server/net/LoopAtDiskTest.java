package io.plog.server.net;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Nobody is given to a loop that waits for a disk, and no loop begins to wait when somebody is about to be given to it. */
@Timeout(60)
class LoopAtDiskTest {
    private static final int TIMES = 200_000;

    private final LoopAtDisk atDisk = new LoopAtDisk();
    private final Executor loop = Runnable::run;
    private final Executor spare = Runnable::run;
    private final AtomicInteger returns = new AtomicInteger();

    LoopAtDiskTest() {
        atDisk.spare(spare, returns::incrementAndGet);
    }

    @Test
    void aLoopThatWaitsIsAwayUntilItReturns() {
        assertThat(atDisk.isAway(loop)).isFalse();
        assertThat(atDisk.begin(loop)).isTrue();
        assertThat(atDisk.isAway(loop)).isTrue();
        assertThat(atDisk.isAway(spare)).isFalse();
        atDisk.end();
        assertThat(atDisk.isAway(loop)).isFalse();
        assertThat(returns).hasValue(0);
    }

    @Test
    void whoComesMeanwhileIsToldWhenItReturns() {
        assertThat(atDisk.begin(loop)).isTrue();
        atDisk.announce();
        atDisk.end();
        assertThat(returns).hasValue(1);
        assertThat(atDisk.begin(loop)).as("before that one is settled").isFalse();
        assertThat(atDisk.isAway(loop)).isFalse();
        atDisk.settled();
        assertThat(atDisk.begin(loop)).isTrue();
    }

    @Test
    void onlyTheLoopThatAcceptsMayNotWait() {
        assertThat(atDisk.mayWait(loop)).isTrue();
        assertThat(atDisk.mayWait(spare)).isFalse();
    }

    /** If either looked before it said what it does, both would pass now and then. */
    @Test
    void neverBothAtOnce() throws Exception {
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger together = new AtomicInteger();
        FutureTask<@Nullable Void> waits = new FutureTask<>(() -> {
            for (int waited = 0; waited < TIMES; ) {
                if (atDisk.begin(loop)) {
                    waited++;
                    together.addAndGet(inside.incrementAndGet() - 1);
                    inside.decrementAndGet();
                    atDisk.end();
                }
            }
            return null;
        });
        new Thread(waits, "waits").start();
        for (int given = 0; given < TIMES; ) {
            atDisk.announce();
            if (!atDisk.isAway(loop)) {
                given++;
                together.addAndGet(inside.incrementAndGet() - 1);
                inside.decrementAndGet();
            }
            atDisk.settled();
        }
        waits.get();
        assertThat(together).as("how often both were there").hasValue(0);
    }
}
