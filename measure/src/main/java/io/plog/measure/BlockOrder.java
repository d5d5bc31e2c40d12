package io.plog.measure;

import io.plog.measure.samples.CellKey;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;

/**
 * The order of the cells within a block: a randomised complete block. Every cell once; the sizes in random order, and
 * the targets of a size next to each other in random order, so that what is compared, logged against not logged, is
 * measured under as equal conditions as the machine gives. Drift over the run then hits all cells alike.
 */
final class BlockOrder {
    private BlockOrder() {}

    /**
     * The cells of one block. The same arguments give the same order on every machine: {@link Random} and
     * {@link Collections#shuffle} are specified exactly.
     *
     * @param trial from 0
     * @param block from 0; negative for the rounds of the warm-up
     */
    static List<CellKey> cells(long seed, int trial, int block, List<Integer> sizesBytes, List<Integer> targetIds) {
        Random random = new Random(mixed(seed + 0x9E37_79B9_7F4A_7C15L * (block + 2) + mixed(trial)));
        List<Integer> sizes = new ArrayList<>(sizesBytes);
        Collections.shuffle(sizes, random);
        List<CellKey> cells = new ArrayList<>();
        for (int size : sizes) {
            List<Integer> targets = new ArrayList<>(targetIds);
            Collections.shuffle(targets, random);
            for (int target : targets) {
                cells.add(new CellKey(target, size));
            }
        }
        return cells;
    }

    /**
     * Spreads every bit of a number over all others: neighbouring seeds give a {@link Random} alike first numbers, and so
     * neighbouring blocks alike orders. The finaliser of SplitMix64 (Steele, Lea and Flood, OOPSLA 2014).
     */
    private static long mixed(long number) {
        long z = (number ^ (number >>> 30)) * 0xBF58_476D_1CE4_E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D0_49BB_1331_11EBL;
        return z ^ (z >>> 31);
    }
}
