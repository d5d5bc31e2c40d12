package io.plog.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.segment.LogAnalysis;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.testing.SeededCampaign;
import io.plog.simdisk.SimulatedDisk;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Whatever is damaged: a remedy that is named can be carried out, none is named twice, and then the log opens. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class RepairCampaignTest {
    private final LongAdder repaired = new LongAdder();
    private final LongAdder withoutRemedy = new LongAdder();

    @Test
    void eachRemedyThatIsNamedWorksAndTheyComeToAnEnd() {
        campaign(150);
    }

    /** Length and seed: {@code -Dplog.test.jvmArgs="-Dplog.damage.runs=100000 -Dplog.damage.seed=1"}. */
    @Test
    @Tag("slow")
    @Timeout(value = 6, unit = TimeUnit.HOURS)
    void eachOfManyRemediesThatAreNamedWorks() {
        campaign(Integer.getInteger("plog.damage.runs", 20_000));
    }

    private void campaign(int runs) {
        SeededCampaign.run(runs, "repaired logs", "plog.damage.seed", seed -> {
            SplittableRandom random = new SplittableRandom(seed);
            int life = 1 + random.nextInt(4);
            List<SimulatedDisk> disks = random.nextBoolean()
                    ? List.of(new History(random.nextLong(), new CampaignCounts(), false).runAndRest(life))
                    : new StripeHistory(random.nextLong(), new CampaignCounts(), false)
                            .runAndRest(life)
                            .disks();
            if (LogAnalysis.of(disks).head() != null) {
                for (int i = 0; i < 8; i++) {
                    repair(disks.stream().map(SimulatedDisk::copy).toList(), random);
                }
            }
        });
        System.out.println(repaired + " repairs, " + withoutRemedy + " logs without a remedy");
        assertThat(repaired.sum()).isPositive();
        assertThat(withoutRemedy.sum()).isPositive();
    }

    private void repair(List<SimulatedDisk> disks, SplittableRandom random) throws IOException {
        List<String> damages = new ArrayList<>();
        for (int count = 1 + random.nextInt(3); count > 0; count--) {
            SimulatedDisk disk = disks.get(random.nextInt(disks.size()));
            if (DiskDamage.files(disk).isEmpty()) {
                break;
            }
            DiskDamage damage = DiskDamage.of(disk, random);
            damage.damaging().apply(disk);
            damages.add(damage.what() + " of disk " + disks.indexOf(disk));
        }
        try {
            repairAll(disks, damages);
        } catch (IOException | RuntimeException | AssertionError e) {
            throw new AssertionError(damages + ": " + e, e);
        }
    }

    private void repairAll(List<SimulatedDisk> disks, List<String> damages) throws IOException {
        List<String> done = new ArrayList<>();
        while (true) {
            Optional<LogTools.RepairPlan> plan;
            try {
                plan = LogTools.planRepair(disks);
            } catch (LogException noRemedy) { // or not the directories of one log, which is no damage
                withoutRemedy.increment();
                return;
            }
            if (plan.isEmpty()) {
                break;
            }
            LogDamagedException damage = plan.get().damage();
            String step = plan.get().remedy() + " " + damage.getMessage();
            assertThat(damage.getMessage()).doesNotContainPattern("[^0-9A-Za-z-]-[0-9]");
            assertThat(done).doesNotContain(step);
            done.add(step);
            LogTools.repair(plan.get(), disks);
            repaired.increment();
        }
        LogOptions options = Logs.options(Path.of("simulated")).withMaxBatchBytes(32 * 1024);
        MessageLog.open(options, List.copyOf(disks)).close();
    }
}
