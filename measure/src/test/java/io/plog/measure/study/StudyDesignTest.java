package io.plog.measure.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StudyDesignTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "adaptive",
                "dedicated",
                "inline, 4 loops",
                "turn",
                "turn, 4 loops",
                "threads=150",
                "threads-shared=3"
            })
    void aDesignIsReadAsResultsNameIt(String label) {
        assertThat(StudyDesign.ofLabel(label)).map(StudyDesign::label).contains(label);
    }

    /** Requests wait unread for its loop, but share a force, so it is none of those that block. */
    @Test
    void aTurnForcesOnTheLoopWithoutBlockingOthers() {
        StudyDesign turn = new StudyDesign("turn", 1);
        assertThat(turn.forcesOnLoop()).isTrue();
        assertThat(turn.isInline()).isFalse();
        assertThat(turn.isBlocking()).isFalse();
        assertThat(new StudyDesign("inline", 1).forcesOnLoop()).isTrue();
        assertThat(new StudyDesign("dedicated", 1).forcesOnLoop()).isFalse();
    }
}
