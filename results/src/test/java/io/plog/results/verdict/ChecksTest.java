package io.plog.results.verdict;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleSource;
import io.plog.results.Analysis;
import io.plog.results.SyntheticRun;
import io.plog.results.TerminalSummary;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ChecksTest {
    private static final SyntheticRun RUN = SyntheticRun.of(120, 8, List.of("fdatasync", "off"), List.of(100, 1000));

    private static Check check(SampleSource run, String id) throws IOException {
        return Analysis.results(run).validity().stream()
                .filter(check -> check.id().equals(id))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no check " + id));
    }

    /** The run with one column of the sample at 60, which counts, changed in every cell. */
    private static SampleSource tamperedWith(Column column, long value) {
        return tamperedWith(RUN, column, value);
    }

    private static SampleSource tamperedWith(SyntheticRun run, Column column, long value) {
        return run.changed((target, sample, each, number) -> sample == 60 && each == column ? value : number);
    }

    @Test
    void aCompleteRunOnADiskPassesEveryCheck() throws IOException {
        assertThat(Analysis.results(RUN).validity()).allMatch(Check::ok).hasSizeGreaterThan(5);
    }

    @Test
    void aRunThatEndedEarlyIsPartial() throws IOException {
        Check check = check(RUN.ending(new RunInfo.End(true, "interrupted", 1)), "complete");
        assertThat(check.ok()).isFalse();
        assertThat(check.detail()).contains("interrupted");
    }

    @Test
    void aFailedRequestMakesTheRunInvalidAndIsInNoFigure() throws IOException {
        SampleSource failing = tamperedWith(Column.STATUS, 4);
        Check check = check(failing, "failures");
        assertThat(check.ok()).isFalse();
        assertThat(check.severity()).isEqualTo(Severity.INVALID);
        Results.Cell cell = Analysis.results(failing).cells().get(0);
        assertThat(cell.failures()).isEqualTo(1);
        assertThat(cell.count()).isEqualTo(119);
    }

    @Test
    void durationsBeyondWhatTheClientSawMakeTheRunInvalid() throws IOException {
        assertThat(check(tamperedWith(Column.RESIDENCE, Long.MAX_VALUE / 1000), "durations")
                        .ok())
                .isFalse();
    }

    @Test
    void aStallThatDecidesAMeanIsNamedWithItsBlock() throws IOException {
        Check check = check(tamperedWith(Column.END_TO_END, 1_000_000_000), "blocks");
        assertThat(check.ok()).isFalse();
        assertThat(check.severity()).isEqualTo(Severity.WARNING);
        assertThat(check.detail())
                .startsWith("One block decides the mean of ")
                .contains("fdatasync at 1 kB (trial 1, block ", "meanwhile nothing that was recorded");
    }

    @Test
    void aRunThatIsNotValidJudgesNothing() throws IOException {
        Results results = Analysis.results(tamperedWith(Column.BATCH_RECORDS, 2));
        assertThat(results.claims()).isNotEmpty().allSatisfy(claim -> {
            assertThat(claim.verdict()).isEqualTo(Verdict.NOT_JUDGED);
            assertThat(claim.detail()).contains("one-force-each");
            assertThat(claim.estimate()).isNull();
        });
        assertThat(results.overhead()).isNotEmpty().allSatisfy(row -> {
            assertThat(row.verdict()).isEqualTo(Verdict.NOT_JUDGED);
        });
        assertThat(results.cost().get(0).sentence()).contains("is not judged, as the run is not valid");
        assertThat(TerminalSummary.of(results)).contains("not judged").doesNotContain("\nZ1");
    }

    @Test
    void aSharedForceWithOneRequestOutstandingMakesTheRunInvalid() throws IOException {
        assertThat(check(tamperedWith(Column.BATCH_RECORDS, 2), "one-force-each")
                        .ok())
                .isFalse();
    }

    @Test
    void aLoggedRequestThatIsFasterThanOneWithoutLoggingIsAWarning() throws IOException {
        Check check = check(slowWithoutLogging(RUN), "baseline");
        assertThat(check.ok()).isFalse();
        assertThat(check.severity()).isEqualTo(Severity.WARNING);
        assertThat(check.detail()).contains("fdatasync at 100 B", "fdatasync at 1 kB", "wake up");
    }

    private static SampleSource slowWithoutLogging(SyntheticRun run) {
        return run.changed((target, sample, column, number) ->
                column == Column.END_TO_END && target.name().equals("off") ? 100 * number : number);
    }

    @Test
    void memoryIsNotStableStorage() throws IOException {
        SyntheticRun run = RUN.on(SyntheticRun.diskFacts("tmpfs", "unknown"), "loopback");
        Check check = check(run, "stable-storage:fdatasync");
        assertThat(check.ok()).isFalse();
        assertThat(check.detail()).contains("memory");
    }

    @Test
    void aRotationalDiskThatIsAsFastAsTheBookIsAWarning() throws IOException {
        SyntheticRun run = RUN.on(SyntheticRun.diskFacts("ext4", "yes"), "loopback");
        Check check = check(run, "plausible:fdatasync");
        assertThat(check.ok()).isFalse();
        assertThat(check.severity()).isEqualTo(Severity.WARNING);
        assertThat(check.detail()).contains("8.33 ms", "cache");
    }

    @Test
    void everyLoggedTargetHasAVerdictOfItsSmallestSizeNextToWhatOnlyWrites() throws IOException {
        Results results = Analysis.results(
                SyntheticRun.of(120, 8, List.of("fdatasync", "dsync", "write", "off"), List.of(1000, 100)));
        assertThat(results.stableStorage())
                .extracting(Results.StableStorage::target, Results.StableStorage::verdict)
                .containsExactly(tuple("fdatasync", "consistent"), tuple("dsync", "consistent"));
        assertThat(results.stableStorage().get(0).reasons().get(0))
                .startsWith("nvme0n1 has a write cache")
                .contains("a forced append of 100 B takes 8")
                .containsPattern("2[0-9] times a write into the page cache");
    }

    @Test
    void aRequestThatTheEndOfThePartialRunLeftUnansweredIsSaidThereAndNotAFailure() throws IOException {
        SyntheticRun broken = RUN.ending(new RunInfo.End(true, "the server closed the connection", 1));
        Results results = Analysis.results(tamperedWith(broken, Column.STATUS, -1));
        assertThat(results.validity())
                .filteredOn(check -> check.severity() == Severity.INVALID)
                .allMatch(Check::ok);
        assertThat(results.partial().reason())
                .isEqualTo("the server closed the connection; 4 requests ended without a reply and are in no figure");
        assertThat(results.cells()).allMatch(cell -> cell.failures() == 1 && cell.count() == 119);
    }

    @Test
    void aRequestWithoutAReplyInACompleteRunMakesItInvalid() throws IOException {
        assertThat(check(tamperedWith(Column.STATUS, -1), "failures").ok()).isFalse();
    }

    @Test
    void aRefusalOrAWrongReplyMakesAPartialRunInvalidToo() throws IOException {
        SyntheticRun broken = RUN.ending(new RunInfo.End(true, "a wrong byte", 1));
        for (int status : new int[] {-2, 2}) {
            SampleSource run = tamperedWith(broken, Column.STATUS, status);
            assertThat(check(run, "failures").ok()).as("status %d", status).isFalse();
            assertThat(Analysis.results(run).partial().reason()).isEqualTo("a wrong byte");
        }
    }
}
