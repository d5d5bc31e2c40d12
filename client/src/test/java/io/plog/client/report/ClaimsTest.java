package io.plog.client.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.client.report.Results.Cell;
import io.plog.client.report.Results.Claim;
import io.plog.client.report.Results.Distribution;
import io.plog.client.report.Results.Overhead;
import io.plog.client.report.Results.Ratio;
import io.plog.client.report.Results.Target;
import io.plog.client.report.Results.Verdict;
import io.plog.client.stats.RatioEstimate;
import io.plog.client.stats.Tail;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClaimsTest {
    private static final Target DISK = new Target(1, "disk", "fdatasync", true, Map.of());
    private static final Target OTHER = new Target(2, "other", "fdatasync", true, Map.of());
    private static final Target CACHE = new Target(3, "cache", "write", false, Map.of());
    private static final Target OFF = new Target(4, "off", "off", false, Map.of());

    /** A distribution whose figures are what a case needs: mean, sd, median, 99.9th percentile. */
    private static Distribution micros(double mean, double sd, double p50, double p999) {
        return new Distribution(mean, sd, p50, p50, p50, p50, p50, p50, p50, p999, p999, true, null, List.of());
    }

    private static Cell cell(
            Target target, int bytes, @Nullable Distribution log, Distribution endToEnd, double share) {
        Tail none = new Tail(0, 0, 0, 0);
        return new Cell(
                target.name(),
                target.force(),
                bytes,
                1000,
                0,
                0,
                1,
                1,
                log,
                log,
                log,
                endToEnd,
                log == null ? null : share,
                1.0,
                log == null ? null : none,
                none,
                1.0,
                List.of(),
                null,
                List.of(),
                List.of(),
                null,
                null,
                null,
                List.of());
    }

    private static Cell logged(Target target, int bytes, double log, double endToEnd) {
        return cell(target, bytes, micros(log, 1, log, log), micros(endToEnd, 1, endToEnd, endToEnd), 1);
    }

    private static Claims.RunFacts run(List<Target> targets, List<Cell> cells) {
        return new Claims.RunFacts(targets, cells, List.of(), Map.of(), true);
    }

    private static Claim only(String id, Claims.RunFacts run) {
        List<Claim> found = Claims.judge(run).stream()
                .filter(claim -> claim.id().equals(id))
                .toList();
        assertThat(found).as(id).hasSize(1);
        return found.get(0);
    }

    private static Claims.RunFacts one(Cell... cells) {
        return run(List.of(DISK), List.of(cells));
    }

    @ParameterizedTest(name = "{0} within 1000 µs: {1}")
    @CsvSource({"1, HOLDS", "0.99, HOLDS", "0.9899, FAILS"})
    void z1WantsNinetyNinePercentWithin1000Micros(double share, Verdict verdict) {
        Distribution log = micros(500, 1, 500, 500);
        Claim claim = only("Z1", one(cell(DISK, 100, log, log, 1), cell(DISK, 100_000, log, log, share)));
        assertThat(claim.verdict()).isEqualTo(verdict);
    }

    @Test
    void z1LooksAtNoSizeAbove100Kilobytes() {
        Distribution log = micros(500, 1, 500, 500);
        Claim claim = only("Z1", one(cell(DISK, 100, log, log, 1), cell(DISK, 1_000_000, log, log, 0)));
        assertThat(claim.verdict()).isEqualTo(Verdict.HOLDS);
    }

    @ParameterizedTest(name = "median {0} µs: {1}")
    @CsvSource({"100, HOLDS", "100.001, FAILS"})
    void z2WantsAMedianOf100MicrosAtEverySmallSize(double median, Verdict verdict) {
        Claim claim = only(
                "Z2", one(logged(DISK, 100, 50, 99), logged(DISK, 1024, median, 999), logged(DISK, 1025, 5000, 9000)));
        assertThat(claim.verdict()).isEqualTo(verdict);
    }

    @Test
    void z2NeedsASmallSize() {
        assertThat(only("Z2", one(logged(DISK, 10_000, 50, 99))).verdict()).isEqualTo(Verdict.NOT_TESTABLE);
    }

    @ParameterizedTest(name = "magnetic disk takes {0} times as long, solid-state sd is {1}: {2} and {3}")
    @CsvSource({"1.5, 5, HOLDS, HOLDS", "1.51, 5.1, FAILS, FAILS"})
    void z3AndZ4CompareAMagneticDiskWithASolidStateOne(double factor, double sd, Verdict z3, Verdict z4) {
        Distribution end = micros(1000, 1, 1000, 1000);
        List<Cell> cells = List.of(
                cell(DISK, 100, micros(100 * factor, 1, 100, 100), end, 1),
                cell(OTHER, 100, micros(100, 1, 100, 100), end, 1),
                cell(DISK, 50_000, micros(100, 10, 100, 100), end, 1),
                cell(OTHER, 50_000, micros(100, sd, 100, 100), end, 1));
        Claims.RunFacts run =
                new Claims.RunFacts(List.of(DISK, OTHER), cells, List.of(), Map.of("disk", true, "other", false), true);
        assertThat(only("Z3", run).verdict()).isEqualTo(z3);
        assertThat(only("Z4", run).verdict()).isEqualTo(z4);
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
        List<Cell> cells = List.of(
                logged(magnetic, 100, 100, 1000),
                logged(solid, 100, 100, 1000),
                logged(magnetic, 50_000, 100, 1000),
                logged(solid, 50_000, 100, 1000));
        return only(
                id,
                new Claims.RunFacts(
                        List.of(magnetic, solid), cells, List.of(), Map.of("disk", true, "other", false), true));
    }

    @Test
    void z3AndZ4AreNotTestableOnASingleDisk() {
        Claims.RunFacts run = one(logged(DISK, 100, 50, 99));
        assertThat(only("Z3", run).verdict()).isEqualTo(Verdict.NOT_TESTABLE);
        assertThat(only("Z4", run).detail()).contains("needs a magnetic and a solid-state disk");
    }

    @ParameterizedTest(name = "interval {0} to {1}: {2}")
    @CsvSource({"1.01, 1.09, HOLDS", "1.05, 1.10, UNDECIDED", "1.09, 1.2, UNDECIDED", "1.11, 1.2, FAILS"})
    void aSizeIsJudgedByItsWholeInterval(double low, double high, Verdict verdict) {
        assertThat(Overheads.verdict(new RatioEstimate((low + high) / 2, low, high)))
                .isEqualTo(verdict);
    }

    @ParameterizedTest(name = "{0} hold, {1} fail, {2} undecided: {3}")
    @CsvSource({"3, 2, 0, HOLDS", "2, 3, 0, FAILS", "2, 2, 1, UNDECIDED", "0, 0, 1, UNDECIDED", "1, 1, 0, UNDECIDED"})
    void z5IsDecidedByMoreThanHalfOfTheSizes(int hold, int fail, int undecided, Verdict verdict) {
        List<Overhead> overhead = new ArrayList<>();
        Ratio ratio = new Ratio(1.1, 1, 1.2);
        for (int i = 0; i < hold + fail + undecided; i++) {
            Verdict each = i < hold ? Verdict.HOLDS : i < hold + fail ? Verdict.FAILS : Verdict.UNDECIDED;
            overhead.add(
                    new Overhead("disk", 100 * (i + 1), 110, 100, ratio, ratio, true, each, null, null, List.of(), ""));
        }
        Claims.RunFacts run =
                new Claims.RunFacts(List.of(DISK), List.of(logged(DISK, 100, 50, 110)), overhead, Map.of(), true);
        assertThat(only("Z5", run).verdict()).isEqualTo(verdict);
    }

    @Test
    void z5NeedsATargetWithoutLogging() {
        assertThat(only("Z5", one(logged(DISK, 100, 50, 99))).verdict()).isEqualTo(Verdict.NOT_TESTABLE);
    }

    @ParameterizedTest(name = "99.9th percentile {0} µs: {1}")
    @CsvSource({"10000, HOLDS", "10000.1, FAILS"})
    void z6WantsThe999thPermilleWithin10Milliseconds(double p999, Verdict verdict) {
        Distribution log = micros(50, 1, 50, 50);
        assertThat(only("Z6", one(cell(DISK, 100, log, micros(99, 1, 99, p999), 1)))
                        .verdict())
                .isEqualTo(verdict);
    }

    @ParameterizedTest(name = "median {0} µs: {1}")
    @CsvSource({"150, HOLDS", "151, FAILS"})
    void z7WantsAMedianOfAbout100Micros(double median, Verdict verdict) {
        assertThat(only("Z7", one(logged(DISK, 100, 50, median), logged(DISK, 1000, 50, 900)))
                        .verdict())
                .isEqualTo(verdict);
    }

    @Test
    void z8TellsTheLeastRatio() {
        Claim claim = only("Z8", one(logged(DISK, 100, 50, 100), logged(DISK, 1000, 50, 75)));
        assertThat(claim.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(claim.summary()).contains("x1.50");
    }

    @ParameterizedTest(name = "{0} µs over a network: {1}")
    @CsvSource({"5200, HOLDS", "6500, HOLDS", "6502, FAILS", "3898, FAILS"})
    void z9WantsAbout2600MicrosOneWayOverANetwork(double endToEnd, Verdict verdict) {
        List<Cell> cells = List.of(cell(OFF, 100_000, null, micros(endToEnd, 1, 1, 1), 1));
        Claims.RunFacts network = new Claims.RunFacts(List.of(OFF), cells, List.of(), Map.of(), false);
        assertThat(only("Z9", network).verdict()).isEqualTo(verdict);
    }

    @Test
    void z9GivesItsFigureOnLoopbackButNoVerdict() {
        List<Cell> cells = List.of(cell(OFF, 100_000, null, micros(200, 1, 1, 1), 1));
        Claim claim = only("Z9", run(List.of(OFF), cells));
        assertThat(claim.verdict()).isEqualTo(Verdict.NOT_TESTABLE);
        assertThat(claim.summary()).contains("100 µs one way, 1,000 MB/s");
    }

    @Test
    void aTargetThatDoesNotForceIsJudgedAndFlagged() {
        Claim claim = only("Z2", run(List.of(CACHE), List.of(logged(CACHE, 100, 5, 40))));
        assertThat(claim.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(claim.stableStorage()).isFalse();
        assertThat(claim.detail()).contains("Not stable storage");
    }
}
