package io.plog.measure.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.LogOptions;
import io.plog.log.storage.Force;
import io.plog.measure.Resumption;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.DiskCell;
import io.plog.measure.plan.FileKind;
import io.plog.measure.plan.Neighbour;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.SampleFileWriter;
import io.plog.results.Analysis;
import io.plog.results.TerminalSummary;
import io.plog.results.model.DiskCells;
import io.plog.results.model.Results;
import io.plog.stats.text.TextLines;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whole runs on a real directory, with a clock that moves by a microsecond each time that it is read. */
final class DiskRunTest {
    private static final List<Force> ALL = List.of(Force.WRITE, Force.FSYNC, Force.DIRECT);

    @TempDir
    Path directory;

    private final ManualClock clock = new ManualClock(1000);

    private Directories plan(double seconds) {
        return new Directories(
                List.of(directory.toString()),
                ALL,
                List.of(512, 65_536),
                List.of(1, 8),
                List.of(FileKind.INITIALISED, FileKind.GROWING),
                List.of(Neighbour.NONE),
                seconds,
                8L << 30,
                1);
    }

    private MeasuredDirectory open(boolean hasDirect, int writes) throws IOException {
        return MeasuredDirectory.open(
                directory.toString(), directory, 0, scratch -> new FailingStorage(scratch, hasDirect, writes));
    }

    @TempDir
    Path elsewhere;

    /** Gets the sample file before each turn. */
    private Consumer<Path> beforeTurn = file -> {};

    /** Gets the sample file whenever it is asked whether it is enough. */
    private Predicate<Path> isEnough = file -> false;

    /** Prepared and run; what plog disk computes from its sample file. */
    private Results results(DiskRun run) throws IOException {
        Path file = elsewhere.resolve(SampleFileWriter.FILE_NAME);
        Files.deleteIfExists(file);
        run.prepare();
        try (SampleFileWriter writer =
                SampleFileWriter.create(file, run.info("plog disk", Instant.EPOCH, Map.of("cpu", "Z80")))) {
            run.run(writer, () -> beforeTurn.accept(file), () -> isEnough.test(file));
            writer.end(run.end());
        }
        return results(file);
    }

    private static Results results(Path file) throws IOException {
        try (SampleFileReader source = SampleFileReader.open(file)) {
            return Analysis.results(source);
        }
    }

    @Test
    void whatIsMeasuredCanBeReadAfterEachBlock() throws IOException {
        try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan(0.05), List.of(measured), Resumption.begin(Path.of("none")), clock);
            List<Integer> cells = new ArrayList<>();
            beforeTurn = file -> {
                if (run.blocksDone() > cells.size()) {
                    try {
                        cells.add(results(file).cells().size());
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }
            };
            results(run);
            assertThat(cells).hasSize(19).containsOnly(24);
        }
    }

    @Test
    void everyCellHasItsTurnInEveryBlock() throws IOException {
        Directories plan = plan(0.05);
        try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan, List.of(measured), Resumption.begin(Path.of("none")), clock);
            Results results = results(run);
            assertThat(run.blocksDone()).isEqualTo(Directories.MOST_BLOCKS);
            assertThat(results.cells())
                    .hasSize(3 * 2 * 2 * 2)
                    .allMatch(cell -> cell.count() >= Directories.MOST_BLOCKS)
                    .allMatch(cell -> cell.failures() == 0);
            assertThat(results.partial().partial()).isFalse();
            assertThat(results.validity()).noneMatch(check -> check.id().endsWith(":server"));
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void itEndsAtALookWhoseSamplesAreEnough() throws IOException {
        for (int enough : List.of(5, 10)) {
            List<Integer> looks = new ArrayList<>();
            try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
                DiskRun run = new DiskRun(plan(0.05), List.of(measured), Resumption.begin(Path.of("none")), clock);
                isEnough = file -> {
                    looks.add(run.blocksDone());
                    return run.blocksDone() == enough;
                };
                assertThat(results(run).partial().partial()).isFalse();
                assertThat(run.blocksDone()).isEqualTo(enough);
                assertThat(looks).isEqualTo(enough == 5 ? List.of(5) : List.of(5, 10));
            }
        }
    }

    @Test
    void withoutTimeEachCellIsMeasuredOnceAllTheSame() throws IOException {
        try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan(1e-9), List.of(measured), Resumption.begin(Path.of("none")), clock);
            assertThat(results(run).cells()).isNotEmpty().allMatch(cell -> cell.count() == 1);
            assertThat(run.blocksDone()).isEqualTo(1);
        }
    }

    @Test
    void aWayThatTheFileSystemLacksIsReportedAndTheOthersAreMeasured() throws IOException {
        Directories plan = plan(1e-9);
        try (MeasuredDirectory measured = open(false, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan, List.of(measured), Resumption.begin(Path.of("none")), clock);
            Results results = results(run);
            assertThat(results.environment().targets().get(0).facts())
                    .containsEntry(
                            "force=direct",
                            "not available here: force=direct is not possible in " + directory.toRealPath())
                    .containsEntry("force=fsync", "written into the page cache, then fsync");
            assertThat(results.cells()).extracting(Results.Cell::force).containsOnly("write", "fsync");
            assertThat(TerminalSummary.of(results).replaceAll("\\s+", " "))
                    .contains("force=direct: not available here: force=direct is not possible");
        }
    }

    @Test
    void aFullDiskIsSaidInOneSentenceAndNothingIsLeftBehind() throws IOException {
        // 128 parts of each of the three initialised files, 20,000 writes and some to warm up: then it measures.
        for (int writes : new int[] {5, 200, 22_000}) {
            try (MeasuredDirectory measured = open(true, writes)) {
                DiskRun run = new DiskRun(plan(0.5), List.of(measured), Resumption.begin(Path.of("none")), clock);
                assertThatThrownBy(() -> results(run))
                        .isInstanceOf(IOException.class)
                        .hasMessageStartingWith("directory " + directory + ": ")
                        .hasMessageEndingWith("failed: its disk is full; free some space, or name another directory");
            }
            assertThat(directory).isEmptyDirectory();
        }
    }

    @Test
    void aRunThatIsStoppedHasWhatItMeasuredAndSaysSo() throws IOException {
        Directories plan = plan(10);
        try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan, List.of(measured), Resumption.begin(Path.of("none")), clock);
            beforeTurn = file -> run.stop();
            Results results = results(run);
            assertThat(results.partial().partial()).isTrue();
            assertThat(results.partial().reason()).isEqualTo("interrupted after 0 of 20 blocks");
            assertThat(results.cells()).as("of 24").hasSize(1);
            assertThat(TerminalSummary.of(results)).startsWith("! partial: interrupted after 0 of 20 blocks");
        }
    }

    @Test
    void aRunThatWasStoppedGoesOnWithTheNextTurn() throws Exception {
        Path file = elsewhere.resolve(SampleFileWriter.FILE_NAME);
        AtomicInteger turns = new AtomicInteger();
        try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan(0.2), List.of(measured), Resumption.begin(file), clock);
            beforeTurn = at -> {
                if (turns.incrementAndGet() == 24 + 7) {
                    run.stop();
                }
            };
            assertThat(results(run).partial().reason()).isEqualTo("interrupted after 1 of 20 blocks");
        }
        Resumption before = Resumption.of(file, plan(0.2));
        try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan(0.2), List.of(measured), before, clock);
            run.prepare();
            try (SampleFileWriter writer = before.writer(run.info("plog disk", Instant.EPOCH, Map.of()), 0)) {
                run.run(writer, turns::incrementAndGet, () -> false);
                writer.end(run.end());
            }
        }
        assertThat(turns).hasValue(Directories.MOST_BLOCKS * 24);
        assertThat(results(file).partial().partial()).isFalse();
        assertThat(results(file).cells()).hasSize(24);
    }

    @Test
    void aNeighbourUsesTheDiskDuringEveryTurnThatIsWithIt() throws IOException {
        Directories plan = new Directories(
                List.of(directory.toString()),
                ALL,
                List.of(512),
                List.of(1),
                List.of(FileKind.INITIALISED, FileKind.RANDOM),
                List.of(Neighbour.LOG, Neighbour.READS),
                0.2,
                8L << 30,
                3);
        try (MeasuredDirectory measured = open(true, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan, List.of(measured), Resumption.begin(Path.of("none")), clock);
            Results results = results(run);
            List<Results.Cell> beside = results.cells().stream()
                    .filter(cell -> !DiskCells.isAlone(cell))
                    .toList();
            assertThat(beside).extracting(cell -> cell.dimension("neighbour")).containsExactly("log", "reads");
            assertThat(beside)
                    .allMatch(cell -> cell.force().equals("fsync"))
                    .allSatisfy(cell -> assertThat(cell.neighbourOperations())
                            .as("at least one in each turn")
                            .isGreaterThanOrEqualTo(Directories.MOST_BLOCKS))
                    .allMatch(cell -> cell.count() >= Directories.MOST_BLOCKS);
            assertThat(results.cells())
                    .filteredOn(DiskCells::isAlone)
                    .allMatch(cell -> cell.neighbourOperations() == null);
            assertThat(TerminalSummary.of(results))
                    .contains("fsync, random", "fsync, next to log", "fsync, next to reads");
        }
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void readsThatThePageCacheWouldAnswerAreNoNeighbour() throws IOException {
        Directories plan = new Directories(
                List.of(directory.toString()),
                ALL,
                List.of(512),
                List.of(1),
                List.of(FileKind.INITIALISED),
                List.of(Neighbour.READS),
                1e-9,
                8L << 30,
                3);
        try (MeasuredDirectory measured = open(false, Integer.MAX_VALUE)) {
            DiskRun run = new DiskRun(plan, List.of(measured), Resumption.begin(Path.of("none")), clock);
            assertThat(results(run).cells()).isNotEmpty().allMatch(DiskCells::isAlone);
        }
    }

    @Test
    void noLineIsWiderThanAHundredColumnsAndUnboundedFiguresAreMarked() throws IOException {
        Directories plan = new Directories(
                List.of(directory.toString()),
                ALL,
                List.of(512, 1 << 20),
                List.of(1, 2, 4, 8, 16, 32, 64),
                List.of(FileKind.values()),
                List.of(Neighbour.LOG, Neighbour.READS),
                0.05,
                8L << 30,
                3);
        isEnough = file -> true;
        for (int stepNanos : new int[] {1000, 99_999_000, 1_234_567_890}) {
            try (MeasuredDirectory measured = open(false, Integer.MAX_VALUE)) {
                DiskRun run = new DiskRun(
                        plan, List.of(measured), Resumption.begin(Path.of("none")), new ManualClock(stepNanos));
                String text = TerminalSummary.of(results(run));
                // A path and a device may be longer; nothing else may.
                assertThat(text.lines().filter(line -> !line.contains("/")))
                        .allSatisfy(line -> assertThat(line).hasSizeLessThanOrEqualTo(TextLines.WIDTH));
                assertThat(text)
                        .contains(
                                "plog audit",
                                stepNanos == 1000 ? " 1.00 " : stepNanos < 100_000_000 ? " 99,999 " : " 1,234,568 ");
            }
        }
    }

    @Test
    void aDirectoryThatCannotBeUsedIsNamedWithWhatToDo() throws IOException {
        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> MeasuredDirectory.open("", missing, 0, LogOptions.ON_DISK))
                .hasMessageContainingAll(missing.toString(), "does not exist", "mkdir -p");
        Path file = Files.createFile(directory.resolve("file"));
        assertThatThrownBy(() -> MeasuredDirectory.open("", file, 0, LogOptions.ON_DISK))
                .hasMessageContaining("is not a directory");
        assertThatThrownBy(() -> MeasuredDirectory.open("", directory, Long.MAX_VALUE, LogOptions.ON_DISK))
                .hasMessageContainingAll("MiB free, but its files need", "name another");
        assertThat(directory).isDirectoryContaining(path -> path.equals(file));
        Files.delete(file);
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void aGrowingFileThatIsFullIsReplacedByANewOne() throws IOException {
        FailingStorage storage = new FailingStorage(directory, true, Integer.MAX_VALUE);
        int group = Directories.MOST_GROUP_BYTES;
        var source = java.nio.ByteBuffer.allocateDirect(group + 2 * DiskCell.BLOCK_BYTES);
        try (WayFiles files = WayFiles.create(storage, Force.WRITE, List.of(FileKind.GROWING))) {
            for (int i = 0; i < 20; i++) {
                files.fileFor(FileKind.GROWING, group).append(group, source, AppendFile.Timing.UNUSED, clock);
                assertThat(Files.size(directory.resolve("growing-write"))).isLessThanOrEqualTo(Directories.FILE_BYTES);
            }
        }
        assertThat(storage.list()).containsExactly("growing-write");
    }
}
