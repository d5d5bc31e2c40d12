package io.plog.app.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Mix;
import io.plog.measure.plan.StudyDesign;
import java.util.List;
import org.junit.jupiter.api.Test;

final class StudyDefaultsTest {
    private static Designs plan(StudyDefaults defaults, boolean full) {
        return new Designs(
                StudyDefaults.designs(full ? StudyDefaults.ALL_DESIGNS : StudyDefaults.DESIGNS, defaults.eventLoops()),
                "fdatasync",
                new Designs.Traffic(Mix.study(), defaults.connections(), 5, Arrivals.POISSON),
                new Designs.Levels(defaults.relativeLoads(), List.of(), defaults.singleSizesBytes(), full, List.of()),
                defaults.trials(),
                defaults.warmUp().toNanos(),
                defaults.duration().toNanos(),
                1);
    }

    @Test
    void theShortStudyIsReckonedToEndWithinTwelveMinutes() {
        assertThat(StudyDefaults.seconds(plan(StudyDefaults.SHORT, false))).isBetween(300.0, 720.0);
        assertThat(StudyDefaults.seconds(plan(StudyDefaults.PAPER, true))).isGreaterThan(3600.0);
    }

    @Test
    void designsWithoutThreadsComeWithEachNumberOfEventLoops() {
        assertThat(StudyDefaults.designs(List.of("dedicated", "threads=8"), List.of(1, 4)))
                .containsExactly(
                        new StudyDesign("dedicated", 1),
                        new StudyDesign("dedicated", 4),
                        new StudyDesign("threads=8", 1));
    }

    @Test
    void anUnknownDesignIsRefusedWithTheNearest() {
        assertThatThrownBy(() -> StudyDefaults.designs(List.of("dedicatde"), List.of(1)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'dedicatde'")
                .hasMessageContaining("did you mean dedicated?");
        assertThatThrownBy(() -> StudyDefaults.designs(List.of("inline"), List.of(0)))
                .hasMessageContaining("event-loops has 0");
    }
}
