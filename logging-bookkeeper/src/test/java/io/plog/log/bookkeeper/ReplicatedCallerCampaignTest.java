package io.plog.log.bookkeeper;

import io.plog.log.testing.CallerHistory;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever embedders do, the log on bookies keeps its promise to all others, as the log in directories does. */
class ReplicatedCallerCampaignTest {
    private static final String SEED = "plog.callers.seed";

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void whateverCallersDoHarmsNobodyElse() throws Exception {
        run(Integer.getInteger("plog.callers.runs", 50));
    }

    @Test
    @Tag("slow")
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void whateverCallersDoHarmsNobodyElseAtLength() throws Exception {
        run(5_000);
    }

    private static void run(int runs) throws Exception {
        long first = Long.getLong(SEED, new SplittableRandom().nextLong());
        System.out.println(runs + " histories of callers of a replicated log from seed " + first);
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            if (!(thrown instanceof CallerHistory.ExpectedException)) {
                System.out.println(thread.getName() + ": " + thrown);
            }
        });
        try {
            for (long seed = first; seed < first + runs; seed++) {
                history(seed);
            }
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    private static void history(long seed) throws Exception {
        try (DrivenBookies bookies = new DrivenBookies(seed)) {
            new CallerHistory(seed, bookies::open).run();
        } catch (Exception | AssertionError e) {
            throw new AssertionError("history " + seed + ", which is the first with -D" + SEED + "=" + seed, e);
        }
    }
}
