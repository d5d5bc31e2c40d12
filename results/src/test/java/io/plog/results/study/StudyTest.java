package io.plog.results.study;

import static io.plog.results.study.SyntheticStudy.DEDICATED;
import static io.plog.results.study.SyntheticStudy.FEW;
import static io.plog.results.study.SyntheticStudy.INLINE;
import static io.plog.results.study.SyntheticStudy.MANY;
import static io.plog.results.study.SyntheticStudy.SHARED;
import static io.plog.results.study.SyntheticStudy.plan;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.SideUsage;
import io.plog.measure.study.Bin;
import io.plog.measure.study.StudyCell;
import io.plog.measure.study.StudyDesign;
import io.plog.measure.study.StudyOrder;
import io.plog.measure.study.StudyPlan;
import io.plog.measure.study.StudySamples;
import io.plog.results.Analysis;
import io.plog.results.Report;
import io.plog.results.Schemas;
import io.plog.results.TerminalSummary;
import io.plog.results.cells.Bins;
import io.plog.results.cells.SampleFile;
import io.plog.results.compare.NotComparableException;
import io.plog.results.compare.StudyMerge;
import io.plog.results.model.Claim;
import io.plog.results.model.Claim.Verdict;
import io.plog.results.model.Results;
import io.plog.results.model.Results.Cell;
import io.plog.results.model.Results.Inversion;
import io.plog.results.model.Results.Overhead;
import io.plog.results.model.Results.Part;
import io.plog.results.model.Results.WorkloadPart;
import io.plog.results.study.SyntheticCells.Behaviour;
import io.plog.results.table.Table;
import io.plog.stats.Estimate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A whole study from samples whose answers are known. */
final class StudyTest {
    /** By the number of trials. */
    private static final Map<Integer, Analysis.Outcome> KNOWN = new HashMap<>();

    @TempDir
    static Path directory;

    /** What most tests read, once for all of them. */
    @BeforeAll
    static void compute() throws IOException {
        for (int trials : new int[] {1, 3}) {
            StudySamples study = SyntheticStudy.measured(directory, plan(trials), own -> own, List.of());
            KNOWN.put(trials, SyntheticStudy.analysed(directory, study, ""));
        }
    }

    /** For what depends on no design. */
    private static StudyPlan small(int trials) {
        return plan(trials, List.of(DEDICATED));
    }

    private StudySamples measured(StudyPlan plan, UnaryOperator<Behaviour> change) throws IOException {
        return measured(plan, change, List.of());
    }

    private StudySamples measured(StudyPlan plan, UnaryOperator<Behaviour> change, List<SideEvents> events)
            throws IOException {
        return SyntheticStudy.measured(directory, plan, change, events);
    }

    private Results results(StudySamples study, String partial) throws IOException {
        return SyntheticStudy.analysed(directory, study, partial).results();
    }

    private static Analysis.Outcome known(int trials) {
        return Objects.requireNonNull(KNOWN.get(trials));
    }

    /** The study of one or three trials. */
    private static Results results(int trials) {
        return known(trials).results();
    }

    @Test
    void capacityIsWhatWasAnsweredWithAnIntervalOverTheTrialsAndEachForceCountsOnce() throws IOException {
        Results results = results(3);
        Cell dedicated = capacity(results, DEDICATED);
        assertThat(StudyCells.perSecond(dedicated).value()).isCloseTo(4000, within(50.0));
        assertThat(StudyCells.load(dedicated).trials()).hasSize(3);
        assertThat(StudyCells.perSecond(dedicated).low()).isNotNull();
        assertThat(StudyCells.load(dedicated).megabytesPerSecond().value())
                .isCloseTo(4000 * (100 + 1000 + 10_000 + 100_000) / 4.0 / 1e6, within(2.0));
        assertThat(dedicated.recordsPerForce()).isCloseTo(8, within(1e-6));
        assertThat(capacity(results, INLINE).recordsPerForce()).isCloseTo(1, within(1e-6));
        assertThat(StudyCells.load(dedicated).serverMicrosPerRequest()).isCloseTo(25, within(1.0));
    }

    @Test
    void capacityOfASingleTrialHasAnIntervalOverItsStretches() throws IOException {
        Cell inline = capacity(results(1), INLINE);
        assertThat(StudyCells.load(inline).trials()).hasSize(1);
        assertThat(StudyCells.perSecond(inline).low()).isNotNull();
    }

    @Test
    void loadsAreSharesOfEachDesignsOwnCapacityAndTheSameRatesForAll() throws IOException {
        Results results = results(1);
        assertThat(StudyCells.load(load(results, DEDICATED, 0.5)).offeredPerSecond())
                .isCloseTo(2000, within(40.0));
        assertThat(StudyCells.load(load(results, INLINE, 0.5)).offeredPerSecond())
                .isCloseTo(1000, within(20.0));
        double slowest = Math.min(
                StudyCells.perSecond(capacity(results, FEW)).value(),
                StudyCells.perSecond(capacity(results, MANY)).value());
        assertThat(study(results).rates()).containsExactly(Math.rint(0.5 * slowest), Math.rint(0.9 * slowest));
        assertThat(study(results).loads(StudyCell.ABSOLUTE)).hasSize(10);
    }

    @Test
    void theComponentsAddUpToTheMean() throws IOException {
        for (Cell load : study(results(1)).relative()) {
            List<Part> parts = Objects.requireNonNull(load.components()).parts();
            assertThat(parts.stream().mapToDouble(Part::micros).sum())
                    .as(load.target())
                    .isCloseTo(Objects.requireNonNull(load.fromIntendedMicros()).mean(), within(0.01));
            assertThat(parts.get(1).name())
                    .isEqualTo(load.target().startsWith("inline") ? "unread or network" : "network and client");
        }
        assertThat(table("components").rows())
                .extracting(row -> row.get(2))
                .contains("network and client", "waiting", "batch wait", "write", "force", "rest of the server");
    }

    private Table table(String name) throws IOException {
        return StudyTables.of(known(1).results(), known(1).figures()).stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void inversionIsNoneWhereSizesAreRespectedAndRandomWhereTheyAreNot() throws IOException {
        Results results = results(3);
        Inversion orderly = Objects.requireNonNull(
                StudyCells.load(load(results, DEDICATED, 0.95)).inversion());
        Inversion blind = Objects.requireNonNull(
                StudyCells.load(load(results, INLINE, 0.95)).inversion());
        assertThat(orderly.value().value()).isLessThan(0.01);
        assertThat(orderly.random().value()).isCloseTo(0.583, within(0.03)); // four equal classes
        assertThat(blind.value().value()).isCloseTo(blind.random().value(), within(0.05));
        List<List<Double>> shares = Objects.requireNonNull(
                        StudyCells.load(load(results, DEDICATED, 0.95)).deciles())
                .shares();
        assertThat(shares).hasSize(10);
        assertThat(shares.get(0).get(0)).isEqualTo(1.0);
        assertThat(shares.get(9).get(3)).isEqualTo(1.0);
    }

    @Test
    void eachDesignHasAControlInMemoryNextToItsCapacityAndItsInversion() throws IOException {
        Results results = results(3);
        StudyCells study = study(results);
        for (String design : study.designs()) {
            Estimate share = study.loggedShare(design).orElseThrow();
            assertThat(share.value()).isCloseTo(1 / 3.0, within(0.01));
            assertThat(share.low()).isNotNull().isLessThanOrEqualTo(share.value());
        }
        assertThat(study.loadsInMemory()).hasSize(5).allSatisfy(load -> {
            assertThat(StudyCells.level(load)).isEqualTo(0.95);
            assertThat(StudyCells.load(load).batchRecords()).isEmpty();
            assertThat(Objects.requireNonNull(StudyCells.load(load).inversion())
                            .value()
                            .value())
                    .isLessThan(0.01);
        });
        assertThat(StudyCells.perSecond(study.inMemory("dedicated").orElseThrow())
                        .value())
                .isCloseTo(12_000, within(150.0));
        // They stand next to the loads, not among them.
        assertThat(study.relative()).hasSize(5 * 2);
        assertThat(TerminalSummary.of(results)).contains("of what it carries in memory: ");
    }

    @Test
    void aCellThatIsMeasuredAgainTakesThePlaceOfTheFirstTime() throws IOException {
        StudyPlan plan = small(2);
        StudySamples study = measured(plan, own -> own);
        int cells = study.measured();
        SyntheticCells again = new SyntheticCells(Files.createTempDirectory(directory, "again"), plan, 12);
        StudyCell cell = StudyOrder.capacities(plan).stream()
                .filter(each -> each.kind() == StudyCell.Kind.CAPACITY
                        && each.trial() == 1
                        && each.processors() == 0
                        && each.design().equals(DEDICATED))
                .findFirst()
                .orElseThrow();
        study.add(again.outcome(cell, SyntheticStudy.of(cell).at(2000)));
        assertThat(study.measured()).isEqualTo(cells);
        assertThat(StudyCells.load(capacity(results(study, ""), DEDICATED))
                        .trials()
                        .get(1)
                        .acceptedPerSecond())
                .isCloseTo(2000, within(30.0));
    }

    @Test
    void eachForceOfABatchIsCountedOnce() throws IOException {
        Cell load = load(results(1), DEDICATED, 0.5);
        assertThat(StudyCells.load(load).batchRecords()).containsExactly(new Bin(8, 8, Math.round(load.count() / 8.0)));
        List<Bin> ready = StudyCells.load(load).readyChannels();
        assertThat(ready).containsExactly(new Bin(1, 1, 30), new Bin(2, 3, 10));
        assertThat(Bins.mean(ready)).isCloseTo((30 + 25) / 40.0, within(1e-9));
    }

    @Test
    void designsAreComparedAtTheSameRateNextToThePublishedFactors() throws IOException {
        Results results = results(3);
        Overhead inline = comparison(results, INLINE);
        // 2000 against 100 and on average 1.5 times that, since larger ones take longer there: 1 + (0 + 1 + 2 + 3) / 4.
        assertThat(inline.ratioOfMeans().ratio()).isCloseTo(2000 / 250.0, within(0.4));
        assertThat(inline.against()).isEqualTo("dedicated");
        assertThat(PublishedServers.factors("inline", "dedicated").orElseThrow().mean())
                .isCloseTo(12.22, within(0.01));
        assertThat(PublishedServers.factors("inline", "dedicated").orElseThrow().median())
                .isCloseTo(47.58, within(0.01));
        assertThat(PublishedServers.factors(FEW.label(), "dedicated")
                        .orElseThrow()
                        .mean())
                .isCloseTo(47.70, within(0.01));
        assertThat(PublishedServers.factors(SHARED.label(), "dedicated")).isEmpty();
        assertThat(comparison(results, SHARED).sentence()).contains("no such pair");
        assertThat(inline.sentence()).contains("is slower than dedicated");
        assertThat(study(results).otherComparisons())
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.sentence()).contains("threads=300 is slower than threads=150"));
    }

    @Test
    void theFindingsFollowFromTheFigures() throws IOException {
        Results results = results(3);
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
        StudyPlan plan = small(3);
        Results few = results(measured(plan, own -> own.at(own.perSecond() / 40)), "");
        assertThat(levels(few)).containsEntry("requests", "invalid");
        assertThat(few.claims()).extracting(Claim::verdict).containsOnly(Verdict.NOT_JUDGED);
        assertThat(study(few).relative()).isNotEmpty();
        assertThat(levels(results(3))).containsEntry("requests", "ok");
    }

    /** As a machine was with two busy loops next to the study: 100 % busy, of which server and client had 0.5 and 0.2 processors. */
    @Test
    void aRuinedMachineMakesItInvalid() throws IOException {
        StudyPlan plan = small(1);
        Results quiet = results(measured(plan, own -> own, machine(0.6, 200_000, 0.1)), "");
        assertThat(levels(quiet)).doesNotContainValue("invalid").containsEntry("others", "ok");
        Results hogged = results(measured(plan, own -> own, machine(1.0, 14_700_000, 0.9)), "");
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
        StudyPlan plan = small(1);
        Results full = results(measured(plan, own -> own, full(0.5, 1.4)), "");
        assertThat(levels(full))
                .doesNotContainValue("invalid")
                .containsEntry("processors", "warning")
                .containsEntry("hiccups", "warning")
                .containsEntry("others", "ok");
        // The same load on a machine that others use as well.
        assertThat(levels(results(measured(plan, own -> own, full(0.3, 1.1)), "")))
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
        SideUsage usage = new SideUsage(
                3, 2, processCpu, busy, 0, 1L << 30, 1L << 31, hiccupNanos, 2 * hiccupNanos, 30, 0, 0, 0, disks);
        return new SideEvents(0, side, Map.of(), 40_000, List.of(), List.of(usage), List.of());
    }

    @Test
    void whatWaitsUnreadForALoopThatForcesIsNotCalledNetwork() throws IOException {
        StudyPlan plan = plan(3, List.of(INLINE));
        Results results = results(measured(plan, own -> own, machine(0.6, 200_000, 0.1)), "");
        assertThat(study(results).workloads()).isNotEmpty().allSatisfy(workload -> {
            assertThat(StudyCells.parts(workload))
                    .extracting(WorkloadPart::name)
                    .contains("unread or network");
            assertThat(Objects.requireNonNull(StudyCells.load(workload).workload())
                            .roundTripMicros())
                    .isEqualTo(80);
        });
        assertThat(study(results).relative())
                .allSatisfy(load -> assertThat(
                                Objects.requireNonNull(load.components()).parts())
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
        for (Cell workload : study(results(3)).workloads()) {
            List<WorkloadPart> parts = StudyCells.parts(workload);
            for (WorkloadPart part : parts) {
                assertThat(part.share().value())
                        .isCloseTo(part.micros().mean() / parts.get(0).micros().mean(), within(1e-4));
                assertThat(Objects.requireNonNull(part.share().low()))
                        .isLessThanOrEqualTo(part.share().value());
            }
            List<Estimate> multiples = parts.get(0).multiples();
            assertThat(multiples).hasSize(3);
            assertThat(multiples.get(0).low()).isLessThan(multiples.get(0).value());
            assertThat(multiples.get(2).value())
                    .isGreaterThanOrEqualTo(multiples.get(0).value());
        }
    }

    /** Published are 12.2 times for inline and 47.7 times for 150 threads; half of that is like it. */
    @Test
    void eachDesignIsHeldAgainstItsOwnPublishedFactor() throws IOException {
        assertThat(comparison(results(3), INLINE).verdict()).isEqualTo(Verdict.HOLDS); // 8 times
        assertThat(comparison(results(3), FEW).verdict()).isEqualTo(Verdict.FAILS); // 12 times
    }

    @Test
    void workloadsHaveComponentsThatAddUpAndTheirShares() throws IOException {
        List<Cell> workloads = study(results(1)).workloads();
        assertThat(workloads)
                .extracting(workload -> workload.dimension(StudyCell.WORKLOAD))
                .containsExactly("update-heavy", "read-heavy", "read-only");
        for (Cell workload : workloads) {
            List<WorkloadPart> parts = StudyCells.parts(workload);
            assertThat(parts)
                    .extracting(WorkloadPart::name)
                    .containsExactly("latency", "waiting", "service", "network");
            assertThat(parts.subList(1, 4).stream()
                            .mapToDouble(part -> part.share().value())
                            .sum())
                    .isCloseTo(1, within(1e-4));
            assertThat(parts.get(0).peaks()).isNotEmpty();
        }
        assertThat(known(1).figures().parts()).hasSize(12).allSatisfy(curve -> {
            assertThat(curve.ecdf()[0]).hasSizeLessThanOrEqualTo(200);
            assertThat(Arrays.stream(curve.counts()).sum()).isEqualTo(curve.count());
            assertThat(curve.series()).isNotEmpty();
        });
    }

    @Test
    void machinesLieSideBySide() throws IOException {
        StudyCells study = study(results(1));
        assertThat(study.machines())
                .extracting(StudyCells.Machine::label)
                .containsExactly("50 % of one processor", "2 processors");
        assertThat(study.relative(study.machines().get(0))).hasSize(5 * 2);
        assertThat(study.capacities(study.machines().get(1))).hasSize(5);
        assertThat(study.capacities()).hasSize(5);
    }

    @Test
    void aServerWithAnotherDesignAndRequestsThatFailMakeItInvalid() throws IOException {
        StudyPlan plan = plan(1, List.of(INLINE));
        assertThat(levels(results(1))).doesNotContainValue("invalid");
        Results wrong = results(measured(plan, own -> own.claiming("dedicated")), "");
        assertThat(levels(wrong)).containsEntry("design", "invalid");
        assertThat(wrong.validity())
                .anySatisfy(check ->
                        assertThat(check.detail()).contains("capacity, mix", "had dedicated with 1 event loops"));
        Results failing = results(measured(plan, own -> own.answering(3)), "");
        assertThat(levels(failing)).containsEntry("failures", "invalid");
        assertThat(study(failing).relative()).isEmpty();
    }

    /** Where one size comes alone, the median is the base that the lag is a share of, and the 99th percentile 1.196 times that. */
    @Test
    void aClientThatIsLateByMuchOfWhatItMeasuresMakesItInvalid() throws IOException {
        StudyPlan plan = small(1);
        assertThat(levels(results(1))).containsEntry("schedule-lag", "ok");
        assertThat(levels(results(measured(plan, own -> own.lagging(0.11)), "")))
                .containsEntry("schedule-lag", "warning");
        assertThat(levels(results(measured(plan, own -> own.lagging(0.5)), "")))
                .containsEntry("schedule-lag", "invalid");
    }

    @Test
    void whatWasMeasuredAgainIsSaid() throws IOException {
        StudyPlan plan = small(1);
        StudySamples study = measured(plan, own -> own);
        assertThat(levels(results(1))).containsEntry("repeated", "ok");
        study.addRepeat(
                StudyOrder.loads(plan, study::capacity, study::capacityInMemory).get(0), "the client was too late");
        Results results = results(study, "");
        assertThat(levels(results)).containsEntry("repeated", "warning");
        assertThat(results.validity())
                .anySatisfy(check -> assertThat(check.detail()).contains("One measurement was repeated"));
        study.addRepeat(StudyOrder.capacities(plan).get(0), "the hypervisor took the processors");
        assertThat(results(study, "").validity())
                .anySatisfy(check -> assertThat(check.detail())
                        .contains("2 measurements were repeated", "(the hypervisor took the processors)")
                        .doesNotContain(" times"));
    }

    /** Cells run in random order, and the first may be one whose target has no directory. */
    @Test
    void theDirectoryIsThatOfACellThatLogs() throws IOException {
        StudyPlan plan = small(1);
        SyntheticCells cells = new SyntheticCells(Files.createTempDirectory(directory, "cells"), plan, 11);
        StudySamples study = new StudySamples(plan, "0.1.0", "2026-11-21T12:00:00Z");
        List<StudyCell> order = new ArrayList<>(StudyOrder.loads(plan, (design, processors) -> 1000, design -> 1000));
        order.sort(Comparator.comparingDouble(StudyCell::loggedShare));
        assertThat(order.get(0).loggedShare()).isZero();
        for (StudyCell cell : order) {
            study.add(cells.outcome(cell, SyntheticStudy.of(cell)));
        }
        assertThat(results(study, "").environment().targets())
                .allSatisfy(design -> assertThat(design.facts())
                        .containsEntry("fileSystem", "ext4")
                        .noneSatisfy((name, value) -> assertThat(name).startsWith("cell")));
    }

    @Test
    void whatFailedIsSaidAndTheRestIsKept() throws IOException {
        StudySamples study = measured(small(1), own -> own);
        study.addFailure(StudyOrder.capacities(small(1)).get(0), "the server ended in the middle");
        Results results = results(study, "");
        assertThat(results.partial().reason()).contains("1 of its cells failed", "the server ended in the middle");
        assertThat(study(results).relative()).hasSize(2);
        assertThat(levels(results)).containsEntry("complete", "warning");
    }

    @Test
    void itFollowsItsSchemaAndCanBeReadAgain() throws IOException {
        assertThat(violations(results(3))).isEmpty();
        assertThat(new ObjectMapper().readValue(Report.json(results(3)), Results.class))
                .isEqualTo(results(3));
        assertThat(violations(results(new StudySamples(plan(1), "0.1.0", "2026-11-21T12:00:00Z"), "interrupted")))
                .isEmpty();
    }

    @Test
    void itsTextIsNoWiderThanATerminalAndBeginsWithWhatToWorryAbout() throws IOException {
        String text = TerminalSummary.of(results(
                measured(plan(2, List.of(DEDICATED, INLINE)), own -> own.claiming("inline")), "interrupted"));
        assertThat(text.lines().toList().subList(0, 2))
                .satisfiesExactly(
                        first -> assertThat(first).isEqualTo("! partial: interrupted"),
                        second -> assertThat(second).startsWith("! invalid, design: "));
        assertThat(text.lines())
                .allSatisfy(line -> assertThat(line.length()).as("%s", line).isLessThanOrEqualTo(100));
        assertThat(text).contains("Capacity at infinite demand", Claim.NONE_JUDGED);
    }

    @Test
    void studiesOfTwoMachinesAreMerged() throws IOException, NotComparableException {
        Path study = SyntheticStudy.write(Files.createTempDirectory(directory, "merge"), 1);
        Path merged = directory.resolve("merged.plog");
        StudyMerge.merge(new LinkedHashMap<>(Map.of("slow", study, "fast", study)), merged);
        try (SampleFile samples = SampleFile.open(merged)) {
            Results results = Report.compute(samples);
            StudyCells cells = study(results);
            assertThat(cells.machines())
                    .extracting(StudyCells.Machine::label)
                    .containsExactlyInAnyOrder("slow", "fast");
            StudyCells.Machine slow = cells.machines().get(0);
            assertThat(cells.capacities(slow)).hasSize(5);
            assertThat(cells.relative(slow)).hasSize(10).allSatisfy(cell -> {
                assertThat(cell.count()).isPositive();
                assertThat(StudyCells.load(cell).readyChannels()).isNotEmpty();
            });
            assertThat(cells.capacities()).isEmpty();
            assertThat(levels(results)).doesNotContainValue("invalid");
            assertThat(violations(results)).isEmpty();
        }
    }

    private static Map<String, String> levels(Results results) {
        Map<String, String> levels = new TreeMap<>();
        results.validity()
                .forEach(check -> levels.put(
                        check.id(), check.ok() ? "ok" : check.severity().label()));
        return levels;
    }

    private static List<String> violations(Results results) throws IOException {
        return Schemas.violations("results.schema.json", new ObjectMapper().readTree(Report.json(results)));
    }

    private static StudyCells study(Results results) {
        return StudyCells.of(results);
    }

    private static Cell capacity(Results results, StudyDesign design) {
        return study(results).capacities().stream()
                .filter(each -> each.target().equals(design.label()))
                .findFirst()
                .orElseThrow();
    }

    private static Cell load(Results results, StudyDesign design, double level) {
        return study(results).relative().stream()
                .filter(each -> each.target().equals(design.label()) && StudyCells.at(each) == level)
                .findFirst()
                .orElseThrow();
    }

    private static Overhead comparison(Results results, StudyDesign design) {
        return study(results).comparisons().stream()
                .filter(each -> each.target().equals(design.label()))
                .findFirst()
                .orElseThrow();
    }
}
