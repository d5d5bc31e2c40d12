package io.plog.results.cells;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.Samples;
import io.plog.stats.numbers.Longs;
import org.junit.jupiter.api.Test;

final class SteadinessTest {
    private static final int REQUESTS = 1_000;

    /** Trials of requests that take 100 µs, a little noise, and a trend over the trial. */
    private static Steadiness trials(double... trends) {
        Samples samples = new Samples(REQUESTS * trends.length);
        for (int trial = 0; trial < trends.length; trial++) {
            for (int i = 0; i < REQUESTS; i++) {
                samples.begin();
                samples.set(Column.TRIAL, trial);
                double trend = 1 + trends[trial] * i / REQUESTS;
                samples.set(Column.END_TO_END, (long) (100_000 * trend) + (i * 7_919L) % 5_003);
            }
        }
        return requireNonNull(Steadiness.of(samples, Longs.of(samples.count(), i -> i)));
    }

    @Test
    void cellsThatStayAsTheyAreAreSteady() {
        assertThat(trials(0)).matches(Steadiness::reached).matches(cell -> !cell.isFar(0));
        assertThat(trials(0).detail()).isEqualTo("steady in its one trial");
        assertThat(trials(0, 0, 0).detail()).isEqualTo("steady in 3 of 3 trials");
    }

    @Test
    void aTrendIsReportedWithItsTrial() {
        assertThat(trials(0.15).detail()).startsWith("does not come to rest in its first half, trend to x1.0");
        assertThat(trials(0.15).isFar(0)).isFalse();
        assertThat(trials(0, 0.15, 0).detail()).startsWith("steady in 2 of 3 trials; trial 2 does not");
    }

    @Test
    void aCellIsNotSteadyIfHalfOfItsTrialsTrendOneWay() {
        assertThat(trials(0, 0.15, 0).reached()).isTrue();
        assertThat(trials(0.15, 0).reached()).isFalse();
        assertThat(trials(0.15, 0.15, 0).reached()).isFalse();
        assertThat(trials(0.15, 1.5, 1.5).reached()).isFalse();
        assertThat(trials(1.5, 0, -0.8).reached()).as("one up, one down").isTrue();
    }

    @Test
    void aCellIsFarFromSteadyIfHalfOfItsTrialsAre() {
        assertThat(trials(1.5).isFar(0)).isTrue();
        assertThat(trials(0, 1.5).isFar(0)).isTrue();
        assertThat(trials(0, 1.5, 0).isFar(0)).isFalse();
    }

    @Test
    void aTrendCountsBeyondSoManyMicroseconds() {
        Steadiness rising = trials(1.5); // behind the cut, its second half, from 175 to 250 µs
        assertThat(rising.isFar(60)).isTrue();
        assertThat(rising.isFar(90)).isFalse();
        assertThat(rising.worstDrift()).isBetween(1.3, 1.5);
        assertThat(trials(-0.8).worstDrift()).as("a fall is a factor, too").isBetween(0.2, 0.45);
        assertThat(trials(-0.8).detail()).contains("to x0.");
        assertThat(trials(0.4, -0.8, 1.5).worstDrift())
                .as("the farthest from 1")
                .isBetween(0.2, 0.45);
    }

    @Test
    void aFewRequestsSayNothing() {
        Samples samples = new Samples(10);
        for (int i = 0; i < 10; i++) {
            samples.begin();
            samples.set(Column.END_TO_END, 1_000L * i);
        }
        Steadiness found = requireNonNull(Steadiness.of(samples, Longs.of(10, i -> i)));
        assertThat(found.reached()).isTrue();
        assertThat(found.detail()).isEqualTo("too short to say");
        assertThat(Steadiness.of(samples, Longs.of())).isNull();
    }
}
