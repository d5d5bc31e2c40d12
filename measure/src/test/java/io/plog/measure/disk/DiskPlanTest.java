package io.plog.measure.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.log.storage.Force;
import io.plog.measure.plan.Directories;
import io.plog.measure.plan.DiskCell;
import io.plog.measure.plan.FileKind;
import io.plog.measure.plan.Neighbour;
import io.plog.stats.text.Labelled;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DiskPlanTest {
    private static final List<FileKind> BOTH = List.of(FileKind.INITIALISED, FileKind.GROWING);
    private static final List<Neighbour> ALONE = List.of(Neighbour.NONE);
    private static final List<Force> ALL =
            List.of(Force.WRITE, Force.FDATASYNC, Force.FSYNC, Force.DSYNC, Force.DIRECT);
    private static final List<Integer> SIZES = List.of(512, 4096, 16_384, 65_536, 262_144, 1 << 20);
    private static final List<Integer> SHARED = List.of(1, 2, 4, 8, 16, 32, 64);

    static Directories plan(List<Force> forces, List<Integer> sizes, List<Integer> shared, double seconds) {
        return new Directories(List.of("a"), forces, sizes, shared, BOTH, ALONE, seconds, 8L << 30, 7);
    }

    @Test
    void theDefaultMeasuresEveryCombinationThatALogWrites() {
        List<DiskCell> cells = plan(ALL, SIZES, SHARED, 25).cells(ALL);
        // For each way and kind: 7 depths of four sizes, 5 of 256 KiB, 3 of 1 MiB; larger groups no log writes.
        assertThat(cells).hasSize(5 * 2 * (4 * 7 + 5 + 3)).doesNotHaveDuplicates();
        assertThat(cells).allMatch(cell -> cell.groupBytes() <= Directories.MOST_GROUP_BYTES);
        assertThat(cells).contains(new DiskCell(Force.DSYNC, FileKind.GROWING, 1 << 20, 4));
    }

    @Test
    void neighboursAndRandomPlacesAreMeasuredOneAppendAtATime() {
        Directories plan = new Directories(
                List.of("a"),
                ALL,
                List.of(512, 4096),
                List.of(1, 8),
                List.of(FileKind.INITIALISED, FileKind.RANDOM),
                List.of(Neighbour.READS, Neighbour.LOG),
                1,
                8L << 30,
                7);
        assertThat(plan.cells(ALL))
                .filteredOn(cell -> cell.kind() == FileKind.RANDOM)
                .hasSize(5 * 2)
                .allMatch(cell -> cell.appends() == 1);
        assertThat(plan.cells(ALL))
                .filteredOn(cell -> cell.neighbour() != Neighbour.NONE)
                .containsExactly(
                        new DiskCell(Force.FDATASYNC, FileKind.INITIALISED, 512, 1, Neighbour.LOG),
                        new DiskCell(Force.FDATASYNC, FileKind.INITIALISED, 4096, 1, Neighbour.LOG),
                        new DiskCell(Force.FDATASYNC, FileKind.INITIALISED, 512, 1, Neighbour.READS),
                        new DiskCell(Force.FDATASYNC, FileKind.INITIALISED, 4096, 1, Neighbour.READS));
        assertThat(plan.cells(List.of(Force.WRITE, Force.DSYNC)))
                .filteredOn(cell -> cell.neighbour() != Neighbour.NONE)
                .allMatch(cell -> cell.force() == Force.DSYNC);
        refused(
                () -> new Directories(
                        List.of("a"), ALL, SIZES, SHARED, BOTH, List.of(Neighbour.NONE, Neighbour.LOG), 1, 8L << 30, 7),
                "none alone");
        refused(() -> Labelled.of("neighbours", "cat", Neighbour.values()), "'cat'", "none, log, reads");
    }

    @Test
    void aNeighboursAppendsCountAgainstTheBound() {
        DiskCell alone = new DiskCell(Force.FSYNC, FileKind.INITIALISED, 512, 1);
        DiskCell beside = new DiskCell(Force.FSYNC, FileKind.INITIALISED, 512, 1, Neighbour.LOG);
        TurnLimit turns = new TurnLimit(1 << 20);
        assertThat(turns.boundBytes(List.of(beside)) - turns.boundBytes(List.of(alone)))
                .isEqualTo(Directories.MOST_BLOCKS * (1 << 20));
    }

    @Test
    void whatIsNotAvailableIsLeftOut() {
        assertThat(plan(ALL, SIZES, SHARED, 25).cells(List.of(Force.WRITE, Force.FSYNC)))
                .extracting(DiskCell::force)
                .containsOnly(Force.WRITE, Force.FSYNC);
    }

    @Test
    void oneThatOnlyWritesIsAlwaysThereToCompareWith() {
        assertThat(plan(List.of(Force.DIRECT), List.of(4096, 512), List.of(1), 1)
                        .cells(ALL))
                .containsExactly(
                        new DiskCell(Force.WRITE, FileKind.INITIALISED, 512, 1),
                        new DiskCell(Force.DIRECT, FileKind.INITIALISED, 512, 1),
                        new DiskCell(Force.DIRECT, FileKind.INITIALISED, 4096, 1),
                        new DiskCell(Force.DIRECT, FileKind.GROWING, 512, 1),
                        new DiskCell(Force.DIRECT, FileKind.GROWING, 4096, 1));
    }

    @Test
    void oneAppendAtATimeIsAlwaysMeasured() {
        assertThat(plan(ALL, SIZES, List.of(64, 2), 1).shared()).containsExactly(1, 2, 64);
    }

    @Test
    void whatMakesNoSenseIsRefusedWithWhatWasFoundAndExpected() {
        refused(() -> plan(List.of(Force.OFF), SIZES, SHARED, 1), "--force off", "write, fdatasync");
        refused(() -> plan(List.of(Force.WRITE, Force.WRITE), SIZES, SHARED, 1), "--force WRITE is given twice");
        refused(() -> plan(ALL, List.of(0), SHARED, 1), "--sizes is 0: expected 1 to 4194304");
        refused(() -> plan(ALL, List.of((4 << 20) + 1), SHARED, 1), "--sizes is 4194305");
        refused(() -> plan(ALL, List.of(), SHARED, 1), "--sizes is empty: expected at least one");
        refused(() -> plan(ALL, SIZES, List.of(0), 1), "--shared is 0: expected 1 to 4096");
        refused(() -> plan(ALL, SIZES, List.of(5000), 1), "--shared is 5000");
        refused(() -> plan(ALL, SIZES, SHARED, 0), "--duration is 0.0 s: expected above 0 s and at most 3600 s");
        refused(() -> plan(ALL, SIZES, SHARED, Double.NaN), "--duration is NaN");
        refused(
                () -> new Directories(List.of("a", "a"), ALL, SIZES, SHARED, BOTH, ALONE, 1, 1, 1),
                "directory a is given twice");
        refused(() -> Labelled.of("files", "sparse", FileKind.values()), "'sparse'", "initialised, growing, random");
    }

    private static void refused(Runnable action, String... words) {
        assertThatThrownBy(action::run)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void turnsKeepWithinWhatMayBeWritten() {
        List<DiskCell> cells = plan(ALL, SIZES, SHARED, 25).cells(ALL);
        for (long most : new long[] {6L << 30, 8L << 30, 16L << 30, 1L << 40}) {
            TurnLimit turns = TurnLimit.within(most, cells);
            assertThat(turns.boundBytes(cells)).isLessThanOrEqualTo(most).isGreaterThan(1L << 30);
            assertThat(cells).allMatch(cell -> turns.mostGroups(cell) >= 1 && turns.mostGroups(cell) <= 500);
        }
        assertThat(TurnLimit.within(1L << 40, cells).boundBytes(cells))
                .isGreaterThan(TurnLimit.within(6L << 30, cells).boundBytes(cells));
    }

    @Test
    void tooLittleToWriteIsRefusedWithWhatIsNeeded() {
        List<DiskCell> cells = plan(ALL, SIZES, SHARED, 25).cells(ALL);
        refused(() -> TurnLimit.within(1 << 20, cells), "--max-write is 1 MiB", "writes ", " MiB: allow more");
    }

    @Test
    void wholeBlocksAreCountedAsWhatIsReallyWritten() {
        assertThat(new DiskCell(Force.FSYNC, FileKind.INITIALISED, 512, 3).mostWrittenBytes())
                .isEqualTo(1536);
        assertThat(new DiskCell(Force.FDATASYNC, FileKind.INITIALISED, 512, 3).mostWrittenBytes())
                .isEqualTo(8192);
        assertThat(new DiskCell(Force.DIRECT, FileKind.GROWING, 4096, 1).mostWrittenBytes())
                .isEqualTo(8192);
    }
}
