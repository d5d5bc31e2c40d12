package io.plog.results.study;

import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.SampleFileReader;
import io.plog.measure.samples.Samples;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.study.CellOutcome;
import io.plog.measure.study.SteadyLoad;
import io.plog.results.cells.SampleChecks.WorstBlock;
import io.plog.results.model.Check;
import io.plog.results.verdict.CellMachineChecks;
import io.plog.results.verdict.CheckRule;
import io.plog.stats.numbers.Longs;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * Why a measurement is worth repeating, once: something outside disturbed it, or it was not what it was to be. To repeat it until it
 * looks well would choose among its figures. Stateless.
 */
public final class Disturbance {
    private static final List<CheckRule> FROM_OUTSIDE = List.of(CheckRule.STEAL, CheckRule.OTHERS, CheckRule.DISK);

    private Disturbance() {}

    /** Of one trial of a cell, in words; empty if nothing is wrong. */
    public static Optional<String> of(CellOutcome outcome) throws IOException {
        try (SampleFileReader reader = SampleFileReader.open(outcome.load().samples())) {
            Optional<Check> disturbed = CellMachineChecks.of(
                            reader.events(),
                            outcome.cell().isInfiniteDemand(),
                            outcome.load().info().client(),
                            SideEvents.CLIENT,
                            SideEvents.SERVER)
                    .values()
                    .stream()
                    .filter(found ->
                            found.invalidates() && FROM_OUTSIDE.stream().anyMatch(rule -> rule.isOf(found)))
                    .findFirst();
            if (disturbed.isPresent()) {
                return disturbed.map(found -> withoutMeaning(found.detail()));
            }
            Samples all = reader.samples(reader.cells().toArray(CellKey[]::new));
            Longs latencies = Longs.where(all.count(), all::isCounted).map(i -> all.get(Column.END_TO_END, i));
            String problem = SteadyLoad.problem(outcome.load().summary(), latencies);
            if (!problem.isEmpty()) {
                return Optional.of(problem);
            }
            WorstBlock worst = WorstBlock.of(all);
            return worst != null && worst.decides() ? Optional.of("one stall decides its mean") : Optional.empty();
        }
    }

    /** What was found, without the part after the colon, which says what it means. */
    private static String withoutMeaning(String detail) {
        int colon = detail.indexOf(": ");
        return colon >= 0 ? detail.substring(0, colon) : detail.replaceFirst("\\.$", "");
    }
}
