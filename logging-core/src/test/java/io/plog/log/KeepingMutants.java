package io.plog.log;

import io.plog.log.testing.Mutant;
import java.util.List;

/** Defects of the files beside the segments: head, checkpoint, the prefix that is dropped. */
final class KeepingMutants {
    private static final String SCRIPT = "CrashPointTest.everyCrashPointOfAShortScriptKeepsThePromise: ";

    private static final String COVERED = "CoveredRecordsTest.";

    private KeepingMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "M21",
                        "the head or the checkpoint is written in place instead of renamed",
                        "ReplacedFile",
                        SCRIPT + "checkpoints",
                        "try (Storage.FileHandle file = storage.create(temporary)) {",
                        "try (Storage.FileHandle file = storage.list().contains(name)"
                                + " ? storage.open(name, Storage.Access.WRITE) : storage.create(name)) {",
                        "storage.rename(temporary, name);",
                        ""),
                Mutant.of(
                        "M22",
                        "the head or the checkpoint is not forced before it is renamed",
                        "ReplacedFile",
                        SCRIPT + "dropping a prefix",
                        "file.force(true); } catch (IOException e) { try {",
                        "} catch (IOException e) { try {"),
                Mutant.of(
                        "M23",
                        "the directory is not forced after the head or the checkpoint was renamed",
                        "ReplacedFile",
                        SCRIPT + "creation",
                        "storage.rename(temporary, name); DirectoryForce.once(storage);",
                        "storage.rename(temporary, name);"),
                Mutant.of(
                        "M132",
                        "what was written over a spare file is not forced before it is renamed",
                        "ReplacedFile",
                        "CheckpointTest.onAFullDiskACheckpointIsReplacedAsAWholeWhereverItIsInterrupted",
                        "content.writeTo(file); file.force(true); } storage.rename(spare",
                        "content.writeTo(file); } storage.rename(spare"),
                Mutant.of(
                        "M137",
                        "a file with two names is taken for a spare one",
                        "ReplacedFile",
                        "CheckpointTest.aSpareFileThatIsTheCheckpointItselfIsNotWritten",
                        "&& storage.linksOf(spare) == 1 ?",
                        "?"),
                Mutant.of(
                        "M138",
                        "a spare file is written although its name may be the checkpoint's on the disk",
                        "ReplacedFile",
                        "CheckpointTest.aCheckpointThatMayStillBeOnTheDiskIsNotWrittenAsASpareFile",
                        "DirectoryForce.once(storage); try (Storage.FileHandle file = storage.open(spare",
                        "try (Storage.FileHandle file = storage.open(spare"),
                Mutant.of(
                        "M134",
                        "a segment that somebody keeps a link to is used again",
                        "SegmentFactory",
                        "ReusedSegmentsTest.aSegmentOfWhichSomebodyKeepsALinkIsNotUsedAgain",
                        "if (storage.linksOf(dropped.name()) > 1) {",
                        "if (storage.linksOf(dropped.name()) > 1000) {"),
                Mutant.of(
                        "M135",
                        "nothing keeps an unfinished copy from being taken for a log",
                        "LogCopy",
                        "LogCopyTest.aCopyThatIsInterruptedIsNotTakenForALog",
                        "HEAD.replace(target, NO_HEAD.length, () -> 0, file -> WriteFully.fully(file, ByteBuffer.wrap(NO_HEAD), 0));",
                        ""),
                Mutant.of(
                        "M160",
                        "a copy of a log that nobody writes ends where the valid records do",
                        "LogCopy",
                        "LogCopyTest.whatMayHaveBeenAcknowledgedIsReportedByTheOpeningOfTheCopyToo",
                        "last.isTorn() && stripe.isStillSo()",
                        "false"),
                Mutant.of(
                        "M161",
                        "a closing mark is no evidence where more records than fit would have to stand before it",
                        "TailEvidence",
                        "AtRestDamageTest.aMisdirectedWriteIsAnsweredByEverythingOrByExactWords",
                        "at - from + misplaced()",
                        "at - from"),
                Mutant.of(
                        "M136",
                        "a copy is not verified",
                        "LogCopy",
                        "LogCopyTest.aCopyOfALogThatIsBeingWrittenHasWhatWasDurableWhenItBegan",
                        "if (damage != null || copied.nextIndex() != found.nextIndex()) {",
                        "if (damage != null && copied.nextIndex() < 0) {"),
                Mutant.of(
                        "M133",
                        "no space is kept for the next checkpoint",
                        "LogStart",
                        "CheckpointTest.aLogAtItsBoundOnAFullDiskGoesOn",
                        "reserveSpace(state);",
                        ""),
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
                        "M127",
                        "a state that changed while it was saved takes the place of the checkpoint before",
                        "CheckpointFile",
                        "CheckpointTest.aStateThatChangesWhileItIsSavedIsRefusedAndTheCheckpointBeforeStays",
                        "copy.checkUnchanged();",
                        ""),
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
                        "SegmentHeader header = new SegmentHeader(logId, stripe, segment, randomEpoch(), segmentBytes);"
                                + " try { try (Storage.FileHandle file = storage.open(dropped.name()",
                        "long kept; try (Storage.FileHandle old = storage.open(dropped.name(), Storage.Access.READ)) {"
                                + " kept = java.util.Objects.requireNonNull("
                                + "SegmentHeader.read(old, \"\", new StringBuilder())).epoch(); }"
                                + " SegmentHeader header = new SegmentHeader(logId, stripe, segment, kept, segmentBytes);"
                                + " try { try (Storage.FileHandle file = storage.open(dropped.name()"),
                Mutant.of(
                        "M95",
                        "the header of a segment that is used again is not forced",
                        "SegmentFactory",
                        SCRIPT + "a segment that is used again",
                        "WriteFully.fully(file, chunk, 0); file.force(false);",
                        "WriteFully.fully(file, chunk, 0);"),
                Mutant.of(
                        "M96",
                        "the name of a segment that is used again is not forced",
                        "SegmentFactory",
                        SCRIPT + "a segment that is used again",
                        "storage.rename(dropped.name(), SegmentHeader.fileName(segment)); DirectoryForce.once(storage);",
                        "storage.rename(dropped.name(), SegmentHeader.fileName(segment));"),
                Mutant.of(
                        "M97",
                        "what an earlier use of a segment left is taken for a torn write",
                        "TailEvidence",
                        "ReusedSegmentsTest.whatTheEarlierUseLeftIsNotTakenForATornWrite",
                        "this.ownUpTo = RecordHeader.align(from, SegmentHeader.BLOCK_BYTES);",
                        "this.ownUpTo = segmentBytes;"),
                Mutant.of(
                        "M98",
                        "a torn write in a segment that is used again is not noticed",
                        "TailEvidence",
                        "ReusedSegmentsTest.aDamagedLastRecordIsCutAndNamedWhateverPartOfItsHeaderIsLeft",
                        "remainsEnd = Math.max(remainsEnd, at + candidate.totalBytes());",
                        ""),
                Mutant.of(
                        "M140",
                        "a write of records has no trailer",
                        "SegmentWriter",
                        "BadSectorTest.aBadSectorTakesNoAcknowledgedRecordWithoutAWord",
                        "Trailer.put(staging, header, nextIndex - 1, epoch);",
                        ""),
                Mutant.of(
                        "M141",
                        "a trailer may stand in the sector of the record that it speaks of",
                        "Trailer",
                        "BadSectorTest.aBadSectorTakesNoAcknowledgedRecordWithoutAWord",
                        "Math.max(recordEnd + RecordHeader.BYTES, headerEnd + SECTOR_BYTES)",
                        "recordEnd + RecordHeader.BYTES"),
                Mutant.of(
                        "M142",
                        "more records than fit are believed",
                        "TailEvidence",
                        "LeftoversTest.aRightHeaderWithAnIndexThatCannotBeIsNoEvidence",
                        "&& candidate.index <= bound.highest(expectedIndex, at - from + misplaced())",
                        ""),
                Mutant.of(
                        "M143",
                        "the salt of a header is not looked at",
                        "RecordHeader",
                        "LeftoversTest.aHeaderOfWhichOnlyTheCheckIsRightIsNoEvidence",
                        "|| source.getInt(offset + 28) != saltOf(epoch)",
                        ""),
                Mutant.of(
                        "M144",
                        "what stands in a prepared segment stays there",
                        "SpareSegments",
                        "LeftoversTest.aRightHeaderInAPreparedSegmentIsARecordAtItsFirstPlaceOnly",
                        "} else if (!isEmpty(file, header, window)) {",
                        "} else if (number < 0) {"),
                Mutant.of(
                        "M145",
                        "a file of a newer format is called damaged",
                        "NewerFormatException",
                        "NewerFormatTest.aFileOfANewerFormatIsNoDamage",
                        "if (Integer.compareUnsigned(version, known) > 0) {",
                        "if (version < 0) {"),
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
                        "M31",
                        "a log may be shorter than its checkpoint",
                        "LogAnalysis",
                        "CheckpointTest.theLogMustReachItsCheckpoint",
                        "if (checkpoint >= nextIndex) {",
                        "if (checkpoint < 0) {"),
                Mutant.of(
                        "M112",
                        "a piece of a checkpoint is not forced while the log is at work",
                        "PacedWriter",
                        "CheckpointTest.besideALogAtWorkACheckpointIsForcedInSmallPiecesAndAtRestAtOnce",
                        "file.force(true);",
                        ""),
                Mutant.of(
                        "M114",
                        "the check of covered records begins one segment too late",
                        "CoveredRecordsCheck",
                        COVERED + "theLogsOwnThreadFindsTheDamage",
                        "for (int i = 0; i < segments.size() - 1 && !stopped; ) {",
                        "for (int i = 1; i < segments.size() - 1 && !stopped; ) {"),
                Mutant.of(
                        "M115",
                        "the check of covered records ends one segment too early",
                        "CoveredRecordsCheck",
                        COVERED + "theLastOfTheUnreadSegmentsIsCheckedToo",
                        "for (int i = 0; i < segments.size() - 1 && !stopped; ) {",
                        "for (int i = 0; i < segments.size() - 2 && !stopped; ) {"),
                Mutant.of(
                        "M116",
                        "damage to covered records is not reported",
                        "CoveredRecordsCheck",
                        COVERED + "damageToACoveredRecordFailsTheLogWithTheWordsOfAnOpeningThatReadsEverything",
                        "fail.accept(problem); return;",
                        "return;"),
                Mutant.of(
                        "M117",
                        "a covered segment need not end with a seal",
                        "CoveredRecordsCheck",
                        COVERED + "damageToACoveredRecordFailsTheLogWithTheWordsOfAnOpeningThatReadsEverything",
                        "if (!found.sealed()) {",
                        "if (found.endOffset() < 0) {"),
                Mutant.of(
                        "M118",
                        "a covered segment need not lead to the next",
                        "CoveredRecordsCheck",
                        COVERED + "aFirstRecordThatIsNotTheFirstIsFoundThoughItIsIntact",
                        "return found.nextIndex() == next.firstIndex()",
                        "return found.nextIndex() > 0"),
                Mutant.of(
                        "M119",
                        "for lack of a file descriptor the check of covered records fails the log",
                        "CoveredRecordsCheck",
                        COVERED + "withoutAFileDescriptorTheCheckWaitsAndThenReadsEverything",
                        "DiskErrors.kindOf(problem) == DiskErrors.Kind.SHORTAGE",
                        "DiskErrors.kindOf(problem) == DiskErrors.Kind.NO_SPACE"),
                Mutant.of(
                        "M120",
                        "a covered segment that was dropped meanwhile has to be intact",
                        "CoveredRecordsCheck",
                        COVERED + "segmentsThatWereDroppedMeanwhileNeedNotBeIntact",
                        "return !isInUse.test(segment.header().segment());",
                        "return false;"),
                Mutant.of(
                        "M121",
                        "the check of covered records goes on when the log is closed",
                        "OpenStripes",
                        COVERED + "closingEndsACheckThatWaits",
                        "checks.forEach(CoveredRecordsCheck::stop);",
                        ""),
                Mutant.of(
                        "M122",
                        "the directory is released while the check of covered records reads",
                        "OpenStripes",
                        COVERED + "theDirectoryStaysLockedWhileTheCheckHangs",
                        "ended &= end.ended(check::join);",
                        ""),
                Mutant.of(
                        "M123",
                        "the work of another writer is reported as damage",
                        "OpenStripes",
                        COVERED + "whenAnotherWriterHasTheLogTheCheckSaysThatAndNotThatItIsDamaged",
                        "problem -> fail.accept(reasonOf(problem))",
                        "fail"),
                Mutant.of(
                        "M124",
                        "segments are left unread though nothing proves that they are durable",
                        "LogAnalysis",
                        COVERED + "whatNothingProvesToBeDurableIsReadAtTheOpening",
                        "if (quick.damage == null && quick.provesUnread()) {",
                        "if (quick.damage == null) {"),
                Mutant.of(
                        "M125",
                        "segments behind the checkpoint are left unread",
                        "CoveredSegments",
                        COVERED + "theOpeningReadsWhatTheCheckpointDoesNotCover",
                        "link.firstIndex() >= least && link.firstIndex() <= checkpoint",
                        "link.firstIndex() >= least"));
    }
}
