package io.plog.e2e.matrix;

import io.plog.e2e.support.DiskDirectory;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Faults by the hundred against servers that share logs on bookies: {@code -Dplog.matrix.faults=300} sets how many,
 * {@code -Dplog.matrix.seed=SEED} chooses the same again, {@code -Dplog.matrix.within=10s} is {@code --takeover-within}.
 */
@Tag("slow")
class TakeoverMatrixTest {
    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @Test
    @Timeout(7_200)
    void noRequestIsLostRepeatedOrReorderedWhateverFails() throws Exception {
        long seed = Long.getLong("plog.matrix.seed", new SplittableRandom().nextLong());
        System.out.println("faults from -Dplog.matrix.seed=" + seed);
        try (TakeoverMatrix matrix =
                new TakeoverMatrix(directory, seed, System.getProperty("plog.matrix.within", "5s"))) {
            matrix.run(Integer.getInteger("plog.matrix.faults", 12));
        }
    }
}
