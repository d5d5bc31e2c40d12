package io.plog.results.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.RunPlan;
import io.plog.measure.samples.Warmup;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What a page says was to be run is what was asked for. */
class PlannedFactsTest {
    private static Map<String, String> facts(double rate, RunInfo.Load... load) {
        RunPlan plan = new RunPlan(
                load[0].mode(),
                "",
                List.of(),
                List.of(),
                List.of(1024),
                List.of("a"),
                0,
                1,
                Warmup.exactly(0),
                10,
                16,
                rate,
                7,
                List.of(load));
        return PlannedFacts.ofPlan(plan);
    }

    private static RunInfo.Load load(String mode, int outstanding, int requestsPerConnection, long requests) {
        return new RunInfo.Load(
                mode,
                outstanding,
                "poisson",
                requestsPerConnection,
                List.of(),
                0.5,
                5_000_000_000L,
                300_000_000_000L,
                requests,
                1);
    }

    @Test
    void aClosedLoopSaysHowMuchIsOutstandingAndHowLong() {
        assertThat(facts(0, load("closed", 4, 0, 0)))
                .containsEntry("load", "closed loop, 16 connections with 4 requests outstanding each")
                .containsEntry("logged", "50.0 % of the requests")
                .containsEntry("each cell", "300 s counted after 5 s for warming up")
                .containsEntry("order", "10 blocks");
    }

    @Test
    void anOpenLoopSaysItsRate() {
        assertThat(facts(2300, load("partly-open", 0, 5, 1000)))
                .containsEntry(
                        "load",
                        "partly-open loop, 16 connections, 2300 requests/s, poisson arrivals, made anew after 5"
                                + " requests")
                .containsEntry("each cell", "1,000 requests counted after 5 s for warming up");
    }
}
