package io.plog.stats.numbers;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class LongsTest {
    /** More than one sequence may keep in the heap. */
    private static final int MANY = (int) (Longs.MOST_IN_HEAP / Long.BYTES) + 1_000;

    @ParameterizedTest
    @ValueSource(longs = {0, 1, Byte.MIN_VALUE, Short.MAX_VALUE, Integer.MIN_VALUE, Long.MAX_VALUE, Long.MIN_VALUE})
    void theWidestNumberMayComeAtAnyPlace(long widest) {
        for (int place : new int[] {0, 7, MANY - 1}) {
            Longs numbers = Longs.of(MANY, i -> i == place ? widest : i & 1);
            assertThat(numbers.count()).isEqualTo(MANY);
            assertThat(LongStream.range(0, MANY).allMatch(i -> numbers.get(i) == (i == place ? widest : i & 1)))
                    .as("at %d", place)
                    .isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000, 1L << 31, 1L << 62})
    void manyAreSortedAsFewAre(long bound) {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        long[] numbers = random.longs(MANY, -bound, bound).toArray();
        Longs all = Longs.of(numbers);
        assertThat(all.toArray()).isEqualTo(numbers);
        long[] parts = all.sortedBetween(new long[] {0, 10, MANY}).toArray();
        Arrays.sort(numbers, 0, 10);
        Arrays.sort(numbers, 10, MANY);
        assertThat(parts).as("seed %d", seed).isEqualTo(numbers);
        Arrays.sort(numbers);
        assertThat(all.sorted().toArray()).as("seed %d", seed).isEqualTo(numbers);
        Longs order = all.order();
        assertThat(all.at(order).toArray()).as("seed %d", seed).isEqualTo(numbers);
        assertThat(LongStream.range(1, MANY)
                        .allMatch(i -> numbers[(int) i] > numbers[(int) i - 1] || order.get(i) > order.get(i - 1)))
                .as("seed %d: equal ones stay in order", seed)
                .isTrue();
    }

    @Test
    void partsAndPlacesShareWhatIsKept() {
        Longs numbers = Longs.of(5, 6, 7, 8).part(1, 4);
        assertThat(numbers.at(Longs.of(2, 0)).toArray()).containsExactly(8, 6);
        assertThat(numbers.filter(number -> number != 7).toArray()).containsExactly(6, 8);
        assertThat(Longs.where(3, i -> numbers.get(i) > 6).toArray()).containsExactly(1, 2);
    }
}
