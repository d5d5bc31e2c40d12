package io.plog.measure.samples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.ToLongBiFunction;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinnedSamplesTest {
    private static final long SEED = Long.getLong("plog.seed", System.nanoTime());
    private static final int COUNT = 20_000;

    private final Random random = new Random(SEED);

    /** What a load's samples are asked for. */
    private static final Map<String, ToLongBiFunction<Samples, Integer>> FIGURES = Map.of(
            "end to end", (all, i) -> all.get(Column.END_TO_END, i),
            "from intended",
                    (all, i) -> all.get(Column.SENT, i) + all.get(Column.END_TO_END, i) - all.get(Column.INTENDED, i),
            "logging", (all, i) -> all.loggingNanos(i),
            "write and force", (all, i) -> all.get(Column.WRITE, i) + all.get(Column.FORCE, i),
            "force", (all, i) -> all.get(Column.FORCE, i),
            "residence", (all, i) -> all.get(Column.RESIDENCE, i),
            "execution", (all, i) -> all.get(Column.EXECUTION, i),
            "records", (all, i) -> all.get(Column.BATCH_RECORDS, i));

    private long about(double median) {
        return (long) (median * Math.exp(random.nextGaussian() * 0.6));
    }

    private Samples recorded() {
        Samples samples = new Samples(COUNT);
        for (int i = 0; i < COUNT; i++) {
            samples.begin();
            long due = i * 150_000L + random.nextInt(1000);
            long held = random.nextInt(20) == 0 ? about(40_000) : 0;
            samples.set(Column.PHASE, i < COUNT / 4 ? Samples.WARM_UP : 0);
            samples.set(Column.STATUS, random.nextInt(50) == 0 ? 2 : 0);
            samples.set(Column.INTENDED, due);
            samples.set(Column.SENT, due + held + about(3_000));
            samples.set(Column.HELD, held);
            samples.set(Column.FORCE, about(120_000));
            samples.set(Column.WRITE, about(9_000));
            samples.set(Column.BATCH_WAIT, about(20_000));
            samples.set(Column.WAITING, about(50_000));
            samples.set(Column.EXECUTION, about(500));
            samples.set(Column.RESIDENCE, samples.loggingNanos(i) + about(8_000));
            samples.set(Column.END_TO_END, samples.get(Column.RESIDENCE, i) + about(30_000));
            samples.set(Column.BATCH_RECORDS, 1 + random.nextInt(300));
            samples.set(Column.CONNECTION, random.nextInt(64));
            samples.set(Column.PAYLOAD_BYTES, 100);
        }
        return samples;
    }

    private static long[] sorted(Samples samples, ToLongBiFunction<Samples, Integer> figure) {
        return LongStream.range(0, samples.count())
                .filter(samples::isCounted)
                .map(i -> figure.applyAsLong(samples, (int) i))
                .sorted()
                .toArray();
    }

    @Test
    void everyQuantileOfWhatFiguresAreMadeOfIsWithinHalfAPercentAndEveryMeanToo() {
        Samples exact = recorded();
        Samples binned = BinnedSamples.of(exact);
        FIGURES.forEach((name, figure) -> {
            long[] before = sorted(exact, figure);
            long[] after = sorted(binned, figure);
            assertThat(after).as(name).hasSameSizeAs(before);
            for (int i = 0; i < before.length; i++) {
                assertThat((double) after[i])
                        .as("%s, rank %d, seed %d", name, i, SEED)
                        .isCloseTo(before[i], within(before[i] / 250.0));
            }
            assertThat(Arrays.stream(after).average().orElseThrow())
                    .as("%s, seed %d", name, SEED)
                    .isCloseTo(
                            Arrays.stream(before).average().orElseThrow(), within(before[before.length / 2] / 250.0));
        });
    }

    @Test
    void everySecondOfEachPhaseAndStatusHasAsManyAndNoPartIsBelowZero() {
        Samples exact = recorded();
        Samples binned = BinnedSamples.of(exact);
        for (Samples all : List.of(exact, binned)) {
            assertThat(LongStream.range(0, all.count()).filter(all::isCounted).count())
                    .as("seed " + SEED)
                    .isPositive();
        }
        assertThat(bySecond(binned)).as("seed " + SEED).isEqualTo(bySecond(exact));
        assertThat(binned.objection()).as("seed " + SEED).isEmpty();
        for (int i = 0; i < COUNT; i++) {
            long residence = binned.get(Column.RESIDENCE, i);
            assertThat(residence).isBetween(binned.loggingNanos(i), binned.get(Column.END_TO_END, i));
        }
    }

    private static Map<List<Long>, Long> bySecond(Samples samples) {
        return LongStream.range(0, samples.count())
                .boxed()
                .collect(Collectors.groupingBy(
                        i -> List.of(
                                samples.get(Column.PHASE, i),
                                samples.get(Column.STATUS, i),
                                samples.get(Column.INTENDED, i) / 1_000_000_000),
                        Collectors.counting()));
    }

    @Test
    void whatLiesWithinASecondIsNoTrend() {
        Samples binned = BinnedSamples.of(recorded());
        long[] firstSecond = LongStream.range(0, COUNT)
                .filter(i -> binned.get(Column.STATUS, i) == 0 && binned.get(Column.INTENDED, i) < 500_000_000)
                .map(i -> binned.get(Column.END_TO_END, i))
                .sorted()
                .toArray();
        long[] rest = LongStream.range(0, COUNT)
                .filter(i -> binned.get(Column.STATUS, i) == 0
                        && binned.get(Column.INTENDED, i) >= 500_000_000
                        && binned.get(Column.INTENDED, i) < 750_000_000)
                .map(i -> binned.get(Column.END_TO_END, i))
                .sorted()
                .toArray();
        assertThat((double) firstSecond[firstSecond.length / 2])
                .as("seed " + SEED)
                .isCloseTo(rest[rest.length / 2], within(rest[rest.length / 2] * 0.05));
    }

    @Test
    void theyTakeAFifthOfTheRoom(@TempDir Path directory) throws IOException {
        Samples exact = recorded();
        long all = bytes(directory.resolve("all"), exact);
        long bins = bytes(directory.resolve("bins"), BinnedSamples.of(exact));
        assertThat(bins).as("of %d, seed %d", all, SEED).isLessThan(all / 5);
    }

    private static long bytes(Path file, Samples samples) throws IOException {
        try (SampleFileWriter writer = SampleFileWriter.create(file, EventsFileTest.INFO)) {
            writer.append(new CellKey(0, 100), samples);
        }
        return Files.size(file);
    }

    @Test
    void smallNumbersAreExactAndBinsAreInOrder() {
        for (long value = 0; value < 128; value++) {
            assertThat(BinnedSamples.bin(value)).isEqualTo(value);
        }
        long before = 0;
        for (long value = 128; value < 1L << 59; value += 1 + value / 500) {
            assertThat(BinnedSamples.bin(value)).isBetween(before, value + value / 250);
            assertThat(BinnedSamples.bin(-value)).isBetween(-value - value / 250, -value + value / 250);
            before = BinnedSamples.bin(value);
        }
    }
}
