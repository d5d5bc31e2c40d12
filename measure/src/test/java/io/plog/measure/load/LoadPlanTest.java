package io.plog.measure.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.measure.PlanException;
import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LoadPlanTest {
    private static LoadPlanBuilder builder() {
        return LoadPlan.builder("127.0.0.1", 7411, "main");
    }

    private static void refused(UnaryOperator<LoadPlanBuilder> change, String message) {
        assertThatThrownBy(() -> change.apply(builder()).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void impossibleLoadsAreRefused() {
        ArrivalTimes.Kind constant = ArrivalTimes.Kind.CONSTANT;
        refused(b -> b.open(1, 0, constant), "rate is 0.0, and the load is open: expected requests a second, over 0");
        refused(b -> b.open(1, -5, constant), "rate is -5.0");
        refused(b -> b.open(1, Double.NaN, constant), "rate is NaN");
        refused(b -> b.partlyOpen(1, 0, 5, constant), "requests-per-connection is 0: expected 1");
        refused(
                b -> b.open(1, 5, constant).requestsPerConnection(5),
                "requests-per-connection is 5, and the load is open: only partly-open, and closed with one request outstanding");
        refused(
                b -> b.closed(1, 2).requestsPerConnection(5),
                "and the load is closed with 2 outstanding: only partly-open");
        refused(b -> b.closed(1, 1).requestsPerConnection(-1), "requests-per-connection is -1: expected 0");
        refused(b -> b.closed(0, 1), "connections is 0: expected 1");
        refused(b -> b.closed(1, 0), "outstanding is 0");
        refused(b -> b.duration(Duration.ofMillis(50)), "duration is 50 ms: expected 100 ms to 24 h");
        refused(b -> b.open(1, 5, constant).requests(10), "only a closed loop ends after a number of requests");
        refused(b -> b.loggedShare(1.5), "the share of logged requests is 150.0 %");
        refused(b -> b.closed(3, 1).part(0, 4), "connections is 3: expected 4");
    }

    @Test
    void thePartsTogetherAreTheWhole() {
        LoadPlan plan = builder().closed(10, 1).requests(101).build();
        assertThat(IntStream.range(0, 3)
                        .map(i -> plan.toBuilder().part(i, 3).build().ownConnections())
                        .sum())
                .isEqualTo(10);
        assertThat(IntStream.range(0, 3)
                        .mapToLong(i -> plan.toBuilder().part(i, 3).build().ownRequests())
                        .sum())
                .isEqualTo(101);
    }

    @Test
    void aPlanArrivesAtAWorkerAsItWasSent() throws IOException {
        LoadPlan plan = builder()
                .partlyOpen(1020, 5, 2300, ArrivalTimes.Kind.POISSON)
                .mix(Mix.parse("100=25,1k-2k=75"))
                .loggedShare(0.05)
                .seed(99)
                .part(1, 2)
                .command("plog measure ...")
                .build();
        assertThat(PlanJson.read(PlanJson.write(plan))).isEqualTo(plan);
        assertThatThrownBy(() -> PlanJson.read("{}")).isInstanceOf(IOException.class);
    }

    @Test
    void aWorkerOfAnotherVersionIsRefused() {
        String join = PlanJson.join("0.1.0");
        assertThat(PlanJson.objection(join, "0.1.0")).isEmpty();
        assertThat(PlanJson.objection(join, "0.2.0"))
                .isEqualTo(
                        "the worker is plog 0.1.0 (protocol 1), the coordinator plog 0.2.0 (protocol 1): use the same plog"
                                + " for all processes of a run");
        assertThat(PlanJson.objection("GET / HTTP/1.1", "0.1.0")).contains("no plog load");
    }

    @Test
    void moreConnectionsThanFileDescriptorsNameTheLimit() throws PlanException {
        FileLimit.check(900, OptionalLong.of(1024), 50);
        assertThatThrownBy(() -> FileLimit.check(1000, OptionalLong.of(1024), 50))
                .isInstanceOf(PlanException.class)
                .hasMessageStartingWith(
                        "1000 connections need 1082 file descriptors, and this process may have 1024 (ulimit -n): raise it"
                                + " with 'ulimit -n 1082'");
    }
}
