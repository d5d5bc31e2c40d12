package io.plog.results.table;

import io.plog.measure.HttpService;
import io.plog.results.cells.FigureData;
import io.plog.results.cells.FigureData.Drawn;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.stats.Ecdf;
import io.plog.stats.text.Units;
import java.util.List;
import java.util.Map;
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

    /** What the headings call the run: of any service over HTTP nobody knows whether it logs. */
    public static Map<String, String> words(Results results) {
        return results.environment().targets().stream()
                        .anyMatch(target ->
                                HttpService.TARGET.equals(target.facts().get("service")))
                ? Map.of("subject", "A service over HTTP under load", "question", "How long an answer takes")
                : Map.of("subject", "The cost of durable logging", "question", "What logging costs here");
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
