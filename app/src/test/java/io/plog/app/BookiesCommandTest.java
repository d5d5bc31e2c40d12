package io.plog.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BookiesCommandTest {
    @TempDir
    private Path directory;

    @Test
    void withoutBookKeeperItSaysInOneSentenceWhatToDo() {
        CommandRun run = CommandRun.of("bookies", "--dir", directory.toString()).exited(1);
        assertThat(run.err)
                .startsWith("plog bookies: BookKeeper is not there: expected its jars in ")
                .contains("Install the package plog-bookkeeper, or unpack plog-VERSION-bookkeeper.tar.gz in ");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aCountOrAPortThatMakesNoSenseIsRefused() {
        assertThat(CommandRun.of("bookies", "--dir", directory.toString(), "--count", "0").err)
                .isEqualTo("plog bookies: --count is 0: expected 1 to 9\n");
        CommandRun.of("bookies", "--dir", directory.toString(), "--port", "70000")
                .exited(2);
    }
}
