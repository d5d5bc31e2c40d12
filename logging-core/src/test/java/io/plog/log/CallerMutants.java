package io.plog.log;

import io.plog.log.testing.Mutant;
import java.util.List;

/** Defects in what keeps callers from harming others. */
final class CallerMutants {
    private CallerMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "M73",
                        "what was copied is not checked",
                        "CheckedCopy",
                        "CallerMisuseTest.aRecordThatChangedBeforeItWasCopiedFailsAlone",
                        "if (problem == null && found == payloadCrc) {",
                        "if (problem == null) {"),
                Mutant.of(
                        "M74",
                        "an interrupted caller has its buffers back before its record is copied",
                        "BlockingAppend",
                        "CallerMisuseTest.aCallerThatIsInterruptedWhileItsRecordIsCopiedWaitsForTheCopyOnly",
                        "while (state == TAKEN) {",
                        "while (state == LEFT) {"),
                Mutant.of(
                        "M75",
                        "a record whose caller left is logged",
                        "BatchBuilder",
                        "CallerMisuseTest.aCallerThatIsInterruptedWhileTheDiskHangsLeavesAtOnceAndNothingOfItIsLogged",
                        "if (blocking != null && !blocking.take()) {",
                        "if (blocking != null && !blocking.take() && batch.count < 0) {"),
                Mutant.of(
                        "M76",
                        "where a buffer begins is looked up when it is copied",
                        "CheckedCopy",
                        "CallerMisuseTest.whatIsDoneToPositionsAndLimitsHarmsNobody",
                        "copyPart(one, position, length, offset);",
                        "copyPart(one, Math.min(position, one.position()), length, offset);"),
                Mutant.of(
                        "M77",
                        "who does the log's work is not asked",
                        "LogThreads",
                        "CallbacksTest.aWaitWithALimitIsRefusedInACallbackToo",
                        "if (logs.get(i) == this) {",
                        "if (i < 0) {"),
                Mutant.of(
                        "M78",
                        "a record that changed keeps its index",
                        "BatchBuilder",
                        "CallerMisuseTest.aRecordThatChangedBeforeItWasCopiedFailsAlone",
                        "nextIndex += batch.records;",
                        "nextIndex += batch.count;"),
                Mutant.of(
                        "M79",
                        "an append is reported again by the thread that took the reporting over",
                        "AppendNotifier",
                        "CallbacksTest.closeEndsThoughACallbackDoesNotReturnAndEverybodyIsToldOnce",
                        "if (batch.firstNumber + i >= first) {",
                        "if (batch.firstNumber + i >= first - 1) {"),
                Mutant.of(
                        "M90",
                        "the error of a mapped file that was cut comes when it likes",
                        "CheckedCopy",
                        "CheckedCopyTest.theErrorOfAMappedFileThatWasCutComesInTheCopyAndNotLater",
                        "entersRuntime = new int[4][4][4];",
                        "entersRuntime = new int[0][][];"),
                Mutant.of(
                        "M91",
                        "an append that comes while a failure is declared gets no outcome",
                        "LogShutdown",
                        "LogFailureTest.anAppendThatComesWhileAFailureIsDeclaredIsToldItsOutcome",
                        "queue.close(); // the thread that declared",
                        "// the thread that declared"),
                Mutant.of(
                        "M92",
                        "every writer makes a segment under the same name",
                        "LogFiles",
                        "ClaimTest.whatALostWriterCleansUpIsNotItsSuccessors",
                        "return \".\" + claim.writer().toString().substring(0, 8) + TEMPORARY_SUFFIX;",
                        "return TEMPORARY_SUFFIX;"),
                Mutant.of(
                        "M126",
                        "what a caller leaves to the log's threads waits until somebody else appends",
                        "QueueOrder",
                        "QuietAppendsTest.whatWasAppendedQuietlyCanBeLeftToTheLogsThreads",
                        "public void wake() {",
                        "public void wake() { if (queue != null) return;"),
                Mutant.of(
                        "M150",
                        "who is refused for lack of room makes none",
                        "QueueOrder",
                        "QuietAppendsTest.whoIsRefusedForQuietAppendsIsTakenSoonAfter",
                        "scheduler.wakeAnother(); // what was appended quietly makes room",
                        "// what was appended quietly makes room"),
                Mutant.of(
                        "M151",
                        "what a caller appended quietly and never commits waits for ever",
                        "QueueOrder",
                        "QuietAppendsTest.theHousekeeperSeesToWhatNobodyCommits",
                        "if (first == firstSeen && queue.waiting() > 0) {",
                        "if (first < firstSeen) {"),
                Mutant.of(
                        "M152",
                        "a caller does the log's work with whatever stack it has left",
                        "StackRoom",
                        "SmallStacksTest.callersAtTheEndOfTheirStacksHarmNobody",
                        "return false;",
                        "return true;"),
                Mutant.of(
                        "M153",
                        "an append is put in with whatever stack its caller has left",
                        "StackRoom",
                        "SmallStacksTest.aRecordIsPutInWithRoomOnTheStackOrNotAtAll",
                        "reach(LEVELS_FOR_CALL, nanos);",
                        "reach(0, nanos);"),
                Mutant.of(
                        "M154",
                        "an error that cannot be described at once has no name",
                        "LogFailedException",
                        "LogFailureTest.anErrorThatCannotBeDescribedAtOnceFailsTheLogForAllAndIsNamed",
                        "if (indescribable.undescribed == null) {",
                        "if (indescribable.reason == null) {"),
                Mutant.of(
                        "M155",
                        "an interrupt that comes while a caller does the log's work is lost",
                        "CallersInterrupts",
                        "CallersInterruptsTest.anInterruptThatIsSentToTheCallerMeanwhileIsTheCallersAndIsNotLost",
                        "if (wasInterrupted || sent) {",
                        "if (wasInterrupted) {"),
                Mutant.of(
                        "M156",
                        "a callback leaves its interrupt to the caller on whose thread it ran",
                        "CallbackMonitor",
                        "CallersInterruptsTest.anInterruptThatACallbackLeavesIsSeenNeitherByTheNextNorByTheCaller",
                        "Thread.interrupted(); if (interrupted) {",
                        "if (interrupted) {"),
                Mutant.of(
                        "M157",
                        "a future that was derived from an append's may be waited for in a callback",
                        "LogFuture",
                        "CallbacksTest.waitingForADerivedFutureIsRefusedInACallbackToo",
                        "return new LogFuture<>(spinNanos, threads);",
                        "return new CompletableFuture<>();"));
    }
}
