package io.plog.log;

import java.util.List;

/** Defects of the files beside the segments: head, checkpoint, the prefix that is dropped. */
final class KeepingMutants {
    private static final String SCRIPT = "CrashPointTest.everyCrashPointOfAShortScriptKeepsThePromise: ";

    private KeepingMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "M21",
                        "the head is written in place instead of renamed",
                        "HeadFile",
                        SCRIPT + "creation",
                        "try (StorageFile file = storage.create(TEMPORARY)) {",
                        "try (StorageFile file = storage.list().contains(NAME)"
                                + " ? storage.open(NAME, Storage.Access.WRITE) : storage.create(NAME)) {",
                        "storage.rename(TEMPORARY, NAME);",
                        ""),
                Mutant.of(
                        "M22",
                        "the head is not forced before it is renamed",
                        "HeadFile",
                        SCRIPT + "dropping a prefix",
                        "FullWrite.fully(file, bytes, 0); file.force(true);",
                        "FullWrite.fully(file, bytes, 0);"),
                Mutant.of(
                        "M23",
                        "the directory is not forced after the head was renamed",
                        "HeadFile",
                        SCRIPT + "creation",
                        "storage.rename(TEMPORARY, NAME); storage.forceDirectory();",
                        "storage.rename(TEMPORARY, NAME);"),
                Mutant.of(
                        "M24",
                        "the parent of a new log's directory is not forced",
                        "StripeRecovery",
                        SCRIPT + "creation",
                        "storage.forceParentDirectory();",
                        ""),
                Mutant.of(
                        "M25",
                        "the parent of a new log's directory is forced after the head",
                        "StripeRecovery",
                        "FoundByCampaignTest.aLogInANewDirectoryIsThereAfterACreationThatWasInterruptedAnywhere",
                        "storage.forceParentDirectory();",
                        "",
                        "new HeadFile(logId, stripe.id(), 1, 1, 0).write(storage);",
                        "new HeadFile(logId, stripe.id(), 1, 1, 0).write(storage); storage.forceParentDirectory();"),
                Mutant.of(
                        "M93",
                        "a segment is used again before the new head is stable",
                        "PrefixTruncation",
                        SCRIPT + "a segment that is used again",
                        "for (int i = 0; i < stripes.size(); i++) { SegmentHeader first",
                        "for (int i = 0; i < stripes.size(); i++) { stripes.get(i).dropBefore(needed.get(i)); }"
                                + " for (int i = 0; i < stripes.size(); i++) { SegmentHeader first"),
                Mutant.of(
                        "M94",
                        "a segment that is used again keeps its epoch",
                        "SegmentFactory",
                        "ReusedSegmentsTest.noRecordOfTheEarlierUseHasARightCheckInTheLaterOne",
                        "new SegmentHeader(logId, stripe, segment, otherEpoch(dropped.epoch()), segmentBytes, true)",
                        "new SegmentHeader(logId, stripe, segment, dropped.epoch(), segmentBytes, true)"),
                Mutant.of(
                        "M95",
                        "the header of a segment that is used again is not forced",
                        "SegmentFactory",
                        SCRIPT + "a segment that is used again",
                        "FullWrite.fully(file, chunk, 0); file.force(false);",
                        "FullWrite.fully(file, chunk, 0);"),
                Mutant.of(
                        "M96",
                        "the name of a segment that is used again is not forced",
                        "SegmentFactory",
                        SCRIPT + "a segment that is used again",
                        "storage.rename(dropped.name(), SegmentHeader.fileName(segment)); forceDirectory();",
                        "storage.rename(dropped.name(), SegmentHeader.fileName(segment));"),
                Mutant.of(
                        "M97",
                        "what an earlier use of a segment left is taken for a torn write",
                        "TailEvidence",
                        "ReusedSegmentsTest.whatTheEarlierUseLeftIsNotTakenForATornWrite",
                        "this.ownUpTo = usedAgain ? RecordHeader.align(from, SegmentHeader.BLOCK_BYTES) : segmentBytes;",
                        "this.ownUpTo = segmentBytes;"),
                Mutant.of(
                        "M98",
                        "a torn write in a segment that is used again is not noticed",
                        "TailEvidence",
                        "ReusedSegmentsTest.aDamagedLastRecordIsCutAndNamedWhateverPartOfItsHeaderIsLeft",
                        "if (usedAgain && (right",
                        "if (!usedAgain && (right"),
                Mutant.of(
                        "M26",
                        "segments are deleted before the new head is stable",
                        "PrefixTruncation",
                        SCRIPT + "dropping a prefix",
                        "for (int i = 0; i < stripes.size(); i++) { SegmentHeader first",
                        "for (int i = 0; i < stripes.size(); i++) { stripes.get(i).dropBefore(needed.get(i)); }"
                                + " for (int i = 0; i < stripes.size(); i++) { SegmentHeader first"),
                Mutant.of(
                        "M27",
                        "the head does not note the checkpoint that stands for what was dropped",
                        "LogStart",
                        "CheckpointTest.aCheckpointThatStandsForDroppedRecordsMustBeThere",
                        "firstIndex, index, checkpointIndex, first",
                        "firstIndex, index, 0, first"),
                Mutant.of(
                        "M28",
                        "a checkpoint is not forced before it is renamed",
                        "CheckpointFile",
                        SCRIPT + "checkpoints",
                        "writeState(file, state, (int) bytes); file.force(true);",
                        "writeState(file, state, (int) bytes);"),
                Mutant.of(
                        "M29",
                        "the directory is not forced after a checkpoint was renamed",
                        "CheckpointFile",
                        SCRIPT + "checkpoints",
                        "storage.rename(TEMPORARY, NAME); storage.forceDirectory();",
                        "storage.rename(TEMPORARY, NAME);"),
                Mutant.of(
                        "M30",
                        "a checkpoint is written in place",
                        "CheckpointFile",
                        SCRIPT + "checkpoints",
                        "try (StorageFile file = storage.create(TEMPORARY)) {",
                        "try (StorageFile file = storage.list().contains(NAME)"
                                + " ? storage.open(NAME, Storage.Access.WRITE) : storage.create(NAME)) {",
                        "storage.rename(TEMPORARY, NAME);",
                        ""),
                Mutant.of(
                        "M31",
                        "a log may be shorter than its checkpoint",
                        "LogAnalysis",
                        "CheckpointTest.theLogMustReachItsCheckpoint",
                        "if (checkpoint >= nextIndex) {",
                        "if (checkpoint < 0) {"));
    }
}
