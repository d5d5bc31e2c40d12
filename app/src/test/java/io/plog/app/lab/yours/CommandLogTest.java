package io.plog.app.lab.yours;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.simdisk.SimulatedDisk;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A log in another language, through its lines. */
@Timeout(60)
final class CommandLogTest {
    private static final Path LOG = Path.of("../labs/10-your-own-log/skeleton/my_log.py");

    @Test
    void theSkeletonInPythonKeepsTheFirstPromiseAndNotTheSecond() throws Exception {
        CommandLog log = new CommandLog("python3 " + LOG, new SimulatedDisk(512));
        assertThat(new LogCampaign(log, 1).judge(Promise.of("log").get(0), 20).why())
                .isEmpty();
        String broken = "";
        for (int seed = 0; seed < 50 && broken.isEmpty(); seed++) {
            broken = new LogCampaign(log, seed).history(Set.of("pull", "names"));
        }
        assertThat(broken).contains(": ");
    }
}
