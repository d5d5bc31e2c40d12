package io.plog.log;

import io.plog.log.testing.Mutant;
import java.util.List;

/** Defects of striped logs. */
final class StripeMutants {
    private static final String AHEAD = "StripeCrashTest.aCrashAnywhereWhileOneDirectoryRunsAheadThroughItsSegments";
    private static final String TORN = "StripeCrashTest.aCrashAnywhereInTheLifeAfterATornOne";
    private static final String UNDER_WAY = "StripeCrashTest.aCrashAnywhereWhileBatchesAreUnderWayInAllDirectories";
    private static final String PREFIX = "StripeCrashTest.aCrashAnywhereWhileAPrefixIsDropped";

    private StripeMutants() {}

    static List<Mutant> all() {
        return List.of(
                Mutant.of(
                        "M56",
                        "a group is acknowledged before the one in front of it, in another directory",
                        "GroupCommit",
                        "StripesTest.nothingIsAcknowledgedBeforeWhatLiesBeforeItInTheOtherDirectory",
                        WritingMutants.OLDEST,
                        WritingMutants.ANY,
                        WritingMutants.CLAIM,
                        WritingMutants.NO_CLAIM),
                Mutant.of(
                        "M57",
                        "a striped log is cut in its first directory only",
                        "LogAnalysis",
                        TORN,
                        "for (StripeAnalysis stripe : stripes) { stripe.cut(nextIndex); }",
                        "stripes.get(0).cut(nextIndex);"),
                Mutant.of(
                        "M58",
                        "a directory says that all is durable before the others are written again",
                        "Recovery",
                        "StripeCrashTest.whatAFailedForceLeftInOneDirectoryIsOnTheDiskBeforeAMarkInAnotherSaysSo",
                        "for (StripeRecovery stripe : stripes) { stripe.makeStable(analysis.provenIndex(), lastIndex);",
                        "List<RecoveredLog.Stripe> recovered = new ArrayList<>();"
                                + " for (StripeRecovery stripe : stripes) { stripe.makeStable(analysis.provenIndex(), lastIndex);",
                        "news |= stripe.cutBytes() > 0;",
                        "news |= stripe.cutBytes() > 0; recovered.add(stripe.mark(head, lastIndex, news));",
                        "List<RecoveredLog.Stripe> recovered = new ArrayList<>();"
                                + " for (StripeRecovery stripe : stripes) {"
                                + " recovered.add(stripe.mark(head, lastIndex, news)); }",
                        ""),
                Mutant.of(
                        "M59",
                        "a watermark counts for its own directory only",
                        "LogAnalysis",
                        "StripeDamageTest.aDiskThatIsNotWhatItWasIsNoticed",
                        "if (highestWatermark() >= nextIndex) {",
                        "if (stripes.stream().filter(StripeAnalysis::mayHold).flatMap(s -> s.segments().stream())"
                                + ".mapToLong(SegmentState::highestWatermark).max().orElse(0) >= nextIndex) {"),
                Mutant.of(
                        "M60",
                        "a mark is kept although a record before it is missing",
                        "LogAnalysis",
                        AHEAD,
                        "if (!stripe.isAtData()) { return stripe.index() <= nextIndex; }",
                        "if (!stripe.isAtData()) { return true; }"),
                Mutant.of(
                        "M61",
                        "segments behind the end are replaced from the first on",
                        "StripeRecovery",
                        TORN,
                        "for (int i = superseded.size() - 1; i >= 0; i--) {",
                        "for (int i = 0; i < superseded.size(); i++) {"),
                Mutant.of(
                        "M62",
                        "the first directory gets its head first",
                        "Recovery",
                        "StripeCrashTest.aCrashAnywhereInTheCreation",
                        "for (int i = stripes.size() - 1; i >= 0; i--) { created.add(0, stripes.get(i).create(logId)); }",
                        "for (int i = 0; i < stripes.size(); i++) { created.add(stripes.get(i).create(logId)); }"),
                Mutant.of(
                        "M63",
                        "the head that was replaced last says where a striped log begins",
                        "LogAnalysis",
                        PREFIX,
                        "firstIndex = Math.max(firstIndex, known.firstIndex());",
                        "firstIndex = known.firstIndex();"),
                Mutant.of(
                        "M64",
                        "a prefix that was dropped is brought back by dropping less",
                        "PrefixTruncation",
                        PREFIX,
                        "long from = Math.max(firstIndex, index);",
                        "long from = index;"),
                Mutant.of(
                        "M65",
                        "a striped log goes on where a record is missing",
                        "LogAnalysis",
                        UNDER_WAY,
                        "return stripe.index() <= nextIndex; } private void judge()",
                        "nextIndex = Math.max(nextIndex, stripe.index()); return true; } private void judge()"),
                Mutant.of(
                        "M66",
                        "segments of which nothing is part of the log stay as they are",
                        "StripeRecovery",
                        TORN,
                        "replaceSuperseded(); SegmentState last",
                        "spares.addAll(stripe.spares()); SegmentState last"),
                Mutant.of(
                        "M67",
                        "a torn group behind a closing mark is cut without a mark between them",
                        "StripeRecovery",
                        "StripeCrashTest.aTornGroupBehindAClosingMarkDoesNotComeBackWhenItsZerosWereNotForced",
                        "last.endsWithClosingMark() && hasRoomForMark(last.header())",
                        "last.endsWithClosingMark() && position < 0"),
                Mutant.of(
                        "M69",
                        "with force=write a complete segment is not forced before the log is closed",
                        "SegmentChain",
                        "FoundByCampaignTest.whatWasOnlyWrittenIsForcedBeforeTheLogIsClosed",
                        "!isStable);",
                        "false);"),
                Mutant.of(
                        "M70",
                        "what was dropped is taken for durable",
                        "LogAnalysis",
                        "FoundByCampaignTest.whatWasDroppedButNeverForcedIsWrittenAgainWhereADirectoryStillBeginsWithIt",
                        "return Math.min(highestWatermark(), nextIndex - 1);",
                        "return Math.min(Math.max(firstIndex() - 1, highestWatermark()), nextIndex - 1);"));
    }
}
