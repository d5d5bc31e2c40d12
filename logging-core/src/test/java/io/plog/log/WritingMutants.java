package io.plog.log;

import java.util.List;

/** Defects on the way of a record to the disk. */
final class WritingMutants {
    private static final String SCRIPT = "CrashPointTest.everyCrashPointOfAShortScriptKeepsThePromise: ";
    private static final String RULE = "MessageLogTest.nothingIsAcknowledgedBeforeTheForceThatCoversIt";

    private WritingMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "M1",
                        "no force",
                        "SegmentWriter",
                        RULE,
                        "case FDATASYNC -> file.force(false);",
                        "case FDATASYNC -> {}"),
                Mutant.of(
                        "M2",
                        "force after acknowledging",
                        "Committer",
                        RULE,
                        "segments.force(); // ... force ...",
                        "",
                        "acknowledge(takenNanos, writeBegin, forceBegin, end); // ... and only then acknowledge.",
                        "acknowledge(takenNanos, writeBegin, forceBegin, end); segments.force();"),
                Mutant.of(
                        "M3",
                        "a failed force is tried again",
                        "SegmentWriter",
                        "LogFailureTest.afterAFailedForceNothingIsAcknowledgedAndNothingIsTriedAgain",
                        "case FDATASYNC -> file.force(false);",
                        "case FDATASYNC -> { try { file.force(false); } catch (IOException e) { file.force(false); } }"),
                Mutant.of(
                        "M4",
                        "the batch behind the failed one is acknowledged",
                        "Committer",
                        "LogFailureTest.afterAFailedForceNothingIsAcknowledgedAndNothingIsTriedAgain",
                        "segments.force(); // ... force ...",
                        "try { segments.force(); } catch (IOException e) {"
                                + " for (int i = 0; i < batch.count(); i++) {"
                                + " tellFailed(batch.get(i), new LogFailedException(e.getMessage(), e)); }"
                                + " batch.clear(); return; }"),
                Mutant.of(
                        "M5",
                        "a short write is taken as whole",
                        "Writes",
                        "LogFailureTest.shortWritesAreContinuedUntilAllIsWritten",
                        "at += written;",
                        "at += written; if (written > 0) { return; }"),
                Mutant.of(
                        "M6",
                        "the watermark is ahead of the truth",
                        "SegmentWriter",
                        SCRIPT + "appends in batches",
                        "header.watermark = watermark;",
                        "header.watermark = append.index - 1;"),
                Mutant.of(
                        "M7",
                        "acknowledged out of order",
                        "Committer",
                        SCRIPT + "appends in batches",
                        "Append append = batch.get(i); append.waitingNanos",
                        "Append append = batch.get(count - 1 - i); append.waitingNanos"),
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
                        "RecoveryTest.recordsOfAnEarlierLifeOfTheSameBytesAreNotTakenForRecords",
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
                        "putZeros(target, (int) (end - second));"),
                Mutant.of(
                        "M12",
                        "the seal is not forced before the next segment is written",
                        "SegmentChain",
                        SCRIPT + "segment change",
                        "writer.control(RecordHeader.SEAL, nextIndex, watermark(durable)); writer.force();",
                        "writer.control(RecordHeader.SEAL, nextIndex, watermark(durable));"),
                Mutant.of(
                        "M13",
                        "for want of space an append is refused after the seal was written",
                        "SegmentChain",
                        SCRIPT + "no space, and space again",
                        "SegmentHeader next = preparer.take();",
                        "writer.control(RecordHeader.SEAL, nextIndex, watermark(durable)); writer.force();"
                                + " SegmentHeader next = preparer.take();"),
                Mutant.of(
                        "M14",
                        "the next segment is not initialised with zeros",
                        "SegmentFactory",
                        "MessageLogTest.everyByteOfASegmentIsWrittenAheadOfTime",
                        "Writes.fully(file, chunk.flip(), 0);",
                        "Writes.fully(file, chunk.flip().limit(SegmentHeader.BLOCK_BYTES), 0);"),
                Mutant.of(
                        "M15",
                        "a new segment is not forced before it gets its name",
                        "SegmentFactory",
                        SCRIPT + "creation",
                        "fill(file, header); file.force(true);",
                        "fill(file, header);"),
                Mutant.of(
                        "M16",
                        "a segment is initialised under its own name",
                        "SegmentFactory",
                        "MessageLogTest.aSegmentIsInitialisedForcedAndNamedBeforeItIsUsed",
                        "String temporary = name + LogAnalysis.TEMPORARY_SUFFIX;",
                        "String temporary = name;"),
                Mutant.of(
                        "M17",
                        "the directory is not forced after a segment got its name",
                        "SegmentFactory",
                        SCRIPT + "segment change, the next one prepared at once",
                        "storage.rename(temporary, name); storage.forceDirectory();",
                        "storage.rename(temporary, name);"),
                Mutant.of(
                        "M18",
                        "the lock is not taken",
                        "MessageLog",
                        "MessageLogTest.aSecondWriterIsRefusedAndTheFirstGoesOn",
                        "Closeable lock = storage.lock(LOCK_FILE);",
                        "Closeable lock = () -> {};"),
                Mutant.of(
                        "M19",
                        "direct writes are not aligned",
                        "SegmentWriter",
                        "MessageLogTest.directWritesAreAligned",
                        "return force == Force.DIRECT ? SegmentHeader.BLOCK_BYTES : RecordHeader.ALIGNMENT;",
                        "return RecordHeader.ALIGNMENT;"),
                Mutant.of(
                        "M20",
                        "the queue is not bounded",
                        "AppendQueue",
                        "MessageLogTest.aFullQueueMakesCallersWaitWhenToldTo",
                        "if (recordsNow <= mostRecords && bytesNow <= mostBytes) {",
                        "if (recordsNow <= mostRecords || bytesNow <= mostBytes || true) {"));
    }
}
