package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class ServerProcessTest {
    @Test
    void aServerWithoutMemoryIsSaidToHaveEndedForThat() {
        assertThat(ServerProcess.ending(
                        137,
                        List.of(
                                "listening on 127.0.0.1:7411",
                                "#",
                                "# java.lang.OutOfMemoryError: Java heap space",
                                "# -XX:OnOutOfMemoryError=\"kill -KILL %p\"")))
                .isEqualTo("for lack of memory (java.lang.OutOfMemoryError: Java heap space; give it more with"
                        + " PLOG_JAVA_OPTS=-Xmx...)");
        assertThat(ServerProcess.ending(3, List.of("Terminating due to java.lang.OutOfMemoryError: Metaspace")))
                .startsWith("for lack of memory (java.lang.OutOfMemoryError: Metaspace;");
    }

    @Test
    void anyOtherEndIsItsExitCode() {
        assertThat(ServerProcess.ending(3, List.of("damaged log"))).isEqualTo("with exit code 3");
        assertThat(ServerProcess.ending(137, List.of())).isEqualTo("with exit code 137");
    }
}
