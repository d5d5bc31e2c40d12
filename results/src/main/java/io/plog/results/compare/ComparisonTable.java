package io.plog.results.compare;

import io.plog.results.table.SourceLine;
import io.plog.results.table.Table;
import io.plog.results.table.TableMapping;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A comparison as a table: a row for each cell and figure. Stateless. */
public final class ComparisonTable {
    private ComparisonTable() {}

    private record Compared(Assessment.Cell cell, String words, String about) {}

    /** The table; none if nothing was compared. */
    public static List<Table> of(Assessment assessment) {
        return TableMapping.tables(
                "comparison",
                source -> assessment.cells().stream()
                        .map(cell -> new Compared(
                                cell,
                                cell.measure().words(),
                                cell.dimensions().isEmpty() ? cell.targetB() : cell.name())));
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
