package io.plog.measure.study;

import io.plog.measure.load.Mix;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.function.ToDoubleBiFunction;
import java.util.function.ToDoubleFunction;

/**
 * In which order cells run: within each trial at random, so that designs are interleaved and a drift of the machine hits all of
 * them. All capacities come before all loads, since the loads' rates are made from them, and are the same in each trial.
 */
public final class StudyOrder {
    private StudyOrder() {}

    /** The cells at infinite demand. */
    public static List<StudyCell> capacities(StudyPlan plan) {
        List<StudyCell> all = new ArrayList<>();
        for (int trial = 0; trial < plan.trials(); trial++) {
            List<StudyCell> cells = new ArrayList<>();
            for (StudyDesign design : plan.designs()) {
                cells.add(StudyCell.capacity(design, trial, plan.traffic().mix(), StudyCell.MIX, 0));
                cells.add(
                        StudyCell.controlCapacity(design, trial, plan.traffic().mix()));
                for (int bytes : plan.levels().singleSizesBytes()) {
                    cells.add(StudyCell.capacity(design, trial, Mix.only(bytes), StudyPlan.nameOf(bytes), 0));
                }
                for (double processors : plan.levels().processors()) {
                    cells.add(StudyCell.capacity(design, trial, plan.traffic().mix(), StudyCell.MIX, processors));
                }
            }
            all.addAll(shuffled(cells, plan.seed() + trial));
        }
        return all;
    }

    /**
     * The cells with a rate.
     *
     * @param capacity requests a second of a design for the mix, with so many processors (0: no limit); not positive if it is not
     *     known, since its cells failed: then the design's relative loads are left out
     * @param inMemory the same of a design's control, which logs nothing
     */
    public static List<StudyCell> loads(
            StudyPlan plan, ToDoubleBiFunction<StudyDesign, Double> capacity, ToDoubleFunction<StudyDesign> inMemory) {
        List<Double> rates = absoluteRates(plan, capacity);
        List<StudyCell> all = new ArrayList<>();
        for (int trial = 0; trial < plan.trials(); trial++) {
            List<StudyCell> cells = new ArrayList<>();
            for (StudyDesign design : plan.designs()) {
                addRelative(cells, plan, design, trial, 0, capacity.applyAsDouble(design, 0.0));
                for (double processors : plan.levels().processors()) {
                    double own = capacity.applyAsDouble(design, processors);
                    addRelative(cells, plan, design, trial, processors, own);
                }
                addControl(cells, plan, design, trial, inMemory.applyAsDouble(design));
                for (double rate : rates) {
                    cells.add(StudyCell.absolute(
                            design, trial, rate, plan.traffic().mix()));
                }
            }
            for (StudyDesign design : plan.workloadDesigns()) {
                double own = capacity.applyAsDouble(design, 0.0);
                if (own > 0) {
                    cells.addAll(Workloads.cells(design, trial, Workloads.LOAD * own));
                }
            }
            all.addAll(shuffled(cells, plan.seed() + 31L * (trial + 1)));
        }
        return all;
    }

    /** The rates that all designs get: those of the plan, or shares of what the slowest design can do. */
    public static List<Double> absoluteRates(StudyPlan plan, ToDoubleBiFunction<StudyDesign, Double> capacity) {
        if (!plan.levels().absoluteRates().isEmpty()) {
            return plan.levels().absoluteRates();
        }
        double slowest = plan.designs().stream()
                .mapToDouble(design -> capacity.applyAsDouble(design, 0.0))
                .filter(found -> found > 0)
                .min()
                .orElse(0);
        return slowest == 0
                ? List.of()
                : StudyPlan.ABSOLUTE_SHARES.stream()
                        .map(share -> rounded(share * slowest))
                        .toList();
    }

    private static void addRelative(
            List<StudyCell> cells, StudyPlan plan, StudyDesign design, int trial, double processors, double capacity) {
        if (capacity > 0) {
            for (double level : plan.levels().relativeLoads()) {
                double rate = rounded(level * capacity);
                cells.add(StudyCell.relative(
                        design, trial, level, rate, plan.traffic().mix(), processors));
            }
        }
    }

    private static void addControl(
            List<StudyCell> cells, StudyPlan plan, StudyDesign design, int trial, double capacity) {
        if (capacity > 0) {
            plan.controlLevel()
                    .ifPresent(level -> cells.add(StudyCell.control(
                            design,
                            trial,
                            level,
                            rounded(level * capacity),
                            plan.traffic().mix())));
        }
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
