package io.plog.results.compare;

import io.plog.results.table.SourceLine;
import io.plog.results.table.Table;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A comparison as a table: a row for each cell and figure. Stateless. */
public final class ComparisonTable {
    private ComparisonTable() {}

    /** The table; without rows if nothing was compared. */
    public static Table of(Assessment assessment) {
        Table table = Table.of(
                "comparison",
                0,
                "payload:bytes",
                "target A",
                "target B",
                "measure",
                "figure",
                "A:µs",
                "B:µs",
                "B by A",
                "low",
                "high",
                "joint low",
                "joint high",
                "verdict");
        for (Assessment.Cell cell : assessment.cells()) {
            for (Assessment.Row row : cell.figures()) {
                table.row(
                        cell.payloadBytes(),
                        cell.targetA(),
                        cell.dimensions().isEmpty() ? cell.targetB() : cell.name(),
                        cell.measure().words(),
                        row.figure().label(),
                        row.aMicros(),
                        row.bMicros(),
                        row.ratio().value(),
                        row.ratio().low(),
                        row.ratio().high(),
                        row.jointRatio().low(),
                        row.jointRatio().high(),
                        row.verdict().label());
            }
        }
        return table;
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
