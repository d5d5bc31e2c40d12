package io.plog.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.e2e.support.DiskDirectory;
import io.plog.e2e.support.LocalRun;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Results that plog wrote once are read for ever; those of a plog that is still to come are not taken for damage. */
final class GoldenResultsTest {
    private static final Path KNOWN = DiskDirectory.root().resolve("src/test/golden/results-1");
    private static final Path NEWER = DiskDirectory.root().resolve("src/test/golden/results-newer");

    @TempDir(factory = DiskDirectory.class)
    Path directory;

    private JsonNode rendered(String name) throws IOException {
        Path results = Files.createDirectory(directory.resolve("of-" + name.replace('/', '-')));
        Path file = KNOWN.resolve(name);
        Files.copy(file, results.resolve(file.getFileName()));
        LocalRun run = LocalRun.of("report %s --json", results).exited(0);
        assertThat(results.resolve("report.html")).isNotEmptyFile();
        return new ObjectMapper().readTree(run.outText());
    }

    @Test
    void aRunIsRenderedFromItsSamples() throws Exception {
        JsonNode run = rendered("samples.plog");
        assertThat(run.path("cells")).hasSize(6);
        assertThat(run.path("cells")).allMatch(cell -> cell.path("count").intValue() == 300);
        assertThat(run.path("cells").findValuesAsText("target")).contains("fdatasync", "write", "off");
        assertThat(run.path("stableStorage")).hasSize(1);
    }

    @Test
    void aDiskIsRenderedFromItsSamples() throws Exception {
        JsonNode disk = rendered("disk/samples.plog");
        assertThat(disk.path("kind").textValue()).isEqualTo("disk");
        assertThat(disk.path("cells")).hasSize(5);
        assertThat(disk.path("cells").findValuesAsText("neighbour")).contains("none", "log");
    }

    @Test
    void aStudyIsRenderedFromItsSamples() throws Exception {
        JsonNode study = rendered("study/samples.plog");
        assertThat(study.path("kind").textValue()).isEqualTo("study");
        assertThat(study.path("cells").findValuesAsText("load"))
                .contains("capacity", "relative", "absolute", "workload");
        assertThat(study.path("claims")).hasSize(9);
    }

    @Test
    void aLedgerAndAPlanAreReadAsTheyStand() throws Exception {
        Path empty = Files.createDirectory(directory.resolve("log"));
        LocalRun audit = LocalRun.of("audit --ledger %s --log %s", KNOWN.resolve("run.ledger"), empty);
        assertThat(audit.exited(4).outText()).contains("ledger: 45 lines read, 45 requests acknowledged by target 0");
        LocalRun demo = LocalRun.of("demo --plan %s --log-dir %s --dry-run", KNOWN.resolve("plan.json"), directory);
        assertThat(demo.exited(0).outText()).contains("\"trials\" : 2", "\"seed\" : 771096711");
    }

    @ParameterizedTest
    @ValueSource(strings = {"samples.plog", "results.json"})
    void resultsOfANewerPlogAreNoDamage(String name) {
        refused(LocalRun.of("report %s --out %s", NEWER.resolve(name), directory.resolve("out")), NEWER.resolve(name));
    }

    @Test
    void aLedgerAndAPlanOfANewerPlogAreNoDamage() throws Exception {
        Path log = Files.createDirectory(directory.resolve("log"));
        Path ledger = NEWER.resolve("run.ledger");
        refused(LocalRun.of("audit --ledger %s --log %s", ledger, log), ledger);
        Path plan = NEWER.resolve("plan.json");
        refused(LocalRun.of("measure --plan %s --dry-run", plan), plan);
    }

    private static void refused(LocalRun run, Path file) {
        run.exited(1);
        assertThat(run.outText()).isEmpty();
        assertThat(run.errText().strip())
                .hasLineCount(1)
                .contains(file + ": was written by a newer plog (", "; nothing is wrong with it, use that version");
    }
}
