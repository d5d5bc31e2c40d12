package io.plog.measure.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.plan.StudyDesign;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StudyDesignTest {
    @ParameterizedTest
    @ValueSource(strings = {"dedicated", "inline, 4 loops", "threads=150", "threads-shared=3"})
    void aDesignIsReadAsResultsNameIt(String label) {
        assertThat(StudyDesign.ofLabel(label)).map(StudyDesign::label).contains(label);
    }
}
