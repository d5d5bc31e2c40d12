package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.testing.SeededCampaign;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random histories of striped logs on several simulated disks; each repeats from its own seed, which a failure names. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class StripeCampaignTest {
    @Test
    void randomHistoriesOfStripedLogsKeepThePromise() throws Exception {
        campaign(300);
    }

    /** Length and seed: {@code -Dplog.test.jvmArgs="-Dplog.stripe.runs=100000 -Dplog.stripe.seed=1"}. */
    @Test
    @Tag("slow")
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void manyRandomHistoriesOfStripedLogsKeepThePromise() throws Exception {
        campaign(Integer.getInteger("plog.stripe.runs", 100_000));
    }

    /** One history alone, to look at: {@code -Dplog.stripe.history=SEED} also prints it. Without a seed, any. */
    @Test
    void aHistoryRepeatsExactlyFromItsSeed() throws Exception {
        long seed = Long.getLong("plog.stripe.history", new SplittableRandom().nextLong());
        System.out.println("history " + seed);
        assertThat(traceOf(seed))
                .as("history %d", seed)
                .isEqualTo(traceOf(seed))
                .isNotEmpty();
    }

    private static List<String> traceOf(long seed) throws Exception {
        StripeHistory history = new StripeHistory(seed, new CampaignCounts(), true);
        try {
            history.run();
        } finally {
            if (Long.getLong("plog.stripe.history") != null) {
                System.out.println(String.join("\n", history.disks().trace()));
            }
        }
        return history.disks().trace();
    }

    private static void campaign(int runs) {
        CampaignCounts counts = new CampaignCounts();
        long begin = System.nanoTime();
        try {
            SeededCampaign.run(
                    runs,
                    "random histories of striped logs",
                    "plog.stripe.seed",
                    seed -> new StripeHistory(seed, counts, false).run());
        } finally {
            System.out.println(counts + "; " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) + " s");
        }
        assertThat(counts.histories.sum()).isEqualTo(runs);
        if (runs >= 200) {
            assertThat(counts.usedAgain.sum()).as("segments used again").isPositive();
        }
    }
}
