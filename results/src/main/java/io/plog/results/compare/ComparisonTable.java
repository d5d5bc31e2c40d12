package io.plog.results.compare;

import io.plog.results.table.SourceLine;
import io.plog.results.table.Table;
import io.plog.results.table.TableOf;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A comparison as a table: a row for each cell and figure. Stateless. */
public final class ComparisonTable {
    private ComparisonTable() {}

    private record Found(Assessment.Cell cell, Assessment.Row row) {}

    /** The table; without rows if nothing was compared. */
    public static Table of(Assessment assessment) {
        List<Found> all = assessment.cells().stream()
                .flatMap(cell -> cell.figures().stream().map(row -> new Found(cell, row)))
                .toList();
        return TableOf.each(all, "comparison", 0)
                .column("payload:bytes", found -> found.cell.payloadBytes())
                .column("target A", found -> found.cell.targetA())
                .column(
                        "target B",
                        found -> found.cell.dimensions().isEmpty() ? found.cell.targetB() : found.cell.name())
                .column("measure", found -> found.cell.measure().words())
                .column("figure", found -> found.row.figure().label())
                .column("A:µs", found -> found.row.aMicros())
                .column("B:µs", found -> found.row.bMicros())
                .estimate("B by A", "low", "high", found -> found.row.ratio())
                .column("joint low", found -> found.row.jointRatio().low())
                .column("joint high", found -> found.row.jointRatio().high())
                .column("verdict", found -> found.row.verdict().label())
                .table();
    }

    /** Both runs with their machines, of which one that is the same is named once, and their requests. */
    public static String source(Assessment assessment) {
        Assessment.Side b = assessment.b();
        Assessment.Side a = assessment.a() == null ? b : assessment.a();
        String requests = SourceLine.counts(
                assessment.cells().stream()
                        .flatMapToLong(cell -> LongStream.of(cell.countA(), cell.countB()))
                        .summaryStatistics(),
                "requests");
        if (a.equals(b)) {
            return joined(run(b), requests, b.place());
        }
        return a.place().equals(b.place())
                ? joined("A: " + run(a), "B: " + run(b), requests, b.place())
                : joined("A: " + run(a), a.place(), "B: " + run(b), b.place(), requests);
    }

    private static String joined(String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(" · "));
    }

    private static String run(Assessment.Side side) {
        return side.path() + ", plog " + side.plogVersion() + ", " + SourceLine.date(side.startedAt());
    }
}
