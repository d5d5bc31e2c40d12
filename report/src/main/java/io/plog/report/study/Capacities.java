package io.plog.report.study;

import io.plog.measure.study.Bin;
import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyDesign;
import io.plog.report.study.StudyResults.Capacity;
import io.plog.report.study.StudyResults.Estimate;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Throughput at infinite demand, and what servers do at any load: batches and processor time. Stateless. */
final class Capacities {
    private Capacities() {}

    /**
     * The capacity of one design and size.
     *
     * @param trials at least one
     */
    static Capacity of(List<CellData> trials) {
        StudyCell cell = trials.get(0).cell();
        return new Capacity(
                cell.design().label(),
                cell.sizes(),
                cell.processors() == 0 ? "" : StudyCell.machine(cell.processors()),
                estimate(trials.stream().map(CellData::perSecond).toList()),
                estimate(trials.stream().map(CellData::megabytesPerSecond).toList()),
                trials.stream()
                        .map(trial -> StudyEstimates.rounded(mean(trial.perSecond()), 3))
                        .toList(),
                serverMicros(trials),
                StudyEstimates.rounded(meanBatch(trials), 3));
    }

    /** Replies a second over the trials, whatever they logged. */
    static Estimate perSecond(List<CellData> trials) {
        return estimate(trials.stream().map(CellData::perSecond).toList());
    }

    /** Over trials; of a single trial over its tenths. */
    private static Estimate estimate(List<List<Double>> trials) {
        return trials.size() == 1
                ? StudyEstimates.mean(trials.get(0))
                : StudyEstimates.mean(trials.stream().map(Capacities::mean).toList());
    }

    private static double mean(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).average().orElse(0);
    }

    /** Processor time of the server for a reply, over all trials that tell it; null if none does. */
    static @Nullable Double serverMicros(List<CellData> trials) {
        double nanos = 0;
        double replies = 0;
        for (CellData trial : trials) {
            Double cpu = trial.outcome().cpuNanos();
            if (cpu != null) {
                nanos += cpu;
                replies += trial.summary().answeredPerSecond() * trial.summary().seconds();
            }
        }
        return replies == 0 ? null : (Double) StudyEstimates.rounded(nanos / 1e3 / replies, 3);
    }

    /** The mean number of records that shared a force, each force counted once; 0 if nothing was logged. */
    static double meanBatch(List<CellData> trials) {
        double records = 0;
        double forces = 0;
        for (Map.Entry<Long, Double> batch : forces(trials).entrySet()) {
            forces += batch.getValue();
            records += batch.getValue() * batch.getKey();
        }
        return forces == 0 ? 0 : records / forces;
    }

    /** How many forces there were by the number of records that shared them, in bins that grow with the number. */
    static List<Bin> batches(List<CellData> trials) {
        Map<Long, Double> bins = new TreeMap<>();
        forces(trials).forEach((records, count) -> bins.merge(Bins.from(records), count, Double::sum));
        return bins.entrySet().stream()
                .map(bin -> new Bin(bin.getKey(), Bins.to(bin.getKey()), Math.round(bin.getValue())))
                .filter(bin -> bin.count() > 0)
                .toList();
    }

    private static Map<Long, Double> forces(List<CellData> trials) {
        Map<Long, Double> forces = new TreeMap<>();
        trials.forEach(trial -> trial.forces().forEach((records, count) -> forces.merge(records, count, Double::sum)));
        return forces;
    }

    /** The requests a second of a design for the mix, from what was measured; 0 if there is nothing. */
    static double of(List<Capacity> capacities, StudyDesign design, double processors) {
        return find(capacities, design, processors)
                .map(each -> each.requestsPerSecond().value())
                .orElse(0.0);
    }

    /** The capacity of a design for the mix. */
    static Optional<Capacity> find(List<Capacity> capacities, StudyDesign design, double processors) {
        String machine = processors == 0 ? "" : StudyCell.machine(processors);
        return capacities.stream()
                .filter(each -> each.design().equals(design.label())
                        && each.sizes().equals(StudyCell.MIX)
                        && each.machine().equals(machine))
                .findFirst();
    }
}
