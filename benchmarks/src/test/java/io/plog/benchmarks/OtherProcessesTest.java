package io.plog.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class OtherProcessesTest {
    @Test
    void theIdsAreThoseThatTheBookiesCommandPrints() {
        assertThat(OtherProcesses.ofOutput(
                        "zookeeper runs in process 12\nbookie-1 runs in process 13\nlogs are at x\n"))
                .containsExactly(Map.entry("zookeeper", 12L), Map.entry("bookie-1", 13L));
    }

    @Test
    void aProcessThatHasEndedHasUsedNothing() {
        assertThat(OtherProcesses.cpuNanos(Long.MAX_VALUE)).isZero();
    }
}
