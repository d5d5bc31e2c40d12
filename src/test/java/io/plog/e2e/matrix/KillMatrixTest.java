package io.plog.e2e.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A few kills in every build; {@code tools/kill-matrix} runs hundreds, on several file systems. */
final class KillMatrixTest {
    /** Chooses the same moments again: {@code -Dplog.kill.seed=SEED}. */
    private static final long SEED = Long.getLong("plog.kill.seed", System.nanoTime());

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @Test
    @Timeout(180)
    void whatWasAcknowledgedSurvivesKillsOnceAndInOrder() throws Exception {
        run(directory.resolve("logs"), SEED, 5, 3_000);
    }

    @Test
    @Tag("slow")
    @Timeout(7_200)
    void whatWasAcknowledgedSurvivesHundredsOfKillsOnEachFileSystem() throws Exception {
        int kills = Integer.getInteger("plog.kill.kills", 170);
        int load = Integer.getInteger("plog.kill.load", 6_000);
        String directories = System.getProperty("plog.kill.directories", directory.toString());
        SplittableRandom seeds = new SplittableRandom(SEED);
        for (String each : List.of(directories.split(",", -1))) {
            KillMatrix.Result result = run(Path.of(each).resolve("logs"), seeds.nextLong(), kills, load);
            assertThat(result.kills().values().stream().mapToInt(i -> i).sum()).isEqualTo(kills);
        }
    }

    private static KillMatrix.Result run(Path logs, long seed, int kills, int load) throws Exception {
        Files.createDirectory(logs);
        KillMatrix matrix = new KillMatrix(logs, seed, kills, load);
        KillMatrix.Result result;
        try {
            result = matrix.run();
        } catch (Exception | AssertionError e) {
            throw new AssertionError("with -Dplog.kill.seed=" + SEED + ", logs kept in " + logs, e);
        }
        System.out.println(logs + ": " + result + ", -Dplog.kill.seed=" + SEED);
        assertThat(result.acknowledged()).isPositive();
        matrix.delete();
        return result;
    }
}
