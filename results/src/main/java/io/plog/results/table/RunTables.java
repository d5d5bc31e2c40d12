package io.plog.results.table;

import io.plog.results.cells.FigureData;
import io.plog.results.cells.FigureData.Drawn;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.stats.Ecdf;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.stream.Stream;

/** The tables of a run, from its results and the data of its cells. Stateless. */
public final class RunTables {
    private static final double CONFIDENCE = 0.95;

    private RunTables() {}

    /** Those that the run has data for. */
    public static List<Table> of(Results results, FigureData figures) {
        return TableMapping.tables("run", source -> switch (source) {
            case "cells" ->
                results.cells().stream()
                        .filter(cell -> cell.endToEndMicros() != null)
                        .map(cell -> new Counted(cell, Ecdf.band(cell.count(), CONFIDENCE)));
            case "timed" -> results.cells().stream().filter(cell -> cell.overTime() != null);
            case "overhead" -> results.overhead().stream();
            case "rates" -> Stream.ofNullable(results.maxRate()).flatMap(found -> found.loads().stream());
            case "bins" -> figures.curves().stream().flatMap(Drawn::bins);
            case "knots" -> figures.curves().stream().flatMap(Drawn::knots);
            case "runs" -> figures.curves().stream().flatMap(Drawn::runs);
            case "interruptions" -> interruptions(figures);
            default -> throw new IllegalArgumentException(source);
        });
    }

    /**
     * A cell that counted requests.
     *
     * @param band half the width of the 95 % band of its distribution function
     */
    private record Counted(Cell cell, double band) {}

    /** From which to which request of a curve something interrupted a side. */
    private record Interruption(Drawn curve, String interruption, double from, double to) {}

    /** Which requests of each cell fell on an event, for a lane under its series. */
    private static Stream<Interruption> interruptions(FigureData figures) {
        return figures.lanes().stream()
                .flatMap(lane -> figures.curves().stream()
                        .filter(curve -> !curve.isLogging())
                        .flatMap(curve -> InterruptionSpans.joined(lane, curve.series(), curve.count()).stream()
                                .map(ends -> new Interruption(
                                        curve,
                                        lane.side() + " " + lane.kind(),
                                        Units.rounded(ends[0], 2),
                                        Units.rounded(ends[1], 2)))));
    }
}
