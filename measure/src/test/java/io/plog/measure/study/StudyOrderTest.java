package io.plog.measure.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.LoadMode;
import io.plog.measure.plan.Mix;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class StudyOrderTest {
    private static final StudyDesign DEDICATED = new StudyDesign("dedicated", 1);
    private static final StudyDesign THREADS = new StudyDesign("threads=150", 1);

    private static Designs plan(List<Double> loads, List<Double> rates, int trials, long seed) {
        return new Designs(
                List.of(DEDICATED, THREADS),
                "fdatasync",
                new Designs.Traffic(Mix.only(1000), 300, 5, Arrivals.POISSON),
                new Designs.Levels(loads, rates, List.of(100), false, List.of(0.5)),
                trials,
                500000000L,
                1000000000L,
                seed);
    }

    private static List<StudyCell> loads(Designs plan, int trial) {
        return StudyOrder.loads(plan, trial, 0, design -> 1000, StudyOrder.absoluteRates(plan, design -> 1000));
    }

    @Test
    void everyCellRunsOnceInEachTrialInAnOrderThatTheSeedDecides() {
        Designs plan = plan(List.of(0.4, 0.9), List.of(), 4, 5);
        List<StudyCell> all = new ArrayList<>();
        for (int trial = 0; trial < 4; trial++) {
            for (double machine : plan.machines()) {
                all.addAll(StudyOrder.capacities(plan, trial, machine));
                all.addAll(StudyOrder.loads(plan, trial, machine, design -> 1000, List.of(750.0)));
            }
        }
        assertThat(all).doesNotHaveDuplicates().hasSize(plan.cells());
        assertThat(all.stream().filter(StudyCell::isControl))
                .extracting(StudyCell::trial)
                .containsOnly(0);
        assertThat(loads(plan, 1)).isEqualTo(loads(plan, 1));
        assertThat(loads(plan(List.of(0.4, 0.9), List.of(), 4, 6), 1))
                .isNotEqualTo(loads(plan, 1))
                .containsExactlyInAnyOrderElementsOf(loads(plan, 1));
    }

    /** Each trial's servers keep rates of their own, and their cells are one. */
    @Test
    void aCellIsTheSameInAllTrialsWhateverItsRate() {
        Designs plan = plan(List.of(0.4), List.of(), 2, 5);
        assertThat(StudyOrder.loads(plan, 0, 0.5, design -> 1000, List.of()))
                .extracting(StudyCell::key)
                .containsExactlyInAnyOrderElementsOf(StudyOrder.loads(plan, 1, 0.5, design -> 950, List.of()).stream()
                        .map(StudyCell::key)
                        .toList());
    }

    @Test
    void aDesignThatKeepsNoRateGetsNoLoadsOfItsOwn() {
        Designs plan = plan(List.of(0.4, 0.9), List.of(), 1, 5);
        ToDoubleFunction<StudyDesign> confirmed = design -> design.equals(DEDICATED) ? 2000 : 0;
        List<StudyCell> loads = StudyOrder.loads(plan, 0, 0, confirmed, StudyOrder.absoluteRates(plan, confirmed));
        assertThat(loads.stream().filter(cell -> cell.kind() != StudyCell.Kind.ABSOLUTE))
                .extracting(StudyCell::design)
                .containsOnly(DEDICATED);
        assertThat(loads.stream().filter(cell -> cell.kind() == StudyCell.Kind.ABSOLUTE))
                .extracting(StudyCell::ratePerSecond)
                .containsOnly(1500.0);
    }

    @Test
    void eachDesignIsMeasuredInMemoryAtInfiniteDemandAndAtTheRateOfTheHighestLoad() {
        Designs plan = plan(List.of(0.4, 0.9), List.of(), 1, 5);
        assertThat(StudyOrder.capacities(plan, 0, 0).stream().filter(StudyCell::isControl))
                .extracting(StudyCell::design)
                .containsExactlyInAnyOrder(DEDICATED, THREADS);
        assertThat(loads(plan, 0).stream().filter(StudyCell::isControl))
                .hasSize(2)
                .allSatisfy(cell -> {
                    assertThat(cell.level()).isEqualTo(0.9);
                    assertThat(cell.ratePerSecond()).isEqualTo(900);
                    // The target logs nothing; its requests need no flag that says so.
                    assertThat(plan.loadPlan(cell, 1, "off").loggedShare()).isEqualTo(1);
                });
    }

    @Test
    void ratesThatWereAskedForAreTaken() {
        Designs plan = plan(List.of(0.5), List.of(2300.0), 1, 5);
        assertThat(StudyOrder.absoluteRates(plan, design -> 10)).containsExactly(2300.0);
    }

    @Test
    void aDesignWithThreadsGetsNoMoreConnectionsThanThreads() {
        Designs plan = plan(List.of(0.5), List.of(), 1, 5);
        for (StudyCell cell : loads(plan, 0)) {
            Load load = plan.loadPlan(cell, 1, "study");
            assertThat(load.loop().connections()).isEqualTo(cell.design().equals(THREADS) ? 150 : 300);
            boolean workload = cell.kind() == StudyCell.Kind.WORKLOAD;
            assertThat(load.loop().mode()).isEqualTo(workload ? LoadMode.OPEN : LoadMode.PARTLY_OPEN);
        }
        StudyCell capacity = StudyOrder.capacities(plan, 0, 0).get(0);
        assertThat(plan.loadPlan(capacity, 1, "study").loop().mode()).isEqualTo(LoadMode.CLOSED);
    }

    @ParameterizedTest
    @ValueSource(doubles = {0, -0.5, 10, 11, Double.NaN})
    void aLoadThatIsNoneIsRefusedWithWhatIsExpected(double load) {
        assertThatThrownBy(() -> plan(List.of(load), List.of(), 1, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("loads has " + load + ": expected shares of the capacity, over 0 and below 10, as 0.5,0.9");
    }

    @Test
    void aRateOfZeroAndALoadThatIsNamedTwiceAreRefused() {
        assertThatThrownBy(() -> plan(List.of(), List.of(0.0), 1, 5)).hasMessageContaining("rates has 0.0");
        assertThatThrownBy(() -> plan(List.of(0.5, 0.5), List.of(), 1, 5)).hasMessageContaining("0.5 is given twice");
    }
}
