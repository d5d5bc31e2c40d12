package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.testing.SeededCampaign;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random histories of a log over simulated bookies. {@code -Dplog.replicated.histories=N} sets how many,
 * {@code -Dplog.replicated.seed=S} the first seed.
 */
class SimulatedCampaignTest {
    private static final int FEW = 250;
    private static final int MANY = 10_000;

    @Test
    void randomHistoriesKeepThePromise() {
        campaign(FEW);
    }

    @Test
    @Tag("slow")
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void manyRandomHistoriesKeepThePromise() {
        campaign(Integer.getInteger("plog.replicated.histories", MANY));
    }

    private static void campaign(int histories) {
        SimulatedCounts counts = new SimulatedCounts();
        SeededCampaign.run(
                histories, "histories of a replicated log", "plog.replicated.seed", seed -> run(seed, counts));
        System.out.println(counts);
        if (histories >= FEW) {
            assertThat(counts.takeovers.sum()).isPositive();
            assertThat(counts.races.sum()).isPositive();
            assertThat(counts.kills.sum()).isPositive();
            assertThat(counts.powerCuts.sum()).isPositive();
            assertThat(counts.olderData.sum()).isPositive();
            assertThat(counts.changes.sum()).isPositive();
            assertThat(counts.truncations.sum()).isPositive();
            assertThat(counts.followedTakeovers.sum()).isPositive();
            assertThat(counts.followedInVain.sum()).isPositive();
            assertThat(counts.checkpoints.sum()).isPositive();
            assertThat(counts.afterTakeover.sum()).isPositive();
            assertThat(counts.reopenings.sum()).isPositive();
            assertThat(counts.reportedReplaced.sum()).isPositive();
            assertThat(counts.acknowledged.sum()).isGreaterThan(histories);
        }
    }

    /** Always the same ones, for deliberate defects: each must be noticed by one of them. */
    @Test
    void aFewHistoriesKeepThePromise() throws Exception {
        for (int seed = 1; seed <= 40; seed++) {
            run(new SplittableRandom(seed).nextLong(), new SimulatedCounts());
        }
    }

    /** What a callback throws goes to the thread's handler: here it ends the history. */
    private static void run(long seed, SimulatedCounts counts) throws Exception {
        Thread thread = Thread.currentThread();
        Throwable[] broken = new Throwable[1];
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((where, thrown) -> broken[0] = broken[0] == null ? thrown : broken[0]);
        try {
            new SimulatedHistory(seed, counts).run();
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
        if (broken[0] != null) {
            throw new AssertionError("a callback threw in the history with seed " + seed, broken[0]);
        }
    }
}
