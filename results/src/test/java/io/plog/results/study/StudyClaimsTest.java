package io.plog.results.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.plan.StudyCell;
import io.plog.measure.samples.Bin;
import io.plog.results.model.Claim;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Distribution;
import io.plog.results.model.Results.Inversion;
import io.plog.results.model.Results.UnderLoad;
import io.plog.stats.Estimate;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules of R3 and R5, each with figures on either side of what decides: whole intervals, never values. */
final class StudyClaimsTest {
    private static final double RANDOM = 0.6;

    private static Estimate estimate(@Nullable Double low, @Nullable Double high) {
        double value = low == null || high == null ? 1 : (low + high) / 2;
        return new Estimate(value, low, high);
    }

    private static Cell load(String design, Estimate inversion, @Nullable Estimate ready) {
        return load(design, "fdatasync", inversion, ready);
    }

    private static Cell load(String design, String force, Estimate inversion, @Nullable Estimate ready) {
        Distribution latency = new Distribution(1, 1, 1, 1, null, List.of());
        return new Cell(
                design,
                force,
                1000,
                Map.of(StudyCell.LOAD, StudyCell.RELATIVE, StudyCell.LEVEL, "0.95"),
                null,
                1_000,
                0,
                0,
                1_000,
                1,
                null,
                null,
                null,
                latency,
                null,
                null,
                List.of(),
                latency,
                List.of(),
                List.of(),
                null,
                null,
                null,
                List.of(),
                null,
                new UnderLoad(
                        List.of(),
                        List.of(),
                        null,
                        new Estimate(1_000, null, null),
                        new Estimate(1, null, null),
                        null,
                        List.of(new Bin(1, 1, 10)),
                        List.of(new Bin(2, 2, 10)),
                        ready,
                        new Inversion(inversion, new Estimate(RANDOM, RANDOM, RANDOM)),
                        null,
                        null),
                null,
                null);
    }

    private static Claim finding(String id, List<Cell> loads, List<Cell> inMemory) {
        return StudyClaims.judge(
                        StudyCells.of(
                                List.of("dedicated", "inline", "threads=8"),
                                Stream.concat(loads.stream(), inMemory.stream()).toList(),
                                List.of()),
                        3)
                .stream()
                .filter(each -> each.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static Claim r3(Estimate dedicated, Estimate inline, Estimate threads) {
        return finding(
                "R3",
                List.of(
                        load("dedicated", dedicated, null),
                        load("inline", inline, null),
                        load("threads=8", threads, null)),
                List.of());
    }

    /** 0.9 of the random order's 0.6 is 0.54. */
    @ParameterizedTest(name = "dedicated {0} to {1}, inline {2} to {3}: {4}")
    @CsvSource({
        "0.40, 0.53, 0.55, 0.60, HOLDS",
        "0.40, 0.55, 0.55, 0.60, UNDECIDED", // dedicated's value is low, its interval is not
        "0.40, 0.53, 0.53, 0.66, UNDECIDED", // inline's value is near random, its interval is not
        "0.54, 0.60, 0.55, 0.60, FAILS",
        "0.30, 0.40, 0.30, 0.53, UNDECIDED", // one blocking design in the order of sizes is not all
    })
    void inversionIsDecidedByWholeIntervals(
            double dedicatedLow, double dedicatedHigh, double inlineLow, double inlineHigh, Verdict verdict) {
        Estimate nearRandom = estimate(0.57, 0.6);
        assertThat(r3(estimate(dedicatedLow, dedicatedHigh), estimate(inlineLow, inlineHigh), nearRandom)
                        .verdict())
                .isEqualTo(verdict);
    }

    @Test
    void inversionDiffersWhereEveryBlockingDesignKeepsTheOrderOfSizes() {
        Estimate orderly = estimate(0.3, 0.5);
        assertThat(r3(estimate(0.2, 0.3), orderly, orderly).verdict()).isEqualTo(Verdict.FAILS);
        assertThat(r3(estimate(0.2, 0.3), orderly, estimate(0.3, 0.55)).verdict())
                .isEqualTo(Verdict.UNDECIDED);
    }

    @Test
    void inversionWithoutAnIntervalDecidesNothing() {
        assertThat(r3(estimate(null, null), estimate(0.57, 0.6), estimate(0.57, 0.6))
                        .verdict())
                .isEqualTo(Verdict.UNDECIDED);
        assertThat(r3(estimate(0.2, 0.3), estimate(null, null), estimate(0.57, 0.6))
                        .verdict())
                .isEqualTo(Verdict.UNDECIDED);
    }

    @Test
    void inversionInMemoryStandsNextToItAndDecidesNothing() {
        List<Cell> loads = List.of(
                load("dedicated", estimate(0.4, 0.5), null),
                load("inline", estimate(0.57, 0.6), null),
                load("threads=8", estimate(0.57, 0.6), null));
        Cell inMemory = load("dedicated", "off", estimate(0.58, 0.6), null);
        Claim finding = finding("R3", loads, List.of(inMemory));
        assertThat(finding.verdict()).isEqualTo(Verdict.HOLDS);
        assertThat(finding.detail()).contains("In memory, where nothing is logged: dedicated 0.59 (0.58 to 0.60)");
    }

    /** Limits: a burst is a ratio above 2, none is one below 1.1; the ratio is as wide as both intervals allow. */
    @ParameterizedTest(name = "inline {0} to {1}, dedicated {2} to {3}: {4}")
    @CsvSource({
        "7.0, 9.0, 1.8, 2.2, HOLDS", // at least 7 / 2.2
        "3.0, 7.0, 1.5, 2.5, UNDECIDED", // 2.5 in the middle, but at least 1.2
        "1.95, 2.05, 1.95, 2.05, FAILS", // at most 1.05
        "1.5, 2.5, 1.5, 2.5, UNDECIDED", // 1 in the middle, but up to 1.7
        "2.4, 2.6, 1.9, 2.1, UNDECIDED", // surely more, surely no burst
    })
    void burstsAreDecidedByWholeIntervals(
            double inlineLow, double inlineHigh, double dedicatedLow, double dedicatedHigh, Verdict verdict) {
        Estimate any = estimate(0.4, 0.5);
        List<Cell> loads = List.of(
                load("dedicated", any, estimate(dedicatedLow, dedicatedHigh)),
                load("inline", any, estimate(inlineLow, inlineHigh)));
        assertThat(finding("R5", loads, List.of()).verdict()).isEqualTo(verdict);
    }

    @Test
    void burstsWithoutIntervalsDecideNothing() {
        Estimate any = estimate(0.4, 0.5);
        List<Cell> loads = List.of(
                load("dedicated", any, new Estimate(1.6, null, null)),
                load("inline", any, new Estimate(61, null, null)));
        Claim finding = finding("R5", loads, List.of());
        assertThat(finding.verdict()).isEqualTo(Verdict.UNDECIDED);
        assertThat(finding.detail()).contains("inline 61.0, dedicated 1.60, ratio 38.1");
    }

    @Test
    void burstsNeedBothDesigns() {
        Estimate any = estimate(0.4, 0.5);
        assertThat(finding("R5", List.of(load("dedicated", any, any)), List.of())
                        .verdict())
                .isEqualTo(Verdict.NOT_TESTABLE);
    }
}
