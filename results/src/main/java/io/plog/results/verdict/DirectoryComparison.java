package io.plog.results.verdict;

import io.plog.log.storage.Force;
import io.plog.results.cells.BlockSeries;
import io.plog.results.cells.CellAnalysis.Found;
import io.plog.results.model.DiskCells;
import io.plog.results.model.Wording;
import io.plog.stats.Comparison;
import io.plog.stats.text.Units;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** What a durable append costs in one directory by what it costs in another that was measured in turn with it. Stateless. */
public final class DirectoryComparison {
    private DirectoryComparison() {}

    /** A sentence for each directory but the first; none if they have no way of forcing in common. */
    public static List<String> sentences(List<Found> ofSize) {
        Map<String, Found> durable = new LinkedHashMap<>();
        ofSize.stream()
                .filter(found -> DiskCells.isSingle(found.cell())
                        && found.cell().forceLabel().forces()
                        && found.loggingBlocks() != null
                        && !found.loggingBlocks().isEmpty())
                .sorted(Comparator.comparing(
                        (Found found) -> !found.cell().force().equals(Force.FDATASYNC.label())))
                .forEach(found -> durable.putIfAbsent(found.cell().target(), found));
        List<Found> directories = ofSize.stream()
                .map(found -> found.cell().target())
                .distinct()
                .flatMap(name -> Stream.ofNullable(durable.get(name)))
                .toList();
        return directories.stream()
                .skip(1)
                .filter(other ->
                        other.cell().force().equals(directories.get(0).cell().force()))
                .map(other -> sentence(directories.get(0), other))
                .toList();
    }

    private static String sentence(Found first, Found other) {
        Comparison compared = BlockSeries.pair(
                Objects.requireNonNull(other.loggingBlocks()), Objects.requireNonNull(first.loggingBlocks()));
        return "A durable append of " + Units.size(other.cell().payloadBytes()) + " ("
                + other.cell().force() + ") in " + other.cell().target() + " takes "
                + Wording.times(compared.ratioOfQuantiles(0.5)) + " as long as in "
                + first.cell().target() + " at the median, and "
                + Wording.times(compared.ratioOfQuantiles(0.99)) + " at the 99th percentile.";
    }
}
