package io.plog.measure.load;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.measure.PlanException;
import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Loop;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class LoadLimitsTest {
    private static Load builder() {
        return Load.on("127.0.0.1:" + 7411, "main");
    }

    private static void refused(UnaryOperator<Load> change, String message) {
        assertThatThrownBy(() -> change.apply(builder()).checked())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }

    @Test
    void impossibleLoadsAreRefused() {
        Arrivals constant = Arrivals.CONSTANT;
        refused(
                b -> b.loop(new Loop.Open(1, 0, constant)),
                "rate is 0.0, and the load is open: expected requests a second, over 0");
        refused(b -> b.loop(new Loop.Open(1, -5, constant)), "rate is -5.0");
        refused(b -> b.loop(new Loop.Open(1, Double.NaN, constant)), "rate is NaN");
        refused(b -> b.loop(new Loop.PartlyOpen(1, 5, constant, 0)), "requests-per-connection is 0: expected 1");
        refused(b -> b.loop(new Loop.Closed(1, 2, 5)), "and the load is closed with 2 outstanding: only partly-open");
        refused(b -> b.loop(new Loop.Closed(1, 1, -1)), "requests-per-connection is -1: expected 0");
        refused(b -> b.closed(0, 1), "connections is 0: expected 1");
        refused(b -> b.closed(1, 0), "outstanding is 0");
        refused(b -> b.duration(Duration.ofMillis(50)), "duration is 50 ms: expected 100 ms to 24 h");
        refused(
                b -> b.loop(new Loop.Open(1, 5, constant)).requests(10),
                "only a closed loop ends after a number of requests");
        refused(b -> b.loggedShare(1.5), "the share of logged requests is 150.0 %");
    }

    @Test
    void moreConnectionsThanFileDescriptorsNameTheLimit() throws PlanException {
        FileLimit.check(900, 1024, 50);
        assertThatThrownBy(() -> FileLimit.check(1000, 1024, 50))
                .isInstanceOf(PlanException.class)
                .hasMessageStartingWith(
                        "1000 connections need 1082 file descriptors, and this process may have 1024 (ulimit -n): raise it"
                                + " with 'ulimit -n 1082'");
    }
}
