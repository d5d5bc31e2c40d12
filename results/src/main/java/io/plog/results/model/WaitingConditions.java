package io.plog.results.model;

import io.plog.measure.KeptAwake;
import io.plog.measure.samples.RunInfo;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How both sides waited, the same for all cells of a run, and what of it was not under the run's control: else the cost of logging is
 * not the difference of two cells. A load tells nothing of it. Stateless.
 */
final class WaitingConditions {
    private static final String WAITING = "waiting";

    private WaitingConditions() {}

    /** Names and values, for a list of facts. */
    static List<List<String>> of(Results.Environment environment) {
        Map<String, String> client = environment.client();
        Map<String, String> server = environment.server();
        List<List<String>> facts = new ArrayList<>();
        String awake = client.get(KeptAwake.FACT);
        if (awake != null) {
            facts.add(List.of("processors kept awake", awake(awake, RunInfo.isOneMachine(client, server))));
        }
        String own = client.get(WAITING);
        if (own != null) {
            facts.add(List.of(
                    WAITING,
                    "client " + own + "; "
                            + server.getOrDefault(
                                    WAITING,
                                    "how the server waits was not under this run's control: it does not tell")));
        }
        return facts;
    }

    private static String awake(String told, boolean oneMachine) {
        return oneMachine
                ? told + " (client and server have the same)"
                : "at the client " + told + "; at the server not under this run's control: it is another machine";
    }
}
