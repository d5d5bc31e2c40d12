package io.plog.log;

import io.plog.log.testing.Mutant;
import java.util.List;

/** Defects on the way of a record to the disk. */
final class WritingMutants {
    private static final String SCRIPT = "CrashPointTest.everyCrashPointOfAShortScriptKeepsThePromise: ";
    private static final String CAMPAIGN = "CrashCampaignTest.randomHistoriesKeepThePromise";
    private static final String RULE = "MessageLogTest.nothingIsAcknowledgedBeforeTheForceThatCoversIt";

    /** How the next batch to be acknowledged is found, and a defect: any that is done. */
    static final String OLDEST = "private @Nullable Batch done(long ticket) {";

    static final String ANY = "private @Nullable Batch done(long oldest) { long ticket = oldest;"
            + " for (int i = 0; i < underWay.length(); i++) { Batch any = underWay.get(i);"
            + " if (any != null && any.done && any.inUse) { return any; } }";

    /** Each append is claimed before it is told, and that in order; and a defect: it is not. */
    static final String CLAIM = "if (!notifier.claim(batch.firstNumber + i)) { return false; }";

    static final String NO_CLAIM = "";

    private WritingMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of("M1", "no force", "SegmentWriter", RULE, "file.force(force);", ""),
                Mutant.of(
                        "M2",
                        "force after acknowledging",
                        "GroupCommit",
                        RULE,
                        "force(batch); // ... force ...",
                        "",
                        "acknowledgeInOrder(); // ... and only then acknowledge, after all that lies before it.",
                        "batch.done = true; acknowledgeInOrder(); force(batch);"),
                Mutant.of(
                        "M3",
                        "a failed force is tried again",
                        "SegmentWriter",
                        "LogFailureTest.afterAFailedForceNothingIsAcknowledgedAndNothingIsTriedAgain",
                        "file.force(force);",
                        "try { file.force(force); } catch (IOException e) { file.force(force); }"),
                Mutant.of(
                        "M4",
                        "the batch behind the failed one is acknowledged",
                        "GroupCommit",
                        "LogFailureTest.afterAFailedForceNothingIsAcknowledgedAndNothingIsTriedAgain",
                        "force(batch); // ... force ...",
                        "try { force(batch); } catch (IOException e) { batch.segments.written(batch.encodedBytes);"
                                + " batch.done = true; java.util.Arrays.fill(batch.refusals, 0, batch.count,"
                                + " new LogRefusedException.NoSpace(e.getMessage(), e)); }"),
                Mutant.of(
                        "M5",
                        "a short write is taken as whole",
                        "WriteFully",
                        "LogFailureTest.shortWritesAreContinuedUntilAllIsWritten",
                        "at = next;",
                        "at = next; if (written > 0) { return; }"),
                Mutant.of(
                        "M6",
                        "the watermark is ahead of the truth",
                        "SegmentWriter",
                        SCRIPT + "appends in batches",
                        "header.index = nextIndex++;",
                        "header.watermark = nextIndex - 1; header.index = nextIndex++;"),
                Mutant.of(
                        "M7",
                        "acknowledged out of order",
                        "GroupCommit",
                        SCRIPT + "appends in batches",
                        "notifier.tellDurable(DURABLE, batch, i, index++);",
                        "notifier.tellDurable(DURABLE, batch, batch.count - 1 - i, index++);"),
                Mutant.of(
                        "M8",
                        "the check does not cover the length",
                        "RecordHeader",
                        "RecordHeaderTest.theCheckCoversTheLengthTheIndexAndTheWatermark",
                        "crc.update(covered.array(), 0, covered.capacity());",
                        "crc.update(covered.array(), 0, 12); crc.update(covered.array(), 16, covered.capacity() - 16);"),
                Mutant.of(
                        "M9",
                        "the check does not cover the epoch",
                        "RecordHeader",
                        "RecordHeaderTest.aHeaderIsOfItsSegmentOnly",
                        "crc.update(covered.array(), 0, covered.capacity());",
                        "crc.update(covered.array(), 8, covered.capacity() - 8);"),
                Mutant.of(
                        "M10",
                        "all segments have the same epoch",
                        "SegmentFactory",
                        "RecoveryTest.recordsOfAnEarlierLifeOfTheSameBytesAreNotTakenForRecords",
                        "epoch = RANDOM.nextLong();",
                        "epoch = 1;"),
                Mutant.of(
                        "M11",
                        "a mark is written once only",
                        "ControlRecords",
                        "AtRestDamageTest.everyZeroedSectorIsAnsweredByEverythingOrByExactWords",
                        "encodeOne(target, header, epoch, second, end);",
                        "Zeros.put(target, (int) (end - second));"),
                Mutant.of(
                        "M12",
                        "the seal is not forced before the next segment is written",
                        "SegmentChain",
                        SCRIPT + "segment change",
                        "control(writer, RecordHeader.SEAL, nextIndex, watermark(durable)); writer.force();",
                        "control(writer, RecordHeader.SEAL, nextIndex, watermark(durable));"),
                Mutant.of(
                        "M13",
                        "for lack of space an append is refused after the seal was written",
                        "SegmentChain",
                        SCRIPT + "no space, and space again",
                        "OpenSegment opened = preparer.take();",
                        "control(writer, RecordHeader.SEAL, nextIndex, watermark(durable)); writer.force();"
                                + " OpenSegment opened = preparer.take();"),
                Mutant.of(
                        "M14",
                        "the next segment is not initialised with zeros",
                        "SegmentFactory",
                        "MessageLogTest.everyByteOfASegmentIsWrittenAheadOfTime",
                        "at += bytes;",
                        "at += segmentBytes;"),
                Mutant.of(
                        "M15",
                        "a new segment is not forced before it gets its name",
                        "SegmentFactory",
                        SCRIPT + "creation",
                        "fill(file, header, throttle); file.force(true);",
                        "fill(file, header, throttle);"),
                Mutant.of(
                        "M16",
                        "a segment is initialised under its own name",
                        "SegmentFactory",
                        "MessageLogTest.aSegmentIsInitialisedForcedAndNamedBeforeItIsUsed",
                        "String temporary = name + temporarySuffix;",
                        "String temporary = name;"),
                Mutant.of(
                        "M17",
                        "the directory is not forced after a segment got its name",
                        "SegmentFactory",
                        SCRIPT + "segment change, the next one prepared at once",
                        "storage.rename(temporary, name); DirectoryForce.once(storage);",
                        "storage.rename(temporary, name);"),
                Mutant.of(
                        "M18",
                        "the lock is not taken",
                        "MessageLog",
                        "MessageLogTest.aSecondWriterIsRefusedAndTheFirstGoesOn",
                        "locks.add(storage.lock(LogFiles.LOCK));",
                        "locks.add(() -> {});"),
                Mutant.of(
                        "M19",
                        "with force=direct, a block that holds a durable record is written again",
                        "Force",
                        "MessageLogTest.withDirectABlockThatHoldsADurableRecordIsNeverWrittenAgain",
                        "return padsGroups() ? SegmentHeader.BLOCK_BYTES : RecordHeader.ALIGNMENT;",
                        "return RecordHeader.ALIGNMENT;"),
                Mutant.of(
                        "M20",
                        "the queue is not bounded",
                        "AppendQueue",
                        "MessageLogTest.aFullQueueMakesCallersWaitWhenToldTo",
                        "number - released.getAcquire() >= mostRecords",
                        "number - released.getAcquire() > mask"),
                Mutant.of(
                        "M55",
                        "writes around the page cache are not aligned",
                        "SegmentWriter",
                        "MessageLogTest.writesAroundThePageCacheAreAligned",
                        "Zeros.put(staging, (int) (endOfWrite - at));",
                        ""),
                Mutant.of(
                        "M51",
                        "a group is acknowledged before the one in front of it",
                        "GroupCommit",
                        "LanesTest.whatIsForcedBeforeItsTurnIsAcknowledgedInItsTurn",
                        OLDEST,
                        ANY,
                        CLAIM,
                        NO_CLAIM),
                Mutant.of(
                        "M52",
                        "a group is acknowledged after another one failed",
                        "GroupCommit",
                        "LanesTest.whenAGroupFailsNoOtherIsAcknowledgedAnyMore",
                        "if (failure != null || !acknowledge(next)) {",
                        "if (!acknowledge(next)) {"),
                Mutant.of(
                        "M72",
                        "a caller writes to a file that an interrupt closes",
                        "DiskFile",
                        "CallersTest.aCallerThatIsInterruptedWhileItWritesHarmsNobody",
                        "public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {",
                        "public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {"
                                + " if (Thread.currentThread().isInterrupted()) { channel.close(); }"),
                Mutant.of(
                        "M53",
                        "two groups under way share a block",
                        "SegmentChain",
                        CAMPAIGN,
                        "filled || alignment == BLOCK_BYTES",
                        "alignment == BLOCK_BYTES",
                        "blockShared = end != writer.endOfWrite(); if (blockShared) {",
                        "if (end != writer.endOfWrite()) {"),
                Mutant.of(
                        "M54",
                        "the segment is changed while a group is under way in it",
                        "SegmentChain",
                        CAMPAIGN,
                        "full = true; return underWay.get() == 0;",
                        "return true;"),
                Mutant.of(
                        "M68",
                        "a group is acknowledged before the one in front of it, in another directory",
                        "GroupCommit",
                        "StripedLanesTest.whatIsAcknowledgedIsThereInItsPlaceWhicheverDisksCrashWhen",
                        "return batch != null && batch.isOfTurn(ticket) && batch.isDone() ? batch : null;",
                        "return batch != null && batch.isOfTurn(ticket) ? batch : null;"),
                Mutant.of(
                        "M110",
                        "a group may be filled again before its turn is over",
                        "GroupCommit",
                        "GroupCommitTest.aBatchThatIsFilledAgainTheMomentItIsFreeSkipsNoTurn",
                        "nextTicket = notifier.finish(batch) ? batch.ticket + 1 : batch.ticket; return batch.freeBefore(nextTicket);",
                        "boolean finished = notifier.finish(batch); boolean free = batch.freeBefore(batch.ticket + 1); nextTicket = batch.ticket + 1; return finished && free;"),
                Mutant.of(
                        "M111",
                        "a group that was done of an earlier turn passes for the oldest",
                        "GroupCommit",
                        "GroupCommitTest.aBatchThatIsBeingFilledForTheOldestTurnIsNotAcknowledged",
                        "batch.isOfTurn(ticket) && batch.isDone()",
                        "batch.isDone() && batch.isOfTurn(ticket)"),
                Mutant.of(
                        "M71",
                        "a write around the page cache is gone on with in the middle of a block",
                        "WriteFully",
                        "WriteFullyTest.wholeBlocksAreGoneOnWithFromTheBlockThatWasBegun",
                        "boolean inSectors = count == 1",
                        "boolean inSectors = count == 0"));
    }
}
