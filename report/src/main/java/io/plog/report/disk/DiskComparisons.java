package io.plog.report.disk;

import io.plog.measure.disk.FileKind;
import io.plog.measure.disk.Neighbour;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The same append in other circumstances: alone and sequential, at random places, and beside somebody else who uses the disk.
 * Stateless.
 */
public final class DiskComparisons {
    private DiskComparisons() {}

    /**
     * One size in all circumstances.
     *
     * @param force the way of forcing, the same for all
     * @param ways the first is alone and sequential
     */
    public record Row(String force, int sizeBytes, List<Way> ways) {}

    /**
     * A circumstance.
     *
     * @param words as people say it
     * @param latency write and force; null if nothing was measured
     * @param neighbourOperations what a neighbour did meanwhile
     */
    public record Way(String words, DiskResults.@Nullable Distribution latency, long neighbourOperations) {}

    /** The sizes in ascending order; empty if nothing but the first circumstance was measured. */
    public static List<Row> of(DiskResults results, DiskResults.Directory directory) {
        Optional<String> force = force(directory);
        List<Row> rows = new ArrayList<>();
        if (force.isPresent()) {
            for (int bytes : results.plan().sizesBytes()) {
                Row row = new Row(force.get(), bytes, ways(results, directory, force.get(), bytes));
                if (row.ways().size() > 1) {
                    rows.add(row);
                }
            }
        }
        return rows;
    }

    /** The way that was measured with a neighbour; without one, the first that forces. */
    private static Optional<String> force(DiskResults.Directory directory) {
        return directory.cells().stream()
                .filter(cell -> !cell.isAlone())
                .findFirst()
                .or(() -> directory.cells().stream()
                        .filter(cell -> cell.isSingle() && cell.forceLabel().forces())
                        .findFirst())
                .map(DiskResults.Cell::force);
    }

    private static List<Way> ways(DiskResults results, DiskResults.Directory directory, String force, int bytes) {
        String usual = results.plan().files().get(0);
        List<Way> ways = new ArrayList<>();
        add(ways, "alone, sequential", find(directory, force, bytes, usual, Neighbour.NONE));
        if (!usual.equals(FileKind.RANDOM.label())) {
            add(ways, "random places", find(directory, force, bytes, FileKind.RANDOM.label(), Neighbour.NONE));
        }
        for (Neighbour neighbour : List.of(Neighbour.LOG, Neighbour.READS)) {
            add(ways, "beside " + neighbour.words(), find(directory, force, bytes, usual, neighbour));
        }
        return ways;
    }

    private static void add(List<Way> ways, String words, Optional<DiskResults.Cell> cell) {
        cell.ifPresent(found -> ways.add(new Way(words, found.bothMicros(), found.besideOperations())));
    }

    private static Optional<DiskResults.Cell> find(
            DiskResults.Directory directory, String force, int bytes, String file, Neighbour neighbour) {
        return directory.cells().stream()
                .filter(cell -> cell.force().equals(force)
                        && cell.sizeBytes() == bytes
                        && cell.file().equals(file)
                        && cell.appendsPerForce() == 1
                        && cell.beside().equals(neighbour.label()))
                .findFirst();
    }
}
