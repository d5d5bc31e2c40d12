package io.plog.stats.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NearestTest {
    @Test
    void theDistanceCountsInsertionsRemovalsAndReplacements() {
        assertThat(Nearest.distance("", "")).isZero();
        assertThat(Nearest.distance("port", "port")).isZero();
        assertThat(Nearest.distance("prot", "port")).isEqualTo(2);
        assertThat(Nearest.distance("port", "ports")).isEqualTo(1);
        assertThat(Nearest.distance("kitten", "sitting")).isEqualTo(3);
        assertThat(Nearest.distance("", "abc")).isEqualTo(3);
    }

    @Test
    void theNearestCandidateIsFound() {
        assertThat(Nearest.to("--prot", List.of("--bind", "--port", "--out"))).contains("--port");
    }

    @Test
    void nothingIsSuggestedWhenNothingIsNear() {
        assertThat(Nearest.to("--colour", List.of("--bind", "--port"))).isEmpty();
    }
}
