package io.plog.app.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The campaign that judges logs in the course finds each bug of lab 9, and none where there is none. */
final class LabBugsTest {
    private static final Set<String> ALL = Set.of("kill", "cut", "force", "short", "space");

    @ParameterizedTest
    @CsvSource({"0, 200, all", "1, 200, all", "2, 50, kill", "3, 200, all", "5, 200, all", "7, 200, all"})
    void aBugIsFoundWithinSoManyHistories(int bug, int histories, String faults) {
        BugLoader loader = new BugLoader(bug);
        long seed = new SplittableRandom().nextLong();
        String found = "";
        for (int i = 0; i < histories && found.isEmpty(); i++) {
            found = loader.history(seed + i, faults.equals("all") ? ALL : Set.of(faults));
        }
        assertThat(found.isEmpty()).as("seed %d: %s", seed, found).isEqualTo(bug == 0);
    }
}
