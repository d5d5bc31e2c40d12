package io.plog.results.study;

import io.plog.measure.plan.StudyCell;
import io.plog.results.cells.FigureData;
import io.plog.results.cells.FigureData.Bin;
import io.plog.results.cells.FigureData.Drawn;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.WorkloadPart;
import io.plog.stats.Estimate;
import io.plog.stats.Percentile;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/** What the tables of the three workloads show beyond the results: the third study. */
final class WorkloadTables {
    /** Below the clock's resolution: the first bin, for durations of 0. */
    static final double NO_TIME_MICROS = 0.01;

    private WorkloadTables() {}

    /**
     * A component's share of the mean or of the variance.
     *
     * @param drawn how much of the whole is drawn for it: what is drawn adds up to one, and a component that is short where the latency
     *     is long has a negative share, drawn as none
     */
    record Share(String workload, String design, String of, String part, Estimate share, double drawn) {}

    /** Of each component, without the whole latency. */
    static Stream<Share> shares(Cell workload) {
        return Stream.concat(
                shares(workload, "mean", WorkloadPart::share),
                shares(workload, "variance", WorkloadPart::shareOfVariance));
    }

    private static Stream<Share> shares(Cell workload, String of, Function<WorkloadPart, Estimate> share) {
        List<WorkloadPart> parts = StudyCells.parts(workload).stream().skip(1).toList();
        double all = parts.stream()
                .mapToDouble(part -> Math.max(0, share.apply(part).value()))
                .sum();
        return parts.stream()
                .map(part -> new Share(
                        workload.dimension(StudyCell.WORKLOAD),
                        workload.target(),
                        of,
                        part.name(),
                        share.apply(part),
                        all == 0 ? 0 : Math.max(0, share.apply(part).value()) / all));
    }

    /** The latency and its components of each workload. */
    static Stream<Drawn> drawn(List<Drawn> curves) {
        return curves.stream()
                .filter(curve -> curve.dimensions().containsKey(StudyCell.WORKLOAD)
                        && !curve.measure().equals(FigureData.END_TO_END));
    }

    /**
     * A bin.
     *
     * @param drawn whether it is none of durations of 0, which stand before all others
     * @param slowest whether it is drawn and lies from the latency's 95th percentile on
     */
    record Mass(Bin bin, boolean drawn, boolean slowest) {}

    static Stream<Mass> mass(List<Cell> workloads, Drawn curve) {
        double first = curve.bins()
                .filter(bin -> bin.to() > NO_TIME_MICROS && bin.count() > 0)
                .mapToDouble(Bin::from)
                .findFirst()
                .orElse(Double.POSITIVE_INFINITY);
        double slow = workloads.stream()
                .filter(curve::isOf)
                .mapToDouble(cell -> StudyCells.latency(cell).at(Percentile.P95).micros())
                .findFirst()
                .orElse(Double.POSITIVE_INFINITY);
        return curve.bins().map(bin -> new Mass(bin, bin.from() >= first, bin.from() >= first && bin.from() >= slow));
    }
}
