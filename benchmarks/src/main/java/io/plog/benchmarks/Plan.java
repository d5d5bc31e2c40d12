package io.plog.benchmarks;

import io.plog.benchmarks.journal.Contestant;
import io.plog.benchmarks.journal.Regime;
import io.plog.benchmarks.result.Cell;
import io.plog.benchmarks.result.Submitter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What a campaign measures.
 *
 * @param name {@code quick}, {@code full}, {@code sustained} or {@code growing}
 * @param rounds how many rounds count; one more, before them, warms up
 * @param mostSeconds after how long a contestant is stopped in a cell
 * @param cells the cells of the table
 * @param fioModes the ways of fio, whose best is the limit
 * @param contestants who takes part beside fio
 * @param regime what becomes of the journals' files
 */
record Plan(
        String name,
        int rounds,
        double mostSeconds,
        List<Cell> cells,
        List<FioMode> fioModes,
        List<Contestant> contestants,
        Regime regime) {
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
                        Contestant.ARTEMIS_AIO_CALLER),
                Regime.PREPARED);
    }

    /** Everybody, five rounds, files prepared. */
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
                Contestant.all(),
                Regime.PREPARED);
    }

    /** What lasts: defaults, both kinds of submitters, each for a while, with the beginning dropped or kept. */
    static Plan lasting(Regime regime) {
        List<Cell> cells =
                new ArrayList<>(List.of(new Cell(1, KIB, Long.MAX_VALUE), new Cell(1, 100 * KIB, Long.MAX_VALUE)));
        for (Submitter submitter : Submitter.values()) {
            cells.add(new Cell(8, KIB, Long.MAX_VALUE, submitter));
            cells.add(new Cell(64, KIB, Long.MAX_VALUE, submitter));
            cells.add(new Cell(256, KIB, Long.MAX_VALUE, submitter));
            cells.add(new Cell(16, 100 * KIB, Long.MAX_VALUE, submitter));
        }
        return new Plan(
                regime.name().toLowerCase(Locale.ROOT),
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
                regime);
    }
}
