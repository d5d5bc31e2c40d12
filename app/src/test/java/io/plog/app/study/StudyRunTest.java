package io.plog.app.study;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class StudyRunTest {
    @ParameterizedTest(name = "{0} of {1}: {2}")
    @CsvSource({"0, 28, false", "5, 28, false", "9, 28, false", "10, 28, true", "10, 10, true", "2, 2, false"})
    void moreThanAThirdOfTheCellsIsNoMoment(int disturbed, int cells, boolean ruined) {
        assertThat(StudyRun.isAlwaysDisturbed(disturbed, cells)).isEqualTo(ruined);
    }
}
