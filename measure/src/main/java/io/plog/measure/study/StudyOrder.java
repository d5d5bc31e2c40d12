package io.plog.measure.study;

import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Mix;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.measure.plan.Workloads;
import io.plog.stats.text.ByteSize;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleFunction;

/**
 * In which order the cells of a trial run: at random, so that designs are interleaved and a drift of the machine hits all of them.
 * Those at infinite demand come first, since the rates of the others follow from them.
 */
public final class StudyOrder {
    private StudyOrder() {}

    /**
     * The cells at infinite demand.
     *
     * @param processors to which the servers are limited; 0 for no limit
     */
    public static List<StudyCell> capacities(Designs plan, int trial, double processors) {
        Mix mix = plan.traffic().mix();
        List<StudyCell> cells = new ArrayList<>();
        for (StudyDesign design : plan.designs()) {
            cells.add(StudyCell.capacity(design, trial, mix, StudyCell.MIX, processors));
            if (processors == 0) {
                if (trial == Designs.CONTROL_TRIAL) {
                    cells.add(StudyCell.controlCapacity(design, trial, mix));
                }
                for (int bytes : plan.levels().singleSizesBytes()) {
                    cells.add(StudyCell.capacity(design, trial, Mix.only(bytes), ByteSize.format(bytes), 0));
                }
            }
        }
        return shuffled(cells, plan.seed() + trial);
    }

    /**
     * The cells with a rate.
     *
     * @param confirmed the largest rate that each design keeps; not positive if there is none: then its relative loads are left out
     * @param rates that all designs get
     */
    public static List<StudyCell> loads(
            Designs plan, int trial, double processors, ToDoubleFunction<StudyDesign> confirmed, List<Double> rates) {
        Mix mix = plan.traffic().mix();
        List<StudyCell> cells = new ArrayList<>();
        for (StudyDesign design : plan.designs()) {
            double own = confirmed.applyAsDouble(design);
            for (double level : own > 0 ? plan.levels().relativeLoads() : List.<Double>of()) {
                cells.add(StudyCell.relative(design, trial, level, rounded(level * own), mix, processors));
            }
            if (processors == 0) {
                if (own > 0 && trial == Designs.CONTROL_TRIAL) {
                    plan.controlLevel()
                            .ifPresent(level ->
                                    cells.add(StudyCell.control(design, trial, level, rounded(level * own), mix)));
                }
                rates.forEach(rate -> cells.add(StudyCell.absolute(design, trial, rate, mix)));
                if (own > 0 && plan.workloadDesigns().contains(design)) {
                    cells.addAll(Workloads.cells(design, trial, Workloads.LOAD * own));
                }
            }
        }
        return shuffled(cells, plan.seed() + 31L * (trial + 1));
    }

    /** The rates that all designs get: those of the plan, or shares of what the slowest design keeps. */
    public static List<Double> absoluteRates(Designs plan, ToDoubleFunction<StudyDesign> confirmed) {
        if (!plan.levels().absoluteRates().isEmpty()) {
            return plan.levels().absoluteRates();
        }
        double slowest = plan.designs().stream()
                .mapToDouble(confirmed)
                .filter(found -> found > 0)
                .min()
                .orElse(0);
        return slowest == 0
                ? List.of()
                : Designs.ABSOLUTE_SHARES.stream()
                        .map(share -> rounded(share * slowest))
                        .toList();
    }

    /** The decimals are not needed, and a rate of 0 is none. */
    private static double rounded(double rate) {
        return rate < 10 ? Math.max(0.1, Math.round(rate * 10) / 10.0) : Math.rint(rate);
    }

    private static List<StudyCell> shuffled(List<StudyCell> cells, long seed) {
        List<StudyCell> shuffled = new ArrayList<>(cells);
        Collections.shuffle(shuffled, new Random(seed));
        return shuffled;
    }
}
