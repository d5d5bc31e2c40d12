package io.plog.measure;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.WarmUpRounds.Step;
import io.plog.measure.plan.Warmup;
import io.plog.measure.samples.CellKey;
import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

/** Warm-ups on a clock and with compilers that move only when a test says so. */
final class WarmUpRoundsTest {
    private static final List<CellKey> CELLS = List.of(new CellKey(0, 100), new CellKey(0, 1_000));
    private static final long REQUEST_NANOS = 100_000;

    private final SplittableRandom random = new SplittableRandom(1);
    private long nanos;
    private long clientNanos;
    private long serverNanos;

    /** How long a request takes that is sent at this time. */
    private LongUnaryOperator latency = at -> REQUEST_NANOS;

    /** Takes every step; during one the server's compilers work for so much of the time as they have left. */
    private List<Step> steps(Warmup warmup, long compileNanosOfTheRound) {
        WarmUpRounds rounds = new WarmUpRounds(warmup, CELLS, () -> nanos, () -> List.of(clientNanos, serverNanos));
        List<Step> steps = new ArrayList<>();
        long backlog = compileNanosOfTheRound;
        for (Step step = rounds.next(); step != Step.OVER; step = rounds.next()) {
            steps.add(step);
            assertThat(steps).as("it ends").hasSizeLessThan(200);
            long before = nanos;
            if (step == Step.PAUSE) {
                nanos += CompilerRest.PAUSE_NANOS;
            } else {
                for (CellKey cell : CELLS) {
                    rounds.add(cell, List.of(samples(rounds.requests(step, cell))));
                }
            }
            long worked = Math.min(backlog, nanos - before);
            backlog -= worked;
            serverNanos += worked;
        }
        return steps;
    }

    private Samples samples(long count) {
        Samples samples = new Samples((int) count);
        for (int i = 0; i < count; i++) {
            long took = latency.applyAsLong(nanos) + random.nextLong(10_000);
            samples.begin();
            samples.set(Column.END_TO_END, took);
            nanos += took;
        }
        return samples;
    }

    @Test
    void aNumberOfRequestsIsOneRoundWhateverTheCompilersDo() {
        assertThat(steps(Warmup.exactly(7), 5_000_000_000L)).containsExactly(Step.ALL);
        assertThat(steps(Warmup.exactly(0), 0)).isEmpty();
    }

    @Test
    void whereNothingIsToBeCompiledEachCellOnlyHasToBeSteady() {
        assertThat(steps(Warmup.untilSteady(1_000), 0)).containsExactly(Step.SMALLEST, Step.ALL);
    }

    @Test
    void compilersThatWorkGetTheProcessorsUntilTheyRestBeforeEachCellIsTried() {
        List<Step> steps = steps(Warmup.untilSteady(200), 2_000_000_000);
        assertThat(steps).startsWith(Step.SMALLEST, Step.SMALLEST).endsWith(Step.PAUSE, Step.ALL);
        assertThat(steps).filteredOn(Step.ALL::equals).hasSize(1);
    }

    @Test
    void compilersThatNeverRestEndItWithTheTimeAndNotBefore() {
        Warmup warmup = Warmup.untilSteady(1_000);
        latency = at -> 10_000_000;
        assertThat(steps(warmup, Long.MAX_VALUE)).filteredOn(Step.ALL::equals).hasSizeBetween(1, 4);
        assertThat(nanos).isGreaterThan(warmup.most().toNanos());
    }

    @Test
    void onASlowDiskEachCellIsWarmedUpAllTheSame() {
        latency = at -> 50_000_000;
        assertThat(steps(Warmup.untilSteady(100), Long.MAX_VALUE))
                .filteredOn(step -> step != Step.PAUSE)
                .containsExactly(Step.SMALLEST, Step.ALL);
    }

    @Test
    void aCellThatDriftsEndsItWithTheRequests() {
        latency = at -> REQUEST_NANOS + at / 1_000;
        List<Step> steps = steps(Warmup.untilSteady(1_000), 0);
        assertThat(steps).filteredOn(Step.ALL::equals).hasSize(5);
    }
}
