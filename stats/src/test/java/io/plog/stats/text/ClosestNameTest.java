package io.plog.stats.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ClosestNameTest {
    @Test
    void theDistanceCountsInsertionsRemovalsAndReplacements() {
        assertThat(ClosestName.distance("", "")).isZero();
        assertThat(ClosestName.distance("port", "port")).isZero();
        assertThat(ClosestName.distance("prot", "port")).isEqualTo(2);
        assertThat(ClosestName.distance("port", "ports")).isEqualTo(1);
        assertThat(ClosestName.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(ClosestName.distance("", "abc")).isEqualTo(3);
    }

    @Test
    void theNearestCandidateIsFound() {
        assertThat(ClosestName.to("--prot", List.of("--bind", "--port", "--out")))
                .contains("--port");
    }

    @Test
    void nothingIsSuggestedWhenNothingIsNear() {
        assertThat(ClosestName.to("--colour", List.of("--bind", "--port"))).isEmpty();
    }
}
