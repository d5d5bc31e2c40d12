package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.Await;
import io.plog.e2e.support.CommandOutput;
import io.plog.e2e.support.Directories;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import io.plog.results.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code plog disk} on real directories. */
@Execution(ExecutionMode.CONCURRENT)
final class DiskTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    @Test
    void everyWayOfForcingIsMeasuredOnBothKindsOfFilesAndNothingIsLeftBehind() throws Exception {
        Instant before = Instant.now();
        LocalRun whole = measured(LocalRun.of(
                "disk --json --duration 0.5s --sizes 512,4Ki --shared 1,8 --files initialised,growing,random"
                        + " --neighbours log,reads --seed 11 %s",
                directory));
        JsonNode results = validated(whole);
        assertThat(results.path("partial").path("partial").booleanValue()).isFalse();
        assertThat(results.path("plan").path("seed").intValue()).isEqualTo(11);
        assertThat(results.path("kind").textValue()).isEqualTo("disk");
        assertThat(Instant.parse(results.path("startedAt").textValue()))
                .as("a lab's record knows the time of its steps")
                .isAfter(before);
        JsonNode found = results.path("environment").path("targets").path(0);
        assertThat(found.path("facts").path("path").textValue())
                .isEqualTo(directory.toRealPath().toString());
        List<String> available = Stream.of("write", "fdatasync", "fsync", "dsync", "direct")
                .filter(force ->
                        found.path("facts").path("force=" + force).asText().startsWith("written"))
                .toList();
        assertThat(available).contains("write", "fdatasync", "fsync", "dsync");
        // Each way and size: one and eight appends to both kinds of files, one to random places. And the neighbours.
        int neighbours = available.contains("direct") ? 2 : 1;
        assertThat(results.path("cells")).hasSize(available.size() * 2 * (2 * 2 + 1) + neighbours * 2);
        for (JsonNode cell : results.path("cells")) {
            checkCell(cell);
        }
        assertThat(results.path("cells").findValuesAsText("file")).contains("initialised", "growing", "random");
        assertThat(last(results.path("stableStorage").path(0).path("reasons")).textValue())
                .contains("plog audit", "power cut");
        assertThat(whole.err())
                .first()
                .asString()
                .contains(directory.toString(), "writes at most", "GiB", "occupies at most", "removed at the end");
        assertThat(directory).isEmptyDirectory();
    }

    private static void checkCell(JsonNode cell) {
        String name = cell.path("dimensions").toString();
        assertThat(cell.path("count").intValue()).as(name).isPositive();
        assertThat(cell.path("recordsPerForce").intValue())
                .as(name)
                .isEqualTo(cell.path("dimensions").path("appends").asInt());
        JsonNode force = cell.path("forceMicros").path("mean");
        if (!List.of("fdatasync", "fsync").contains(cell.path("force").textValue())) {
            assertThat(force.doubleValue()).as(name).isZero();
        }
        assertThat(cell.path("logMicros").path("mean").doubleValue())
                .as(name)
                .isCloseTo(
                        cell.path("writeMicros").path("mean").doubleValue() + force.doubleValue(),
                        org.assertj.core.api.Assertions.within(0.01));
        assertThat(cell.path("endToEndMicros").isNull()).as(name).isTrue();
    }

    @Test
    void twoDirectoriesAreMeasuredSideBySideAndReadAsText() throws Exception {
        Path one = Files.createDirectory(directory.resolve("one"));
        Path other = Files.createDirectory(directory.resolve("other"));
        LocalRun disk = LocalRun.of(
                "disk --duration 0.2s --force fdatasync --sizes 4Ki --shared 1,4 --out %s %s %s",
                directory.resolve("out"), one, other);
        measured(disk);
        assertThat(disk.out())
                .anyMatch(line -> line.startsWith(one + "  ") && line.endsWith("appends a second"))
                .anyMatch(line -> line.startsWith(other + "  ") && line.endsWith("appends a second"))
                .anyMatch(line -> line.startsWith("4 KiB    write"))
                .anyMatch(line -> line.startsWith("         fdatasync") && line.matches(".*( +[0-9,]+){2}"))
                .anyMatch(line -> line.startsWith("plog disk, ") && line.contains(": fdatasync 4 KiB p50 "))
                .anyMatch(line -> line.matches("order: at most 20 randomised blocks; seed: \\d+"));
        assertThat(disk.outText().replaceAll("\\s+", " "))
                .contains("A durable append of 4 KiB (fdatasync) in " + other + " takes ", " as long as in " + one);
        assertThat(disk.out())
                .filteredOn(line -> line.matches(".*/(one|other): (consistent|cannot|a volatile).*"))
                .hasSize(2);
        assertThat(one).isEmptyDirectory();
        assertThat(other).isEmptyDirectory();
    }

    @Test
    void aGateThatFailsEndsWithFourAndResultsAreRenderedAgainFromTheSamples() throws Exception {
        Path out = directory.resolve("out");
        LocalRun disk = LocalRun.of(
                "disk --duration 0.2s --force fdatasync --sizes 512 --shared 1,4 --out %s"
                        + " --fail-if %s --fail-if %s %s",
                out, "log.max@force=write > 0us", "write.max > 100s", directory);
        // A machine that is too busy for figures to be valid says nothing about a gate.
        disk.exited(4, 5);
        assertThat(disk.err())
                .anyMatch(line -> line.matches("\\| \\*\\*fails\\*\\* +\\| `log.max@force=write > 0us` .*"))
                .anyMatch(line -> line.matches("\\| holds +\\| `write.max > 100s` .*"))
                .anyMatch(line -> line.endsWith("report: " + out.resolve("report.html")));
        assertThat(out).isDirectoryContaining("glob:**/{samples.plog}").isDirectoryContaining("glob:**/results.json");
        String page = Files.readString(out.resolve("report.html"));
        assertThat(page).contains("gate fails: log.max@force=write &gt; 0us", "A durable append of 512 B takes ");
        LocalRun again = LocalRun.of("report %s --json --figures %s", out, out.resolve("f"))
                .exited(0);
        assertThat(JSON.readTree(again.outText()))
                .isEqualTo(JSON.readTree(Files.readString(out.resolve("results.json"))));
        assertThat(out.resolve("f/disk-parts.csv")).exists();
        LocalRun two = LocalRun.of("report %s %s", out, out);
        assertThat(two.out())
                .anyMatch(line -> line.contains("fdatasync") && line.contains("logging, mean"))
                .anyMatch(line -> line.startsWith("### plog: "));
        assertThat(LocalRun.of("disk --out %s %s", out, directory).exited(1).err())
                .anyMatch(line -> line.contains("samples.plog"));
    }

    /** Measured; a machine that was busy makes the figures not valid, which is no failure of the program. */
    private static LocalRun measured(LocalRun disk) {
        disk.exited(0, 5);
        return disk;
    }

    @Test
    void memoryIsMeasuredAndCalledVolatile() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory) && Files.getFileStore(memory).type().equals("tmpfs"), "there is a tmpfs");
        Path inMemory = Files.createTempDirectory(memory, "plog-e2e-");
        try {
            LocalRun disk = LocalRun.of(
                    "disk --json --duration 0.2s --sizes 512 --shared 1 --files growing --out %s %s",
                    directory.resolve("out"), inMemory);
            measured(disk);
            JsonNode results = validated(disk);
            JsonNode found = results.path("stableStorage").path(0);
            assertThat(found.path("verdict").textValue()).isEqualTo("volatile-cache");
            assertThat(found.path("reasons").path(0).textValue()).startsWith("tmpfs lies in memory");
            // Older kernels have no O_DIRECT there: that is said, and no error.
            JsonNode facts = results.path("environment").path("targets").path(0).path("facts");
            for (String force : List.of("write", "fdatasync", "fsync", "dsync")) {
                assertThat(facts.path("force=" + force).textValue()).startsWith("written");
            }
            assertThat(inMemory).isEmptyDirectory();
        } finally {
            Files.delete(inMemory);
        }
    }

    @Test
    void anInterruptPrintsWhatWasMeasuredAndRemovesEverything() throws Exception {
        try (Plog disk = Plog.start("disk --json --duration 3000s %s", directory)) {
            // The last file to be made: from then on it measures.
            Await.until("it measures", () -> exists("initialised-direct") || exists("initialised-dsync"));
            disk.interrupt();
            disk.exited(1);
            JsonNode results = validated(disk);
            assertThat(results.path("partial").path("partial").booleanValue()).isTrue();
            assertThat(results.path("partial").path("reason").textValue())
                    .startsWith("interrupted after 0 of 20 blocks");
            assertThat(disk.err().get(disk.err().size() - 1))
                    .contains("plog disk: the run is partial: interrupted after");
        }
        assertThat(directory).isEmptyDirectory();
    }

    private boolean exists(String name) throws IOException {
        return Directories.files(directory).stream().anyMatch(path -> Files.exists(path.resolve(name)));
    }

    @Test
    void badInputIsNamedWithWhatWasExpected() throws Exception {
        Path missing = directory.resolve("missing");
        assertThat(refused(1, "%s", missing)).contains(missing.toString(), "does not exist", "mkdir -p");
        assertThat(missing).doesNotExist();
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertThat(refused(1, "%s", file)).contains(file.toString(), "is not a directory");
        assertThat(refused(1, "%s %s", directory, missing)).contains(missing.toString());
        assertThat(refused(2, "")).contains("DIR");
        assertThat(refused(2, "%s %s", directory, directory)).contains("is given twice: expected once");
        assertThat(refused(2, "--force fsnc %s", directory)).contains("fsnc", "fdatasync, fsync, dsync, direct");
        assertThat(refused(2, "--sizes big %s", directory)).contains("not a size: 'big'");
        assertThat(refused(2, "--files sparse %s", directory)).contains("'sparse'", "initialised, growing, random");
        assertThat(refused(2, "--fail-if %s %s", "log.p42 > 10ms", directory))
                .contains("there is no figure log.p42", ".mean, .p5, .p25");
        assertThat(refused(2, "--fail-if %s %s", "log.p99@size=8k > 10ms", directory))
                .contains("there is no size 8 kB");
        assertThat(refused(2, "--max-write 1Mi %s", directory)).contains("--max-write is 1 MiB", "MiB: allow more");
        assertThat(refused(2, "--duratoin 1 %s", directory)).contains("did you mean --duration?");
        assertThat(Directories.files(directory)).containsExactly(file);
    }

    @Test
    void aDirectoryThatIsNotWritableIsNamed() throws Exception {
        Path locked = Files.createDirectory(directory.resolve("locked"));
        try (BadInputTest.Locked held = BadInputTest.lock(locked)) {
            assertThat(refused(1, "%s", held.path())).contains(locked.toString(), "cannot be written");
        }
    }

    private static JsonNode validated(CommandOutput disk) throws IOException {
        JsonNode results = JSON.readTree(disk.outText());
        assertThat(violations(results)).isEmpty();
        return results;
    }

    private static List<String> violations(JsonNode results) throws IOException {
        return Schemas.violations("results.schema.json", results);
    }

    private static JsonNode last(JsonNode array) {
        return array.path(array.size() - 1);
    }

    private static String refused(int code, String options, Object... values) {
        LocalRun run = LocalRun.of("disk " + options, values).exited(code);
        assertThat(run.out()).isEmpty();
        return run.onlyErrLine();
    }

    @Test
    void aProductsWayOfAppendingIsMeasuredWithWhatItsDocumentationAsks() throws Exception {
        LocalRun disk = LocalRun.of(
                "disk --for redis --json --neighbours none -d 0.2s --out %s %s", directory.resolve("out"), directory);
        JsonNode results = validated(disk);
        assertThat(results.path("cells"))
                .anySatisfy(cell -> assertThat(cell.path("payloadBytes").asInt()
                                + cell.path("force").asText())
                        .isEqualTo("45fdatasync"));
        String like = results.at("/environment/client/product").asText();
        assertThat(like)
                .startsWith("redis appends 45 B and forces with fdatasync; it documents no limit: ")
                .contains("longer than 2 s (https://redis.io/docs/");
        assertThat(LocalRun.of("report %s", directory.resolve("out")).outText().replaceAll("\\s+", " "))
                .contains(like, directory + " gives it ");

        LocalRun both = LocalRun.of("disk --for etcd --sizes 1k %s", directory).exited(2);
        assertThat(both.errText()).contains("--for etcd and --sizes exclude each other");
    }
}
