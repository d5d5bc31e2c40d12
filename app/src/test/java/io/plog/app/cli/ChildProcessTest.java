package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ChildProcessTest {
    @TempDir
    Path directory;

    @Test
    void itsLastWordsAreNotThoseOfAnEarlierOne() throws Exception {
        Path output = Files.writeString(directory.resolve("server.log"), "of yesterday\n");
        ProcessBuilder command = new ProcessBuilder("/bin/sh", "-c", "echo of today; exit 3");
        try (ChildProcess child = ChildProcess.start("it", command, output, directory.resolve("ready"))) {
            assertThatThrownBy(child::awaitReady)
                    .hasMessage("it ended with exit code 3 before it was ready; it said: of today (" + output + ")");
        }
        assertThat(output).content().isEqualTo("of yesterday\nof today\n");
    }

    @Test
    void aServerWithoutMemoryIsSaidToHaveEndedForThat() {
        assertThat(ChildProcess.howItEnded(
                        137,
                        List.of(
                                "listening on 127.0.0.1:7411",
                                "#",
                                "# java.lang.OutOfMemoryError: Java heap space",
                                "# -XX:OnOutOfMemoryError=\"kill -KILL %p\"")))
                .isEqualTo("for lack of memory (java.lang.OutOfMemoryError: Java heap space; give it more with"
                        + " PLOG_JAVA_OPTS=-Xmx...)");
        assertThat(ChildProcess.howItEnded(3, List.of("Terminating due to java.lang.OutOfMemoryError: Metaspace")))
                .startsWith("for lack of memory (java.lang.OutOfMemoryError: Metaspace;");
    }

    @Test
    void anyOtherEndIsItsExitCode() {
        assertThat(ChildProcess.howItEnded(3, List.of("damaged log"))).isEqualTo("with exit code 3");
        assertThat(ChildProcess.howItEnded(137, List.of())).isEqualTo("with exit code 137");
    }
}
