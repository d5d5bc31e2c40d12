package io.plog.e2e.matrix;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.server.targets.TakeoverReport;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class TakeoverStepsTest {
    private static String said(int opened, int records, int replayed, int all) {
        return "2026-11-23T13:53:32.768Z target r serves the log bookkeeper://a:1/r?ensemble=3: "
                + new TakeoverReport(
                                Duration.ofMillis(6_259),
                                Duration.ofMillis(opened),
                                Duration.ofMillis(replayed),
                                Duration.ofMillis(all),
                                0,
                                records)
                        .sentence();
    }

    @Test
    void medianAndWorstOfWhatServersSay() {
        TakeoverSteps steps = TakeoverSteps.of(List.of(
                said(10, 300, 7, 20), "listening on 127.0.0.1:7411", said(30, 100, 9, 40), said(20, 200, 8, 30)));
        assertThat(steps.count()).isEqualTo(3);
        assertThat(steps.table()).isEqualToIgnoringNewLines("""
                        | step of 3 takeovers | median | worst |
                        |---|--:|--:|
                        | fenced and opened, ms | 20 | 30 |
                        | records replayed | 200 | 300 |
                        | replayed, ms | 8 | 9 |
                        | from its turn until it serves, ms | 30 | 40 |
                        """);
    }

    @Test
    void nothingIsReportedOfNoTakeover() {
        assertThat(TakeoverSteps.of(List.of("listening on 127.0.0.1:7411")).table())
                .isEmpty();
    }
}
