package io.plog.log;

import io.plog.log.testing.Mutant;
import java.util.List;

/** Defects of reading and recovering. */
final class RecoveryMutants {
    private static final String SCRIPT = "CrashPointTest.everyCrashPointOfAShortScriptKeepsThePromise: ";

    private RecoveryMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "M32",
                        "the cut of a torn tail is not forced",
                        "Quarantine",
                        "RecoveryTest.theCutIsForcedBeforeTheFirstAppend",
                        "WriteFully.fully(file, chunk.flip(), at); } file.force(true);",
                        "WriteFully.fully(file, chunk.flip(), at); }"),
                Mutant.of(
                        "M33",
                        "a recovered tail is shown before it is forced",
                        "Quarantine",
                        "FoundByCampaignTest.aSealThatWasOnlyWrittenIsWrittenAgainByTheRecovery",
                        "WriteFully.fully(file, chunk, at); } file.force(true);",
                        "WriteFully.fully(file, chunk, at); }"),
                Mutant.of(
                        "M34",
                        "a recovered tail is only forced again instead of written again",
                        "Quarantine",
                        "CrashCampaignTest.afterAFailedForceWhatARestartShowsSurvivesThePowerCutThatFollows",
                        "read(file, at, to); WriteFully.fully(file, chunk, at); } file.force(true);",
                        "read(file, at, to); } file.force(true);"),
                Mutant.of(
                        "M35",
                        "the rest of the segment is overwritten only as far as it reads as something else",
                        "StripeRecovery",
                        "FoundByCampaignTest.aTornRecordUnderZerosThatOnlyThePageCacheHasDoesNotComeBack",
                        "cuts.zero(last.file(), position, last.header().segmentBytes());",
                        "cuts.zero(last.file(), position, last.tail().remainsEnd());"),
                Mutant.of(
                        "M36",
                        "a seal that was only written is relied on",
                        "StripeRecovery",
                        "FoundByCampaignTest.aSealThatWasOnlyWrittenIsWrittenAgainByTheRecovery",
                        "i < states.size(); i++) { writeAgain(states.get(i), markedIndex); }",
                        "i < states.size(); i++) { if (states.get(i).lastRecord() > markedIndex) {"
                                + " writeAgain(states.get(i), markedIndex); } }"),
                Mutant.of(
                        "M37",
                        "one copy of a mark is taken for two",
                        "StripeRecovery",
                        "FoundByCampaignTest.aMarkOfWhichOneCopySurvivedIsMadeWholeByTheRecovery",
                        "if (news || unmarked || !aligned) {",
                        "if (news || !aligned) {"),
                Mutant.of(
                        "M38",
                        "the directory is not forced before it is relied on",
                        "Recovery",
                        SCRIPT + "checkpoints",
                        "stripe.forceDirectory();",
                        ""),
                Mutant.of(
                        "M39",
                        "a stop changes something",
                        "Recovery",
                        "AtRestDamageTest.aMissingOrExchangedFileIsAnsweredByEverythingOrByExactWords",
                        "LogDamagedException damage = analysis.damage();",
                        "storages.get(0).forceDirectory(); LogDamagedException damage = analysis.damage();"),
                Mutant.of(
                        "M40",
                        "the index of a record is not checked",
                        "SegmentScanner",
                        "MisplacedBytesTest.aRecordInThePlaceOfAnotherIsNotTakenForIt",
                        "record.index < expectedIndex || (record.index > expectedIndex && !header.stripe().isStriped())",
                        "record.index < 0"),
                Mutant.of(
                        "M41",
                        "the payload's check is not looked at",
                        "SegmentScanner",
                        "RecoveryTest.damageToAnAcknowledgedRecordStopsWithExactWordsAndChangesNothing",
                        "if (computed != record.payloadCrc) {",
                        "if (computed != record.payloadCrc && at < 0) {"),
                Mutant.of(
                        "M42",
                        "a length is not bounded before memory is taken for it",
                        "SegmentScanner",
                        "MisplacedBytesTest.aValidHeaderWithAHugeLengthAllocatesNothing",
                        "!record.isAligned() || at + total > Math.min(limit, endOfRoom())",
                        "!record.isAligned()"),
                Mutant.of(
                        "M43",
                        "damage only if a later record follows directly (== instead of >=)",
                        "TailEvidence",
                        "RecoveryTest.damageToAnAcknowledgedRecordStopsWithExactWordsAndChangesNothing",
                        "|| candidate.index < expectedIndex",
                        "|| candidate.index != expectedIndex"),
                Mutant.of(
                        "M44",
                        "damage only if the watermark is the very record (== instead of >=)",
                        "LogAnalysis",
                        "RecoveryTest.damageToAnAcknowledgedRecordStopsWithExactWordsAndChangesNothing",
                        "if (highestWatermark() >= nextIndex) {",
                        "if (highestWatermark() == nextIndex) {"),
                Mutant.of(
                        "M45",
                        "zeros are the end, whatever comes behind them",
                        "TailEvidence",
                        "RecoveryTest.anyZeroedBlockOfAClosedLogIsAnsweredByEverythingOrByDamage",
                        "at += window.zerosFrom(at) & -RecordHeader.ALIGNMENT;",
                        "break;"),
                Mutant.of(
                        "M46",
                        "a header of type 0 is the end",
                        "SegmentReading",
                        "AtRestDamageTest.aFlippedBitIsAnsweredByEverythingOrByExactWords",
                        "TailEvidence tail = TailEvidence.search(file, header, window, end, scanner.expectedIndex(), bound);",
                        "TailEvidence tail = window.require(file, end, 32) == 32 && window.buffer().get(window.at(end) + 4) == 0"
                                + " ? new TailEvidence(end, 0, -1, false, false, false, scanner.expectedIndex())"
                                + " : TailEvidence.search(file, header, window, end, scanner.expectedIndex(), bound);"),
                Mutant.of(
                        "M47",
                        "a prepared segment that holds records is discarded",
                        "SpareSegments",
                        "MisplacedBytesTest.aSegmentBehindOneThatLostItsSealIsNotTakenForAPreparedOne",
                        "if (beginsWithRecord(file, header, active.nextIndex(), highestIndex)) {",
                        "if (false) {"),
                Mutant.of(
                        "M48",
                        "the name of a segment is believed, not its header",
                        "SegmentHeaderCheck",
                        "AtRestDamageTest.aMissingOrExchangedFileIsAnsweredByEverythingOrByExactWords",
                        "if (header.segment() != number) {",
                        "if (header.segment() < 0) {"),
                Mutant.of(
                        "M49",
                        "a log without a head is always taken for a new one",
                        "LogAnalysis",
                        "AtRestDamageTest.aMissingOrExchangedFileIsAnsweredByEverythingOrByExactWords",
                        "if (first == null) { discardUnfinishedCreation(); return; }",
                        "if (first == null) { return; }"),
                Mutant.of(
                        "M50",
                        "a segment that lost its end is read as far as it goes",
                        "StripeAnalysis",
                        "AtRestDamageTest.aTruncatedFileIsAnsweredByEverythingOrByExactWords",
                        "if (file.size() < header.segmentBytes()) {",
                        "if (file.size() < 0) {"));
    }
}
