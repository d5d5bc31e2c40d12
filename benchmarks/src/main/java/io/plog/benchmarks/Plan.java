package io.plog.benchmarks;

import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.result.Cell;
import io.plog.benchmarks.result.Submitter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/**
 * What a campaign measures.
 *
 * @param name {@code sustained} or {@code growing}
 * @param rounds how many rounds count; one more, before them, warms up
 * @param mostSeconds after how long a contestant is stopped in a cell
 * @param cells the cells of the table
 * @param fioModes the ways of fio, whose best is the limit
 * @param contestants who takes part beside fio
 * @param dropping whether journals drop their beginning
 */
record Plan(
        String name,
        int rounds,
        double mostSeconds,
        List<Cell> cells,
        List<FioMode> fioModes,
        List<Contestant> contestants,
        boolean dropping) {
    private static final int KIB = 1024;

    /** What lasts: defaults, both kinds of submitters, each for a while, with the beginning dropped or kept. */
    static Plan lasting(boolean dropping) {
        List<Cell> cells = new ArrayList<>(List.of(new Cell(1, KIB), new Cell(1, 100 * KIB)));
        for (Submitter submitter : Submitter.values()) {
            cells.add(new Cell(8, KIB, submitter));
            cells.add(new Cell(64, KIB, submitter));
            cells.add(new Cell(256, KIB, submitter));
            cells.add(new Cell(16, 100 * KIB, submitter));
        }
        return new Plan(
                dropping ? "sustained" : "growing",
                3,
                15,
                cells,
                List.of(FioMode.FDATASYNC, FioMode.DIRECT),
                List.of(
                        Contestant.PLAIN_FDATASYNC,
                        Contestant.PLOG_FDATASYNC,
                        Contestant.PLOG_FSYNC,
                        Contestant.PLOG_DSYNC,
                        Contestant.PLOG_DIRECT,
                        Contestant.PLOG_FUTURE,
                        Contestant.ARTEMIS_NIO_CALLER,
                        Contestant.ARTEMIS_AIO_CALLER),
                dropping);
    }

    /**
     * The plan made smaller: {@code --only NAME,…}, {@code --cells 1x100,64x1024,…}, {@code --rounds N}, {@code --seconds N}.
     *
     * @throws IllegalArgumentException if an option is unknown or leaves nothing to measure
     */
    Plan with(String option, String value) {
        List<String> values = Arrays.asList(value.split(",", -1));
        switch (option) {
            case "--only" -> {
                List<FioMode> modes = Arrays.stream(FioMode.values())
                        .filter(mode -> values.contains(mode.label()) || values.contains("fio"))
                        .toList();
                List<Contestant> chosen = values.stream()
                        .filter(label -> !label.startsWith("fio"))
                        .map(Contestant::ofLabel)
                        .toList();
                return new Plan(name, rounds, mostSeconds, cells, modes, chosen, dropping);
            }
            case "--cells" -> {
                List<Cell> chosen = cells.stream()
                        .filter(cell -> values.contains(cell.name()))
                        .toList();
                if (chosen.isEmpty()) {
                    throw new IllegalArgumentException("--cells " + value + ": expected some of "
                            + cells.stream().map(Cell::name).distinct().collect(Collectors.joining(",")));
                }
                return new Plan(name, rounds, mostSeconds, chosen, fioModes, contestants, dropping);
            }
            case "--rounds" -> {
                return new Plan(name, Integer.parseInt(value), mostSeconds, cells, fioModes, contestants, dropping);
            }
            case "--seconds" -> {
                return new Plan(name, rounds, Double.parseDouble(value), cells, fioModes, contestants, dropping);
            }
            default -> throw new IllegalArgumentException("unknown option " + option);
        }
    }
}
