package io.plog.results.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.results.cells.CellEstimates;
import io.plog.results.model.Claim;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.Ratio;
import io.plog.results.model.Results.Target;
import io.plog.stats.Comparison.NonInferiority;
import io.plog.stats.Estimate;
import io.plog.stats.Percentile;
import io.plog.stats.Tail;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClaimsTest {
    private static final Target DISK = new Target(1, "disk", "fdatasync", true, Map.of());
    private static final Target OTHER = new Target(2, "other", "fdatasync", true, Map.of());
    private static final Target CACHE = new Target(3, "cache", "write", false, Map.of());
    private static final Estimate ALL = new Estimate(1, 0.999, 1.0);
    private static final Target OFF = new Target(4, "off", "off", false, Map.of());

    /** How far the intervals of these cases reach to either side, in parts of the figure. */
    private static final double REACH = 0.1;

    private static Estimate estimate(double value) {
        return new Estimate(value, value * (1 - REACH), value * (1 + REACH));
    }

    private static Results.Quantile quantile(double q, double micros) {
        return new Results.Quantile(q, micros, new Results.Interval(micros * (1 - REACH), micros * (1 + REACH)));
    }

    /** A distribution whose figures are what a case needs: mean, median, 99.9th percentile, each with an interval of 10 %. */
    private static Distribution micros(double mean, double p50, double p999) {
        return new Distribution(
                mean,
                1,
                p50,
                p999,
                new Results.Interval(mean * (1 - REACH), mean * (1 + REACH)),
                Stream.of(Percentile.values())
                        .map(percentile -> quantile(percentile.q(), percentile.q() < Percentile.P999.q() ? p50 : p999))
                        .toList());
    }

    private static Estimate mean(Distribution distribution) {
        Results.Interval interval = distribution.meanInterval();
        return new Estimate(
                distribution.mean(),
                interval == null ? null : interval.low(),
                interval == null ? null : interval.high());
    }

    private static CellEstimates cell(
            Target target, int bytes, @Nullable Distribution log, Distribution endToEnd, Estimate share) {
        Tail none = new Tail(0, 0, 0, 0);
        Cell cell = new Cell(
                target.name(),
                target.force(),
                bytes,
                Map.of(),
                null,
                1000,
                0,
                0,
                1000,
                1,
                log,
                log,
                log,
                endToEnd,
                log == null ? null : none,
                none,
                List.of(),
                null,
                List.of(),
                List.of(),
                null,
                null,
                null,
                List.of(),
                null,
                null,
                null,
                null);
        return log == null
                ? new CellEstimates(cell, mean(endToEnd), null, null, null)
                : new CellEstimates(cell, mean(endToEnd), mean(log), share, estimate(endToEnd.mean() / log.mean()));
    }

    private static CellEstimates logged(Target target, int bytes, double log, double endToEnd) {
        return cell(target, bytes, micros(log, log, log), micros(endToEnd, endToEnd, endToEnd), ALL);
    }

    private static Claims.RunFacts run(Target target, int connections, List<CellEstimates> cells) {
        return new Claims.RunFacts(List.of(target), cells, List.of(), List.of(), true, connections);
    }

    private static Claim only(String id, Claims.RunFacts run) {
        List<Claim> found = Claims.judge(run).stream()
                .filter(claim -> claim.id().equals(id))
                .toList();
        assertThat(found).as(id).hasSize(1);
        return found.get(0);
    }

    private static Claims.RunFacts one(CellEstimates... cells) {
        return run(DISK, 1, List.of(cells));
    }

    @ParameterizedTest(name = "within 1000 µs: {0} to {1}: {2}")
    @CsvSource({"0.991, 1, HOLDS", "0.98, 0.9899, FAILS", "0.985, 0.995, UNDECIDED"})
    void z1NeedsNinetyNinePercentWithin1000Micros(double low, double high, Verdict verdict) {
        Distribution log = micros(500, 500, 500);
        Estimate share = new Estimate((low + high) / 2, low, high);
        Claim claim = only("Z1", one(cell(DISK, 100, log, log, ALL), cell(DISK, 100_000, log, log, share)));
        assertThat(claim.verdict()).isEqualTo(verdict);
        assertThat(claim.estimate()).isEqualTo(new Estimate(Units.rounded((low + high) / 2, 5), low, high));
    }

    @Test
    void aQuorumIsComparedWithTheForceOfThisMachine() {
        Target r1 = new Target(5, "r1", "quorum", true, Map.of());
        Target r3 = new Target(6, "r3", "quorum", true, Map.of());
        List<Cell> cells = List.of(
                logged(DISK, 1_000, 200, 300).cell(),
                logged(r1, 1_000, 500, 600).cell(),
                logged(r3, 1_000, 640, 700).cell(),
                logged(r3, 10_000, 900, 1_000).cell());
        assertThat(CostSentences.ofQuorums(cells))
                .containsExactly(
                        "Logging 1 kB takes 200 µs with disk on this machine; 500 µs with r1, 2.5 times as long;"
                                + " 640 µs with r3, 3.2 times as long (medians).");
        assertThat(CostSentences.ofQuorums(cells.subList(0, 1))).isEmpty();
    }

    @Test
    void z1LooksAtNoSizeAbove100Kilobytes() {
        Distribution log = micros(500, 500, 500);
        Estimate none = new Estimate(0, 0.0, 0.01);
        Claim claim = only("Z1", one(cell(DISK, 100, log, log, ALL), cell(DISK, 1_000_000, log, log, none)));
        assertThat(claim.verdict()).isEqualTo(Verdict.HOLDS);
    }

    @ParameterizedTest(name = "median {0} µs: {1}")
    @CsvSource({"90, HOLDS", "95, UNDECIDED", "112, FAILS"})
    void z2NeedsAMedianOf100MicrosAtEverySmallSize(double median, Verdict verdict) {
        Claim claim = only(
                "Z2", one(logged(DISK, 100, 50, 99), logged(DISK, 1024, median, 999), logged(DISK, 1025, 5000, 9000)));
        assertThat(claim.verdict()).isEqualTo(verdict);
        assertThat(Objects.requireNonNull(claim.estimate()).value()).isEqualTo(median);
    }

    @Test
    void aFigureWithoutAnIntervalDecidesNothing() {
        List<Results.Quantile> quantiles = Percentile.quantiles().stream()
                .map(q -> new Results.Quantile(q, 9, new Results.Interval(null, null)))
                .toList();
        Distribution none = new Distribution(9, 1, 9, 9, null, quantiles);
        Claim claim = only("Z2", one(cell(DISK, 100, none, none, ALL)));
        assertThat(claim.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(claim.estimate()).isEqualTo(new Estimate(9, null, null));
    }

    @Test
    void z2NeedsASmallSize() {
        assertThat(only("Z2", one(logged(DISK, 10_000, 50, 99))).verdict()).isEqualTo(Verdict.NOT_TESTABLE);
    }

    private static Claims.RunFacts disks(Target magnetic, Target solid, Estimate means, Estimate sds) {
        return new Claims.RunFacts(
                List.of(magnetic, solid),
                List.of(),
                List.of(),
                List.of(
                        new DiskClaims.Pair(magnetic.name(), solid.name(), 100, means, sds),
                        new DiskClaims.Pair(magnetic.name(), solid.name(), 50_000, means, sds)),
                true,
                1);
    }

    @ParameterizedTest(name = "magnetic disk takes {0} times as long, solid-state sd is {1}: {2} and {3}")
    @CsvSource({"1.3, 0.4, HOLDS, HOLDS", "1.4, 0.5, UNDECIDED, UNDECIDED", "1.7, 0.6, FAILS, FAILS"})
    void z3AndZ4CompareAMagneticDiskWithASolidStateOne(double means, double sds, Verdict z3, Verdict z4) {
        Claims.RunFacts run = disks(DISK, OTHER, estimate(means), estimate(sds));
        assertThat(only("Z3", run).verdict()).isEqualTo(z3);
        assertThat(only("Z4", run).verdict()).isEqualTo(z4);
        assertThat(only("Z4", run).detail()).contains("other", "disk", "50 kB");
    }

    @Test
    void z3AndZ4DoubtTheKindOfADiskThatLooksVirtual() {
        Map<String, String> real = Map.of("disk", "sda", "model", "SLOW DISK 4TB");
        Target magnetic = new Target(1, "disk", "fdatasync", true, real);
        Target solid = new Target(2, "other", "fdatasync", true, real);
        Target virtual = new Target(2, "other", "fdatasync", true, Map.of("disk", "vdb", "model", "unknown"));
        Target virtualMagnetic = new Target(1, "disk", "fdatasync", true, Map.of("disk", "vda", "model", "unknown"));
        for (String id : List.of("Z3", "Z4")) {
            assertThat(twoDisks(id, magnetic, solid).detail()).doesNotContain("virtual");
            assertThat(twoDisks(id, magnetic, virtual).detail()).contains("for other it is not certain");
            assertThat(twoDisks(id, virtualMagnetic, virtual).detail())
                    .contains("for disk and other it is not certain")
                    .doesNotContain("8.33 ms");
        }
        assertThat(twoDisks("Z3", magnetic, solid).detail()).contains("8.33 ms");
    }

    private static Claim twoDisks(String id, Target magnetic, Target solid) {
        return only(id, disks(magnetic, solid, estimate(1), estimate(1)));
    }

    @Test
    void z3AndZ4AreNotTestableOnASingleDisk() {
        Claims.RunFacts run = one(logged(DISK, 100, 50, 99));
        assertThat(only("Z3", run).verdict()).isEqualTo(Verdict.NOT_TESTABLE);
        assertThat(only("Z4", run).detail()).contains("it needs a magnetic and a solid-state disk");
    }

    @ParameterizedTest(name = "interval {0} to {1}: {2}")
    @CsvSource({"1.01, 1.09, HOLDS", "1.05, 1.10, UNDECIDED", "1.09, 1.2, UNDECIDED", "1.11, 1.2, FAILS"})
    void aSizeIsJudgedByItsWholeInterval(double low, double high, Verdict verdict) {
        assertThat(VerdictRules.atMost(new Estimate((low + high) / 2, low, high), Overheads.MARGIN))
                .isEqualTo(verdict);
    }

    private static List<Overheads.Judged> overheads(double... holdsErrors) {
        List<Overheads.Judged> overhead = new ArrayList<>();
        for (double error : holdsErrors) {
            Ratio ratio = new Ratio(1.1, 1.0, 1.2);
            Verdict plain = error < 0.025 ? Verdict.HOLDS : error > 0.975 ? Verdict.FAILS : Verdict.UNDECIDED;
            overhead.add(new Overheads.Judged(
                    new Overhead(
                            "disk",
                            100 * (overhead.size() + 1),
                            Map.of(),
                            "off",
                            110,
                            100,
                            ratio,
                            ratio,
                            true,
                            plain,
                            null,
                            null,
                            List.of(),
                            ""),
                    new NonInferiority(new Estimate(1.1, 1.0, 1.2), error, 1 - error)));
        }
        return overhead;
    }

    private static Claim z5(double... holdsErrors) {
        return only(
                "Z5",
                new Claims.RunFacts(
                        List.of(DISK),
                        List.of(logged(DISK, 100, 50, 110)),
                        Overheads.together(overheads(holdsErrors), true),
                        List.of(),
                        true,
                        1));
    }

    @Test
    void z5IsDecidedByMoreThanHalfOfTheSizes() {
        assertThat(z5(0.001, 0.001, 0.001, 0.999, 0.999).verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(z5(0.001, 0.001, 0.999, 0.999, 0.999).verdict()).isEqualTo(Verdict.FAILS);
        assertThat(z5(0.001, 0.001, 0.999, 0.999, 0.5).verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(z5(0.001, 0.999).verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(z5(0.5).verdict()).isEqualTo(Verdict.UNDECIDED);
    }

    @Test
    void z5CountsThatThereAreSeveralSizes() {
        assertThat(z5(0.02).verdict()).isEqualTo(Verdict.HOLDS);
        Claim three = z5(0.02, 0.02, 0.02);
        assertThat(three.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(three.detail()).contains("1.20) undecided", "for 3 sizes: 0 hold and 0 fail");
        assertThat(z5(0.008, 0.012, 0.02).verdict()).isEqualTo(Verdict.HOLDS);
    }

    @Test
    void z5NeedsATargetWithoutLogging() {
        assertThat(only("Z5", one(logged(DISK, 100, 50, 99))).verdict()).isEqualTo(Verdict.NOT_TESTABLE);
    }

    @ParameterizedTest(name = "99.9th percentile {0} µs: {1}")
    @CsvSource({"9000, HOLDS", "10000, UNDECIDED", "11200, FAILS"})
    void z6NeedsThe999thPermilleWithin10Milliseconds(double p999, Verdict verdict) {
        Distribution log = micros(50, 50, 50);
        assertThat(only("Z6", one(cell(DISK, 100, log, micros(99, 99, p999), ALL)))
                        .verdict())
                .isEqualTo(verdict);
    }

    @ParameterizedTest(name = "median {0} µs: {1}")
    @CsvSource({"136, HOLDS", "150, UNDECIDED", "167, FAILS"})
    void z7NeedsAMedianOfAbout100Micros(double median, Verdict verdict) {
        assertThat(only("Z7", one(logged(DISK, 100, 50, median), logged(DISK, 1000, 50, 900)))
                        .verdict())
                .isEqualTo(verdict);
    }

    @ParameterizedTest(name = "100 kB in {0} µs: {1}")
    @CsvSource({"800, HOLDS", "1000, UNDECIDED", "1300, FAILS"})
    void z1NeedsOver100MegabytesASecondAt100Kilobytes(double mean, Verdict verdict) {
        Claim claim = only("Z1", one(logged(DISK, 100, 500, 900), logged(DISK, 100_000, mean, 2000)));
        assertThat(claim.verdict()).isEqualTo(verdict);
        assertThat(claim.detail()).contains("100 B 0.20 (0.18 to 0.22)");
        assertThat(only("Z1", one(logged(DISK, 100, 500, 900))).detail()).contains("only the first half");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"Z1", "Z2", "Z6", "Z7", "Z8"})
    void aClaimAboutOneRequestAtATimeIsNotJudgedByManyConnections(String id) {
        List<CellEstimates> cells = List.of(logged(DISK, 100, 50, 99));
        assertThat(only(id, run(DISK, 1, cells)).verdict()).isNotEqualTo(Verdict.NOT_TESTABLE);
        Claim claim = only(id, run(DISK, 16, cells));
        assertThat(claim.verdict()).isEqualTo(Verdict.NOT_TESTABLE);
        assertThat(claim.detail()).contains("one request at a time", "16 under way");
    }

    @Test
    void z6SaysThatTooFewRequestsCanNeverShowIt() {
        Distribution log = micros(50, 50, 50);
        Claim claim = only("Z6", one(cell(DISK, 100, log, micros(99, 99, 10_000), ALL)));
        assertThat(claim.detail()).contains("With 1,000 requests", "--iterations");
    }

    @ParameterizedTest(name = "{0} times the logging latency: {1}")
    @CsvSource({"1.5, HOLDS", "1.25, UNDECIDED", "1.1, FAILS"})
    void z8NeedsAQuarterMore(double ratio, Verdict verdict) {
        Claim claim = only("Z8", one(logged(DISK, 100, 50, 200), logged(DISK, 1000, 50, 50 * ratio)));
        assertThat(claim.verdict()).isEqualTo(verdict);
        assertThat(Objects.requireNonNull(
                        Objects.requireNonNull(claim.estimate()).low()))
                .isGreaterThanOrEqualTo(1);
    }

    @Test
    void z8ReportsTheLeastRatio() {
        Claim claim = only("Z8", one(logged(DISK, 100, 50, 100), logged(DISK, 1000, 50, 75)));
        assertThat(claim.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(claim.detail()).contains("1.50 times (1.35 to 1.65)");
    }

    @ParameterizedTest(name = "{0} µs over a network: {1}")
    @CsvSource({"5200, HOLDS", "5800, HOLDS", "6500, UNDECIDED", "7300, FAILS", "3500, FAILS"})
    void z9NeedsAbout2600MicrosOneWayOverANetwork(double endToEnd, Verdict verdict) {
        List<CellEstimates> cells = List.of(cell(OFF, 100_000, null, micros(endToEnd, 1, 1), ALL));
        Claims.RunFacts network = new Claims.RunFacts(List.of(OFF), cells, List.of(), List.of(), false, 1);
        assertThat(only("Z9", network).verdict()).isEqualTo(verdict);
    }

    @Test
    void z9GivesItsFigureOnLoopbackButNoVerdict() {
        List<CellEstimates> cells = List.of(cell(OFF, 100_000, null, micros(200, 1, 1), ALL));
        Claim claim = only("Z9", run(OFF, 1, cells));
        assertThat(claim.verdict()).isEqualTo(Verdict.NOT_TESTABLE);
        assertThat(claim.detail()).contains("100 µs (90.0 to 110), 1,000 MB/s", "plog demo --link 1gbit");
    }

    @Test
    void z10NeedsALogOverSeveralDirectories() {
        Claim claim = only("Z10", one(logged(DISK, 100, 50, 99)));
        assertThat(claim.verdict()).isEqualTo(Verdict.NOT_TESTABLE);
        assertThat(claim.detail()).contains("--log NAME=DIR1+DIR2");
    }

    @ParameterizedTest(name = "1000 requests a second of {0} bytes, {1} connections: {2}")
    @CsvSource({"2000000, 1, HOLDS", "1000000, 64, UNDECIDED", "100000, 1, UNDECIDED", "100000, 64, FAILS"})
    void z10NeedsAGigabyteASecondAndEnoughConnectionsToFail(int bytes, int connections, Verdict verdict) {
        Target striped = new Target(1, "disk", "fdatasync", true, Map.of("path", "/a+/b"));
        Claim claim = only(
                "Z10",
                run(striped, connections, List.of(logged(striped, 100, 50, 99), logged(striped, bytes, 500, 999))));
        assertThat(claim.verdict()).isEqualTo(verdict);
        assertThat(Objects.requireNonNull(claim.estimate()).value()).isEqualTo(1000.0 * bytes);
    }

    @ParameterizedTest(name = "devices {0}: {1}")
    @CsvSource({"sda, NOT_TESTABLE", "sda+sdb, FAILS", "unknown, FAILS"})
    void z10IsNotTestableOnOneDevice(String device, Verdict verdict) {
        Target striped = new Target(1, "disk", "fdatasync", true, Map.of("path", "/a+/b", "device", device));
        Claim claim = only("Z10", run(striped, 64, List.of(logged(striped, 100, 50, 99))));
        assertThat(claim.verdict()).isEqualTo(verdict);
    }

    @Test
    void z5AndTheCardsGiveTheSameAnswer() {
        List<Overheads.Judged> cards = Overheads.together(overheads(0.02, 0.02, 0.02), true);
        assertThat(cards).extracting(card -> card.overhead().verdict()).containsOnly(Verdict.UNDECIDED);
        Claim three = z5(0.02, 0.02, 0.02);
        assertThat(three.detail()).contains("0 hold and 0 fail");
        assertThat(Overheads.together(overheads(0.001, 0.02, 0.999), true))
                .extracting(card -> card.overhead().verdict())
                .containsExactly(Verdict.HOLDS, Verdict.UNDECIDED, Verdict.FAILS);
        assertThat(z5(0.001, 0.001).detail()).contains("2 hold and 0 fail");
    }

    @Test
    void aSizeAloneIsJudgedByItself() {
        assertThat(Overheads.together(overheads(0.02), true))
                .extracting(card -> card.overhead().verdict())
                .containsExactly(Verdict.HOLDS);
    }

    @Test
    void onLoopbackZ5NamesTheGigabitSetting() {
        assertThat(z5(0.02).detail()).contains("plog demo --link 1gbit");
    }

    @Test
    void aTargetThatDoesNotForceIsJudgedAndNotCalledStable() {
        Claim claim = only("Z2", run(CACHE, 1, List.of(logged(CACHE, 100, 5, 40))));
        assertThat(claim.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(claim.stableStorage()).isFalse();
    }
}
