package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the README shows is true. */
final class ReadmeTest {
    private static final Pattern COMMAND = Pattern.compile("(?m)^\\$ (?:\\./)?plog (.*)$");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)\\)");

    @TempDir(factory = DiskDirectory.class)
    @SuppressWarnings("NullAway.Init")
    Path directory;

    @Test
    void theEmbeddingExampleIsTheCompiledOne() throws Exception {
        String source =
                Files.readString(DiskDirectory.root().resolve("src/test/java/io/plog/e2e/EmbeddingExample.java"));
        String example = source.substring(
                        source.indexOf("// README begin\n") + "// README begin\n".length(),
                        source.indexOf("// README end"))
                .stripIndent()
                .stripTrailing();
        assertThat(readme()).contains("```java\n" + example + "\n```");
    }

    @Test
    void theEmbeddingExampleReplaysWhatItLogged() throws Exception {
        assertThat(EmbeddingExample.run(directory)).containsExactly("acknowledged as record 1");
        assertThat(EmbeddingExample.run(directory)).containsExactly("debit 7", "acknowledged as record 2");
    }

    @Test
    void theExampleOfASimulatedDiskIsTheOneThatIsRunAndCrashesAtEveryOperation() throws Exception {
        String source =
                Files.readString(DiskDirectory.root().resolve("src/test/java/io/plog/e2e/SimulatedDiskExample.java"));
        String example = source.substring(
                        source.indexOf("// docs begin\n") + "// docs begin\n".length(), source.indexOf("// docs end"))
                .stripIndent()
                .stripTrailing();
        assertThat(Files.readString(DiskDirectory.root().resolve("docs/testing-with-the-log.md")))
                .contains("```java\n" + example + "\n```");
        assertThat(SimulatedDiskExample.run()).isGreaterThan(10);
    }

    @Test
    void theServiceOfTheDocumentIsTheOneThatIsServedAndKeepsItsStateAcrossStarts() throws Exception {
        String source = Files.readString(DiskDirectory.root().resolve("src/test/java/io/plog/e2e/ServiceExample.java"));
        String example = source.substring(
                        source.indexOf("// docs begin\n") + "// docs begin\n".length(), source.indexOf("// docs end"))
                .stripIndent()
                .stripTrailing();
        assertThat(Files.readString(DiskDirectory.root().resolve("docs/embedding.md")))
                .contains("```java\n" + example + "\n```");
        assertThat(ServiceExample.add(directory, 7)).isEqualTo(7);
        assertThat(ServiceExample.add(directory, 5)).isEqualTo(12);
    }

    @Test
    void everyCommandItNamesExistsWithTheseOptions() throws Exception {
        List<String> commands =
                COMMAND.matcher(readme()).results().map(found -> found.group(1)).toList();
        assertThat(commands).hasSizeGreaterThan(4);
        for (String command : commands) {
            String[] words = command.replaceAll("\\s+[&#|<>].*", "").split(" ", -1);
            boolean nested = words[0].equals("log");
            LocalRun help = nested ? LocalRun.of(words[0], words[1], "--help") : LocalRun.of(words[0], "--help");
            help.exited(0);
            for (String word : words) {
                if (word.startsWith("--")) {
                    assertThat(help.outText())
                            .as("%s, in: plog %s", word, command)
                            .contains(word);
                }
            }
        }
    }

    @Test
    void everyFileItLinksIsThere() throws Exception {
        List<String> links = LINK.matcher(readme())
                .results()
                .map((MatchResult found) -> found.group(1))
                .filter(link -> !link.startsWith("http"))
                .toList();
        assertThat(links).isNotEmpty();
        assertThat(links)
                .allSatisfy(
                        link -> assertThat(DiskDirectory.root().resolve(link)).exists());
    }

    private static String readme() throws Exception {
        return Files.readString(DiskDirectory.root().resolve("README.md"));
    }
}
