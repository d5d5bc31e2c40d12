package io.plog.app.lab.yours;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.plog.app.CommandRun;
import io.plog.app.cli.JsonText;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The command as a student uses it: the judge survives whatever the log does. */
@Timeout(120)
final class RunYoursCommandTest {
    private static final Path RESULT = Path.of("yours.json");

    @TempDir
    private Path folder;

    @AfterEach
    void removeTheResult() throws Exception {
        Files.deleteIfExists(RESULT); // the command writes it into the working directory
    }

    @Test
    void theSkeletonGetsItsPointsWithAPictureAndTheResultSaysOfWhichJar() throws Exception {
        Path jar = StudentJars.skeleton(folder, "");
        CommandRun run = CommandRun.of("lab", "run-yours", "--seed", "7", "--histories", "20", jar.toString());
        assertThat(run.exitCode).isEqualTo(4);
        assertThat(run.out)
                .contains("kept      records", " 0 of 20  no acknowledged", "-- the power goes", "the disk holds")
                .contains("no points: they take 300 histories of each promise, seed 7");
        JsonNode result = JsonText.read(Files.readString(RESULT), JsonNode.class);
        assertThat(result.get("points").asInt()).isZero();
        assertThat(result.at("/promises/0/points").asInt()).isEqualTo(10);
        assertThat(result.get("histories").asInt()).isEqualTo(20);
        assertThat(result.get("seed").asInt()).isEqualTo(7);
        assertThat(result.get("sha256").asText()).hasSize(64);
        assertThat(result.get("promises")).hasSize(8);
    }

    @Test
    void aLogThatEndsTheProgramGetsNoPointsAndIsToldSo() throws Exception {
        Path jar = StudentJars.skeleton(folder, "if (records.size() == 1) { Runtime.getRuntime().halt(0); }");
        CommandRun run = CommandRun.of("lab", "run-yours", jar.toString());
        assertThat(run.exitCode).isEqualTo(4);
        assertThat(run.err).contains("the log ended the program with code 0");
        assertThat(Files.readString(RESULT)).contains("\"points\" : 0", "ended the program");
    }

    @Test
    void whatIsNoLogIsSaidInALine() throws Exception {
        Path none = Files.writeString(folder.resolve("none.jar"), "no jar");
        assertThat(CommandRun.of("lab", "run-yours", none.toString()).err)
                .contains("none.jar is no jar with a log")
                .hasLineCount(1);
        Path other = StudentJars.jar(folder, "Other", "public class Other {}");
        assertThat(CommandRun.of("lab", "run-yours", other.toString()).err)
                .contains("Other.jar has 0 classes that implement io.plog.app.lab.yours.YourLog")
                .hasLineCount(1);
        assertThat(CommandRun.of("lab", "run-yours").exitCode).isEqualTo(2);
    }
}
