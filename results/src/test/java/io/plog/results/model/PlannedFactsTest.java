package io.plog.results.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Loop;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** What a page says was to be run is what was asked for. */
class PlannedFactsTest {
    private static final Load LOAD =
            Load.on("", "a").loggedShare(0.5).warmUp(Duration.ofSeconds(5)).duration(Duration.ofSeconds(300));

    @Test
    void aClosedLoopSaysHowMuchIsOutstandingAndHowLong() {
        assertThat(PlannedFacts.ofPlan(LOAD.closed(16, 4)))
                .containsEntry("load", "closed loop, 16 connections with 4 requests outstanding each")
                .containsEntry("logged", "50.0 % of the requests")
                .containsEntry("each cell", "300 s counted after 5 s for warming up")
                .containsEntry("order", "10 blocks");
    }

    @Test
    void anOpenLoopSaysItsRate() {
        assertThat(PlannedFacts.ofPlan(LOAD.loop(new Loop.PartlyOpen(16, 2300, Arrivals.POISSON, 5))
                        .requests(1000)))
                .containsEntry(
                        "load",
                        "partly-open loop, 16 connections, 2300 requests/s, poisson arrivals, made anew after 5"
                                + " requests")
                .containsEntry("each cell", "1,000 requests counted after 5 s for warming up");
    }
}
