package io.plog.measure.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.Force;
import io.plog.report.disk.DiskReport;
import io.plog.report.disk.DiskResults;
import io.plog.report.disk.DiskText;
import io.plog.stats.text.TextLines;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs on a real directory, with a clock that moves by a microsecond each time that it is read. */
final class DiskRunTest {
    private static final List<Force> ALL = List.of(Force.WRITE, Force.FSYNC, Force.DIRECT);

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private final ManualClock clock = new ManualClock(1000);

    private static DiskPlan plan(double seconds) {
        return DiskPlanTest.plan(ALL, List.of(512, 65_536), List.of(1, 8), seconds);
    }

    private MeasuredDirectory open(boolean hasDirect, int writes) throws IOException {
        return MeasuredDirectory.open(directory, 0, scratch -> new FailingStorage(scratch, hasDirect, writes));
    }

    private DiskResults results(DiskPlan plan, MeasuredDirectory measured, DiskRun run) {
        return DiskReport.of(plan, List.of(measured), run, "now", Map.of());
    }

    @Test
    void everyCellHasItsTurnInEveryBlock() throws IOException {
        DiskPlan plan = plan(0.2);
        try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan, List.of(measured), clock);
            run.run();
            assertThat(run.blocksDone()).isEqualTo(DiskPlan.BLOCKS);
            Map<DiskCell, Timings> timings = run.timings(measured);
            assertThat(timings).hasSize(3 * 2 * 2 * 2);
            assertThat(timings.values()).allMatch(cell -> cell.count() >= DiskPlan.BLOCKS);
            assertThat(results(plan, measured, run).partial().partial()).isFalse();
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void withoutTimeEachCellIsMeasuredOnceAllTheSame() throws IOException {
        try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan(1e-9), List.of(measured), clock);
            run.run();
            assertThat(run.blocksDone()).isEqualTo(1);
            assertThat(run.timings(measured).values()).allMatch(cell -> cell.count() == 1);
        }
    }

    @Test
    void aWayThatTheFileSystemLacksIsToldAndTheOthersAreMeasured() throws IOException {
        DiskPlan plan = plan(1e-9);
        try (MeasuredDirectory measured = open(false, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan, List.of(measured), clock);
            run.run();
            DiskResults results = results(plan, measured, run);
            assertThat(results.directories().get(0).ways())
                    .filteredOn(way -> !way.available())
                    .singleElement()
                    .satisfies(way -> {
                        assertThat(way.force()).isEqualTo("direct");
                        assertThat(way.detail()).isEqualTo("force=direct is not possible in " + directory.toRealPath());
                    });
            assertThat(results.directories().get(0).cells())
                    .extracting(DiskResults.Cell::force)
                    .containsOnly("write", "fsync");
            assertThat(DiskText.of(results)).contains("direct       not available here: force=direct is not possible");
        }
    }

    @Test
    void aFullDiskIsSaidInOneSentenceAndNothingIsLeftBehind() throws IOException {
        // 128 parts of each of the three initialised files, 20,000 writes and some to warm up: then it measures.
        for (int writes : new int[] {5, 200, 22_000}) {
            try (MeasuredDirectory measured = open(true, writes)) {
                DiskRun run = new DiskRun(plan(0.5), List.of(measured), clock);
                assertThatThrownBy(run::run)
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("directory " + directory + ": ")
                        .hasMessageEndingWith("failed: its disk is full; free some space, or name another directory");
            }
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void aRunThatIsStoppedHasWhatItMeasuredAndSaysSo() throws IOException {
        DiskPlan plan = plan(10);
        try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
            DiskRun[] self = new DiskRun[1];
            LongSupplier stopping = () -> {
                if (self[0].timings(measured).values().stream().anyMatch(cell -> cell.count() > 0)) {
                    self[0].stop();
                }
                return clock.getAsLong();
            };
            self[0] = new DiskRun(plan, List.of(measured), stopping);
            self[0].run();
            DiskResults results = results(plan, measured, self[0]);
            assertThat(results.partial().partial()).isTrue();
            assertThat(results.partial().reason()).isEqualTo("interrupted after 0 of 5 blocks");
            assertThat(results.directories().get(0).cells())
                    .anyMatch(cell -> cell.groups() > 0)
                    .anyMatch(cell -> cell.groups() == 0);
            assertThat(DiskText.of(results)).startsWith("! partial: interrupted after 0 of 5 blocks");
        }
    }

    @Test
    void aNeighbourUsesTheDiskDuringEveryTurnThatIsBesideIt() throws IOException {
        DiskPlan plan = new DiskPlan(
                List.of(directory),
                ALL,
                List.of(512),
                List.of(1),
                List.of(FileKind.INITIALISED, FileKind.RANDOM),
                List.of(Neighbour.LOG, Neighbour.READS),
                0.2,
                8L << 30,
                3);
        try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan, List.of(measured), clock);
            run.run();
            DiskResults results = results(plan, measured, run);
            List<DiskResults.Cell> beside = results.directories().get(0).cells().stream()
                    .filter(cell -> !cell.isAlone())
                    .toList();
            assertThat(beside).extracting(DiskResults.Cell::beside).containsExactly("log", "reads");
            assertThat(beside)
                    .allMatch(cell -> cell.force().equals("fsync"))
                    .allMatch(cell -> cell.besideOperations() >= DiskPlan.BLOCKS, "at least one in each turn")
                    .allMatch(cell -> cell.groups() >= DiskPlan.BLOCKS);
            assertThat(results.directories().get(0).cells())
                    .filteredOn(DiskResults.Cell::isAlone)
                    .allMatch(cell -> cell.besideOperations() == 0);
            assertThat(DiskText.of(results))
                    .contains("alone, sequential", "random places", "beside a second log", "beside random reads");
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void readsThatThePageCacheWouldAnswerAreNoNeighbour() throws IOException {
        DiskPlan plan = new DiskPlan(
                List.of(directory),
                ALL,
                List.of(512),
                List.of(1),
                List.of(FileKind.INITIALISED),
                List.of(Neighbour.READS),
                1e-9,
                8L << 30,
                3);
        try (MeasuredDirectory measured = open(false, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan, List.of(measured), clock);
            run.run();
            assertThat(run.timings(measured).keySet()).noneMatch(cell -> cell.neighbour() == Neighbour.READS);
        }
    }

    @Test
    void noLineIsWiderThanAHundredColumnsAndUnboundedFiguresAreMarked() throws IOException {
        DiskPlan plan = new DiskPlan(
                List.of(directory),
                ALL,
                List.of(512, 1 << 20),
                List.of(1, 2, 4, 8, 16, 32, 64),
                List.of(FileKind.values()),
                List.of(Neighbour.LOG, Neighbour.READS),
                0.2,
                8L << 30,
                3);
        for (int stepNanos : new int[] {1000, 99_999_000, 1_234_567_890}) {
            try (MeasuredDirectory measured = open(false, Integer.MAX_VALUE)) {
                DiskRun run = new DiskRun(plan, List.of(measured), new ManualClock(stepNanos));
                run.run();
                String text = DiskText.of(results(plan, measured, run));
                // A path and a device may be longer; nothing else may.
                assertThat(text.lines().filter(line -> !line.contains("/")))
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(TextLines.WIDTH));
                assertThat(text).contains("verdict: ", "plog audit");
                String expected = stepNanos == 1000 ? "    1.00 " : stepNanos < 100_000_000 ? " 99,999* " : " 1.2s* ";
                assertThat(text).contains(expected);
                if (stepNanos > 1000) {
                    assertThat(text).contains("?..?");
                }
            }
        }
    }

    @Test
    void aDirectoryThatCannotBeUsedIsNamedWithWhatToDo() throws IOException {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> MeasuredDirectory.open(missing, 0))
                .hasMessageContainingAll(missing.toString(), "does not exist", "mkdir -p");
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> MeasuredDirectory.open(file, 0)).hasMessageContaining("is not a directory");
        assertThatThrownBy(() -> MeasuredDirectory.open(directory, Long.MAX_VALUE))
                .hasMessageContainingAll("MiB free, but its files need", "name another");
        assertThat(directory).isDirectoryContaining(path -> path.equals(file));
        Files.delete(file);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aGrowingFileThatIsFullIsReplacedByANewOne() throws IOException {
        FailingStorage storage = new FailingStorage(directory, true, Integer.MAX_VALUE);
        int group = DiskPlan.MOST_GROUP_BYTES;
        var source = java.nio.ByteBuffer.allocateDirect(group + 2 * DiskCell.BLOCK_BYTES);
        try (WayFiles files = WayFiles.create(storage, Force.WRITE, List.of(FileKind.GROWING))) {
            for (int i = 0; i < 20; i++) {
                files.fileFor(FileKind.GROWING, group).append(group, source, new Timings(), clock);
                assertThat(Files.size(directory.resolve("growing-write"))).isLessThanOrEqualTo(DiskPlan.FILE_BYTES);
            }
        }
        assertThat(storage.list()).containsExactly("growing-write");
    }
}
