package io.plog.benchmarks;

import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.result.Cell;
import java.util.List;

/**
 * What a campaign measures.
 *
 * @param name {@code quick} or {@code full}
 * @param rounds how many rounds count; one more, before them, warms up
 * @param mostSeconds after how long a contestant is stopped in a cell
 * @param cells the cells of the table
 * @param fioModes the ways of fio, whose best is the limit
 * @param contestants who takes part beside fio
 */
record Plan(
        String name,
        int rounds,
        double mostSeconds,
        List<Cell> cells,
        List<FioMode> fioModes,
        List<Contestant> contestants) {
    private static final int KIB = 1024;

    /** Under five minutes: the best peer of each cell, the plain loop, and the ways of forcing that matter. */
    static Plan quick() {
        return new Plan(
                "quick",
                3,
                0.8,
                List.of(
                        new Cell(1, 100, 2_000),
                        new Cell(1, KIB, 2_000),
                        new Cell(1, 10 * KIB, 2_000),
                        new Cell(1, 100 * KIB, 1_500),
                        new Cell(8, KIB, 15_000),
                        new Cell(64, KIB, 60_000),
                        new Cell(256, KIB, 120_000),
                        new Cell(16, 100 * KIB, 2_400)),
                List.of(FioMode.values()),
                List.of(
                        Contestant.PLAIN_FDATASYNC,
                        Contestant.PLAIN_DIRECT,
                        Contestant.PLOG_FDATASYNC,
                        Contestant.PLOG_DIRECT,
                        Contestant.ARTEMIS_NIO_CALLER,
                        Contestant.ARTEMIS_AIO_CALLER));
    }

    /** Everybody, five rounds. */
    static Plan full() {
        return new Plan(
                "full",
                5,
                1.5,
                List.of(
                        new Cell(1, 100, 4_000),
                        new Cell(1, KIB, 4_000),
                        new Cell(1, 10 * KIB, 4_000),
                        new Cell(1, 100 * KIB, 2_500),
                        new Cell(8, KIB, 25_000),
                        new Cell(64, KIB, 120_000),
                        new Cell(256, KIB, 250_000),
                        new Cell(16, 100 * KIB, 4_000)),
                List.of(FioMode.values()),
                Contestant.all());
    }
}
