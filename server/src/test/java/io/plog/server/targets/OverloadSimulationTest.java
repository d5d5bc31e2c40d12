package io.plog.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import java.util.function.IntToLongFunction;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Holds what {@link ExpectedWait} refuses against when it would have been answered, on simulated devices, in simulated time.
 */
class OverloadSimulationTest {
    private static final long MS = 1_000_000;
    private static final long LIMIT = 50 * MS;
    private static final long SECOND = 1_000 * MS;

    /** The corners of what {@link OverloadSimulationCampaignTest} tries. */
    static Stream<Arguments> devices() {
        return devices(List.of(300, 20_000), List.of(0.0, 50.0), List.of(100, 100_000));
    }

    /** Forces in µs, nanoseconds for each byte, and how many bytes a request has. */
    static Stream<Arguments> devices(List<Integer> forces, List<Double> byteCosts, List<Integer> sizes) {
        return forces.stream()
                .flatMap(force -> byteCosts.stream()
                        .flatMap(byteCost -> sizes.stream().map(bytes -> Arguments.of(force, byteCost, bytes))));
    }

    /** No force takes longer than the others. */
    private static long none(int group) {
        return 0;
    }

    private static OverloadedLog log(int forceMicros, double byteCost, IntToLongFunction stall) {
        return new OverloadedLog(OverloadedLog.waitOf(LIMIT), forceMicros * 1_000L, byteCost, stall);
    }

    /** Back to back, as one connection or many send them. */
    private static void burst(OverloadedLog log, long at, int bytes) {
        burst(log, at, bytes == 100 ? 1_000 : 40, bytes);
    }

    private static void burst(OverloadedLog log, long at, int requests, int bytes) {
        for (int i = 0; i < requests; i++) {
            log.arrive(at + i * 1_000L, bytes);
        }
    }

    /** One at a time, each when the one before is long answered; returns when the last one is. */
    private static long oneAtATime(OverloadedLog log, int count, int forceMicros, int bytes) {
        long gap = Math.max(5 * MS, 2_000L * forceMicros) + 100L * bytes;
        for (int i = 0; i < count; i++) {
            log.arrive(i * gap, bytes);
        }
        return count * gap;
    }

    private static void poisson(OverloadedLog log, double perSecond, long from, long until, int bytes, Random random) {
        double at = from;
        while (at < until) {
            log.arrive((long) at, bytes);
            at -= Math.log(1 - random.nextDouble()) * SECOND / perSecond;
        }
    }

    private static double capacity(int forceMicros, double byteCost, int bytes) {
        double records = Math.min(OverloadedLog.GROUP_RECORDS, OverloadedLog.GROUP_BYTES / bytes);
        double nanos = forceMicros * 1_000 / records + byteCost * (bytes + 64);
        return Math.min(40_000, SECOND / nanos);
    }

    private static void noneRefusedThatWouldHaveBeenAnswered(List<OverloadedLog.Outcome> outcomes) {
        assertThat(outcomes).isNotEmpty();
        assertThat(outcomes.stream().filter(each -> each.refused() && each.waitNanos() <= LIMIT))
                .isEmpty();
    }

    private static double p99Millis(List<OverloadedLog.Outcome> outcomes, long from) {
        long[] waits = outcomes.stream()
                .filter(each -> !each.refused() && each.arrival() >= from)
                .mapToLong(OverloadedLog.Outcome::waitNanos)
                .sorted()
                .toArray();
        return waits[(int) (waits.length * 0.99)] / (double) MS;
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aBurstAfterIdleIsNotRefused(int forceMicros, double byteCost, int bytes) {
        OverloadedLog log = log(forceMicros, byteCost, OverloadSimulationTest::none);
        burst(log, 0, bytes);
        burst(log, 10 * SECOND, bytes);
        noneRefusedThatWouldHaveBeenAnswered(log.outcomes());
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aBurstAfterSingleRequestsIsNotRefused(int forceMicros, double byteCost, int bytes) {
        OverloadedLog log = log(forceMicros, byteCost, OverloadSimulationTest::none);
        burst(log, oneAtATime(log, 200, forceMicros, bytes), bytes);
        noneRefusedThatWouldHaveBeenAnswered(log.outcomes());
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aBurstAfterASlowForceIsNotRefused(int forceMicros, double byteCost, int bytes) {
        OverloadedLog log = log(forceMicros, byteCost, group -> group == 199 ? 500 * MS : 0);
        burst(log, oneAtATime(log, 200, forceMicros, bytes) + 600 * MS, bytes);
        noneRefusedThatWouldHaveBeenAnswered(log.outcomes());
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aBurstAfterOneThatMetASlowForceIsNotRefused(int forceMicros, double byteCost, int bytes) {
        OverloadedLog log = log(forceMicros, byteCost, group -> group == 201 ? 500 * MS : 0);
        long end = oneAtATime(log, 200, forceMicros, bytes);
        burst(log, end, bytes);
        burst(log, end + 1_500 * MS, bytes);
        assertThat(log.outcomes().stream()
                        .filter(each -> each.arrival() > end + SECOND && each.refused() && each.waitNanos() <= LIMIT))
                .isEmpty();
    }

    @ParameterizedTest
    @MethodSource("devices")
    void belowTheCapacityNothingIsRefusedThatWouldHaveBeenAnswered(int forceMicros, double byteCost, int bytes) {
        double capacity = capacity(forceMicros, byteCost, bytes);
        for (double load : new double[] {0.5, 0.95}) {
            OverloadedLog log = log(forceMicros, byteCost, OverloadSimulationTest::none);
            poisson(log, load * capacity, 0, 3 * SECOND, bytes, new Random(7));
            noneRefusedThatWouldHaveBeenAnswered(log.outcomes());
        }
    }

    /** Beyond its onset: what bytes cost is known when a few large groups are forced. */
    @ParameterizedTest
    @MethodSource("devices")
    void atThreeTimesTheCapacityThoseTakenAreAnsweredInTime(int forceMicros, double byteCost, int bytes) {
        OverloadedLog log = log(forceMicros, byteCost, OverloadSimulationTest::none);
        poisson(log, 3 * capacity(forceMicros, byteCost, bytes), 0, 6 * SECOND, bytes, new Random(7));
        double granted = Math.max(LIMIT, 4_000L * forceMicros) / (double) MS;
        assertThat(p99Millis(log.outcomes(), 3 * SECOND)).isLessThan(3 * granted);
    }

    /** As the limits of a container or of a rented disk: small groups wait for the next slice, too, and most others for none. */
    @ParameterizedTest
    @CsvSource({"300, 1000", "300, 10000", "300, 100000", "1200, 10000"})
    void aDeviceThatGivesOutItsTimeInSlicesIsNotTakenForAFastOne(int forceMicros, int bytes) {
        double capacity = capacity(forceMicros, 50, bytes);
        double[] p99 = new double[2];
        for (int i = 0; i < 2; i++) {
            OverloadedLog log =
                    log(forceMicros, 50, OverloadSimulationTest::none).inSlicesOf(100 * MS);
            poisson(log, (i == 0 ? 0.95 : 3) * capacity, 0, 12 * SECOND, bytes, new Random(7));
            p99[i] = p99Millis(log.outcomes(), 3 * SECOND);
        }
        assertThat(p99[1]).isLessThan(3 * Math.max(p99[0], LIMIT / (double) MS));
        assertThat(p99[1]).isLessThan(200);
    }

    @ParameterizedTest
    @MethodSource("devices")
    void aDeviceThatBecomesFastAgainIsUsedAgainWithinThreeSeconds(int forceMicros, double byteCost, int bytes) {
        double capacity = capacity(forceMicros, byteCost, bytes);
        OverloadedLog log = log(forceMicros, byteCost, group -> group > 5 && group < 30 ? 100 * MS : 0);
        poisson(log, 0.5 * capacity, 0, 12 * SECOND, bytes, new Random(7));
        List<OverloadedLog.Outcome> outcomes = log.outcomes();
        assertThat(outcomes.stream()
                        .filter(each -> each.arrival() > 9 * SECOND && each.refused() && each.waitNanos() <= LIMIT))
                .isEmpty();
    }

    /**
     * Forces of 5 ms; a time in which whatever else the machine does holds groups up, while requests come one by one or in
     * bursts; and bursts then. The first few forces may still be held against them.
     */
    @ParameterizedTest
    @MethodSource("crowdedMoments")
    void burstsAfterACrowdedMomentAreNotRefused(int perSecond, int heldUpMillis, int gapMillis) {
        for (int requests : new int[] {100, 300, 1_000}) {
            long seed = requests + 31L * (gapMillis + 31L * (heldUpMillis + 31L * perSecond));
            Random random = new Random(seed);
            long begin = 2 * SECOND;
            long end = begin + 2 * SECOND;
            OverloadedLog[] made = new OverloadedLog[1];
            made[0] = log(
                    5_000,
                    0,
                    group -> made[0].now() > begin && made[0].now() < end ? random.nextInt(heldUpMillis + 1) * MS : 0);
            OverloadedLog log = made[0];
            oneAtATime(log, 150, 5_000, 100);
            poisson(log, perSecond, begin, end, 100, random);
            long quiet = end + heldUpMillis * MS + 8 * Math.max(5, gapMillis) * MS; // a few forces
            for (long burst = end; burst < end + SECOND; burst += gapMillis * MS) {
                burst(log, burst, burst < quiet ? 1 : requests, 100);
            }
            assertThat(log.outcomes().stream()
                            .filter(each -> each.arrival() >= quiet && each.refused() && each.waitNanos() <= LIMIT))
                    .as("%d requests, seed %d", requests, seed)
                    .isEmpty();
        }
    }

    static Stream<Arguments> crowdedMoments() {
        return crowdedMoments(List.of(100, 2_000), List.of(20, 300), List.of(5, 100));
    }

    static Stream<Arguments> crowdedMoments(List<Integer> perSecond, List<Integer> heldUpMillis, List<Integer> gaps) {
        return perSecond.stream()
                .flatMap(rate -> heldUpMillis.stream()
                        .flatMap(heldUp -> gaps.stream().map(gap -> Arguments.of(rate, heldUp, gap))));
    }
}
