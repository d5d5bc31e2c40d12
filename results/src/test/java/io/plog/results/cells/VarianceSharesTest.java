package io.plog.results.cells;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.Estimate;
import io.plog.stats.numbers.Longs;
import java.util.SplittableRandom;
import java.util.function.LongUnaryOperator;
import org.junit.jupiter.api.Test;

final class VarianceSharesTest {
    private static final long SEED = 3;
    private static final int COUNT = 1200;
    private static final int BLOCKS = 20;

    /** Requests in 20 blocks, whose server takes a third of each latency. */
    private static Samples cell() {
        SplittableRandom random = new SplittableRandom(SEED);
        Samples samples = new Samples(COUNT);
        for (int i = 0; i < COUNT; i++) {
            long latency = 3 * random.nextLong(500_000, 800_000);
            samples.begin();
            samples.set(Column.BLOCK, (long) i * BLOCKS / COUNT);
            samples.set(Column.END_TO_END, latency);
            samples.set(Column.RESIDENCE, latency / 3);
        }
        return samples;
    }

    private static Estimate share(Samples samples, LongUnaryOperator component) {
        return VarianceShares.of(samples, Longs.of(COUNT, i -> i), component);
    }

    @Test
    void componentsThatAddUpToTheLatencyHaveSharesThatAddUpToOne() {
        Samples cell = cell();
        Estimate server = share(cell, i -> cell.get(Column.RESIDENCE, i));
        Estimate rest = share(cell, i -> cell.get(Column.END_TO_END, i) - cell.get(Column.RESIDENCE, i));
        assertThat(server.value()).isCloseTo(1 / 3.0, within(1e-4));
        assertThat(server.value() + rest.value()).isCloseTo(1, within(1e-6));
        assertThat(share(cell, i -> cell.get(Column.END_TO_END, i)).value()).isCloseTo(1, within(1e-9));
    }

    @Test
    void aComponentThatHasNothingToDoWithTheLatencyHasNoneOfItsSpread() {
        SplittableRandom random = new SplittableRandom(SEED);
        Estimate share = share(cell(), i -> random.nextLong(400_000));
        assertThat(share.value()).as("seed " + SEED).isCloseTo(0, within(0.05));
        assertThat(share.low()).isLessThan(share.value());
        assertThat(share.high()).isGreaterThan(share.value()).isLessThan(0.1);
    }

    @Test
    void aComponentThatIsShortWhereTheLatencyIsLongHasANegativeShare() {
        Samples cell = cell();
        assertThat(share(cell, i -> 5_000_000 - cell.get(Column.END_TO_END, i)).value())
                .isCloseTo(-1, within(1e-6));
    }

    @Test
    void aConstantHasNone() {
        assertThat(share(cell(), i -> 1_000).value()).isCloseTo(0, within(1e-9));
    }
}
