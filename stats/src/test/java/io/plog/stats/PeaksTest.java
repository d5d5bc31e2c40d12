package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plog.stats.KnownCell.Component;
import io.plog.stats.KnownCell.Design;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class PeaksTest {
    private static final long SEED = 11;

    private static KnownCell cell(double likeness, Component... components) {
        return new KnownCell("", List.of(components), likeness, 1, 1, 0, 0);
    }

    private static List<Peaks.Peak> peaks(KnownCell cell, Design design, SplittableRandom random) {
        return Peaks.of(cell.measure(new KnownCell.World(random.split(), design.trials()), design, 0));
    }

    @ParameterizedTest(name = "{0} x {1} x {2}, sd {3}, likeness {4}")
    @CsvSource({
        "1, 10, 20, 0.2, 0",
        "1, 10, 200, 0.2, 0",
        "1, 10, 200, 0.8, 0",
        "1, 10, 200, 0.3, 0.8",
        "5, 4, 100, 0.2, 0"
    })
    void aLogNormalDistributionHasOnePeak(int trials, int blocks, int perBlock, double sd, double likeness) {
        System.out.println("seed " + SEED);
        SplittableRandom random = new SplittableRandom(SEED);
        int repetitions = 200;
        int several = 0;
        for (int i = 0; i < repetitions; i++) {
            List<Peaks.Peak> found =
                    peaks(cell(likeness, new Component(1, 120_000, sd)), new Design(trials, blocks, perBlock), random);
            several += found.size() > 1 ? 1 : 0;
        }
        assertThat((double) several / repetitions).isLessThanOrEqualTo(0.05);
    }

    @ParameterizedTest(name = "{0} x {1} x {2}")
    @CsvSource({"1, 10, 20", "1, 10, 200", "5, 4, 100"})
    void twoClearPeaksAreBothFoundWithTheirShares(int trials, int blocks, int perBlock) {
        SplittableRandom random = new SplittableRandom(SEED);
        KnownCell two = cell(0, new Component(0.7, 100_000, 0.1), new Component(0.3, 260_000, 0.12));
        for (int i = 0; i < 50; i++) {
            List<Peaks.Peak> found = peaks(two, new Design(trials, blocks, perBlock), random);
            assertThat(found).hasSize(2);
            assertThat(found.get(0).value()).isCloseTo(100_000, within(10_000.0));
            assertThat(found.get(1).value()).isCloseTo(260_000, within(40_000.0));
            assertThat(found.get(0).share()).isCloseTo(0.7, within(0.12));
            assertThat(found.get(0).share() + found.get(1).share()).isCloseTo(1, within(1e-9));
        }
    }

    /** The density between two equal peaks 2.3 standard deviations apart is 96 % of theirs; 3 apart it is 64 %. */
    @ParameterizedTest(name = "{0} standard deviations apart")
    @CsvSource({"2.3, 1", "3.0, 2"})
    void theValleyMustBeDeepEnough(double apart, int peaks) {
        KnownCell two =
                cell(0, new Component(0.5, 100_000, 0.1), new Component(0.5, 100_000 * Math.exp(0.1 * apart), 0.1));
        assertThat(peaks(two, new Design(1, 10, 6000), new SplittableRandom(SEED)))
                .hasSize(peaks);
    }

    /** A disk that was busy once during the run makes no peak; one that is busy now and then does. */
    @Test
    void aPeakOfASingleBlockDoesNotSurvive() {
        SplittableRandom random = new SplittableRandom(SEED);
        Design block = new Design(1, 1, 200);
        Replicates fast = cell(0, new Component(1, 100_000, 0.1))
                .measure(new KnownCell.World(random, 1), new Design(1, 9, 200), 0);
        Replicates slow = cell(0, new Component(1, 400_000, 0.1)).measure(new KnownCell.World(random, 1), block, 0);
        List<long[]> blocks = new ArrayList<>();
        long[] ends = fast.trials().get(0);
        for (int i = 1; i < ends.length; i++) {
            blocks.add(fast.inTime().part(ends[i - 1], ends[i]).toArray());
        }
        blocks.add(slow.inTime().toArray());
        assertThat(Peaks.of(Replicates.of(List.of(blocks)))).hasSize(1);
    }

    /** A histogram that is its own mirror image is as high left as right of its middle, but for the rounding of sums. */
    @Test
    void ofEquallyHighBinsTheLastIsThePeakInWhateverOrderTheyAreSummed() {
        SplittableRandom random = new SplittableRandom(SEED);
        double[] kernel = Peaks.kernel(4);
        for (int i = 0; i < 2_000; i++) {
            long[] bins = new long[81];
            for (int sample = 0; sample < 3; sample++) {
                int aside = 1 + random.nextInt(12);
                bins[40 - aside]++;
                bins[40 + aside]++;
            }
            List<SmoothedHistogram.Basin> basins = new SmoothedHistogram(bins, kernel).basins();
            if (basins.size() == 1) {
                assertThat(basins.get(0).top()).as("%s", bins).isGreaterThanOrEqualTo(40);
            }
        }
    }

    /** A cell of few samples, as of a disk that others used: sums that were rounded had their peak at 1,079,982. */
    @Test
    void aPeakOfFewSamplesIsWhereTheExactSumsPutIt() {
        List<long[]> blocks =
                List.of(new long[] {1026338, 1150510, 1064809}, new long[] {4405395, 1025637, 1148149, 1108701});
        assertThat(Peaks.of(Replicates.of(List.of(blocks))))
                .singleElement()
                .satisfies(peak -> assertThat(peak.value()).isCloseTo(1_094_012.674, within(0.001)));
    }

    @Test
    void samplesThatDoNotVaryHaveOnePeakThere() {
        List<Peaks.Peak> found = Peaks.of(Replicates.of(List.of(List.of(new long[] {1000, 1000, 1000}))));
        assertThat(found).hasSize(1);
        assertThat(found.get(0).value()).isCloseTo(1000, within(1e-6));
        assertThat(found.get(0).share()).isEqualTo(1);
        assertThat(Peaks.of(Replicates.of(List.of(List.of(new long[] {0}))))).hasSize(1);
    }
}
