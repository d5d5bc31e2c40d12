package io.plog.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.SampleSource;
import io.plog.results.verdict.StableStorageRules;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class TerminalSummaryTest {
    private static String summary(SyntheticRun run) throws IOException {
        return TerminalSummary.of(Analysis.results(run));
    }

    @Test
    void noLineIsWiderThanAHundredColumns() throws IOException {
        SyntheticRun run = SyntheticRun.of(60, 1, List.of("fdatasync", "write", "off"), List.of(100, 10_000_000))
                .on(SyntheticRun.diskFacts("tmpfs", "yes"), "remote")
                .ending(new RunInfo.End(true, "the server went away ".repeat(12).strip(), 1));
        assertThat(summary(run).lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void theNameOfADiskIsWholeBelowItsSize() throws IOException {
        SyntheticRun run = SyntheticRun.of(
                60, 1, List.of("fdatasync-simulated-hdd", "fdatasync-ssd", "write", "off"), List.of(100));
        assertThat(summary(run))
                .containsPattern("\n100 B\nfdatasync-simulated-hdd +60 ")
                .containsPattern("\nfdatasync-ssd +60 ")
                .containsPattern("\nwrite\\* +60 ");
        assertThat(summary(run).lines()).allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(100));
    }

    @Test
    void whatToWorryAboutComesFirst() throws IOException {
        SyntheticRun run = SyntheticRun.of(60, 1)
                .on(SyntheticRun.diskFacts("tmpfs", "no"), "loopback")
                .ending(new RunInfo.End(true, "stopped by the user", 1));
        assertThat(summary(run)).startsWith("! partial: stopped by the user\n! warning, stable-storage:fdatasync");
    }

    @Test
    void aRunWithoutWorriesBeginsWithItsPlan() throws IOException {
        assertThat(summary(SyntheticRun.of(60, 1, List.of("fdatasync", "off"), List.of(100))))
                .startsWith("load: closed loop, 1 connection with 1 request outstanding each; each cell: 60");
    }

    @Test
    void everyLoggedTargetHasALineThatSaysWhetherItsFiguresCanBeBelieved() throws IOException {
        assertThat(summary(SyntheticRun.of(60, 1)))
                .contains("\nfdatasync: consistent with stable media: nvme0n1 has a write cache (write back)")
                .contains("\n" + StableStorageRules.PROOF + "\n");
    }

    @Test
    void thatATargetDoesNotForceIsAPropertyInTheTableAndNoWarning() throws IOException {
        assertThat(summary(SyntheticRun.of(60, 1)))
                .doesNotContain("! ")
                .contains("\n         write*      ")
                .containsOnlyOnce("not stable storage");
    }

    @Test
    void aRunWithoutAPairSaysWhatItShows() throws IOException {
        assertThat(summary(SyntheticRun.of(60, 1, List.of("off"), List.of(100))))
                .contains("No request that counts was logged, so this run shows nothing of what logging costs.");
        // As of a run that ended early: its plan has more targets.
        SampleSource logged = SyntheticRun.of(60, 1)
                .changed((target, sample, column, value) ->
                        column == Column.PHASE && !target.name().equals("fdatasync") ? 1 : value);
        assertThat(TerminalSummary.of(Analysis.results(logged)))
                .contains("No size was measured both with and without logging");
    }

    @Test
    void everyClaimHasALine() throws IOException {
        String summary = summary(SyntheticRun.of(60, 1));
        for (int i = 1; i <= 10; i++) {
            assertThat(summary).contains("\n" + String.format("%-4s", "Z" + i));
        }
    }
}
