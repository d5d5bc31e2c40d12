package io.plog.app.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.host.AwakeProcessors;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

class KeepAwakeTest {
    @Command
    static final class Options {
        @Mixin
        final GridOptions grid = new GridOptions();
    }

    private static KeepAwake parsed(String... arguments) {
        Options options = new Options();
        new CommandLine(options).parseArgs(arguments);
        return options.grid.keepAwake();
    }

    @Test
    void theyAreKeptAwakeWhereTheSystemAllowsItUnlessAskedOtherwise() {
        assertThat(parsed()).isEqualTo(KeepAwake.AUTO);
        assertThat(parsed("--keep-awake=off")).isEqualTo(KeepAwake.OFF);
        assertThat(parsed("--keep-awake", "on")).isEqualTo(KeepAwake.ON);
        assertThatThrownBy(() -> parsed("--keep-awake=yes"))
                .hasMessageContaining("'yes'")
                .hasMessageContaining("auto, on, off");
    }

    @Test
    void whereTheyCannotBeKeptAwakeTheConditionsSayWhy() throws IOException {
        try (AwakeProcessors run = KeepAwake.AUTO.begin("there is no program")) {
            assertThat(run.fact()).isEqualTo("no: there is no program");
            assertThat(run.pid()).isZero();
        }
        assertThatThrownBy(() -> KeepAwake.ON.begin("there is no program"))
                .isInstanceOf(IOException.class)
                .hasMessage("--keep-awake=on: there is no program");
    }

    @Test
    void switchedOffNothingIsStarted() throws IOException {
        try (AwakeProcessors run = KeepAwake.OFF.begin(null)) {
            assertThat(run.pid()).isZero();
            assertThat(run.fact()).contains("switched off");
        }
    }
}
