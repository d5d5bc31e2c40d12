package io.plog.results.compare;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.stats.Estimate;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GatedTest {
    /** Of 100 µs with 80 to 125 µs at 95 %, the interval of one of three looks is 76.1 to 131.3 µs. */
    @ParameterizedTest
    @CsvSource({"75, true", "77, false", "100, false", "130, false", "132, true"})
    void aLookDecidesOnlyWhatStaysDecidedThoughThereAreThree(double limit, boolean decided) {
        Assessment.Outcome atTheEnd = limit >= 80 && limit <= 125
                ? Assessment.Outcome.UNDECIDED
                : limit < 80 ? Assessment.Outcome.FAILS : Assessment.Outcome.HOLDS;
        Assessment.Gated gate = new Assessment.Gated(
                "log.p99 > " + limit, Map.of(), "p99", new Estimate(100, 80.0, 125.0), null, null, limit, atTheEnd, "");
        assertThat(gate.isDecidedAtALook()).isEqualTo(decided);
    }
}
