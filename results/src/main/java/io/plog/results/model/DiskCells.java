package io.plog.results.model;

import io.plog.log.storage.Force;
import io.plog.measure.plan.FileKind;
import io.plog.measure.plan.Neighbour;
import io.plog.measure.samples.RunInfo.Target;
import io.plog.results.model.Results.Cell;
import io.plog.stats.Percentile;
import io.plog.stats.text.Micros;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** The cells of a directory as its tables need them. Immutable. */
public final class DiskCells {
    private static final String ALONE = Neighbour.NONE.label();

    /** So wide is the interval of a figure that is known well enough, by the figure. */
    private static final double KNOWN_WIDTH = 0.25;

    private final List<Cell> cells;
    private final String usualFile;

    private DiskCells(List<Cell> cells, String usualFile) {
        this.cells = cells;
        this.usualFile = usualFile;
    }

    /** Those of each directory, by its name; {@code all} are the cells of a run on directories. */
    public static Map<String, DiskCells> byDirectory(List<Results.Target> directories, List<Cell> all) {
        Map<String, DiskCells> cells = new LinkedHashMap<>();
        directories.forEach(directory -> cells.put(
                directory.name(),
                new DiskCells(
                        all.stream()
                                .filter(cell -> cell.target().equals(directory.name()) && cell.logMicros() != null)
                                .toList(),
                        usualFile(all))));
        return cells;
    }

    /** The kind of file that the plan names first. */
    public static String usualFile(List<Cell> all) {
        return all.stream().map(cell -> cell.dimension(Target.FILE)).findFirst().orElse(FileKind.INITIALISED.label());
    }

    /** Whether the log alone used the disk. */
    public static boolean isAlone(Cell cell) {
        return cell.dimension(Target.NEIGHBOUR).equals(ALONE);
    }

    /** Whether the log alone used the disk, and no append shared a force. */
    public static boolean isSingle(Cell cell) {
        return isAlone(cell) && appends(cell) == 1;
    }

    /** Whether the interval of each 99th percentile of single durable appends is at most a quarter of it wide. */
    public static boolean areKnown(Results results) {
        return results.cells().stream()
                .filter(cell -> isSingle(cell) && cell.forceLabel().forces() && cell.logMicros() != null)
                .map(cell -> Objects.requireNonNull(cell.logMicros())
                        .at(Percentile.P99)
                        .estimate())
                .allMatch(p99 ->
                        p99.low() != null && p99.high() != null && p99.high() - p99.low() <= KNOWN_WIDTH * p99.value());
    }

    /** Whether the force is a call of its own; else the write forces, or nothing does. */
    public static boolean isForcedByCall(Cell cell) {
        Results.Distribution force = cell.forceMicros();
        return force != null && force.max() > 0;
    }

    /** How many appends shared a force; 1 if it does not say. */
    public static int appends(Cell cell) {
        String appends = cell.dimension(Target.APPENDS);
        return appends.matches("[1-9]\\d{0,8}") ? Integer.parseInt(appends) : 1;
    }

    /** All of them, by size. */
    public List<Cell> all() {
        return cells;
    }

    /** One append at a time in the usual kind of file, by size. */
    public List<Cell> usual() {
        return cells.stream()
                .filter(cell -> isSingle(cell) && cell.dimension(Target.FILE).equals(usualFile))
                .toList();
    }

    /** The way of forcing that a log has by default, or the first that forces if it was not measured. */
    public String usualForce() {
        List<String> forcing = usual().stream()
                .filter(cell -> cell.forceLabel().forces())
                .map(Cell::force)
                .distinct()
                .toList();
        String usual = Force.FDATASYNC.label();
        return forcing.contains(usual) || forcing.isEmpty() ? usual : forcing.get(0);
    }

    /** The cost of a durable append in one sentence. */
    public String cost() {
        return usual().stream()
                .filter(cell -> cell.force().equals(usualForce()))
                .findFirst()
                .flatMap(cell -> Optional.ofNullable(cell.logMicros())
                        .map(both -> "A durable append of " + Units.size(cell.payloadBytes()) + " takes "
                                + Micros.withUnit(both.p50()) + " at the median and " + Micros.withUnit(both.p99())
                                + " at the 99th percentile (" + cell.force() + ", n = " + Units.count(cell.count())
                                + ")."))
                .orElse("No forced append was measured.");
    }

    /** The cell like another, one append at a time, but for these. */
    private Optional<Cell> like(Cell other, String file, String neighbour) {
        return cells.stream()
                .filter(cell -> cell.force().equals(other.force())
                        && cell.payloadBytes() == other.payloadBytes()
                        && cell.dimension(Target.FILE).equals(file)
                        && appends(cell) == 1
                        && cell.dimension(Target.NEIGHBOUR).equals(neighbour))
                .findFirst();
    }

    /**
     * A circumstance of an append.
     *
     * @param words as people say it
     * @param alone the same append alone and in order
     */
    public record Circumstance(String words, Cell cell, Cell alone) {}

    /**
     * The same append, one at a time, alone and in order first, then at random places and next to somebody else who uses the disk:
     * size by size, without those that were measured in the first circumstance alone.
     */
    public List<Circumstance> circumstances() {
        String force = cells.stream()
                .filter(cell -> !isAlone(cell))
                .findFirst()
                .or(() -> cells.stream()
                        .filter(cell -> isSingle(cell) && cell.forceLabel().forces())
                        .findFirst())
                .map(Cell::force)
                .orElse("");
        return usual().stream()
                .filter(cell -> cell.force().equals(force))
                .map(this::circumstances)
                .filter(found -> found.size() > 1)
                .flatMap(List::stream)
                .toList();
    }

    private List<Circumstance> circumstances(Cell alone) {
        List<Circumstance> found = new ArrayList<>();
        found.add(new Circumstance("alone, sequential", alone, alone));
        String random = FileKind.RANDOM.label();
        if (!usualFile.equals(random)) {
            like(alone, random, ALONE).ifPresent(cell -> found.add(new Circumstance("random places", cell, alone)));
        }
        for (Neighbour neighbour : List.of(Neighbour.LOG, Neighbour.READS)) {
            like(alone, usualFile, neighbour.label())
                    .ifPresent(cell -> found.add(new Circumstance("with " + neighbour.words(), cell, alone)));
        }
        return found;
    }
}
