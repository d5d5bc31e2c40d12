package io.plog.measure.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.host.events.Counters;
import io.plog.host.events.KindTotal;
import io.plog.host.events.Recorded;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SideUsageTest {
    private static Recorded counters(long at, long cpu, long ticks, long busy, long steal, long own, long disk) {
        Counters counters = new Counters(
                at,
                4,
                cpu,
                ticks,
                busy,
                steal,
                own,
                1_000,
                2_000,
                25,
                at < 1_000 ? 300 : 500_000_300,
                List.of(at < 1_000 ? 0L : 7L, 0L, 0L),
                List.of(new Counters.Disk("vda", 2 * disk, disk)));
        KindTotal prepared = new KindTotal("segment preparation", 1, at < 1_000 ? 7 : 200_000_007);
        return new Recorded(Map.of(), counters, List.of(new KindTotal("gc", 1, at), prepared), List.of());
    }

    @Test
    void sharesAreDifferencesOfTheTwoLooks() {
        SideUsage usage = SideUsage.between(
                counters(500, 100, 10_000, 4_000, 10, 1 << 20, 5 << 20),
                counters(2_000_000_500, 3_000_000_100L, 10_800, 4_600, 50, 3 << 20, 11 << 20),
                1_000_000_000);
        assertThat(usage)
                .isEqualTo(new SideUsage(
                        2.0,
                        4,
                        2.0,
                        0.75,
                        0.05,
                        1_000,
                        2_000,
                        1_024,
                        1_024,
                        25,
                        0.25,
                        0.1,
                        1.0,
                        List.of(new SideUsage.Disk("vda", 12 << 20, 6 << 20, 4 << 20))));
    }

    @Test
    void whatTheSystemDoesNotReportIsUnknown() {
        SideUsage usage =
                SideUsage.between(counters(500, -1, -1, -1, -1, -1, 1), counters(700, -1, -1, -1, -1, -1, 9), 7);
        assertThat(usage.processCpu()).isEqualTo(-1);
        assertThat(usage.machineCpuShare()).isEqualTo(-1);
        assertThat(usage.stealShare()).isEqualTo(-1);
        assertThat(usage.hiccupP99Nanos()).isEqualTo(-1);
        assertThat(usage.disks()).containsExactly(new SideUsage.Disk("vda", 16, 8, -1));
    }
}
