package io.plog.measure.disk;

import io.plog.measure.plan.Directories;
import io.plog.measure.plan.DiskCell;
import io.plog.measure.plan.Neighbour;
import java.util.List;

/**
 * How long a cell's turn in a block is: bounded by time, by groups and by bytes. The bound of what is written in all turns
 * together is known before anything is.
 *
 * @param mostBytes what one turn may write, but for a single group that is larger
 */
public record TurnLimit(long mostBytes) {
    /** More samples than this in one turn say nothing new. */
    static final int MOST_GROUPS = 500;

    /** One append at a time is what the distributions are about; sharing is about medians. */
    private static final int WEIGHT_OF_SINGLE = 5;

    private static final long LARGEST_BYTES = 16L << 20;

    /**
     * The longest turns with which a directory's cells do not write more than this.
     *
     * @throws IllegalArgumentException if even one group of each cell in each block is too much
     */
    public static TurnLimit within(long maxWriteBytes, List<DiskCell> cells) {
        for (long bytes = LARGEST_BYTES; bytes > 0; bytes /= 2) {
            TurnLimit turns = new TurnLimit(bytes);
            if (turns.boundBytes(cells) <= maxWriteBytes) {
                return turns;
            }
        }
        long least = new TurnLimit(0).boundBytes(cells);
        throw new IllegalArgumentException(
                "--max-write is " + (maxWriteBytes >> 20) + " MiB, but measuring each cell once"
                        + " in each block writes " + ((least >> 20) + 1)
                        + " MiB: allow more, or choose fewer --sizes, --shared or"
                        + " --force");
    }

    /** What a directory's cells write at most, all blocks together and without the files' initialisation. */
    public long boundBytes(List<DiskCell> cells) {
        return Directories.MOST_BLOCKS
                * cells.stream().mapToLong(this::boundBytes).sum();
    }

    /** How many groups a directory's cells write at most, all blocks together. */
    public long mostSamples(List<DiskCell> cells) {
        return Directories.MOST_BLOCKS
                * cells.stream().mapToLong(this::mostGroups).sum();
    }

    private long boundBytes(DiskCell cell) {
        long neighbour = cell.neighbour() == Neighbour.LOG
                ? neighbourOperations(mostBytes) * (NeighbourFiles.OPERATION_BYTES + DiskCell.BLOCK_BYTES)
                : 0;
        return mostGroups(cell) * cell.mostWrittenBytes() + neighbour;
    }

    /** How many appends a neighbour may make in one turn; at least one. */
    static long neighbourOperations(long mostBytes) {
        return Math.max(1, mostBytes / (NeighbourFiles.OPERATION_BYTES + DiskCell.BLOCK_BYTES));
    }

    /** How many groups a cell writes at most in one turn; at least one. */
    long mostGroups(DiskCell cell) {
        return Math.max(1, Math.min(MOST_GROUPS, mostBytes / cell.mostWrittenBytes()));
    }

    /** The part of a block's time that a cell gets, relative to the others. */
    static int weight(DiskCell cell) {
        return cell.appends() == 1 ? WEIGHT_OF_SINGLE : 1;
    }
}
