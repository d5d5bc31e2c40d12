package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.storage.Force;
import io.plog.server.http.HttpTestClient;
import io.plog.server.monitoring.CountHistogram;
import io.plog.server.monitoring.EventLoopCounts;
import io.plog.server.options.DesignOption;
import io.plog.server.options.ServerOptions;
import io.plog.server.options.TargetOptions;
import io.plog.server.options.TransportOption;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class CountersJsonTest {
    @TempDir
    Path directory;

    @Test
    void numbersAreCountedExactlyAndThenInRangesThatDouble() {
        CountHistogram histogram = new CountHistogram();
        int[] numbers = {0, 1, 1, 64, 65, 128, 129, 256, 257, 1 << 30, (1 << 30) + 1, Integer.MAX_VALUE};
        for (int number : numbers) {
            histogram.add(number);
        }
        assertThat(histogram.occurrences())
                .hasToString(
                        "[[0, 1], [1, 2], [64, 1], [128, 2], [256, 2], [512, 1], [1073741824, 1], [2147483647, 2]]");
    }

    @Test
    void aTurnCountsTheChannelsThatCompletedARead() {
        EventLoopCounts turns = new EventLoopCounts();
        EventLoopCounts.Loop loop = turns.ofThisThread();
        List<Runnable> tasks = new ArrayList<>();
        loop.readCompleted(tasks::add);
        tasks.remove(0).run();
        loop.readCompleted(tasks::add);
        loop.readCompleted(tasks::add);
        loop.readCompleted(tasks::add);
        tasks.remove(0).run();
        assertThat(tasks).isEmpty();
        assertThat(turns.loops()).containsExactly(loop);
        assertThat(loop.ready().occurrences()).hasToString("[[1, 1], [3, 1]]");
    }

    @Test
    void whatHappenedBetweenTwoReadingsIsTheirDifference() throws Exception {
        ServerOptions options = ServerOptions.of(List.of(
                        TargetOptions.logged("disk", directory, Force.FDATASYNC).withSegmentBytes(1 << 20)))
                .withPorts(0, 0)
                .withDesign(DesignOption.parse("inline"))
                .withTransport(TransportOption.EPOLL);
        try (PlogServer server = Scraped.start(options);
                TestClient client = TestClient.greeted(server.address())) {
            String before = get(server, "/counters");
            for (int i = 0; i < 50; i++) {
                client.send(TestClient.request(0, i, new byte[100]));
                client.frame();
            }
            String after = get(server, "/counters");
            assertThat(number(after, "processorNanos")).isGreaterThan(number(before, "processorNanos"));
            // The HELLO's turn, and one for each request; the last may not be counted yet.
            Matcher ready = Pattern.compile("\"readyChannels\":\\[\\[1,(\\d+)]").matcher(after);
            assertThat(ready.find()).isTrue();
            assertThat(Long.parseLong(ready.group(1))).isBetween(50L, 51L);
            assertThat(get(server, "/metrics"))
                    .containsPattern("plog_build_info\\{commit=\"\\w+(-dirty)?\",version=\"[\\w.-]+\"} 1");
        }
    }

    private static long number(String json, String name) {
        Matcher matcher = Pattern.compile("\"" + name + "\":(\\d+)").matcher(json);
        assertThat(matcher.find()).as(name).isTrue();
        return Long.parseLong(matcher.group(1));
    }

    private static String get(PlogServer server, String path) throws IOException {
        return HttpTestClient.ask(server.adminPort(), HttpTestClient.get(path)).text();
    }
}
