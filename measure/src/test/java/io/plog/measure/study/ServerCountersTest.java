package io.plog.measure.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.measure.samples.Bin;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

final class ServerCountersTest {
    private static ServerCounters counters(long nanos, String loops) throws IOException {
        String json = "{\"schemaVersion\":1,\"atNanos\":5,\"design\":\"inline\",\"processorNanos\":" + nanos
                + ",\"loops\":[" + loops + "],\"targets\":[]}\n";
        return ServerCounters.parse(json.getBytes(StandardCharsets.UTF_8));
    }

    @Test
    void theDifferenceOfTwoLooksIsThatOfTheStretchBetweenForAllLoopsTogether() throws IOException {
        ServerCounters before = counters(1_000, "{\"readyChannels\":[[1,10],[3,2]]},{\"readyChannels\":[]}");
        ServerCounters after =
                counters(1_500, "{\"readyChannels\":[[1,40],[3,2],[128,3]]},{\"readyChannels\":[[1,5],[64,1]]}");
        assertThat(after.cpuNanosSince(before)).isEqualTo(500);
        assertThat(after.readyChannelsSince(before))
                .containsExactly(new Bin(1, 1, 35), new Bin(64, 64, 1), new Bin(65, 128, 3));
    }

    @Test
    void anotherAnswerIsRefused() {
        assertThatThrownBy(() -> ServerCounters.parse("{\"status\":404}".getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("no processorNanos");
    }
}
