package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ServiceInversionTest {
    /** The definition, word for word: positions in two sorted lists, and the reversed list as the greatest distance. */
    private static double byHand(long[] sizes, long[] latencies) {
        List<Integer> byLatency = new ArrayList<>();
        for (int i = 0; i < sizes.length; i++) {
            byLatency.add(i);
        }
        byLatency.sort((a, b) -> latencies[a] != latencies[b]
                ? Long.compare(latencies[a], latencies[b])
                : Long.compare(sizes[a], sizes[b]));
        List<Long> observed = byLatency.stream().map(i -> sizes[i]).toList();
        List<Long> reversed =
                observed.stream().sorted((a, b) -> Long.compare(b, a)).toList();
        return (double) distance(observed) / distance(reversed);
    }

    private static long distance(List<Long> order) {
        List<Long> ideal = order.stream().sorted().toList();
        long distance = 0;
        for (long size : ideal.stream().distinct().toList()) {
            List<Integer> at = positions(order, size);
            List<Integer> wanted = positions(ideal, size);
            for (int n = 0; n < at.size(); n++) {
                distance += Math.abs(at.get(n) - wanted.get(n));
            }
        }
        return distance;
    }

    private static List<Integer> positions(List<Long> order, long size) {
        List<Integer> positions = new ArrayList<>();
        for (int i = 0; i < order.size(); i++) {
            if (order.get(i) == size) {
                positions.add(i);
            }
        }
        return positions;
    }

    private static void permutations(long[] values, int from, List<long[]> found) {
        if (from == values.length) {
            found.add(values.clone());
            return;
        }
        for (int i = from; i < values.length; i++) {
            swap(values, from, i);
            permutations(values, from + 1, found);
            swap(values, from, i);
        }
    }

    private static void swap(long[] values, int a, int b) {
        long value = values[a];
        values[a] = values[b];
        values[b] = value;
    }

    @Test
    void thePapersExampleOfFiveFilesHasDistancesOneOneTwoNoneNone() {
        // A < B < C < D < E by size, answered in the order C, A, B, D, E: distances 2, 1, 1, 0, 0 of at most 12.
        long[] sizes = {1, 2, 3, 4, 5};
        long[] latencies = {2, 3, 1, 4, 5};
        assertThat(ServiceInversion.valueOf(sizes, latencies)).isEqualTo(4.0 / 12);
    }

    @Test
    void everyOrderOfSmallListsAgreesWithTheDefinitionAndNoneIsBeyondTheReversed() {
        for (long[] sizes :
                new long[][] {{1, 2}, {1, 1, 2}, {1, 2, 2, 3}, {5, 5, 7, 7, 9}, {1, 2, 3, 4, 5, 6}, {1, 1, 1, 4, 4, 9}
                }) {
            long[] latencies = new long[sizes.length];
            Arrays.setAll(latencies, i -> i);
            List<long[]> orders = new ArrayList<>();
            permutations(latencies, 0, orders);
            double greatest = 0;
            for (long[] order : orders) {
                double value = ServiceInversion.valueOf(sizes, order);
                assertThat(value).isCloseTo(byHand(sizes, order), within(1e-12));
                greatest = Math.max(greatest, value);
            }
            assertThat(greatest).isEqualTo(1.0);
        }
    }

    @Test
    void listsWithEqualLatenciesAgreeWithTheDefinition() {
        SplittableRandom random = new SplittableRandom(77);
        for (int run = 0; run < 500; run++) {
            int count = 2 + random.nextInt(40);
            long[] sizes = random.longs(count, 0, 6).toArray();
            long[] latencies = random.longs(count, 0, 10).toArray();
            sizes[0] = 6;
            sizes[1] = 0;
            assertThat(ServiceInversion.valueOf(sizes, latencies)).isCloseTo(byHand(sizes, latencies), within(1e-12));
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 0.500", "3, 0.625", "4, 0.583", "8, 0.625", "16, 0.646"})
    void whatIsBlindToSizesHasTheValueThatTheClassesGive(int classes, double expected) {
        SplittableRandom random = new SplittableRandom(5);
        long[] sizes = new long[classes * 1_000];
        Arrays.setAll(sizes, i -> i % classes);
        long[] latencies = random.longs(sizes.length).toArray();
        ServiceInversion found = ServiceInversion.of(sizes, latencies, 1);
        assertThat(found.random()).isCloseTo(expected, within(0.01));
        assertThat(found.value()).isBetween(found.randomLow() - 0.01, found.randomHigh() + 0.01);
        assertThat(found.low()).isLessThanOrEqualTo(found.value());
        assertThat(found.high()).isGreaterThanOrEqualTo(found.value()).isLessThan(found.value() + 0.05);
    }

    @Test
    void theIntervalHoldsTheTruthOfTheProcessInMostRuns() {
        // Latency grows with the size, in noise; the truth is that of a very long run.
        double truth = ServiceInversion.valueOf(sizesOf(200_000), latenciesOf(200_000, new SplittableRandom(1)));
        int covered = 0;
        for (int run = 0; run < 60; run++) {
            long[] latencies = latenciesOf(2_000, new SplittableRandom(100 + run));
            ServiceInversion found = ServiceInversion.of(sizesOf(2_000), latencies, run);
            covered += found.low() <= truth && truth <= found.high() ? 1 : 0;
        }
        assertThat(covered).isBetween(54, 60);
    }

    private static long[] sizesOf(int count) {
        long[] sizes = new long[count];
        Arrays.setAll(sizes, i -> 1L << (i * 31 % 8));
        return sizes;
    }

    private static long[] latenciesOf(int count, SplittableRandom random) {
        long[] latencies = new long[count];
        Arrays.setAll(
                latencies, i -> Math.round(10_000 * Math.exp(random.nextGaussian()) + 100 * (1L << (i * 31 % 8))));
        return latencies;
    }

    @Test
    void theOrderOfSizesHasNoneAndTheReversedOneHasAll() {
        long[] sizes = {10, 10, 20, 30, 30, 40};
        assertThat(ServiceInversion.valueOf(sizes, new long[] {1, 2, 3, 4, 5, 6}))
                .isZero();
        assertThat(ServiceInversion.valueOf(sizes, new long[] {6, 5, 4, 3, 2, 1}))
                .isEqualTo(1);
    }

    @Test
    void oneSizeHasNoInversion() {
        assertThatThrownBy(() -> ServiceInversion.valueOf(new long[] {7, 7, 7}, new long[] {1, 2, 3}))
                .hasMessageContaining("at least two sizes, found 1");
        assertThatThrownBy(() -> ServiceInversion.valueOf(new long[] {7, 8}, new long[] {1}))
                .hasMessageContaining("2 sizes and 1 latencies");
    }
}
