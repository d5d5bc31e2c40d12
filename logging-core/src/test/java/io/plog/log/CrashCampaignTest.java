package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.ModelledLog.Opening;
import io.plog.log.storage.Force;
import io.plog.log.testing.SeededCampaign;
import io.plog.simdisk.SimulatedDisk;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random histories with every fault that the simulated disk knows; each repeats from its own seed, which a failure names. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class CrashCampaignTest {
    @Test
    void randomHistoriesKeepThePromise() throws Exception {
        campaign(400, 2);
    }

    /** Length, seed and threads: {@code -Dplog.test.jvmArgs="-Dplog.crash.runs=100000 -Dplog.crash.seed=1"}. */
    @Test
    @Tag("slow")
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void manyRandomHistoriesKeepThePromise() throws Exception {
        campaign(Integer.getInteger("plog.crash.runs", 100_000), Integer.getInteger("plog.crash.threads", 2));
    }

    @Test
    void afterAFailedForceWhatARestartShowsSurvivesThePowerCutThatFollows() throws Exception {
        for (int force = 1; force <= 30; force++) {
            ModelledLog log = new ModelledLog(new SimulatedDisk(force % 2 == 0 ? 512 : 4096, force), force);
            log.open(Opening.of(Force.FDATASYNC));
            log.append(10, 100);
            log.disk().faults().failForce(1 + force % 10);
            boolean failed = false;
            for (int i = 0; i < 6 && !failed; i++) {
                try {
                    log.append(600, 3000 + 200 * force);
                } catch (LogFailedException expected) {
                    failed = true;
                }
            }
            // The process starts again; the machine went on, so the page cache shows what the disk does not have.
            log.kill();
            log.open(Opening.of(Force.FSYNC));
            log.endProcess();
            log.checkPowerLosses(4, Force.DSYNC);
        }
    }

    /** One history alone, to look at: {@code -Dplog.crash.history=SEED} also prints it. Without a seed, any. */
    @Test
    void aHistoryRepeatsExactlyFromItsSeed() throws Exception {
        long seed = Long.getLong("plog.crash.history", new SplittableRandom().nextLong());
        System.out.println("history " + seed);
        assertThat(traceOf(seed))
                .as("history %d", seed)
                .isEqualTo(traceOf(seed))
                .isNotEmpty();
    }

    private static List<String> traceOf(long seed) throws Exception {
        History history = new History(seed, new CampaignCounts(), true);
        history.disk().keepTrace();
        try {
            history.run();
        } finally {
            if (Long.getLong("plog.crash.history") != null) {
                System.out.println(String.join("\n", history.disk().trace()));
            }
        }
        return history.disk().trace();
    }

    private static void campaign(int runs, int threads) throws Exception {
        CampaignCounts counts = new CampaignCounts();
        long begin = System.nanoTime();
        try {
            SeededCampaign.run(runs, threads, "random histories", "plog.crash.seed", seed -> {
                new History(seed, counts, true).run();
                if (counts.histories.sum() % 50_000 == 0) {
                    System.out.println(counts);
                }
            });
        } finally {
            System.out.println(counts + "; " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) + " s");
        }
        assertThat(counts.histories.sum()).isEqualTo(runs);
        if (runs >= 200) {
            assertThat(counts.growing.sum()).as("logs that grow").isPositive();
            assertThat(counts.sharing.sum()).as("logs that share threads").isPositive();
            assertThat(counts.usedAgain.sum()).as("segments used again").isPositive();
            assertThat(counts.cuts.sum()).as("cuts").isPositive();
            assertThat(counts.cells.sum()).as("cells").isPositive();
            assertThat(counts.resets.sum()).as("logs that were emptied").isPositive();
            assertThat(counts.lists.sum()).as("lists of records").isPositive();
            assertThat(counts.changedStates.sum()).as("states that changed").isPositive();
            assertThat(counts.cutFiles.sum()).as("files that were cut").isPositive();
            assertThat(counts.unread.sum())
                    .as("openings that left covered records for later")
                    .isPositive();
        }
    }
}
