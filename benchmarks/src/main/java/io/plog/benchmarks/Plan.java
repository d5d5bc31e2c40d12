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
 * @param rounds how many rounds count; one more, before them, warms up
 * @param mostSeconds after how long a contestant is stopped in a cell
 * @param cells the cells of the table
 * @param fioModes the ways of fio, whose best is the limit
 * @param contestants who takes part beside fio
 */
record Plan(int rounds, double mostSeconds, List<Cell> cells, List<FioMode> fioModes, List<Contestant> contestants) {
    private static final int KIB = 1024;

    /** What lasts: defaults, both kinds of submitters, each for a while. */
    static Plan sustained() {
        List<Cell> cells = new ArrayList<>(List.of(new Cell(1, KIB), new Cell(1, 100 * KIB)));
        for (Submitter submitter : Submitter.values()) {
            cells.add(new Cell(8, KIB, submitter));
            cells.add(new Cell(64, KIB, submitter));
            cells.add(new Cell(256, KIB, submitter));
            cells.add(new Cell(16, 100 * KIB, submitter));
        }
        return new Plan(
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
                        Contestant.ARTEMIS_AIO_CALLER));
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
                return new Plan(rounds, mostSeconds, cells, modes, chosen);
            }
            case "--cells" -> {
                List<Cell> chosen = cells.stream()
                        .filter(cell -> values.contains(cell.name()))
                        .toList();
                if (chosen.isEmpty()) {
                    throw new IllegalArgumentException("--cells " + value + ": expected some of "
                            + cells.stream().map(Cell::name).distinct().collect(Collectors.joining(",")));
                }
                return new Plan(rounds, mostSeconds, chosen, fioModes, contestants);
            }
            case "--rounds" -> {
                return new Plan(Integer.parseInt(value), mostSeconds, cells, fioModes, contestants);
            }
            case "--seconds" -> {
                return new Plan(rounds, Double.parseDouble(value), cells, fioModes, contestants);
            }
            default -> throw new IllegalArgumentException("unknown option " + option);
        }
    }
}
