package io.plog.log;

import io.plog.log.testing.Mutant;
import java.util.List;

/** Defects in what keeps a second writer, a foreign directory or a full disk from being mistaken for something else. */
final class OwnershipMutants {
    private OwnershipMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "M80",
                        "a group is acknowledged without a look at the claim",
                        "GroupCommit",
                        "ClaimTest.aTakeoverInTheMiddleOfAnyWriteLosesNothingThatAnybodyAcknowledged",
                        "batch.writer.checkClaim();",
                        ""),
                Mutant.of(
                        "M81",
                        "whoever opens a log does not claim it",
                        "Takeover",
                        "ClaimTest.aSecondWriterIsNoticedBeforeTheFirstWritesOrAcknowledgesAnythingMore",
                        "claims.take(segment);",
                        ""),
                Mutant.of(
                        "M82",
                        "what was read before the claim is not read again",
                        "Takeover",
                        "ClaimTest.whatWasAcknowledgedBetweenReadingAndClaimingIsNotLost",
                        "if (!stripe.isStillSo()) {",
                        "if (stripe.segments().isEmpty()) {"),
                Mutant.of(
                        "M83",
                        "a writer that slept writes before it looks at the claim",
                        "SegmentFile",
                        "ClaimTest.aSecondWriterIsNoticedBeforeTheFirstWritesOrAcknowledgesAnythingMore",
                        "claim.run(); WriteFully.fully",
                        "WriteFully.fully"),
                Mutant.of(
                        "M84",
                        "nobody looks whether the directory is still there",
                        "MessageLog",
                        "FileIdentityCheckTest.aLogWhoseFilesAreTakenAwayFailsInASentenceWhenItIsLookedAt",
                        "housekeeper.add(this::look);",
                        ""),
                Mutant.of(
                        "M128",
                        "nobody looks whether a segment was cut",
                        "MessageLog",
                        "FileIdentityCheckTest.aLogOfWhichASegmentIsCutFailsInASentenceWhenItIsLookedAt",
                        "stripes.checkLengths();",
                        ""),
                Mutant.of(
                        "M129",
                        "a segment is left and the next one used though one of them was cut",
                        "FileIdentityCheck",
                        "FileIdentityCheckTest.nothingIsAcknowledgedBehindASegmentThatIsCutBeforeItIsUsedOrLeft",
                        "if (bytes < segment.segmentBytes()) {",
                        "if (bytes < 0) {"),
                Mutant.of(
                        "M130",
                        "whoever is interrupted leaves an operation that is under way",
                        "DiskFile",
                        "DiskFileTest.whoIsInterruptedWhileAnOperationIsUnderWayWaitsForItsEndAndStaysInterrupted",
                        "} catch (InterruptedException e) { interrupted = true; }",
                        "} catch (InterruptedException e) { interrupted = true; throw new IOException(e); }"),
                Mutant.of(
                        "M85",
                        "the segment is changed in a directory that was replaced",
                        "SegmentChain",
                        "FileIdentityCheckTest.nothingIsAcknowledgedInASegmentBehindAChangeThatCameAfterTheDirectoryWasReplaced",
                        "writer.force(); writer.checkClaim(); identity.check(opened);",
                        "writer.force(); writer.checkClaim();"),
                Mutant.of(
                        "M86",
                        "a short write is gone on with in the middle of a sector",
                        "WriteFully",
                        "WriteFullyTest.everyLengthOfAShortWriteIsGoneOnWithWhereADeviceOfSectorsTakesIt",
                        "end - end % SECTOR_BYTES",
                        "end"),
                Mutant.of(
                        "M87",
                        "a failure to prepare a segment is taken for a full disk",
                        "DiskErrors",
                        "PreparingFailuresTest.aFailureIsNoFullDiskAndFailsTheLogForGood",
                        "return Kind.LASTING; } private static boolean",
                        "return Kind.NO_SPACE; } private static boolean"),
                Mutant.of(
                        "M88",
                        "records go before readers can know that they were dropped",
                        "PrefixTruncation",
                        "DroppedRecordsTest.aReaderThatComesInTheMiddleOfADropIsNotToldOfDamage",
                        "beginning.accept(newFirst);",
                        ""),
                Mutant.of(
                        "M89",
                        "a failed force of the directory is tried again when its words are those of a full disk",
                        "DirectoryForce",
                        "PreparingFailuresTest.aForceOfTheDirectoryThatFailedIsNotTriedAgainWhateverItIsCalled",
                        "throw new PermanentFailure(e);",
                        "throw e;"),
                Mutant.of(
                        "M131",
                        "a failed force of the directory in a checkpoint or a drop is forgotten",
                        "LogStart",
                        "LogFailureTest.aFailedForceOfTheDirectoryInACheckpointOrADropFailsTheLogForGood",
                        "fail.accept(cause);",
                        ""));
    }
}
