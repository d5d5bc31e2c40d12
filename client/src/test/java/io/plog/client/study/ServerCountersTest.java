package io.plog.client.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.client.study.StudyResults.Bin;
import org.junit.jupiter.api.Test;

final class ServerCountersTest {
    private static String metrics(double cpu, long one, long three, long all) {
        return """
                # HELP plog_ready_channels Connections with something to read
                # TYPE plog_ready_channels histogram
                plog_ready_channels_bucket{loop="0",le="1.0"} %d
                plog_ready_channels_bucket{loop="1",le="1.0"} 1
                plog_ready_channels_bucket{loop="0",le="3.0"} %d
                plog_ready_channels_bucket{loop="1",le="3.0"} 1
                plog_ready_channels_bucket{loop="0",le="+Inf"} %d
                plog_ready_channels_bucket{loop="1",le="+Inf"} 1
                plog_ready_channels_count{loop="0"} 4
                process_cpu_time_ns_total %s
                other{a="b"} NaN
                """.formatted(one, three, all, cpu);
    }

    @Test
    void theDifferenceOfTwoLooksIsThatOfTheStretchBetween() {
        ServerCounters before = ServerCounters.parse(metrics(1e9, 10, 12, 12));
        ServerCounters after = ServerCounters.parse(metrics(1.5e9, 40, 62, 65));
        assertThat(after.cpuNanosSince(before)).isEqualTo(0.5e9);
        assertThat(after.readyChannelsSince(before))
                .containsExactly(new Bin(0, 1, 30), new Bin(2, 3, 20), new Bin(4, 4, 3));
    }

    @Test
    void whatAServerDoesNotSayIsLeftOut() {
        ServerCounters none = ServerCounters.parse("plog_connections 3\n\nnot a line {\n");
        assertThat(none.cpuNanosSince(none)).isNull();
        assertThat(none.readyChannelsSince(none)).isEmpty();
    }
}
