package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.samples.CellKey;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BlockOrderTest {
    private static final List<Integer> SIZES = List.of(100, 1000, 10_000, 50_000, 100_000);
    private static final List<Integer> TARGETS = List.of(1, 2, 7);

    @Test
    void eachBlockHasEachCellOnceWithTheTargetsOfASizeSideBySide() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 200; round++) {
            List<CellKey> cells =
                    BlockOrder.cells(random.nextLong(), random.nextInt(5), random.nextInt(20) - 5, SIZES, TARGETS);
            assertThat(cells).hasSize(15).doesNotHaveDuplicates();
            for (int i = 0; i < cells.size(); i += 3) {
                int first = cells.get(i).payloadBytes();
                assertThat(cells.subList(i, i + 3)).allMatch(cell -> cell.payloadBytes() == first);
            }
        }
    }

    @Test
    void theSameSeedGivesTheSameOrderEverywhere() {
        assertThat(BlockOrder.cells(42, 0, 0, List.of(100, 1000), List.of(1, 2)))
                .isEqualTo(BlockOrder.cells(42, 0, 0, List.of(100, 1000), List.of(1, 2)))
                .containsExactlyElementsOf(EXPECTED);
    }

    private static final List<CellKey> EXPECTED =
            List.of(new CellKey(2, 100), new CellKey(1, 100), new CellKey(1, 1000), new CellKey(2, 1000));

    @Test
    void blocksAndSeedsDiffer() {
        Set<List<CellKey>> orders = new HashSet<>();
        for (int block = 0; block < 20; block++) {
            orders.add(BlockOrder.cells(1, 0, block, SIZES, TARGETS));
            orders.add(BlockOrder.cells(2, 0, block, SIZES, TARGETS));
        }
        assertThat(orders).hasSizeGreaterThan(35);
    }

    @Test
    void anySizeAndAnyTargetMayComeFirst() {
        Set<Integer> sizes = new HashSet<>();
        Set<Integer> targets = new HashSet<>();
        for (int block = 0; block < 100; block++) {
            CellKey first = BlockOrder.cells(5, 0, block, SIZES, TARGETS).get(0);
            sizes.add(first.payloadBytes());
            targets.add(first.targetId());
        }
        assertThat(sizes).hasSize(5);
        assertThat(targets).hasSize(3);
    }
}
