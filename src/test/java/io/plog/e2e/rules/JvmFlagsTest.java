package io.plog.e2e.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.e2e.support.DiskDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whoever starts plog gives the JVM the same flags, whose reasons stand in {@code ./plog}. */
class JvmFlagsTest {
    private static final Pattern START = Pattern.compile("(?s)-XX:\\+PerfDisableSharedMem.*maxCachedBufferSize=\\d+");
    private static final Pattern FLAG = Pattern.compile("-(?:XX:|Djdk)[^ \\n\"']+");

    @ParameterizedTest
    @ValueSource(strings = {"plog.cmd", "packaging/files/jvm.options", "docs/machines.md"})
    void everyWayToStartPlogHasTheFlagsOfTheLauncher(String file) throws IOException {
        List<String> expected = flags("plog");
        assertThat(expected).hasSizeGreaterThan(5);
        // Windows has no kill.
        expected.removeIf(flag -> file.endsWith(".cmd") && flag.startsWith("-XX:OnOutOfMemoryError"));
        assertThat(flags(file)).isEqualTo(expected);
    }

    @Test
    void theLogIsTestedWithWhatTheCompilerIsTold() throws IOException {
        String log = Files.readString(DiskDirectory.root().resolve("pom.xml"))
                .replaceAll("(?s).*<plog.log.compilerArgs>|</plog.log.compilerArgs>.*", "");
        assertThat(flags("plog")).containsAll(List.of(log.split(" ")));
    }

    private static List<String> flags(String file) throws IOException {
        String text = Files.readString(DiskDirectory.root().resolve(file));
        String start = START.matcher(text.substring(text.lastIndexOf("-XX:+PerfDisableSharedMem")))
                .results()
                .findFirst()
                .orElseThrow()
                .group();
        return new ArrayList<>(
                FLAG.matcher(start).results().map(MatchResult::group).toList());
    }
}
