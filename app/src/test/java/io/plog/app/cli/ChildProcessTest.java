package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ChildProcessTest {
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
