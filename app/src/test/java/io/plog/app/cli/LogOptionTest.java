package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.LogOptions;
import io.plog.server.options.TargetOptions;
import org.junit.jupiter.api.Test;

class LogOptionTest {
    private static TargetOptions read(String option) {
        return new LogOption().convert(option);
    }

    @Test
    void theReserveIsASizeAndRoundedUpToWholeSegments() {
        assertThat(read("a=/x").reserveSegments()).isEqualTo(LogOptions.DEFAULT_RESERVE_SEGMENTS);
        assertThat(read("a=/x,reserve=1").reserveSegments()).isEqualTo(1);
        assertThat(read("a=/x,reserve=128MiB").reserveSegments()).isEqualTo(2);
        assertThat(read("a=/x,reserve=129MiB").reserveSegments()).isEqualTo(3);
        assertThat(read("a=/x,reserve=16MiB,segment=1MiB").reserveSegments()).isEqualTo(16);
        assertThat(read("a=/x,segment=1MiB,reserve=16MiB").reserveSegments()).isEqualTo(16);
    }

    @Test
    void aReserveThatCannotBeIsRefusedWithWhatCanBe() {
        assertThatThrownBy(() -> read("a=/x,reserve=0"))
                .hasMessageEndingWith("reserve is '0': expected a size of at least 1");
        assertThatThrownBy(() -> read("a=/x,reserve=many")).hasMessageContaining("'many'");
        assertThatThrownBy(() -> read("a=/x,segment=64KiB,reserve=1GiB"))
                .hasMessageEndingWith(
                        "reserve is 1GiB, and a segment 64KiB: expected a reserve of at most 1024 segments."
                                + " Choose a smaller reserve, or larger segments");
        assertThatThrownBy(() -> read("a=/x,prepared=2")).hasMessageContaining("unknown part 'prepared=2'");
    }
}
