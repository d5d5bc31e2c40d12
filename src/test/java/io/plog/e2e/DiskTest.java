package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.plog.e2e.support.Await;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import io.plog.e2e.support.Plog;
import io.plog.report.Schemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** {@code plog disk} on real directories. */
@Execution(ExecutionMode.CONCURRENT)
final class DiskTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir(factory = DiskDirectory.class)
    @SuppressWarnings("NullAway.Init")
    Path directory;

    /** What {@link #whole} measured: its results are read by several tests. */
    @TempDir(factory = DiskDirectory.class)
    @SuppressWarnings("NullAway.Init")
    static Path measured;

    @SuppressWarnings("NullAway.Init")
    private static Plog whole;

    @BeforeAll
    static void measure() throws Exception {
        whole = Plog.run(
                "disk",
                "--json",
                "--duration",
                "0.5s",
                "--sizes",
                "512,4Ki",
                "--shared",
                "1,8",
                "--seed",
                "11",
                measured);
    }

    @Test
    void everyWayOfForcingIsMeasuredOnBothKindsOfFilesAndNothingIsLeftBehind() throws Exception {
        Plog disk = whole.exited(0);
        JsonNode results = validated(disk);
        assertThat(results.path("partial").path("partial").booleanValue()).isFalse();
        assertThat(results.path("plan").path("seed").intValue()).isEqualTo(11);
        assertThat(results.path("plan").path("blocksDone").intValue()).isPositive();
        JsonNode found = results.path("directories").path(0);
        assertThat(found.path("facts").path("path").textValue())
                .isEqualTo(measured.toRealPath().toString());
        List<String> available = strings(found.path("ways"), "force", "available", true);
        assertThat(available).contains("write", "fdatasync", "fsync", "dsync");
        // Each way and size: one and eight appends to both kinds of files, one to random places. And the neighbours.
        int neighbours = available.contains("direct") ? 2 : 1;
        assertThat(found.path("cells")).hasSize(available.size() * 2 * (2 * 2 + 1) + neighbours * 2);
        for (JsonNode cell : found.path("cells")) {
            checkCell(cell);
        }
        assertThat(strings(found.path("cells"), "file", "force", "fdatasync"))
                .contains("initialised", "growing", "random");
        assertThat(last(found.path("stableStorage").path("reasons")).textValue())
                .contains("plog audit", "power cut");
        assertThat(disk.err())
                .first()
                .asString()
                .contains(measured.toString(), "writes at most", "GiB", "occupies at most", "removed at the end");
        assertThat(measured).isEmptyDirectory();
    }

    private static void checkCell(JsonNode cell) {
        String name = cell.toString();
        assertThat(cell.path("groups").intValue()).as(name).isPositive();
        assertThat(cell.path("writeMicros").path("count").intValue())
                .as(name)
                .isEqualTo(cell.path("groups").intValue());
        boolean forcedByCall =
                List.of("fdatasync", "fsync").contains(cell.path("force").textValue());
        assertThat(cell.path("forceMicros").isObject()).as(name).isEqualTo(forcedByCall);
        JsonNode both = cell.path("bothMicros");
        assertThat(both.path("mean").doubleValue())
                .as(name)
                .isCloseTo(
                        cell.path("writeMicros").path("mean").doubleValue()
                                + cell.path("forceMicros").path("mean").doubleValue(),
                        org.assertj.core.api.Assertions.within(0.01));
        assertThat(cell.path("perAppendMedianMicros").doubleValue())
                .as(name)
                .isCloseTo(
                        both.path("p50").doubleValue()
                                / cell.path("appendsPerForce").intValue(),
                        org.assertj.core.api.Assertions.within(0.001));
    }

    @Test
    void twoDirectoriesAreMeasuredSideBySideAndReadAsText() throws Exception {
        Path one = Files.createDirectory(directory.resolve("one"));
        Path other = Files.createDirectory(directory.resolve("other"));
        Plog disk = Plog.run(
                "disk", "--duration", "0.2s", "--force", "fdatasync", "--sizes", "4Ki", "--shared", "1,4", one, other);
        disk.exited(0);
        assertThat(disk.out())
                .contains(one.toString(), other.toString(), "one append at a time, µs")
                .anyMatch(line -> line.startsWith("4 KiB   write"))
                .anyMatch(line -> line.startsWith("        fdatasync"))
                .anyMatch(line -> line.startsWith("appends that share a force"))
                .anyMatch(line -> line.matches("\\d of 5 randomised blocks, seed \\d+; .*"));
        assertThat(disk.out()).filteredOn(line -> line.startsWith("verdict: ")).hasSize(2);
        assertThat(one).isEmptyDirectory();
        assertThat(other).isEmptyDirectory();
    }

    @Test
    void aGateThatFailsEndsWithFourAndThePageSaysSoFirst() throws Exception {
        Path out = directory.resolve("out");
        Plog disk = Plog.run(
                "disk",
                "--duration",
                "0.5s",
                "--force",
                "fdatasync",
                "--sizes",
                "512",
                "--shared",
                "1,4",
                "--out",
                out,
                "--fail-if",
                "fdatasync.512.p50 > 0us",
                "--fail-if",
                "p5 > 100s",
                directory);
        disk.exited(4);
        assertThat(disk.err())
                .anyMatch(line -> line.startsWith("gate failed     fdatasync.512.p50 > 0us: "))
                .anyMatch(line -> line.startsWith("gate holds      p5 > 100s: "))
                .anyMatch(line -> line.equals("report: " + out.resolve("report.html")));
        String page = Files.readString(out.resolve("report.html"));
        assertThat(page).contains("gate failed: fdatasync.512.p50 &gt; 0us: ", "A durable append of 512 B takes ");
        Plog again = Plog.run("report", out, "--fail-if", "fdatasync.512.p50 > 100s", "--figures", out.resolve("f"));
        again.exited(0);
        assertThat(out.resolve("f/disk-parts.csv")).exists();
        LocalRun two = LocalRun.of("report", out, out).exited(0);
        assertThat(two.out()).anyMatch(line -> line.contains("x1.00") && line.endsWith("no difference"));
        assertThat(LocalRun.of("disk", "--out", out, directory).exited(1).err())
                .anyMatch(line -> line.contains("report.html"));
        for (Path file : List.of(out.resolve("disk.json"), out.resolve("report.html"))) {
            assertThat(file).isNotEmptyFile();
        }
    }

    @Test
    void memoryIsMeasuredAndCalledVolatile() throws Exception {
        Path memory = Path.of("/dev/shm");
        assumeTrue(Files.isWritable(memory) && Files.getFileStore(memory).type().equals("tmpfs"), "there is a tmpfs");
        Path inMemory = Files.createTempDirectory(memory, "plog-e2e-");
        try {
            Plog disk = Plog.run(
                    "disk",
                    "--json",
                    "--duration",
                    "0.2s",
                    "--sizes",
                    "512",
                    "--shared",
                    "1",
                    "--files",
                    "growing",
                    inMemory);
            disk.exited(0);
            JsonNode found = validated(disk).path("directories").path(0);
            assertThat(found.path("stableStorage").path("verdict").textValue()).isEqualTo("volatile-cache");
            assertThat(found.path("stableStorage").path("reasons").path(0).textValue())
                    .startsWith("tmpfs lies in memory");
            // Older kernels have no O_DIRECT there: told, and no error.
            for (JsonNode way : found.path("ways")) {
                assertThat(way.path("available").booleanValue()
                                || way.path("force").textValue().equals("direct"))
                        .as("%s", way)
                        .isTrue();
            }
            assertThat(inMemory).isEmptyDirectory();
        } finally {
            Files.delete(inMemory);
        }
    }

    @Test
    void anInterruptPrintsWhatWasMeasuredAndRemovesEverything() throws Exception {
        try (Plog disk = Plog.start("disk", "--json", "--duration", "3000s", directory)) {
            // The last file to be made: from then on it measures.
            Await.until("it measures", () -> exists("growing-direct") || exists("growing-dsync"));
            disk.interrupt();
            assertThat(disk.awaitExit()).isEqualTo(1);
            disk.withoutStackTrace();
            JsonNode results = validated(disk);
            assertThat(results.path("partial").path("partial").booleanValue()).isTrue();
            assertThat(results.path("partial").path("reason").textValue())
                    .startsWith("interrupted after 0 of 5 blocks");
            assertThat(disk.err().get(disk.err().size() - 1)).contains("plog disk: interrupted after");
        }
        assertThat(directory).isEmptyDirectory();
    }

    private boolean exists(String name) throws IOException {
        try (Stream<Path> scratch = Files.list(directory)) {
            return scratch.anyMatch(path -> Files.exists(path.resolve(name)));
        }
    }

    @Test
    void badInputIsNamedWithWhatWasExpected() throws Exception {
        Path missing = directory.resolve("missing");
        assertThat(refused(1, missing)).contains(missing.toString(), "does not exist", "mkdir -p");
        assertThat(missing).doesNotExist();
        Path file = Files.writeString(directory.resolve("file"), "x");
        assertThat(refused(1, file)).contains(file.toString(), "is not a directory");
        assertThat(refused(1, directory, missing)).contains(missing.toString());
        assertThat(refused(2)).contains("DIR");
        assertThat(refused(2, directory, directory)).contains("directory names the same twice");
        assertThat(refused(2, "--force", "fsnc", directory)).contains("fsnc", "fdatasync, fsync, dsync, direct");
        assertThat(refused(2, "--force", "off", directory)).contains("--force off", "nothing is written");
        assertThat(refused(2, "--sizes", "8Mi", directory)).contains("--sizes has 8388608: expected 1 to 4194304");
        assertThat(refused(2, "--sizes", "big", directory)).contains("not a size: 'big'");
        assertThat(refused(2, "--shared", "0", directory)).contains("--shared has 0: expected 1 to 4096");
        assertThat(refused(2, "--files", "sparse", directory)).contains("'sparse'", "initialised, growing, random");
        assertThat(refused(2, "--beside", "cat", directory)).contains("'cat'", "none, log, reads");
        assertThat(refused(2, "--fail-if", "fdatasync.512.p42 > 10ms", directory))
                .contains("there is no figure 'p42'", "mean, p5, p50, p95, p99, max");
        assertThat(refused(2, "--fail-if", "8k.p99 > 10ms", directory)).contains("the size 8 kB is not measured");
        assertThat(refused(2, "--duration", "0", directory)).contains("--duration is 0.0 s", "3600 s");
        assertThat(refused(2, "--max-write", "1Mi", directory)).contains("--max-write is 1 MiB", "MiB: allow more");
        assertThat(refused(2, "--duratoin", "1", directory)).contains("did you mean --duration?");
        try (Stream<Path> left = Files.list(directory)) {
            assertThat(left).containsExactly(file);
        }
    }

    @Test
    void aDirectoryThatIsNotWritableIsNamed() throws Exception {
        Path locked = Files.createDirectory(directory.resolve("locked"));
        try (BadInputTest.Locked held = BadInputTest.lock(locked)) {
            assertThat(refused(1, held.path())).contains(locked.toString(), "cannot be written");
        }
    }

    @Test
    void whatTheSchemaDoesNotAllowIsFound() throws Exception {
        ObjectNode results = (ObjectNode) validated(whole.exited(0));
        results.put("schemaVersion", 3);
        ObjectNode found = (ObjectNode) results.path("directories").path(0);
        found.put("surprise", 1);
        ((ObjectNode) found.path("stableStorage")).put("verdict", "honest");
        ((ObjectNode) found.path("cells").path(0)).remove("bothMicros");
        ((ObjectNode) found.path("cells").path(1).path("bothMicros")).put("p50", "fast");
        assertThat(violations(results))
                .containsExactlyInAnyOrder(
                        "/schemaVersion const",
                        "/directories/0 additionalProperties",
                        "/directories/0/stableStorage/verdict enum",
                        "/directories/0/cells/0 required",
                        "/directories/0/cells/1/bothMicros/p50 type",
                        // It may be a distribution, or null.
                        "/directories/0/cells/1/bothMicros type");
    }

    private static JsonNode validated(Plog disk) throws IOException {
        JsonNode results = JSON.readTree(disk.outText());
        assertThat(violations(results)).isEmpty();
        return results;
    }

    private static List<String> violations(JsonNode results) throws IOException {
        return Schemas.violations("disk.schema.json", results);
    }

    private static JsonNode last(JsonNode array) {
        return array.path(array.size() - 1);
    }

    /** The values of a field in those objects whose other field has this value. */
    private static List<String> strings(JsonNode array, String field, String where, Object value) {
        return StreamSupport.stream(array.spliterator(), false)
                .filter(each -> each.path(where).asText().equals(value.toString()))
                .map(each -> each.path(field).asText())
                .toList();
    }

    private static String refused(int code, Object... args) {
        List<Object> line = new ArrayList<>(List.of("disk"));
        line.addAll(List.of(args));
        LocalRun run = LocalRun.of(line.toArray()).exited(code);
        assertThat(run.out()).isEmpty();
        return run.onlyErrLine();
    }
}
