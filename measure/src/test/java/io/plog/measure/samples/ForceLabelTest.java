package io.plog.measure.samples;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.log.storage.Force;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ForceLabelTest {
    @ParameterizedTest
    @EnumSource(Force.class)
    void itSaysOfEachWayWhatTheLogItselfSays(Force force) {
        ForceLabel label = new ForceLabel(force.label());

        assertThat(label.isLogged()).isEqualTo(force != Force.OFF);
        assertThat(label.forces()).isEqualTo(force.isStable());
        assertThat(label.isPageCacheOnly()).isEqualTo(force == Force.WRITE);
    }

    @Test
    void aWayThatThisVersionDoesNotKnowCountsAsOneThatForces() {
        ForceLabel unknown = new ForceLabel("io_uring");

        assertThat(unknown.isLogged()).isTrue();
        assertThat(unknown.forces()).isTrue();
    }
}
