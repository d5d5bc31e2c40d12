package io.plog.log.bookkeeper;

import io.plog.log.testing.Mutant;
import io.plog.log.testing.MutantSuite;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The tests are tested, as those of {@code logging-core}: each deliberate defect must make a named test fail. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class ReplicationMutantTest {
    private static final String PACKAGE = "io.plog.log.bookkeeper";
    private static final String CAMPAIGN = "SimulatedCampaignTest.aFewHistoriesKeepThePromise";

    private static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "R1",
                        "the writer before is not fenced",
                        "LogOpener",
                        "TakeoverTest.aServerThatWasReplacedAcknowledgesNothing",
                        "store.recoverLedger(last.ledger())",
                        "store.openLedger(last.ledger())"),
                Mutant.of(
                        "R2",
                        "the list is changed without compare-and-set",
                        "LogNode",
                        "TakeoverTest.ofTwoServersThatOpenAtOnceOneIsRefusedAndLeavesNothingBehind",
                        "store.replaceNode(next.encode(), version);",
                        "store.replaceNode(next.encode(), -1);"),
                Mutant.of(
                        "R3",
                        "one bookie's force is enough",
                        "Quorum",
                        "TakeoverTest.nothingIsAcknowledgedBeforeTheAckQuorumHasForcedIt",
                        "if (ack < 1 || ack > write || 2 * ack <= write) {",
                        "ack = 1; if (ack > write) {"),
                Mutant.of(
                        "R4",
                        "a checkpoint is dropped before the list names the next one",
                        "ReplicatedLog",
                        "TakeoverTest.theCheckpointBeforeIsThereUntilTheListNamesTheNewOne",
                        "CheckpointLedger.write(ledger, opened.list().log(), index, copy);",
                        "CheckpointLedger.write(ledger, opened.list().log(), index, copy);"
                                + " if (opened.list().checkpoint() != null)"
                                + " store.deleteLedger(opened.list().checkpoint().ledger());"),
                Mutant.of(
                        "R21",
                        "a state that changed while it was saved becomes the checkpoint",
                        "CheckpointLedger",
                        "TakeoverTest.aStateThatChangesWhileItIsSavedIsRefusedAndTheCheckpointBeforeStays",
                        "state.checkUnchanged();",
                        ""),
                Mutant.of(
                        "R5",
                        "a server goes on after it was fenced",
                        "QuorumCommit",
                        "TakeoverTest.aServerThatWasReplacedAcknowledgesNothing",
                        "if (error != null) {",
                        "if (error != null && !(error instanceof LedgerStore.FencedException)) {"),
                Mutant.of(
                        "R6",
                        "an append is acknowledged before it is stored",
                        "QuorumCommit",
                        CAMPAIGN,
                        "(!each.stored || !isHolding())",
                        "(!each.sent || !isHolding())"),
                Mutant.of(
                        "R7",
                        "a full ledger is not closed before the next one is named",
                        "OpenedLog",
                        CAMPAIGN,
                        "full.close();",
                        ""),
                Mutant.of(
                        "R8",
                        "a fenced ledger is deleted at once",
                        "LogNode",
                        "TakeoverTest.aFencedLedgerIsKeptForADay",
                        "if (list.fenced().containsKey(ledger)) {",
                        "if (version < 0) {"),
                Mutant.of(
                        "R9",
                        "a server that slept asks nobody whose the log is",
                        "OwnershipProof",
                        "TakeoverTest.aServerThatSleptAsksWhoseTheLogIsBeforeItAcknowledges",
                        "return nanos <",
                        "return nanos >= 0 || nanos <"),
                Mutant.of(
                        "R10",
                        "a record's check is not looked at",
                        "ReplicatedLogReader",
                        "TakeoverTest.aDamagedEntryIsNamed",
                        "if (problem != null) {",
                        "if (problem != null && index < 0) {"),
                Mutant.of(
                        "R11",
                        "a change of the list is believed lost when its answer is",
                        "LogNode",
                        "TakeoverTest.aChangeOfTheListWhoseAnswerIsLostHasTakenPlace",
                        "now.content().equals(attempted.encode())",
                        "now.version() < 0"),
                Mutant.of(
                        "R12",
                        "what lies before an index is dropped one ledger too far",
                        "LedgerList",
                        "LedgerListTest.onlyLedgersWhoseRecordsAllLieBeforeTheIndexAreDropped",
                        "parts.get(1).firstIndex() <= index",
                        "parts.get(0).firstIndex() <= index"),
                Mutant.of(
                        "R13",
                        "the records of the last ledger do not count after a takeover",
                        "LogOpener",
                        CAMPAIGN,
                        "long next = last.firstIndex() + entries;",
                        "long next = last.firstIndex();"),
                Mutant.of(
                        "R15",
                        "a server that was replaced is told that the log is its own",
                        "LogNode",
                        "TakeoverTest.aServerThatWasReplacedIsToldSoWhenItAsks",
                        "now != null && !LedgerList.decode(name, now.content()).writer().equals(list.writer())",
                        "now != null && now.version() < 0"),
                Mutant.of(
                        "R17",
                        "a ledger keeps the bookies that it began with though others are there",
                        "OpenedLog",
                        "TakeoverTest.aLedgerThatBeganWithoutABookieIsLeftWhenItIsBack",
                        "commit.leaveLedger();",
                        ""),
                Mutant.of(
                        "R18",
                        "a server takes its own change of ledger for a fence",
                        "QuorumCommit",
                        "TakeoverTest.itsOwnChangeOfLedgerIsNotTakenForAFence",
                        "candidate == ledger && !changing && !closed",
                        "candidate == ledger && !closed"),
                Mutant.of(
                        "R30",
                        "what another server deleted after it took the log over is called damage",
                        "ReplicatedLog",
                        "TakeoverTest.whatAnotherServerDeletedMeanwhileIsNoDamage",
                        "opened.check(); // what another writer deleted is no damage",
                        ""),
                Mutant.of(
                        "R31",
                        "who came too late deletes its ledger though the list names it",
                        "LogOpener",
                        "LostAnswerTest"
                                + ".aServerWhoseAnswerIsLostWhileAnotherTakesOverDeletesNothingThatTheListNames",
                        "!LedgerList.decode(name, now.content()).names(ledger.id())",
                        "now.version() >= 0"),
                Mutant.of(
                        "R32",
                        "a change of the list that did not take place is not made again",
                        "LogNode",
                        "LostAnswerTest.aLogIsTakenOverThough",
                        "ATTEMPTS = 3;",
                        "ATTEMPTS = 1;"),
                Mutant.of(
                        "R33",
                        "a log whose node was deleted counts as a new one",
                        "OrphanedLedgers",
                        "LostAnswerTest.aLogWhoseNodeWasDeletedIsNoNewLog",
                        "if (!full.isEmpty()) {",
                        "if (full.contains(-1L)) {"),
                Mutant.of(
                        "R34",
                        "a ledger that is in no list is deleted though it holds records",
                        "OrphanedLedgers",
                        "LostAnswerTest.anOldCopyOfTheNodeIsRefusedAndNothingIsDeleted",
                        "if (entries > 0) {",
                        "if (entries < 0) {"),
                Mutant.of(
                        "R35",
                        "what a writer that died left behind stays",
                        "LogOpener",
                        CAMPAIGN,
                        ".withGarbage(leftovers));",
                        ");"),
                Mutant.of(
                        "R36",
                        "a proof that the log is held counts from its answer",
                        "LogNode",
                        "TakeoverTest.aServerIsSureThatItHoldsTheLogForLessThanASessionSinceItAsked",
                        "provedAt = sent;\n        } else if",
                        "provedAt = clock.nanos();\n        } else if"),
                Mutant.of(
                        "R37",
                        "a holder is sure of its turn for ever",
                        "QueuePlace",
                        "ZooKeeperElectionTest.aHolderThatHearsNothingIsSureOfItsTurnForLessThanTheTimeOfItsSession",
                        "&& ZooKeeperLease.isGood(clock.nanos() - firstAt, agreedMillis)",
                        ""),
                Mutant.of(
                        "R40",
                        "a standby applies what is not known to be acknowledged",
                        "LedgerFollower",
                        "LedgerFollowerTest.onlyWhatIsKnownToBeAcknowledgedIsFollowedAndTheWriterDoesNotNotice",
                        "from.follow(last.ledger())",
                        "from.lookInto(last.ledger())"),
                Mutant.of(
                        "R41",
                        "what a standby applied counts although a recovery lost it",
                        "LedgerFollower",
                        "LedgerFollowerTest.whatARecoveryLostAllTheSameIsNotTakenForTheBeginning",
                        "|| partOf(now, index) == partOf(before, index)",
                        "|| index > 0"),
                Mutant.of(
                        "R42",
                        "a standby goes on behind records that were dropped before it read them",
                        "LedgerFollower",
                        "LedgerFollowerTest.whenRecordsThatItHasNotReadAreDroppedItBeginsFromTheCheckpoint",
                        "&& index >= now.firstIndex() - 1",
                        ""),
                Mutant.of(
                        "R20",
                        "who looks into a log fences its writer",
                        "StoredReplicatedLog",
                        "StoredReplicatedLogTest"
                                + ".aLogThatIsBeingWrittenIsSeenWithAllThatWasAcknowledgedAndItsWriterNoticesNothing",
                        "store.lookInto(list.last().ledger())",
                        "store.recoverLedger(list.last().ledger())"));
    }

    private final MutantSuite suite = new MutantSuite(PACKAGE, all());

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
        suite.assertDocumented("R");
    }
}
