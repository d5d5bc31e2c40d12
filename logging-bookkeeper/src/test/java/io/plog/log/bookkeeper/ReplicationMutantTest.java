package io.plog.log.bookkeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import io.plog.log.testing.Mutant;
import io.plog.log.testing.PatchedPackage;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
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
                        "LogOpening",
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
                        "CheckpointLedger.write(ledger, opened.node.list().log(), index, state);",
                        "CheckpointLedger.write(ledger, opened.node.list().log(), index, state);"
                                + " if (opened.node.list().checkpoint() != null)"
                                + " store.deleteLedger(opened.node.list().checkpoint().ledger());"),
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
                        "ReplicatedLog",
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
                        "Holding",
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
                        "if (!findOut(next)) {",
                        "if (next != null) {"),
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
                        "LogOpening",
                        CAMPAIGN,
                        "long next = last.firstIndex() + entries;",
                        "long next = last.firstIndex();"),
                Mutant.of(
                        "R20",
                        "who looks into a log fences its writer",
                        "StoredReplicatedLog",
                        "StoredReplicatedLogTest"
                                + ".aLogThatIsBeingWrittenIsSeenWithAllThatWasAcknowledgedAndItsWriterNoticesNothing",
                        "store.lookInto(list.last().ledger())",
                        "store.recoverLedger(list.last().ledger())"));
    }

    @Test
    void everyMutantIsCaughtByItsTest() {
        List<String> survivors = new ArrayList<>();
        for (Mutant mutant : all()) {
            long begin = System.nanoTime();
            boolean caught = !passes(PatchedPackage.of(PACKAGE, mutant), mutant.caughtBy());
            System.out.println(mutant.id() + (caught ? " caught" : " SURVIVED") + " after "
                    + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - begin) + " ms");
            if (!caught) {
                survivors.add(mutant.id() + ", " + mutant.defect() + ": " + mutant.caughtBy());
            }
        }
        assertThat(survivors).as("mutants that no test noticed").isEmpty();
    }

    /** Without it, a test that fails for another reason, or a route that breaks everything, would catch all mutants. */
    @Test
    void withoutADefectTheSameTestsPassOnTheSameRoute() {
        PatchedPackage unchanged = PatchedPackage.unchanged(
                PACKAGE, all().stream().map(Mutant::file).distinct().toList());
        assertThat(all().stream().map(Mutant::caughtBy).distinct())
                .allSatisfy(test -> assertThat(passes(unchanged, test)).as(test).isTrue());
    }

    private static boolean passes(PatchedPackage patched, String test) {
        return patched.passes(test, method -> selectMethod(method.getDeclaringClass(), method));
    }

    @Test
    void theDocumentsListTheseMutants() throws Exception {
        Path document = Path.of(System.getProperty("plog.root", ".."), "docs", "mutants.md");
        List<String> documented;
        try (Stream<String> lines = Files.lines(document)) {
            documented = lines.filter(line -> line.startsWith("| R")).toList();
        }
        List<String> listed = all().stream().map(Mutant::tableLine).toList();
        assertThat(documented)
                .as("the table in docs/mutants.md; it should be:%n%s", String.join("\n", listed))
                .isEqualTo(listed);
    }
}
