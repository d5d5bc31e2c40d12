package io.plog.measure.plan;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.databind.annotation.JsonDeserialize;
import com.fasterxml.jackson.databind.annotation.JsonSerialize;
import io.plog.log.storage.Force;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What is to be measured. Everything is checked here.
 *
 * @param directories as results name them: at least one, none twice
 * @param forces ways of forcing, none twice and none {@code off}
 * @param sizesBytes sizes of an append in ascending order, each 1 byte to {@value #MOST_GROUP_BYTES}
 * @param shared numbers of appends that share a force, in ascending order; always begins with 1, at most 4096
 * @param kinds kinds of files
 * @param neighbours who uses the disk besides the log in some more cells; {@link Neighbour#NONE} stands for none
 * @param seconds how long measuring may take at most for each directory, once its files are there; above 0 and at most 3600.
 *     A slow disk takes longer
 * @param maxWriteBytes how much may be written in each directory
 * @param seed decides the order and what is written
 */
public record Directories(
        List<String> directories,

        @JsonProperty("force")
        @JsonSerialize(contentConverter = ForceJson.Label.class)
        @JsonDeserialize(contentConverter = ForceJson.OfLabel.class)
        List<Force> forces,

        @JsonProperty("sizes") List<Integer> sizesBytes,
        List<Integer> shared,
        @JsonProperty("files") List<FileKind> kinds,
        List<Neighbour> neighbours,
        double seconds,
        long maxWriteBytes,
        long seed)
        implements Plan {

    /** Each cell is measured once in each of at most so many randomised blocks, unless time runs out. */
    public static final int MOST_BLOCKS = 20;

    /** After so many blocks, and again after as many more, it is asked whether the figures are known well enough. */
    public static final int LEAST_BLOCKS = 5;

    /** A log writes no more together than this, unless it is asked to. */
    public static final int MOST_GROUP_BYTES = 4 << 20;

    /** Length of a file of either kind: room for several of the largest groups. */
    public static final int FILE_BYTES = 32 << 20;

    /** The file that a neighbour reads is larger than the caches of most drives. */
    public static final long READ_BYTES = 256L << 20;

    private static final int MOST_APPENDS = 4096;
    private static final double MOST_SECONDS = 3600;

    public Directories {
        directories = Values.some("directory", directories);
        forces = Values.some("--force", forces);
        sizesBytes = Values.some("--sizes", sizesBytes).stream().sorted().toList();
        kinds = Values.some("--files", kinds);
        if (neighbours.contains(Neighbour.NONE) && neighbours.size() > 1) {
            throw new IllegalArgumentException("--neighbours names none and others: expected none alone, or others");
        }
        neighbours = Values.distinct("--neighbours", neighbours).stream()
                .filter(neighbour -> neighbour != Neighbour.NONE)
                .sorted()
                .toList();
        List<Integer> depths = new ArrayList<>(Values.some("--shared", shared));
        if (!depths.contains(1)) {
            depths.add(1);
        }
        shared = depths.stream().sorted().toList();
        if (forces.contains(Force.OFF)) {
            throw new IllegalArgumentException("--force off: nothing is written, so there is nothing to measure; choose"
                    + " from write, fdatasync, fsync, dsync, direct");
        }
        for (int bytes : sizesBytes) {
            Values.inRange("--sizes", bytes, 1, MOST_GROUP_BYTES);
        }
        for (int appends : shared) {
            Values.inRange("--shared", appends, 1, MOST_APPENDS);
        }
        if (!(seconds > 0 && seconds <= MOST_SECONDS)) {
            throw new IllegalArgumentException(
                    "--duration is " + seconds + " s: expected above 0 s and at most 3600 s");
        }
    }

    @Override
    public int trials() {
        return 1;
    }

    @Override
    public int blocks() {
        return MOST_BLOCKS;
    }

    @Override
    public List<String> targets() {
        return directories;
    }

    @Override
    public boolean isScheduled() {
        return false;
    }

    /** How long measuring may take, in nanoseconds. */
    public long budgetNanos() {
        return (long) (seconds * 1e9 * directories.size());
    }

    /**
     * The cells of a directory, of these ways of forcing only. One that only writes is always among them, since the verdict
     * on stable storage compares with it. Groups larger than a log's are left out.
     */
    public List<DiskCell> cells(List<Force> available) {
        List<DiskCell> cells = new ArrayList<>();
        for (FileKind kind : kinds) {
            for (int bytes : sizesBytes) {
                for (Force force : forces) {
                    for (int appends : shared) {
                        // What shares a force lies behind each other by its nature.
                        boolean apart = kind == FileKind.RANDOM && appends > 1;
                        if ((long) bytes * appends <= MOST_GROUP_BYTES && available.contains(force) && !apart) {
                            cells.add(new DiskCell(force, kind, bytes, appends));
                        }
                    }
                }
            }
        }
        neighbourForce(available).ifPresent(force -> addWithNeighbours(force, cells));
        DiskCell comparison = new DiskCell(Force.WRITE, kinds.get(0), sizesBytes.get(0), 1);
        if (!cells.contains(comparison)) {
            cells.add(0, comparison);
        }
        return cells;
    }

    /** One way of forcing is enough to show what a neighbour costs: the log's own, or the first that forces. */
    private Optional<Force> neighbourForce(List<Force> available) {
        List<Force> forcing = forces.stream()
                .filter(force -> force.isStable() && available.contains(force))
                .toList();
        return forcing.contains(Force.FDATASYNC)
                ? Optional.of(Force.FDATASYNC)
                : forcing.stream().findFirst();
    }

    private void addWithNeighbours(Force force, List<DiskCell> cells) {
        for (Neighbour neighbour : neighbours) {
            for (int bytes : sizesBytes) {
                cells.add(new DiskCell(force, kinds.get(0), bytes, 1, neighbour));
            }
        }
    }

    /** The ways for which files are needed. */
    public List<Force> openedForces() {
        List<Force> all = new ArrayList<>(forces);
        if (!all.contains(Force.WRITE)) {
            all.add(0, Force.WRITE);
        }
        return all;
    }

    /** How much of a directory's space is used at most. */
    public long occupiedBytes() {
        return (long) openedForces().size() * kinds.size() * (FILE_BYTES + MOST_GROUP_BYTES) + neighbourBytes();
    }

    /** How much of it the neighbours' files use. */
    public long neighbourBytes() {
        return (neighbours.contains(Neighbour.LOG) ? FILE_BYTES : 0)
                + (neighbours.contains(Neighbour.READS) ? READ_BYTES : 0);
    }
}
