package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.Evidence.Verdict;
import io.plog.log.file.HeadFile;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.testing.SeededCampaign;
import io.plog.simdisk.SimulatedDisk;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Random damage to random logs at rest, judged by the rule of {@link Evidence}. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class DamageCampaignTest {
    private static final int DAMAGES_PER_LOG = 12;

    @Test
    void randomDamageToRandomLogsIsAnsweredByEverythingOrByExactWords() {
        campaign(100);
    }

    /** Length and seed: {@code -Dplog.test.jvmArgs="-Dplog.damage.runs=100000 -Dplog.damage.seed=1"}. */
    @Test
    @Tag("slow")
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void muchRandomDamageIsAnsweredByEverythingOrByExactWords() {
        campaign(Integer.getInteger("plog.damage.runs", 20_000));
    }

    private static void campaign(int runs) {
        Map<Verdict, Long> verdicts = new EnumMap<>(Verdict.class);
        LongAdder openedShort = new LongAdder();
        SeededCampaign.run(runs, "damaged logs", "plog.damage.seed", seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            SimulatedDisk disk =
                    new History(random.nextLong(), new CampaignCounts(), false).runAndRest(1 + random.nextInt(4));
            if (!disk.files().contains(HeadFile.NAME)
                    || LogAnalysis.of(List.of(disk)).stripes().get(0).isRewound()) {
                return; // no log yet; or one in the middle of a cut, of which nobody was told that it was done
            }
            if (LogAnalysis.of(List.of(disk)).stripes().get(0).isRewound()) {
                return; // nobody was told of the cut yet: with its segment it may come undone
            }
            Evidence evidence = new Evidence(disk);
            if (evidence.opensShort()) {
                openedShort.increment();
            }
            Damages log = new Damages(evidence, 1);
            for (int i = 0; i < DAMAGES_PER_LOG; i++) {
                log.anyOne(random);
            }
            synchronized (verdicts) {
                log.verdicts().forEach((verdict, count) -> verdicts.merge(verdict, count, Long::sum));
            }
        });
        System.out.println("damage of every kind: " + verdicts + "; " + openedShort
                + " of the logs could be opened with covered records left for later");
        assertThat(verdicts).containsKeys(Verdict.EVERYTHING, Verdict.STOPPED);
    }
}
