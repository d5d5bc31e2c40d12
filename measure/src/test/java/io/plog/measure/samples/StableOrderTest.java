package io.plog.measure.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StableOrderTest {
    @ParameterizedTest
    @CsvSource({
        "0, 1",
        "1, 1",
        "31, 5",
        "32, 5",
        "33, 5",
        "1000, 1",
        "1000, 20",
        "10000, 100000",
        "65536, 7",
        "70001, 50000"
    })
    void sortsAsTheJdkSortsObjects(int count, long distinct) {
        long seed = new SplittableRandom().nextLong();
        System.out.println("keys from seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        // Nearly in order, as replies are: some are late.
        long[] keys = IntStream.range(0, count)
                .mapToLong(i ->
                        i * distinct / Math.max(1, count) + (random.nextInt(10) == 0 ? random.nextLong(distinct) : 0))
                .toArray();
        Integer[] expected = IntStream.range(0, count).boxed().toArray(Integer[]::new);
        Arrays.sort(expected, Comparator.comparingLong(i -> keys[i]));
        assertThat(StableOrder.of(count, i -> keys[i]))
                .containsExactly(Arrays.stream(expected).mapToInt(i -> i).toArray());
    }
}
