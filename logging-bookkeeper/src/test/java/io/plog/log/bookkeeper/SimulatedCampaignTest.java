package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Random histories of a log over simulated bookies. {@code -Dplog.replicated.histories=N} sets how many,
 * {@code -Dplog.replicated.seed=S} the first seed.
 */
class SimulatedCampaignTest {
    private static final int HISTORIES = 1_000;

    @Test
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void randomHistoriesKeepThePromise() {
        int histories = Integer.getInteger("plog.replicated.histories", HISTORIES);
        long first = Long.getLong("plog.replicated.seed", new SplittableRandom().nextLong());
        System.out.println(histories + " histories of a replicated log from seed " + first);
        SimulatedCounts counts = new SimulatedCounts();
        for (int i = 0; i < histories; i++) {
            run(first + i, counts);
        }
        System.out.println(counts);
        if (histories >= HISTORIES) {
            assertThat(counts.takeovers.sum()).isPositive();
            assertThat(counts.races.sum()).isPositive();
            assertThat(counts.kills.sum()).isPositive();
            assertThat(counts.powerCuts.sum()).isPositive();
            assertThat(counts.changes.sum()).isPositive();
            assertThat(counts.truncations.sum()).isPositive();
            assertThat(counts.followedTakeovers.sum()).isPositive();
            assertThat(counts.followedInVain.sum()).isPositive();
            assertThat(counts.checkpoints.sum()).isPositive();
            assertThat(counts.afterTakeover.sum()).isPositive();
            assertThat(counts.reopenings.sum()).isPositive();
            assertThat(counts.toldReplaced.sum()).isPositive();
            assertThat(counts.acknowledged.sum()).isGreaterThan(histories);
        }
    }

    /** Always the same ones, for deliberate defects: each must be noticed by one of them. */
    @Test
    void aFewHistoriesKeepThePromise() {
        for (int seed = 1; seed <= 100; seed++) {
            run(seed, new SimulatedCounts());
        }
    }

    /** What a callback throws goes to the thread's handler: here it ends the history. */
    private static void run(long seed, SimulatedCounts counts) {
        Thread thread = Thread.currentThread();
        Throwable[] broken = new Throwable[1];
        Thread.UncaughtExceptionHandler before = thread.getUncaughtExceptionHandler();
        thread.setUncaughtExceptionHandler((where, thrown) -> broken[0] = broken[0] == null ? thrown : broken[0]);
        try {
            new SimulatedHistory(new SplittableRandom(seed).nextLong(), counts).run();
        } catch (Throwable t) {
            broken[0] = t;
        } finally {
            thread.setUncaughtExceptionHandler(before);
        }
        if (broken[0] != null) {
            throw new AssertionError(
                    "the history that is the first with -Dplog.replicated.seed=" + seed + ": " + broken[0], broken[0]);
        }
    }
}
