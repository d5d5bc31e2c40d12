package io.plog.results;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.results.model.Check;
import io.plog.results.model.DiskCells;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.stats.Percentile;
import io.plog.stats.text.TextLines;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What is computed of appends to directories. */
final class DiskResultsTest {
    private static long[] all(long micros) {
        long[] nanos = new long[9];
        java.util.Arrays.fill(nanos, micros * 1000);
        return nanos;
    }

    private static Results.StableStorage verdict(SyntheticDisk disk) throws IOException {
        List<Results.StableStorage> found = Analysis.results(disk).stableStorage();
        assertThat(found).hasSize(1);
        return found.get(0);
    }

    @Test
    void aCellHasItsDimensionsAndTheDistributionsOfWriteForceAndBoth() throws IOException {
        Results results = Analysis.results(SyntheticDisk.of(SyntheticDisk.ramp(100)));
        assertThat(results.kind()).isEqualTo(Results.Kind.DISK);
        assertThat(results.environment().targets()).singleElement().satisfies(directory -> {
            assertThat(directory.name()).isEqualTo("/mnt/one");
            assertThat(directory.label()).isEqualTo("/mnt/one");
        });
        assertThat(results.cells()).hasSize(9);
        DiskCells cells = Objects.requireNonNull(
                DiskCells.byDirectory(results.environment().targets(), results.cells())
                        .get("/mnt/one"));
        Cell forced = cells.usual().get(1);
        assertThat(forced.force()).isEqualTo("fdatasync");
        assertThat(forced.dimensions().toString()).isEqualTo("{file=initialised, appends=1, neighbour=none}");
        assertThat(forced.count()).isEqualTo(100);
        Results.Distribution both = Objects.requireNonNull(forced.logMicros());
        assertThat(both.p50()).isEqualTo(50);
        assertThat(both.max()).isEqualTo(100);
        assertThat(both.mean()).isEqualTo(50.5);
        assertThat(both.sd()).isEqualTo(29.011);
        assertThat(both.at(Percentile.P99).interval().high())
                .as("100 samples do not bound p99")
                .isNull();
        assertThat(Objects.requireNonNull(forced.forceMicros()).p50()).isEqualTo(25);
        assertThat(DiskCells.isForcedByCall(forced)).isTrue();
        assertThat(DiskCells.isForcedByCall(cells.usual().get(0))).isFalse();
        assertThat(forced.endToEndMicros()).as("there is no request").isNull();
        assertThat(forced.neighbourOperations()).isNull();
        assertThat(cells.circumstances())
                .extracting(DiskCells.Circumstance::words)
                .containsExactly("alone, sequential", "random places", "with a second log", "with random reads");
        assertThat(cells.circumstances().get(2).cell().neighbourOperations()).isEqualTo(77);
        assertThat(cells.all().stream().filter(cell -> DiskCells.appends(cell) == 8))
                .singleElement()
                .satisfies(group -> assertThat(group.recordsPerForce()).isEqualTo(8));
    }

    @Test
    void theMachineIsCheckedAndNoClaimIsMade() throws IOException {
        Results results = Analysis.results(SyntheticDisk.of(SyntheticDisk.ramp(100)));
        assertThat(results.validity())
                .extracting(Check::id)
                .contains("complete", "plausible:/mnt/one", "hiccups:client", "processors:client")
                .noneMatch(id -> id.endsWith(":server"));
        assertThat(results.claims()).isEmpty();
        assertThat(results.overhead()).isEmpty();
        assertThat(results.cost())
                .extracting(Results.Cost::sentence)
                .containsExactly(
                        "A durable append of 512 B takes 50 µs at the median and 99 µs at the 99th percentile (fdatasync, n = 100).");
    }

    @Test
    void theVerdictIsOfTheFastestWayAtTheSmallestSizeOneAtATime() throws IOException {
        Results.StableStorage stable = verdict(SyntheticDisk.empty(512)
                .cell("/a", "write", "initialised", 1, "none", all(2))
                .cell("/a", "fsync", "initialised", 1, "none", all(500))
                .cell("/a", "direct", "initialised", 1, "none", all(300))
                .cell("/a", "direct", "initialised", 64, "none", all(1))
                .cell("/a", "direct", "initialised", 1, "log", all(1))
                .cell("/a", "direct", "growing", 1, "none", all(100)));
        assertThat(stable.verdict()).isEqualTo("consistent");
        assertThat(stable.sentence()).isEqualTo("consistent with stable media");
        assertThat(stable.reasons().get(0)).contains("512 B takes 300 µs at the median (direct), 150 times a write");
    }

    @Test
    void oneWayThatIsTooFastIsEnough() throws IOException {
        SyntheticDisk disk = SyntheticDisk.empty(512)
                .cell("/a", "write", "growing", 1, "none", all(2))
                .cell("/a", "fsync", "growing", 1, "none", all(500))
                .cell("/a", "fdatasync", "growing", 1, "none", all(3));
        assertThat(verdict(disk).verdict()).isEqualTo("volatile-cache");
        assertThat(Analysis.results(disk).validity())
                .anyMatch(check -> check.id().equals("plausible:/a") && !check.ok());
    }

    @Test
    void withoutAnyForceThereIsNoVerdict() throws IOException {
        Results.StableStorage stable =
                verdict(SyntheticDisk.empty(512).cell("/a", "write", "growing", 1, "none", all(2)));
        assertThat(stable.verdict()).isEqualTo("cannot-tell");
        assertThat(stable.reasons().get(0)).isEqualTo("No forced append was measured.");
    }

    @Test
    void theTextHasARowForEachWayAndMarksWhatIsUnbounded() throws IOException {
        String text = TerminalSummary.of(Analysis.results(SyntheticDisk.of(SyntheticDisk.ramp(100))));
        assertThat(text)
                .containsPattern("512 B    write\\* +50.0 +99.0 +[0-9.]+ to \\? +19,800\n")
                .containsPattern(" {9}fdatasync +50.0 +99.0 +[0-9.]+ to \\? +19,800 +158,000\n")
                .contains(
                        "fdatasync, random",
                        "fdatasync, next to reads",
                        "To paste:\nplog disk, ext4 on sda1: fdatasync 512 B")
                .contains("/mnt/one: a volatile cache is probably answering", "plog audit");
        assertThat(text.lines()).allMatch(line -> line.length() <= TextLines.WIDTH || line.startsWith("plog disk, "));
    }
}
