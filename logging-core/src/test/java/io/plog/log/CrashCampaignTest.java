package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
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
        long firstSeed = Long.getLong("plog.crash.seed", new SplittableRandom().nextLong());
        System.out.println(runs + " random histories from seed " + firstSeed);
        CampaignCounts counts = new CampaignCounts();
        AtomicLong next = new AtomicLong();
        AtomicReference<Throwable> violation = new AtomicReference<>();
        Runnable worker = () -> {
            for (long run = next.getAndIncrement();
                    run < runs && violation.get() == null;
                    run = next.getAndIncrement()) {
                long seed = new SplittableRandom(firstSeed + run).nextLong();
                try {
                    new History(seed, counts, true).run();
                } catch (Throwable t) {
                    violation.compareAndSet(null, new AssertionError("history " + seed + ": " + t, t));
                }
                if (counts.histories.sum() % 50_000 == 0) {
                    System.out.println(counts);
                }
            }
        };
        long begin = System.nanoTime();
        List<Thread> workers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Thread thread = new Thread(worker, "campaign-" + i);
            thread.start();
            workers.add(thread);
        }
        for (Thread thread : workers) {
            thread.join();
        }
        System.out.println(counts + "; " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - begin) + " s");
        if (violation.get() != null) {
            throw new AssertionError(violation.get());
        }
        assertThat(counts.histories.sum()).isEqualTo(runs);
    }
}
