package io.plog.server;

import io.plog.log.testing.Mutant;
import io.plog.log.testing.MutantSuite;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The tests are tested, as those of the log: each deliberate defect of a server whose log others may take over must make a named test
 * fail.
 */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ServerMutantTest {
    private static final String PACKAGE = "io.plog.server";

    private final MutantSuite suite = new MutantSuite(PACKAGE, all());

    private static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "S1",
                        "a standby serves before its replay ends",
                        "targets/DurableRecordLog",
                        "StandbyTest.aStandbyRefusesRequestsUntilItsReplayHasEnded",
                        "ReplayReport replay = StateRecovery.run(options.name(), log, state, taken);",
                        "ReplayReport replay = new ReplayReport(0, 0, 0, 0, 0, Duration.ZERO);",
                        "if (!events.awaitFailure(atMost)) {", // called when the target is served
                        "if (state.appliedIndex() == 0) { try { StateRecovery.run(target, log, state, null); }"
                                + " catch (IOException e) { throw new IllegalStateException(e); } }"
                                + " if (!events.awaitFailure(atMost)) {"),
                Mutant.of(
                        "S2",
                        "an old holder acknowledges what the fence refused",
                        "state/TargetState",
                        "StandbyTest.aHolderWhoseLogHangsLeavesItToTheNextAndAcknowledgesNothingMore",
                        "if (cause.isIndeterminate()) {",
                        "if (cause instanceof LogFailedException lost"
                                + " && lost.reason() == LogFailedException.Reason.FENCED) { durable(request); return; }"
                                + " if (cause.isIndeterminate()) {"),
                Mutant.of(
                        "S3",
                        "an old holder goes on answering reads after the fence",
                        "state/LogFailure",
                        "StandbyTest.aHolderThatIsTakenForGoneIsFencedWaitsAndServesAgainWhenItsTurnComes",
                        "return later == Status.NOT_SERVING ? happened : null;",
                        "return null;"),
                Mutant.of(
                        "S4",
                        "a holder answers reads though its turn may be over",
                        "connection/Dispatcher",
                        "StandbyTest.aHolderThatIsCutOffFromTheQueueAnswersNoReadsAndIsNotReady",
                        "done && readOnly ? target.outdated() : null",
                        "null"),
                Mutant.of(
                        "S5",
                        "a new client takes the place of one that still has to be remembered",
                        "state/RememberedClients",
                        "LeastTimeTest.whoMakesUpClientsIsRefusedBeforeOneIsForgottenTooEarly",
                        "each != null && now - each.loggedNanos >= leastNanos",
                        "each != null"),
                Mutant.of(
                        "S6",
                        "a client whose place is given away is served, so that another is forgotten for the new one",
                        "state/Session",
                        "LeastTimeTest.whoGivesItsPlaceAwayIsRefusedUntilTheNewClientIsLoggedOrIsNot",
                        "return leaves ? Admission.TOO_MANY : Admission.NEW;",
                        "return Admission.NEW;"),
                Mutant.of(
                        "S7",
                        "a start lets new clients take the places of all whom the log gives",
                        "state/RememberedClients",
                        "LeastTimeTest.afterAReplayTheQuietestEighthOfAFullTableMakesRoomAndNobodyElse",
                        "count - (maxClients - maxClients / 8)",
                        "count"),
                Mutant.of(
                        "S8",
                        "the HTTP port forgets whose request it is, so that a repeat is executed again",
                        "http/HttpQueue",
                        "HttpPortTest.aClientThatNumbersItsRequestsIsTheSameAtBothDoors",
                        "identity.client(), identity.number(), true",
                        "client, firstNumber + next, true"));
    }

    @Test
    void everyMutantIsCaughtByItsTest() {
        suite.assertEachIsCaught();
    }

    @Test
    void withoutADefectTheSameTestsPassOnTheSameRoute() {
        suite.assertTestsPassWithoutADefect();
    }

    @Test
    void theDocumentsListTheseMutants() throws Exception {
        suite.assertDocumented("S");
    }
}
