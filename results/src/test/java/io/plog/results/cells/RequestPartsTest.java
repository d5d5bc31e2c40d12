package io.plog.results.cells;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.plog.measure.samples.Column;
import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.Samples;
import io.plog.results.Analysis;
import io.plog.results.compare.TestRun;
import io.plog.results.model.Results;
import io.plog.stats.numbers.Longs;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;

class RequestPartsTest {
    private static final RunInfo.Target LOGGED = target("fdatasync", "invert");
    private static final RunInfo.Target ORDERED = target("fdatasync", "chain");
    private static final RunInfo.Target OFF = target("off", "invert");

    private static RunInfo.Target target(String force, String service) {
        return new RunInfo.Target(0, "t", force, Map.of("service", service));
    }

    /** One request sent 30 ns late, with 400 ns of logging in a residence of 500. */
    private static Samples one(long execution) {
        Samples samples = new Samples(1);
        samples.begin();
        samples.set(Column.INTENDED, 1_000);
        samples.set(Column.SENT, 1_030);
        samples.set(Column.END_TO_END, 700);
        samples.set(Column.WAITING, 10);
        samples.set(Column.BATCH_WAIT, 20);
        samples.set(Column.WRITE, 120);
        samples.set(Column.FORCE, 250);
        samples.set(Column.EXECUTION, execution);
        samples.set(Column.RESIDENCE, 500);
        return samples;
    }

    private static long[] parts(RunInfo.Target target, long execution, boolean open) {
        return new RequestParts(target, one(execution), open, false).of(0);
    }

    @Test
    void executionDuringTheForceTakesNothingUnlessItLastsLonger() {
        assertThat(parts(LOGGED, 90, true)).containsExactly(30, 200, 10, 20, 120, 250, 0, 100);
        assertThat(parts(LOGGED, 460, true)).containsExactly(30, 200, 10, 20, 120, 250, 60, 40);
    }

    @Test
    void executionInLogOrderOrWithoutALogIsOnThePath() {
        assertThat(parts(ORDERED, 90, true)).containsExactly(30, 200, 10, 20, 120, 250, 90, 10);
        assertThat(parts(OFF, 90, true)).containsExactly(30, 200, 10, 20, 120, 250, 90, 10);
        RunInfo.Target after = new RunInfo.Target(
                LOGGED.id(), LOGGED.name(), LOGGED.force(), Map.of("service", "invert", "executes", "after the force"));
        assertThat(parts(after, 90, true)).containsExactly(30, 200, 10, 20, 120, 250, 90, 10);
    }

    @Test
    void aClosedLoopHasNoScheduleToLagBehind() {
        assertThat(parts(LOGGED, 90, false)).containsExactly(0, 200, 10, 20, 120, 250, 0, 100);
    }

    private static Samples anything(Random random, int count) {
        Samples samples = new Samples(count);
        for (int i = 0; i < count; i++) {
            samples.begin();
            for (Column column : Column.values()) {
                samples.set(column, random.nextLong() >>> (8 + random.nextInt(50)));
            }
        }
        return samples;
    }

    @Test
    void thePartsOfEveryRequestAddUpToItsLatencyToTheNanosecond() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        Samples samples = anything(random, 5_000);
        for (RunInfo.Target target : List.of(LOGGED, ORDERED, OFF)) {
            for (boolean open : new boolean[] {true, false}) {
                RequestParts parts = new RequestParts(target, samples, open, false);
                for (int i = 0; i < samples.count(); i++) {
                    assertThat(Arrays.stream(parts.of(i)).sum()).isEqualTo(parts.latencyNanos(i));
                    assertThat(parts.latencyNanos(i))
                            .isEqualTo(samples.get(Column.END_TO_END, i)
                                    + (open ? samples.get(Column.SENT, i) - samples.get(Column.INTENDED, i) : 0));
                }
            }
        }
    }

    @Test
    void thePartsOfMeansAddUpToTheMeanToTheNanosecond() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 500; round++) {
            Samples samples = new Samples(100);
            int count = 1 + random.nextInt(300);
            for (int i = 0; i < count; i++) {
                samples.begin();
                for (Column column : Column.values()) {
                    samples.set(column, random.nextInt(1_000_000));
                }
            }
            Results.Components found = components(new RequestParts(LOGGED, samples, true, false), count);
            assertThat(nanos(found.parts())).isEqualTo(Math.round(found.endToEndMicros() * 1_000));
            assertThat(found.parts().stream().mapToDouble(Results.Part::share).sum())
                    .isCloseTo(1, within(1e-4));
            assertThat(found.parts()).extracting(Results.Part::name).isEqualTo(LatencyPart.names(false));
        }
    }

    /** To call that wait the network's books blocking as network. */
    @Test
    void whatWaitsUnreadForALoopThatBlocksIsNotCalledNetwork() {
        Samples samples = one(0);
        RequestParts blocking = new RequestParts(LOGGED, samples, false, true);
        assertThat(blocking.names()).contains("unread or network").doesNotContain("network and client");
        assertThat(blocking.components(0)).extracting(Results.Part::name).isEqualTo(blocking.names());
        assertThat(blocking.names()).hasSameSizeAs(LatencyPart.names(false));
    }

    @Test
    void onlyTheLoopOfTheDesignInlineBlocks() throws IOException {
        assertThat(networkOf("inline")).isEqualTo("unread or network");
        assertThat(networkOf("threads=8")).isEqualTo("network and client");
    }

    private static String networkOf(String design) throws IOException {
        TestRun served = TestRun.of(30, 1).with("server", Map.of("design", design));
        Results.Components components = Analysis.results(served).cells().get(0).components();
        return Objects.requireNonNull(components).parts().get(1).name();
    }

    private static long nanos(List<Results.Part> parts) {
        return parts.stream()
                .mapToLong(part -> Math.round(part.micros() * 1_000))
                .sum();
    }

    private static Results.Components components(RequestParts parts, int count) {
        Longs all = Longs.of(count, i -> i);
        return parts.components(all, all.map(parts::latencyNanos).sorted());
    }

    @Test
    void theBandsAreTheRequestsAroundTheMedianAndThe99thPercentile() {
        Samples samples = new Samples(1_000);
        for (int i = 0; i < 1_000; i++) {
            samples.begin();
            // Latencies 1 to 1000 µs in some order, all of it force.
            long nanos = 1_000L * (1 + (i * 617) % 1_000);
            samples.set(Column.END_TO_END, nanos);
            samples.set(Column.RESIDENCE, nanos);
            samples.set(Column.FORCE, nanos);
        }
        Results.Components found = components(new RequestParts(LOGGED, samples, false, false), 1_000);
        assertThat(force(found.parts())).isEqualTo(500.5);
        assertThat(force(found.atMedian())).isEqualTo(500); // 450 to 550
        assertThat(force(found.atP99())).isEqualTo(990); // 985 to 995
    }

    private static double force(List<Results.Part> parts) {
        return parts.get(5).micros();
    }
}
