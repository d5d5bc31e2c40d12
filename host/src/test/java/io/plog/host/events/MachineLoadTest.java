package io.plog.host.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MachineLoadTest {
    @TempDir
    Path proc;

    private MachineLoad.Mark mark(String line) throws IOException {
        Files.writeString(proc.resolve("stat"), line + "\n");
        return MachineLoad.mark(proc);
    }

    @Test
    void busyIsWhatAnybodyUsedAndStealIsWhatTheHypervisorTook() throws IOException {
        // user nice system idle iowait irq softirq steal guest guest_nice
        MachineLoad.Mark before = mark("cpu  100 0 50 800 0 0 0 50 0 0");
        MachineLoad.Mark after = mark("cpu  130 0 60 890 10 0 0 110 0 0");
        assertThat(before.until(after)).contains(new MachineLoad(0.2, 0.3));
    }

    @Test
    void itIsNotKnownWhereTheSystemDoesNotReportItOrNoTimeHasPassed() throws IOException {
        MachineLoad.Mark reported = mark("cpu  100 0 50 800 0 0 0 50 0 0");
        assertThat(reported.until(reported)).isEmpty();
        assertThat(reported.until(mark("nothing of use"))).isEmpty();
    }
}
