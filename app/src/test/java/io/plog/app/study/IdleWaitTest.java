package io.plog.app.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.host.events.MachineLoad;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class IdleWaitTest {
    private static IdleWait after(MachineLoad... seconds) {
        Deque<MachineLoad> all = new ArrayDeque<>(List.of(seconds));
        return new IdleWait(() -> Optional.of(all.removeFirst()), 4);
    }

    @Test
    void itWaitsWhileTheHypervisorTakesTheProcessorsOrOthersUseThem() throws Exception {
        MachineLoad robbed = new MachineLoad(0.1, 0.3);
        MachineLoad busy = new MachineLoad(0.8, 0);
        MachineLoad quiet = new MachineLoad(0.1, 0.01);
        assertThat(after(robbed, busy, quiet).await(() -> false)).isEqualTo(3);
        assertThat(after(quiet).await(() -> false)).isEqualTo(1);
    }

    @Test
    void itGivesUpAfterItsTimeOrWhenAsked() throws Exception {
        MachineLoad robbed = new MachineLoad(0.1, 0.3);
        IdleWait wait = after(robbed, robbed, new MachineLoad(0.1, 0), robbed);
        assertThat(wait.await(() -> false)).isEqualTo(3);
        assertThat(wait.await(() -> false)).isEqualTo(1);
        assertThat(wait.await(() -> false)).isZero();
        assertThat(after().await(() -> true)).isZero();
    }

    @Test
    void itDoesNotWaitWhereTheSystemDoesNotReportIt() throws Exception {
        assertThat(new IdleWait(Optional::empty, 4).await(() -> false)).isEqualTo(1);
    }
}
