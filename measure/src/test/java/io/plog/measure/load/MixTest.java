package io.plog.measure.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.measure.plan.Mix;
import io.plog.measure.plan.SizeShare;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MixTest {
    @Test
    void theStudysMixHasItsPublishedShares() {
        List<SizeShare> shares = Mix.study().shares();
        assertThat(shares).extracting(SizeShare::leastBytes).containsExactly(100, 600, 5_000, 7_000);
        assertThat(shares).extracting(SizeShare::mostBytes).containsExactly(500, 4_000, 6_000, 900_000);
        double[] published = {0.2506, 0.2805, 0.2355, 0.2334};
        for (int i = 0; i < published.length; i++) {
            assertThat(shares.get(i).share()).isCloseTo(published[i], Offset.offset(0.001));
        }
        List<Mix.Sizes> sizes = Mix.study().sizes();
        assertThat(sizes.stream()
                                .mapToDouble(each -> each.weight() * each.leastBytes())
                                .sum()
                        / sizes.stream().mapToDouble(Mix.Sizes::weight).sum())
                .isBetween(13_000.0, 15_000.0);
        assertThat(Mix.parse("study")).isEqualTo(Mix.study());
    }

    @Test
    void drawnSizesAndKindsHaveTheirShares() {
        Mix mix = Mix.parse("100=10,1KB=30,2k-2999=60");
        LoadRequests.RequestDraw draw = new LoadRequests.RequestDraw(mix, 0.05, 20_261_121);
        LoadRequest drawn = new LoadRequest();
        Map<Integer, Integer> classes = new TreeMap<>();
        int logged = 0;
        long sumOfRange = 0;
        int n = 200_000;
        for (int i = 0; i < n; i++) {
            draw.next(drawn);
            classes.merge(mix.cellBytes(drawn.payloadBytes), 1, Integer::sum);
            logged += drawn.readOnly ? 0 : 1;
            if (drawn.payloadBytes >= 2_000) {
                assertThat(drawn.payloadBytes).isBetween(2_000, 2_999);
                sumOfRange += drawn.payloadBytes;
            }
        }
        assertThat(classes.keySet()).containsExactly(100, 1_000, 2_999);
        double[] expected = {0.1, 0.3, 0.6};
        int[] found = classes.values().stream().mapToInt(count -> count).toArray();
        double chiSquare = 0;
        for (int i = 0; i < expected.length; i++) {
            chiSquare += Math.pow(found[i] - n * expected[i], 2) / (n * expected[i]);
        }
        assertThat(chiSquare).isLessThan(13.8); // 0.1 % with two degrees of freedom
        assertThat((double) logged / n).isCloseTo(0.05, Offset.offset(0.002));
        assertThat((double) sumOfRange / found[2]).isCloseTo(2_499.5, Offset.offset(5.0));
    }

    @Test
    void theSharesOfKindsAreExactAtTheirEnds() {
        LoadRequests.RequestDraw all = new LoadRequests.RequestDraw(Mix.only(1), 1, 3);
        LoadRequests.RequestDraw none = new LoadRequests.RequestDraw(Mix.only(1), 0, 3);
        LoadRequest drawn = new LoadRequest();
        for (int i = 0; i < 10_000; i++) {
            all.next(drawn);
            assertThat(drawn.readOnly).isFalse();
            none.next(drawn);
            assertThat(drawn.readOnly).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            stdy                | mix is 'stdy' (did you mean 'study'?): expected study, or sizes with weights
            100=0,1k=0          | whose weights are all 0
            100=-1              | with the weight '-1': expected a number from 0
            100=x               | with the weight 'x': expected a number from 0
            100=NaN             | with the weight 'NaN': expected a number from 0
            100=1,100=2         | expected classes of sizes that do not overlap
            100-500=1,500-900=1 | expected classes of sizes that do not overlap
            500-100=1           | expected the smaller first
            1x=1                | not a size: '1x'
            100=1,,1k=1         | not a size: ''
            """)
    void anImpossibleMixIsRefused(String mix, String message) {
        assertThatThrownBy(() -> Mix.parse(mix))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(message);
    }
}
