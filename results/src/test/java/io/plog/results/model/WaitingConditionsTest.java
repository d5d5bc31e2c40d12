package io.plog.results.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class WaitingConditionsTest {
    private static String of(Map<String, String> client, Map<String, String> server) {
        return WaitingConditions.of(new Results.Environment(client, server, List.of()))
                .toString();
    }

    @Test
    void onOneMachineTheConditionsSayHowBothSidesWaited() {
        assertThat(of(
                        Map.of("network", "loopback", "keepAwake", "yes: 2 threads", "waiting", "sleeps"),
                        Map.of("waiting", "event loops look")))
                .contains("yes: 2 threads (client and server have the same)", "client sleeps; event loops look");
    }

    @Test
    void ofAnotherMachineTheySayWhatWasNotUnderControl() {
        assertThat(of(
                        Map.of("network", "remote", "boot", "1", "keepAwake", "yes: 2 threads", "waiting", "sleeps"),
                        Map.of()))
                .contains(
                        "at the client yes: 2 threads",
                        "at the server not under this run's control",
                        "it does not tell");
    }

    @Test
    void containersOfOneMachineHaveTheSameProcessors() {
        assertThat(of(Map.of("network", "remote", "boot", "1", "keepAwake", "yes: 2 threads"), Map.of("boot", "1")))
                .contains("client and server have the same");
    }

    @Test
    void aRunOfAnOlderVersionTellsNothing() {
        assertThat(of(Map.of("network", "loopback"), Map.of())).isEqualTo("[]");
    }
}
