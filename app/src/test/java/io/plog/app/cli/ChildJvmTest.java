package io.plog.app.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ChildJvmTest {
    @Test
    void flagsAreHandedOnAndAgentsAreNot() {
        assertThat(ChildJvm.withoutAgents(List.of(
                        "-Xmx1g",
                        "-javaagent:/x/agent.jar=port=1",
                        "-agentlib:jdwp=transport=dt_socket,server=y,address=5005",
                        "-agentpath:/x/libprofiler.so",
                        "-Xrunjdwp:address=1",
                        "-Dcom.sun.management.jmxremote.port=9010",
                        "-Dx=-javaagent:y")))
                .containsExactly("-Xmx1g", "-Dx=-javaagent:y");
        Map<String, String> environment =
                new HashMap<>(Map.of("JAVA_TOOL_OPTIONS", "-javaagent:x", "_JAVA_OPTIONS", "y", "PATH", "/bin"));
        ChildJvm.withoutFlags(environment);
        assertThat(environment).containsOnlyKeys("PATH");
    }
}
