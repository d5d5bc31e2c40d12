package io.plog.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What {@code benchmarks/run} takes for granted about this module's build; nothing else runs it. */
final class RunScriptTest {
    @Test
    void itTakesTheJarThatThisModuleMakes() throws IOException {
        String artifact = Pattern.compile("</parent>\\s*<artifactId>([^<]+)<")
                .matcher(Files.readString(Path.of("pom.xml")))
                .results()
                .findFirst()
                .orElseThrow()
                .group(1);
        assertThat(Pattern.compile("benchmarks/target/(\\S+)-\\*\\.jar")
                        .matcher(Files.readString(Path.of("run")))
                        .results()
                        .map((MatchResult found) -> found.group(1)))
                .containsExactly(artifact);
    }
}
