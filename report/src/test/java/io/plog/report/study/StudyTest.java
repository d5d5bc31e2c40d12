package io.plog.report.study;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.measure.load.ArrivalTimes;
import io.plog.measure.load.Mix;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.SideUsage;
import io.plog.measure.study.Bin;
import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyDesign;
import io.plog.measure.study.StudyOrder;
import io.plog.measure.study.StudyPlan;
import io.plog.report.Schemas;
import io.plog.report.results.Claim;
import io.plog.report.results.Claim.Verdict;
import io.plog.report.study.StudyResults.Capacity;
import io.plog.report.study.StudyResults.Comparison;
import io.plog.report.study.StudyResults.Load;
import io.plog.report.study.StudyResults.Part;
import io.plog.report.study.StudyResults.Row;
import io.plog.report.study.SyntheticCells.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole study from samples whose answers are known. */
final class StudyTest {
    private static final StudyDesign DEDICATED = new StudyDesign("dedicated", 1);
    private static final StudyDesign INLINE = new StudyDesign("inline", 1);
    private static final StudyDesign FEW = new StudyDesign("threads=150", 1);
    private static final StudyDesign MANY = new StudyDesign("threads=300", 1);
    private static final StudyDesign SHARED = new StudyDesign("threads-shared=150", 1);

    /** What each design does: it is known, so everything that follows is. */
    private static final Map<StudyDesign, Behaviour> BEHAVIOURS = Map.of(
            DEDICATED, new Behaviour(4000, 100, true, 8, "", 0),
            INLINE, new Behaviour(2000, 2000, false, 1, "", 0),
            FEW, new Behaviour(1000, 3000, false, 1, "", 0),
            MANY, new Behaviour(1000, 4500, false, 1, "", 0),
            SHARED, new Behaviour(3000, 150, true, 4, "", 0));

    /** By the number of trials. Tests of a class run one after the other. */
    private static final Map<Integer, StudyResults> KNOWN = new HashMap<>();

    @TempDir
    @SuppressWarnings("NullAway.Init")
    Path directory;

    private static StudyPlan plan(int trials) {
        return new StudyPlan(
                "plog study --seed 7",
                List.of(DEDICATED, INLINE, FEW, MANY, SHARED),
                "fdatasync",
                new StudyPlan.Traffic(Mix.parse("100=1,1k=1,10k=1,100k=1"), 300, 5, ArrivalTimes.Kind.POISSON),
                new StudyPlan.Levels(List.of(0.5, 0.95), List.of(), List.of(), false, List.of(0.5, 2.0)),
                trials,
                Duration.ofMillis(500),
                Duration.ofMillis(600),
                7);
    }

    private Study measured(StudyPlan plan, UnaryOperator<Behaviour> change) throws IOException {
        return measured(plan, change, List.of());
    }

    private Study measured(StudyPlan plan, UnaryOperator<Behaviour> change, List<SideEvents> events)
            throws IOException {
        SyntheticCells cells = new SyntheticCells(Files.createTempDirectory(directory, "study"), plan, 11);
        cells.recording(events);
        Study study = new Study(plan, "0.1.0", "2026-11-21T12:00:00Z");
        List<StudyCell> order = new ArrayList<>(StudyOrder.capacities(plan));
        for (StudyCell cell : order) {
            study.add(cells.outcome(cell, change.apply(of(cell))));
        }
        for (StudyCell cell : StudyOrder.loads(plan, study::capacity, study::capacityInMemory)) {
            Behaviour own = of(cell);
            // At a rate, a server answers what comes; on the slower machine, dedicated takes twice as long.
            double factor = cell.processors() == 0.5 && cell.design().equals(DEDICATED) ? 2 : 1;
            study.add(cells.outcome(
                    cell,
                    change.apply(new Behaviour(
                            cell.ratePerSecond(),
                            own.latencyMicros() * factor,
                            own.ordersBySize(),
                            own.batch(),
                            own.claimedDesign(),
                            own.status(),
                            own.lagShare()))));
        }
        return study;
    }

    /** In memory everything is three times as fast as with the log, and in the order of sizes. */
    private static Behaviour of(StudyCell cell) {
        if (cell.isControl()) {
            Behaviour logged = Objects.requireNonNull(BEHAVIOURS.get(cell.design()));
            return new Behaviour(3 * logged.perSecond(), 30, true, 1, "", 0);
        }
        return Objects.requireNonNull(BEHAVIOURS.get(cell.design()));
    }

    /** The study of so many trials: always the same, so it is put together once for all tests that read it. */
    private StudyResults results(int trials) throws IOException {
        StudyResults known = KNOWN.get(trials);
        if (known == null) {
            known = measured(plan(trials), own -> own).results("");
            KNOWN.put(trials, known);
        }
        return known;
    }

    @Test
    void capacityIsWhatWasAnsweredWithAnIntervalOverTheTrialsAndEachForceCountsOnce() throws IOException {
        StudyResults results = results(3);
        Capacity dedicated = capacity(results, DEDICATED);
        assertThat(dedicated.requestsPerSecond().value()).isCloseTo(4000, within(50.0));
        assertThat(dedicated.perTrial()).hasSize(3);
        assertThat(dedicated.requestsPerSecond().low()).isNotNull();
        assertThat(dedicated.megabytesPerSecond().value())
                .isCloseTo(4000 * (100 + 1000 + 10_000 + 100_000) / 4.0 / 1e6, within(2.0));
        assertThat(dedicated.meanBatchRecords()).isCloseTo(8, within(1e-6));
        assertThat(capacity(results, INLINE).meanBatchRecords()).isCloseTo(1, within(1e-6));
        assertThat(dedicated.serverMicrosPerRequest()).isCloseTo(25, within(1.0));
    }

    @Test
    void capacityOfASingleTrialHasAnIntervalOverItsStretches() throws IOException {
        Capacity inline = capacity(results(1), INLINE);
        assertThat(inline.perTrial()).hasSize(1);
        assertThat(inline.requestsPerSecond().low()).isNotNull();
    }

    @Test
    void loadsAreSharesOfEachDesignsOwnCapacityAndTheSameRatesForAll() throws IOException {
        StudyResults results = results(1);
        assertThat(load(results, DEDICATED, 0.5).offeredPerSecond()).isCloseTo(2000, within(40.0));
        assertThat(load(results, INLINE, 0.5).offeredPerSecond()).isCloseTo(1000, within(20.0));
        double slowest = Math.min(
                capacity(results, FEW).requestsPerSecond().value(),
                capacity(results, MANY).requestsPerSecond().value());
        assertThat(results.plan().absoluteRates()).containsExactly(Math.rint(0.5 * slowest), Math.rint(0.9 * slowest));
        assertThat(results.loads().stream().filter(load -> load.level() == null))
                .hasSize(10);
    }

    @Test
    void theComponentsAddUpToTheMean() throws IOException {
        for (Load load : results(1).loads()) {
            double sum =
                    load.components().stream().mapToDouble(Part::meanMicros).sum();
            assertThat(sum).as(load.design()).isCloseTo(load.latency().mean().value(), within(0.01));
            assertThat(load.components())
                    .extracting(Part::name)
                    .startsWith(load.design().startsWith("inline") ? "unread or network" : "network and client")
                    .endsWith("waiting", "batch wait", "write", "force", "rest of the server");
        }
    }

    @Test
    void inversionIsNoneWhereSizesAreRespectedAndRandomWhereTheyAreNot() throws IOException {
        StudyResults results = results(2);
        StudyResults.Inversion orderly =
                Objects.requireNonNull(load(results, DEDICATED, 0.95).inversion());
        StudyResults.Inversion blind =
                Objects.requireNonNull(load(results, INLINE, 0.95).inversion());
        assertThat(orderly.value().value()).isLessThan(0.01);
        assertThat(orderly.random().value()).isCloseTo(0.583, within(0.03)); // four equal classes
        assertThat(blind.value().value()).isCloseTo(blind.random().value(), within(0.05));
        List<List<Double>> shares =
                Objects.requireNonNull(load(results, DEDICATED, 0.95).deciles()).shares();
        assertThat(shares).hasSize(10);
        assertThat(shares.get(0).get(0)).isEqualTo(1.0);
        assertThat(shares.get(9).get(3)).isEqualTo(1.0);
    }

    @Test
    void eachDesignHasAControlInMemoryBesideItsCapacityAndItsInversion() throws IOException {
        StudyResults results = results(2);
        assertThat(results.controls()).extracting(StudyResults.Control::design).hasSize(5);
        for (StudyResults.Control control : results.controls()) {
            assertThat(control.loggedShare().value()).isCloseTo(1 / 3.0, within(0.01));
            assertThat(control.loggedShare().low())
                    .isNotNull()
                    .isLessThanOrEqualTo(control.loggedShare().value());
            Load load = Objects.requireNonNull(control.load());
            assertThat(load.level()).isEqualTo(0.95);
            assertThat(load.batchRecords()).isEmpty();
            assertThat(Objects.requireNonNull(load.inversion()).value().value()).isLessThan(0.01);
        }
        assertThat(results.controls().get(0).requestsPerSecond().value()).isCloseTo(12_000, within(150.0));
        // They stand beside the loads, not among them.
        assertThat(results.loads()).hasSize(5 * 4);
        assertThat(StudyText.of(results)).contains("In memory: the same server with a target that logs nothing");
    }

    @Test
    void aCellThatIsMeasuredAgainTakesThePlaceOfTheFirstTime() throws IOException {
        StudyPlan plan = plan(2);
        Study study = measured(plan, own -> own);
        int cells = study.measured();
        SyntheticCells again = new SyntheticCells(directory, plan, 12);
        StudyCell cell = StudyOrder.capacities(plan).stream()
                .filter(each -> each.kind() == StudyCell.Kind.CAPACITY
                        && each.trial() == 1
                        && each.processors() == 0
                        && each.design().equals(DEDICATED))
                .findFirst()
                .orElseThrow();
        study.add(again.outcome(cell, of(cell).at(2000)));
        assertThat(study.measured()).isEqualTo(cells);
        assertThat(capacity(study.results(""), DEDICATED).perTrial().get(1)).isCloseTo(2000, within(30.0));
    }

    @Test
    void eachForceOfABatchIsCountedOnce() throws IOException {
        Load load = load(results(1), DEDICATED, 0.5);
        assertThat(load.batchRecords())
                .containsExactly(new Bin(8, 8, Math.round(load.latency().count() / 8.0)));
        assertThat(load.readyChannels()).containsExactly(new Bin(1, 1, 30), new Bin(2, 3, 10));
        assertThat(ServerClaims.mean(load.readyChannels())).isCloseTo((30 + 25) / 40.0, within(1e-9));
    }

    @Test
    void designsAreComparedAtTheSameRateBesideThePublishedFactors() throws IOException {
        StudyResults results = results(2);
        Comparison inline = comparison(results, INLINE);
        // 2000 against 100 and on average 1.5 times that, since larger ones take longer there: 1 + (0 + 1 + 2 + 3) / 4.
        assertThat(inline.meanRatio().value()).isCloseTo(2000 / 250.0, within(0.4));
        assertThat(inline.publishedMeanRatio()).isCloseTo(12.22, within(0.01));
        assertThat(inline.publishedMedianRatio()).isCloseTo(47.58, within(0.01));
        assertThat(comparison(results, FEW).publishedMeanRatio()).isCloseTo(47.70, within(0.01));
        assertThat(comparison(results, SHARED).publishedMeanRatio()).isNull();
        assertThat(comparison(results, SHARED).sentence()).contains("no such pair");
        assertThat(inline.sentence()).contains("is slower than dedicated");
    }

    @Test
    void theFindingsFollowFromTheFigures() throws IOException {
        StudyResults results = results(3);
        Map<String, String> verdicts = new TreeMap<>();
        results.claims()
                .forEach(claim -> verdicts.put(claim.id(), claim.verdict().label()));
        assertThat(verdicts)
                .containsEntry("R1", "undecided") // inline about 8 times, threads 12 and more
                .containsEntry("R2", "holds")
                .containsEntry("R3", "holds")
                .containsEntry("R4", "holds")
                .containsEntry("R5", "fails") // the same turns in both
                .containsEntry("R6", "holds")
                .containsEntry("W1", "holds")
                .containsEntry("W2", "fails")
                .hasSize(8);
    }

    @Test
    void oneTrialDecidesNoFinding() throws IOException {
        List<Claim> claims = results(1).claims();
        assertThat(claims).extracting(Claim::verdict).doesNotContain(Verdict.HOLDS, Verdict.FAILS);
        assertThat(claims.stream().filter(finding -> finding.id().equals("R2")))
                .allSatisfy(finding -> assertThat(finding.detail()).contains("One trial decides nothing", "holds"));
    }

    @Test
    void aHandfulOfRequestsMakesItInvalidAndIsNotJudged() throws IOException {
        StudyPlan plan = plan(3);
        StudyResults few = measured(plan, own -> own.at(own.perSecond() / 40)).results("");
        assertThat(levels(few)).containsEntry("requests", "invalid");
        assertThat(few.claims()).extracting(Claim::verdict).containsOnly(Verdict.NOT_TESTABLE);
        assertThat(few.loads()).isNotEmpty();
        assertThat(levels(results(3))).containsEntry("requests", "ok");
    }

    /** As a machine was with two busy loops beside the study: 100 % busy, of which server and client had 0.5 and 0.2 processors. */
    @Test
    void aRuinedMachineMakesItInvalid() throws IOException {
        StudyPlan plan = plan(1);
        StudyResults quiet =
                measured(plan, own -> own, machine(0.6, 200_000, 0.1)).results("");
        assertThat(levels(quiet)).doesNotContainValue("invalid").containsEntry("others", "ok");
        StudyResults hogged =
                measured(plan, own -> own, machine(1.0, 14_700_000, 0.9)).results("");
        assertThat(levels(hogged))
                .containsEntry("processors", "invalid")
                .containsEntry("hiccups", "invalid")
                .containsEntry("others", "invalid")
                .containsEntry("disk:sda", "invalid");
        assertThat(hogged.validity().stream()
                        .filter(check -> check.id().equals("processors"))
                        .findFirst())
                .hasValueSatisfying(check -> assertThat(check.detail()).doesNotContain("capacity"));
        assertThat(hogged.validity().stream()
                        .filter(check -> check.id().equals("others"))
                        .findFirst())
                .hasValueSatisfying(
                        check -> assertThat(check.detail()).contains("capacity", "neither client nor server"));
    }

    /** Near its capacity a server fills the processors that it shares with its client; that is the load, not a disturbance. */
    @Test
    void aCellThatFillsTheProcessorsByItselfIsAWarning() throws IOException {
        StudyPlan plan = plan(1);
        StudyResults full = measured(plan, own -> own, full(0.5, 1.4)).results("");
        assertThat(levels(full))
                .doesNotContainValue("invalid")
                .containsEntry("processors", "warning")
                .containsEntry("hiccups", "warning")
                .containsEntry("others", "ok");
        // The same load on a machine that others use as well.
        assertThat(levels(measured(plan, own -> own, full(0.3, 1.1)).results("")))
                .containsEntry("processors", "invalid")
                .containsEntry("hiccups", "invalid")
                .containsEntry("others", "invalid");
    }

    private static List<SideEvents> full(double clientCpu, double serverCpu) {
        return List.of(
                side(SideEvents.CLIENT, clientCpu, 0.99, 12_000_000, List.of()),
                side(SideEvents.SERVER, serverCpu, 0.99, 12_000_000, List.of()));
    }

    private static List<SideEvents> machine(double busy, long hiccupNanos, double othersWrote) {
        return List.of(
                side(SideEvents.CLIENT, 0.2, busy, hiccupNanos, List.of()),
                side(
                        SideEvents.SERVER,
                        0.9,
                        busy,
                        hiccupNanos,
                        List.of(new SideUsage.Disk("sda", 0, 100_000_000, Math.round(100e6 * othersWrote)))));
    }

    private static SideEvents side(
            String side, double processCpu, double busy, long hiccupNanos, List<SideUsage.Disk> disks) {
        SideUsage usage =
                new SideUsage(3, 2, processCpu, busy, 0, 1L << 30, 1L << 31, hiccupNanos, 2 * hiccupNanos, 30, disks);
        return new SideEvents(0, side, Map.of(), 40_000, List.of(), List.of(usage), List.of());
    }

    @Test
    void whatWaitsUnreadForALoopThatForcesIsNotCalledNetwork() throws IOException {
        StudyPlan plan = new StudyPlan(
                "plog study --seed 7",
                List.of(INLINE),
                "fdatasync",
                plan(3).traffic(),
                plan(3).levels(),
                3,
                plan(3).warmUp(),
                plan(3).duration(),
                7);
        StudyResults results =
                measured(plan, own -> own, machine(0.6, 200_000, 0.1)).results("");
        assertThat(results.workloads()).isNotEmpty().allSatisfy(workload -> {
            assertThat(workload.rows()).extracting(Row::component).contains("unread or network");
            assertThat(workload.roundTripMicros()).isEqualTo(80);
        });
        assertThat(results.loads())
                .allSatisfy(load -> assertThat(load.components())
                        .extracting(Part::name)
                        .contains("unread or network")
                        .doesNotContain("network and client"));
        assertThat(results.claims().stream().filter(finding -> finding.id().equals("W1")))
                .allSatisfy(finding -> {
                    assertThat(finding.verdict()).isEqualTo(Verdict.NOT_TESTABLE);
                    assertThat(finding.detail()).contains("wait unread");
                });
        assertThat(violations(results)).isEmpty();
    }

    @Test
    void sharesAndMultiplesHaveIntervals() throws IOException {
        for (StudyResults.Workload workload : results(3).workloads()) {
            for (Row row : workload.rows()) {
                StudyResults.Estimate share = Objects.requireNonNull(row.share());
                assertThat(share.value()).isCloseTo(row.shareOfMean(), within(1e-4));
                assertThat(Objects.requireNonNull(share.low())).isLessThanOrEqualTo(share.value());
            }
            List<StudyResults.Estimate> multiples =
                    Objects.requireNonNull(workload.rows().get(0).multiples());
            assertThat(multiples).hasSize(3);
            assertThat(multiples.get(0).low()).isLessThan(multiples.get(0).value());
            assertThat(multiples.get(2).value())
                    .isGreaterThanOrEqualTo(multiples.get(0).value());
        }
    }

    @Test
    void eachDesignIsHeldAgainstItsOwnPublishedFactor() {
        assertThat(FactorRule.of(factor(12.22, 8, 7, 9))).isEqualTo(Verdict.HOLDS);
        assertThat(FactorRule.of(factor(72.17, 8, 7, 9))).isEqualTo(Verdict.FAILS);
        assertThat(FactorRule.of(factor(12.22, 6, 5, 9))).isEqualTo(Verdict.UNDECIDED);
    }

    private static Comparison factor(double published, double mean, double low, double high) {
        StudyResults.Estimate ratio = new StudyResults.Estimate(mean, low, high);
        return new Comparison("inline", 500, ratio, ratio, "", published, published, "");
    }

    @Test
    void workloadsHaveComponentsThatAddUpAndTheirShares() throws IOException {
        StudyResults results = results(1);
        assertThat(results.workloads())
                .extracting(StudyResults.Workload::name)
                .containsExactly("update-heavy", "read-heavy", "read-only");
        for (StudyResults.Workload workload : results.workloads()) {
            List<Row> rows = workload.rows();
            assertThat(rows).extracting(Row::component).containsExactly("latency", "waiting", "service", "network");
            double sum =
                    rows.subList(1, 4).stream().mapToDouble(Row::shareOfMean).sum();
            assertThat(sum).isCloseTo(1, within(1e-4));
            assertThat(rows.get(0).peaks()).isNotEmpty();
            assertThat(rows.get(0).ecdf()).hasSizeLessThanOrEqualTo(200);
            assertThat(rows.get(0).density().stream()
                            .mapToDouble(StudyResults.DensityBin::share)
                            .sum())
                    .isCloseTo(1, within(0.01));
        }
    }

    @Test
    void machinesLieSideBySide() throws IOException {
        StudyResults results = results(1);
        assertThat(results.machines())
                .extracting(StudyResults.Machine::label)
                .containsExactly("50 % of one processor", "2 processors");
        assertThat(results.machines().get(0).meanLatency()).hasSize(5 * 2);
        assertThat(results.capacities()).hasSize(5 * 3);
    }

    @Test
    void aServerWithAnotherDesignAndRequestsThatFailMakeItInvalid() throws IOException {
        StudyPlan plan = plan(1);
        assertThat(levels(measured(plan, own -> own).results(""))).doesNotContainValue("invalid");
        StudyResults wrong = measured(plan, own -> own.claiming("dedicated")).results("");
        assertThat(levels(wrong)).containsEntry("design", "invalid");
        assertThat(wrong.validity())
                .anySatisfy(check ->
                        assertThat(check.detail()).contains("capacity, mix", "had dedicated with 1 event loops"));
        StudyResults failing = measured(plan, own -> own.answering(3)).results("");
        assertThat(levels(failing)).containsEntry("failures", "invalid");
        assertThat(failing.loads()).isEmpty();
    }

    /** Where one size comes alone, the median is the base that the lag is a share of, and the 99th percentile 1.196 times that. */
    @Test
    void aClientThatIsLateByMuchOfWhatItMeasuresMakesItInvalid() throws IOException {
        StudyPlan plan = plan(1);
        assertThat(levels(measured(plan, own -> own).results(""))).containsEntry("schedule-lag", "ok");
        assertThat(levels(measured(plan, own -> own.lagging(0.11)).results("")))
                .containsEntry("schedule-lag", "warning");
        assertThat(levels(measured(plan, own -> own.lagging(0.5)).results("")))
                .containsEntry("schedule-lag", "invalid");
    }

    @Test
    void whatWasMeasuredAgainIsSaid() throws IOException {
        StudyPlan plan = plan(1);
        Study study = measured(plan, own -> own);
        assertThat(levels(study.results(""))).containsEntry("repeated", "ok");
        study.addRepeat(
                StudyOrder.loads(plan, study::capacity, study::capacityInMemory).get(0), "the client was too late");
        StudyResults results = study.results("");
        assertThat(levels(results)).containsEntry("repeated", "warning");
        assertThat(results.validity())
                .anySatisfy(check -> assertThat(check.detail()).contains("One measurement was repeated"));
        study.addRepeat(StudyOrder.capacities(plan).get(0), "the hypervisor took the processors");
        assertThat(study.results("").validity())
                .anySatisfy(check -> assertThat(check.detail())
                        .contains("2 measurements were repeated", "(the hypervisor took the processors)")
                        .doesNotContain(" times"));
    }

    /** Cells run in random order, and the first may be one whose target has no directory. */
    @Test
    void theDirectoryIsThatOfACellThatLogs() throws IOException {
        StudyPlan plan = plan(1);
        SyntheticCells cells = new SyntheticCells(directory, plan, 11);
        Study study = new Study(plan, "0.1.0", "2026-11-21T12:00:00Z");
        List<StudyCell> order = new ArrayList<>(StudyOrder.loads(plan, (design, processors) -> 1000, design -> 1000));
        order.sort(Comparator.comparingDouble(StudyCell::loggedShare));
        assertThat(order.get(0).loggedShare()).isZero();
        for (StudyCell cell : order) {
            study.add(cells.outcome(cell, of(cell)));
        }
        assertThat(study.results("").environment().directory()).containsEntry("fileSystem", "ext4");
    }

    @Test
    void whatFailedIsSaidAndTheRestIsKept() throws IOException {
        Study study = measured(plan(1), own -> own);
        study.addFailure(StudyOrder.capacities(plan(1)).get(0), "the server ended in the middle");
        StudyResults results = study.results("");
        assertThat(results.partialReason()).contains("1 of its cells failed", "the server ended in the middle");
        assertThat(results.loads()).hasSize(5 * 4);
    }

    @Test
    void itFollowsItsSchemaAndCanBeReadAgain() throws IOException {
        StudyResults results = results(2);
        assertThat(violations(results)).isEmpty();
        StudyFile.write(results, directory);
        assertThat(StudyFile.read(directory)).isEqualTo(results);
        StudyResults empty = new Study(plan(1), "0.1.0", "2026-11-21T12:00:00Z").results("interrupted");
        assertThat(violations(empty)).isEmpty();
    }

    @Test
    void itsTextIsNoWiderThanATerminalAndBeginsWithWhatToWorryAbout() throws IOException {
        String text =
                StudyText.of(measured(plan(2), own -> own.claiming("inline")).results("interrupted"));
        assertThat(text.lines().toList().subList(0, 2))
                .containsExactly("! partial: interrupted", "The study is NOT VALID:");
        assertThat(text.lines())
                .allSatisfy(line -> assertThat(line.length()).as("%s", line).isLessThanOrEqualTo(100));
        assertThat(text).contains("Capacity at infinite demand", "0.37 / 0.79 / 7.5 / 7.6", "R1", "W2");
    }

    @Test
    void studiesOfTwoMachinesAreMerged() throws IOException {
        StudyResults study = results(1);
        StudyResults merged = StudyMerge.of(new LinkedHashMap<>(Map.of("slow", study, "fast", study)));
        assertThat(merged.machines()).hasSize(2);
        assertThat(merged.capacities()).extracting(Capacity::machine).containsOnly("slow", "fast");
        assertThat(merged.capacities()).hasSize(10);
        assertThat(violations(merged)).isEmpty();
    }

    private static Map<String, String> levels(StudyResults results) {
        Map<String, String> levels = new TreeMap<>();
        results.validity()
                .forEach(check -> levels.put(
                        check.id(), check.ok() ? "ok" : check.severity().label()));
        return levels;
    }

    private static List<String> violations(StudyResults results) throws IOException {
        return Schemas.violations("study.schema.json", new ObjectMapper().readTree(StudyFile.json(results)));
    }

    private static Capacity capacity(StudyResults results, StudyDesign design) {
        return results.capacities().stream()
                .filter(each ->
                        each.design().equals(design.label()) && each.machine().isEmpty())
                .findFirst()
                .orElseThrow();
    }

    private static Load load(StudyResults results, StudyDesign design, double level) {
        return results.loads().stream()
                .filter(each -> each.design().equals(design.label()) && Objects.equals(each.level(), level))
                .findFirst()
                .orElseThrow();
    }

    private static Comparison comparison(StudyResults results, StudyDesign design) {
        return results.comparisons().stream()
                .filter(each -> each.design().equals(design.label()))
                .findFirst()
                .orElseThrow();
    }
}
