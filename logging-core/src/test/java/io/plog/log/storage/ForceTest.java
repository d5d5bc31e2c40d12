package io.plog.log.storage;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ForceTest {
    @ParameterizedTest
    @EnumSource(names = {"DSYNC", "DIRECT"})
    void macOsRefusesAWayThatDoesNotFlushTheDrive(Force force) {
        assertThatThrownBy(() -> force.checkFlushes("Mac OS X"))
                .isInstanceOf(LogException.class)
                .hasMessage("force=" + force.label() + " does not flush the drive on Mac OS X, so what is acknowledged"
                        + " could be lost; choose force=fdatasync");
        assertThatCode(() -> force.checkFlushes("Linux")).doesNotThrowAnyException();
        assertThatCode(() -> force.checkFlushes("Windows 11")).doesNotThrowAnyException();
    }

    @ParameterizedTest
    @EnumSource(names = {"WRITE", "FDATASYNC", "FSYNC"})
    void macOsAcceptsWhatTheJdkFlushesAndTheControlThatPromisesNothing(Force force) {
        assertThatCode(() -> force.checkFlushes("Mac OS X")).doesNotThrowAnyException();
    }
}
