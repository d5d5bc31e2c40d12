package io.plog.log.bookkeeper;

import io.plog.log.testing.CallerHistory;
import io.plog.log.testing.SeededCampaign;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever embedders do, the log on bookies keeps its promise to all others, as the log in directories does. */
class ReplicatedCallerCampaignTest {
    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void whateverCallersDoHarmsNoOther() throws Exception {
        run(Integer.getInteger("plog.callers.runs", 50));
    }

    @Test
    @Tag("slow")
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void whateverCallersDoHarmsNoOtherAtLength() throws Exception {
        run(5_000);
    }

    private static void run(int runs) throws Exception {
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, thrown) -> {
            if (!(thrown instanceof CallerHistory.ExpectedException)) {
                System.out.println(thread.getName() + ": " + thrown);
            }
        });
        try {
            SeededCampaign.run(
                    runs,
                    "histories of callers of a replicated log",
                    "plog.callers.seed",
                    ReplicatedCallerCampaignTest::history);
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
    }

    private static void history(long seed) throws Exception {
        try (DrivenBookies bookies = new DrivenBookies(seed)) {
            new CallerHistory(seed, bookies::open).run();
        }
    }
}
