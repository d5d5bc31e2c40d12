package io.plog.benchmarks.result;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.benchmarks.result.ReplicatedResults.Recovery;
import io.plog.benchmarks.result.ReplicatedResults.Resident;
import io.plog.benchmarks.result.ReplicatedResults.Speed;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReplicatedMarkdownTest {
    private final String page = ReplicatedMarkdown.render(new ReplicatedResults(
            1,
            new Environment(
                    "2026-01-02T03:04:05Z", "abc", "cpu", "1 GiB", "6", "ext4", "disk", "jdk", "", "fio", List.of()),
            "benchmarks/run replicated DIR 3 1.0",
            42,
            3,
            1,
            List.of(
                    speed("plain", 1, 1_000),
                    speed("plog", 1, 900),
                    speed("plog", 2, 3_000),
                    speed("plain", 2, 2_000),
                    speed("plain", 3, 100),
                    speed("plog", 3, 95)),
            List.of(),
            List.of(
                    new Recovery(10_000, 1_000, 1, 0.5, 2),
                    new Recovery(10_000, 1_000, 2, 0.1, 4),
                    new Recovery(10_000, 1_000, 3, 0.2, 1)),
            List.of(new Resident("bookie-1", "before", 99.6), new Resident("server", "after", 10))));

    private static Speed speed(String way, int round, double perSecond) {
        return new Speed(way, 8, 100_000, round, perSecond, 1_500, 2_500, 0.01 * round);
    }

    @Test
    void theRatioIsThatOfARoundAndTheMedianOfTheRounds() {
        assertThat(page).contains("| 8 x 100,000 | 1,000 | 900 | 0.95 (0.90 to 1.50) | 1.50, 2.50 | 1.50, 2.50 |");
    }

    @Test
    void aRecoveryIsGivenWithItsLeastAndItsMost() {
        assertThat(page).contains("| 10 MB, records of 1,000 B | 0.20 (0.10 to 0.50) | 2.00 | 5,000 |");
    }

    @Test
    void whatWasNotSeenOfAProcessIsADash() {
        assertThat(page).contains("| bookie-1 | 100 | - |").contains("| server | - | 10 |");
    }

    @Test
    void itSaysWhereItRan() {
        assertThat(page)
                .startsWith("`benchmarks/run replicated DIR 3 1.0`, 2026-01-02T03:04:05Z, 3 rounds, seed 42.\n")
                .contains("meanwhile: median 2.0 %, at most 3.0 %");
    }
}
