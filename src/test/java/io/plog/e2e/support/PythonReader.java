package io.plog.e2e.support;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Runs {@code tools/plog_log.py}, the reader that shares no code with the log. Needs {@code python3} on the path. */
public final class PythonReader {
    private static final ObjectMapper JSON = new ObjectMapper();

    private PythonReader() {}

    /**
     * What one command printed for one directory.
     *
     * @param lines standard output
     * @param exit the exit code that it would have had alone
     */
    public record Answer(List<String> lines, int exit) {
        /** The lines of a dump as the golden files have them, and {@link LogFacts}: with ids as numbers. */
        public List<String> numbered() {
            return lines.stream()
                    .map(line -> line.replaceAll("\"(client|request)\":\"(\\d+)\"", "\"$1\":$2"))
                    .toList();
        }

        /** The only line, as JSON. */
        public JsonNode json() throws IOException {
            assertThat(lines).hasSize(1);
            return JSON.readTree(lines.get(0));
        }
    }

    /** Runs a command over directories, all in one process; the answers are in the same order. */
    public static List<Answer> run(List<Path> directories, String command, String... options)
            throws IOException, InterruptedException {
        List<String> line = new ArrayList<>(List.of(
                "python3",
                "-B",
                DiskDirectory.root().resolve("tools/plog_log.py").toString(),
                command));
        line.addAll(List.of(options));
        directories.forEach(directory -> line.add(directory.toString()));
        // With one directory there would be no line that ends it.
        line.add(DiskDirectory.root().resolve("tools/no-such-directory").toString());
        Path output = Files.createTempFile(DiskDirectory.root().resolve("src/test/target"), "python", ".out");
        Path errors = Files.createTempFile(DiskDirectory.root().resolve("src/test/target"), "python", ".err");
        try {
            Process process = new ProcessBuilder(line)
                    .redirectOutput(output.toFile())
                    .redirectError(errors.toFile())
                    .start();
            assertThat(process.waitFor(60, TimeUnit.SECONDS))
                    .as("the reader ends")
                    .isTrue();
            assertThat(Files.readString(errors)).doesNotContain("Traceback");
            return answers(directories, Files.readAllLines(output));
        } catch (IOException e) {
            throw new AssertionError("cannot run python3; the tests need it on the path", e);
        } finally {
            Files.delete(output);
            Files.delete(errors);
        }
    }

    private static List<Answer> answers(List<Path> directories, List<String> output) throws IOException {
        List<Answer> answers = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (String line : output) {
            if (!line.startsWith("{\"directory\"")) {
                lines.add(line);
            } else if (answers.size() < directories.size()) {
                JsonNode end = JSON.readTree(line);
                Path directory = directories.get(answers.size());
                assertThat(end.path("directory").asText()).isEqualTo(directory.toString());
                answers.add(new Answer(List.copyOf(lines), end.path("exit").asInt()));
                lines.clear();
            }
        }
        assertThat(answers).as("an answer for each directory").hasSize(directories.size());
        return answers;
    }
}
