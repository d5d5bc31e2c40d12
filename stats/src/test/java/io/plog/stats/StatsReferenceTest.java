package io.plog.stats;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.assertj.core.data.Offset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Agrees with what {@code tools/stats-reference} computed with SciPy and statsmodels from the same samples. */
final class StatsReferenceTest {
    /** Relative; the distributions' tails are computed in other ways there. */
    private static final double TOLERANCE = 1e-7;

    private static JsonNode reference;

    @BeforeAll
    static void read() throws IOException {
        try (InputStream in = Objects.requireNonNull(StatsReferenceTest.class.getResourceAsStream("reference.json"))) {
            reference = new ObjectMapper().readTree(in);
        }
    }

    private static Replicates samples(JsonNode trials) {
        List<List<long[]>> all = new ArrayList<>();
        for (JsonNode trial : trials) {
            List<long[]> blocks = new ArrayList<>();
            trial.forEach(block -> blocks.add(StreamSupport.stream(block.spliterator(), false)
                    .mapToLong(JsonNode::longValue)
                    .toArray()));
            all.add(blocks);
        }
        return Replicates.of(all);
    }

    private static Offset<Double> close(double expected) {
        return within(Math.max(1e-12, Math.abs(expected) * TOLERANCE));
    }

    private static void agrees(String what, double found, double expected) {
        assertThat(found).as(what).isCloseTo(expected, close(expected));
    }

    /** An estimate against value, low and high, from the given place of an array on. */
    private static void agrees(String what, Estimate found, JsonNode expected, int from) {
        agrees(what, found.value(), expected.get(from).doubleValue());
        agrees(what + ", low", found.low(), expected.get(from + 1));
        agrees(what + ", high", found.high(), expected.get(from + 2));
    }

    private static void agrees(String what, @Nullable Double found, JsonNode expected) {
        if (expected.isNull()) {
            assertThat(found).as(what).isNull();
        } else {
            agrees(what, Objects.requireNonNull(found, what).doubleValue(), expected.doubleValue());
        }
    }

    @Test
    void theFiguresOfACellAgree() {
        assertThat(reference.path("comparisons")).hasSize(3);
        for (JsonNode c : reference.path("comparisons")) {
            Replicates cell = samples(c.path("treated"));
            Estimates estimates = Estimates.of(cell);
            agrees("mean", estimates.mean(), c.path("mean"), 0);
            assertThat(c.path("quantiles")).hasSize(8);
            for (JsonNode quantile : c.path("quantiles")) {
                double q = quantile.get(0).doubleValue();
                agrees("quantile " + q, estimates.quantile(q), quantile, 1);
            }
            agrees("share", estimates.share(c.path("shareLimit").longValue()), c.path("share"), 0);
            SerialDependence dependence = SerialDependence.of(cell);
            agrees("lag 1", dependence.lag1(), c.path("lag1").doubleValue());
            agrees(
                    "effective count",
                    dependence.effectiveCount(),
                    c.path("effectiveCount").doubleValue());
            Fences fences = Fences.of(cell.ascending());
            assertThat(List.of(fences.low(), fences.mildHigh(), fences.severeHigh()))
                    .isEqualTo(IntStream.range(0, 3)
                            .mapToObj(i -> c.path("fences").get(i).longValue())
                            .toList());
        }
    }

    @Test
    void comparisonsAgreePairedAndNot() {
        for (JsonNode c : reference.path("comparisons")) {
            boolean paired = c.path("paired").booleanValue();
            Replicates treated = samples(c.path("treated"));
            Replicates control = samples(c.path("control"));
            Comparison found = Comparison.of(treated, control, paired);
            agrees("difference of means", found.differenceOfMeans(), c.path("differenceOfMeans"), 0);
            agrees("ratio of means", found.ratioOfMeans(), c.path("ratioOfMeans"), 0);
            agrees("superiority", found.superiority(), c.path("superiority").doubleValue());
            assertThat(c.path("shift")).hasSize(5);
            for (JsonNode shift : c.path("shift")) {
                double q = shift.get(0).doubleValue();
                agrees("shift at " + q, found.differenceOfQuantiles(q), shift, 1);
            }
            agrees(
                    "p at the margin",
                    found.nonInferiority(1.1).holdsError(),
                    c.path("holdsError").doubleValue());
        }
    }

    @Test
    void holmsAdjustmentAgrees() {
        JsonNode holm = reference.path("holm");
        double[] adjusted = Holm.adjusted(StreamSupport.stream(holm.path("p").spliterator(), false)
                .mapToDouble(JsonNode::doubleValue)
                .toArray());
        for (int i = 0; i < adjusted.length; i++) {
            agrees("test " + i, adjusted[i], holm.path("adjusted").get(i).doubleValue());
        }
    }

    @Test
    void peaksLieWhereAKernelDensityHasThem() {
        JsonNode two = reference.path("twoPeaks");
        List<Peaks.Peak> peaks = Peaks.of(samples(two.path("samples")));
        assertThat(peaks).hasSameSizeAs(two.path("at"));
        for (int i = 0; i < peaks.size(); i++) {
            double expected = two.path("at").get(i).doubleValue();
            assertThat(peaks.get(i).value()).isCloseTo(expected, within(0.02 * expected));
        }
    }

    @Test
    void ranksOfIndependentSamplesAgree() {
        for (JsonNode ranks : reference.path("binomialRanks")) {
            int count = ranks.get(0).intValue();
            double q = ranks.get(1).doubleValue();
            assertThat((int) Estimates.lowRank(count, q)).isEqualTo(ranks.get(2).intValue());
            assertThat(count + 1 - (int) Estimates.lowRank(count, 1 - q))
                    .isEqualTo(ranks.get(3).intValue());
        }
    }
}
