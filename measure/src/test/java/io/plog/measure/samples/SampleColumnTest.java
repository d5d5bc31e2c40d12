package io.plog.measure.samples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A column gives back what was set last, however much room its numbers need. */
class SampleColumnTest {
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givesBackWhatWasSet(boolean compact) {
        long seed = new SplittableRandom().nextLong();
        System.out.println("numbers from seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        long[] kinds = {
            0, 1, Integer.MAX_VALUE, Integer.MIN_VALUE, 1L << 31, -1L - (1L << 31), Long.MAX_VALUE, Long.MIN_VALUE
        };
        for (int round = 0; round < 200; round++) {
            int most = 1 + random.nextInt(kinds.length);
            SampleColumn column = compact ? SampleColumn.compact(8) : SampleColumn.wide(8);
            long[] expected = new long[32];
            for (int step = 0; step < 64; step++) {
                if (step == 32) {
                    column.grow(32);
                }
                int at = random.nextInt(column.capacity());
                expected[at] = kinds[random.nextInt(most)];
                column.set(at, expected[at]);
            }
            assertThat(column.copy(0, 32)).containsExactly(expected);
            assertThat(column.get(7)).isEqualTo(expected[7]);
        }
    }
}
