package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class CampaignSummaryTest {
    private final CampaignSummary.CellSummary cell =
            CampaignSummary.of(Example.results()).cells().get(0);

    private CampaignSummary.Row row(String contestant) {
        return cell.row(contestant).orElseThrow();
    }

    @Test
    void theLimitIsTheMedianOfEachRoundsBest() {
        assertThat(cell.limitPerSecond()).isEqualTo(1500);
    }

    @Test
    void aRatioIsThatToTheLimitOfTheSameRound() {
        // A ratio of medians would be 500 / 1500 for the one that took part in the slow round only.
        assertThat(row("a<b").ofLimit()).isEqualTo(0.5);
        assertThat(row("plog-direct").ofLimit()).isCloseTo(0.97, within(1e-9));
    }

    @Test
    void aFigureIsTheMedianOfTheRounds() {
        assertThat(row("plog-fdatasync").appendsPerSecond()).isEqualTo(1200);
        assertThat(row("plog-fdatasync").p50Micros()).isEqualTo((1250.0 + 625.0) / 2);
    }

    @Test
    void whatIsUnknownStaysUnknown() {
        assertThat(row("fio-direct").allocatedBytesPerAppend()).isNull();
        assertThat(row("plog-direct").allocatedBytesPerAppend()).isEqualTo(64);
    }

    @Test
    void theContestantsStandInTheOrderOfTheTable() {
        assertThat(cell.rows())
                .extracting(CampaignSummary.Row::contestant)
                .containsExactly(
                        "fio-fdatasync", "fio-direct", "plain-fdatasync", "plog-fdatasync", "plog-direct", "a<b");
    }

    @Test
    void theTableHasARowForEachContestantAndSaysWhoDidNotTakePart() {
        String text = CampaignSummary.of(Example.results()).markdown(Example.results());
        assertThat(text)
                .contains("| plog-direct | a<b |")
                .contains("| 1 x 1 KiB | 1,350; 0.90; 833; 1,667 | 1,500; 1.00; 750; 1,500 |")
                .contains("| 500; 0.50; 2,000; 4,000 |")
                .contains("- b did not take part: something is missing");
    }
}
