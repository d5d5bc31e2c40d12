package io.plog.results.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.plog.measure.plan.Grid;
import io.plog.measure.samples.RunInfo;
import io.plog.results.Analysis;
import io.plog.results.SyntheticDisk;
import io.plog.results.compare.Assessment.Outcome;
import io.plog.results.compare.Assessment.Verdict;
import io.plog.results.model.Results;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class AssessorTest {
    private static final Assessor.Request PLAIN = new Assessor.Request(null, List.of(), false, false);

    private static final Results NOTHING_KNOWN = new Results(
            Results.SCHEMA_VERSION,
            Results.Kind.RUN,
            "",
            "",
            new Results.Partial(false, ""),
            new Results.Environment(Map.of(), Map.of(), List.of()),
            "",
            Grid.DEFAULT,
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            List.of(),
            null,
            List.of(),
            List.of());

    private static Assessment compare(TestRun a, TestRun b) throws Exception {
        return Assessor.of(plain(a, "a"), plain(b, "b"), PLAIN);
    }

    /** Nothing else is known of it. */
    private static Assessor.Input plain(TestRun run, String path) {
        return new Assessor.Input(path, run, NOTHING_KNOWN);
    }

    private static Assessment judge(TestRun a, TestRun b, String... gates) throws Exception {
        return Assessor.of(plain(a, "a"), plain(b, "b"), request(gates));
    }

    /** Two targets of one run. */
    private static Assessment side(Assessor.Input run, String a, String b) throws Exception {
        return Assessor.of(run, run, new Assessor.Request(new TargetPair.Names(a, b), List.of(), false, false));
    }

    private static Assessment.Cell cell(Assessment found, String target, int bytes, Measure measure) {
        return found.cells().stream()
                .filter(c -> c.targetB().equals(target) && c.payloadBytes() == bytes && c.measure() == measure)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aSlowerRunIsFoundSlowerByAsMuchAsItIs() throws Exception {
        Assessment found = compare(TestRun.of(4000, 1), TestRun.of(4000, 2).slower("main", 1.5));
        Assessment.Cell main = cell(found, "main", 1000, Measure.END_TO_END);
        for (Assessment.Row row : main.figures()) {
            assertThat(row.verdict()).as(row.figure().label()).isEqualTo(Verdict.LONGER);
            assertThat(row.ratio().value()).isCloseTo(1.5, within(0.15));
            assertThat(row.differenceMicros().value()).isCloseTo(row.bMicros() - row.aMicros(), within(0.01));
        }
        assertThat(main.sentence())
                .startsWith("B takes 1.")
                .contains(" times as long as A in the mean (", "in the median");
        assertThat(main.superiority()).isGreaterThan(0.9);
        Assessment.Cell off = cell(found, "off", 1000, Measure.END_TO_END);
        assertThat(off.figures()).extracting(Assessment.Row::verdict).containsOnly(Verdict.NO_DIFFERENCE);
        assertThat(off.sentence())
                .startsWith("No difference can be seen; one above ")
                .endsWith(" would have been.");
        assertThat(found.cells()).hasSize(6);
        assertThat(found.sentence()).isEqualTo("12 of 18 figures differ.");
    }

    @Test
    void aFasterRunIsFoundFaster() throws Exception {
        Assessment found = compare(TestRun.of(4000, 1).slower("main", 1.5), TestRun.of(4000, 2));
        assertThat(cell(found, "main", 100, Measure.LOGGING).figures())
                .extracting(Assessment.Row::verdict)
                .containsOnly(Verdict.SHORTER);
    }

    @Test
    void onlyTheTailDiffers() throws Exception {
        Assessment found = compare(
                TestRun.of(8000, 1).trials(5), TestRun.of(8000, 2).trials(5).tail(20));
        Assessment.Cell main = cell(found, "main", 1000, Measure.LOGGING);
        assertThat(main.figures().get(1).verdict()).isEqualTo(Verdict.NO_DIFFERENCE);
        assertThat(main.figures().get(2).verdict()).isEqualTo(Verdict.LONGER);
    }

    @Test
    void jointIntervalsAreWiderAndHoldTheirFigure() throws Exception {
        Assessment found = compare(TestRun.of(2000, 1), TestRun.of(2000, 2));
        for (Assessment.Cell cell : found.cells()) {
            for (Assessment.Row row : cell.figures()) {
                Double low = row.ratio().low();
                Double high = row.ratio().high();
                if (low != null && high != null) {
                    assertThat(row.jointRatio().low()).isLessThan(low);
                    assertThat(row.jointRatio().high()).isGreaterThan(high);
                    assertThat(row.jointDifferenceMicros().low())
                            .isLessThan(row.differenceMicros().value());
                }
            }
        }
    }

    @Test
    void separateRunsOfOneTrialMustDifferByMoreThanProcessesDo() throws Exception {
        TestRun a = TestRun.of(10_000, 1).luck(0);
        TestRun b = TestRun.of(10_000, 2).luck(0).slower("main", 1.03);
        assertThat(compare(a, b).sentence()).startsWith("No difference");
        assertThat(cell(compare(a, b), "main", 100, Measure.LOGGING).sentence())
                .startsWith("No difference can be seen; one above 5.0 % in the mean");
        assertThat(compare(a.trials(5), b.trials(5)).sentence()).doesNotStartWith("No difference");
        assertThat(compare(a, b.slower("main", 1.08)).sentence()).doesNotStartWith("No difference");
    }

    @Test
    void twoTargetsOfOneRunArePairedBlockByBlock() throws Exception {
        TestRun run = TestRun.of(4000, 5)
                .targets(List.of(TestRun.target(1, "main", "dsync"), TestRun.target(2, "other", "dsync")))
                .slower("main", 1)
                .slower("other", 1.03);
        Assessor.Input input = run.input("run");
        Assessment found = side(input, "main", "other");
        assertThat(found.paired()).isTrue();
        assertThat(found.anyway()).isFalse();
        assertThat(cell(found, "other", 1000, Measure.LOGGING).figures().get(1).verdict())
                .as("3 % can be seen where luck is shared")
                .isEqualTo(Verdict.LONGER);
    }

    @Test
    void whatIsNotComparableIsRefusedAndNamed() throws Exception {
        TestRun a = TestRun.of(200, 1);
        refuses(a, a.plan("sizes", List.of(100, 2000)), "size mix is [100, 1000] in A and [100, 2000] in B");
        refuses(a, a.plan("connections", 4, "rate", 0), "connections is 1 in A and 4 in B");
        refuses(
                a.plan("connections", 1, "rate", 100),
                a.plan("connections", 1, "rate", 500),
                "rate is 100.0 in A and 500.0 in B");
        refuses(a, TestRun.of(200, 1).load(1, 100, 1), "subject is Grid in A and Load in B");
        refuses(
                a,
                a.targets(List.of(TestRun.target(1, "main", "dsync"), TestRun.target(2, "off", "off"))),
                "way of forcing of target main is fdatasync in A and dsync in B");
        refuses(
                a,
                a.targets(List.of(
                        new RunInfo.Target(1, "main", "fdatasync", Map.of("service", "chain")),
                        TestRun.target(2, "off", "off"))),
                "service of target main is invert in A and chain in B");
        refuses(a, a.targets(List.of(TestRun.target(1, "x", "fdatasync"))), "no target of the same name");
    }

    private static void refuses(TestRun a, TestRun b, String words) {
        assertThatThrownBy(() -> compare(a, b))
                .isInstanceOf(NotComparableException.class)
                .hasMessageContaining(words);
    }

    @Test
    void anywayComparesAndSaysSo() throws Exception {
        TestRun a = TestRun.of(200, 1);
        TestRun b = a.plan("sizes", List.of(100, 2000));
        Assessment found = Assessor.of(a.input("a"), b.input("b"), new Assessor.Request(null, List.of(), true, false));
        assertThat(found.anyway()).isTrue();
        assertThat(found.cells()).extracting(Assessment.Cell::payloadBytes).containsOnly(100);
        TestRun none = a.plan("sizes", List.of(7));
        assertThatThrownBy(() ->
                        Assessor.of(a.input("a"), none.input("b"), new Assessor.Request(null, List.of(), true, false)))
                .isInstanceOf(NotComparableException.class)
                .hasMessageContaining("no payload size in common");
    }

    @Test
    void anotherMachineIsAWarning() throws Exception {
        TestRun a = TestRun.of(200, 1);
        TestRun b = a.with("server", Map.of("cpu", "a slow one", "host", "there", "freeBytes", "1"));
        assertThat(compare(a, b).differences())
                .containsExactly(new Assessment.Difference("server's cpu", "a fast one", "a slow one", false));
    }

    @Test
    void aGateFailsOnlyIfItIsCertain() throws Exception {
        TestRun a = TestRun.of(4000, 1);
        assertThat(outcomes(
                        judge(a, TestRun.of(4000, 2).slower("main", 1.5), "endToEnd.p50@target=main,size=1k > 1.1x")))
                .containsExactly(Outcome.FAILS);
        assertThat(outcomes(judge(a, TestRun.of(4000, 2), "endToEnd.p50@target=main,size=1k > 1.1x")))
                .containsExactly(Outcome.HOLDS);
        Assessment close =
                judge(a, TestRun.of(4000, 1).slower("main", 1.101), "endToEnd.mean@target=main,size=1k > 1.1x");
        assertThat(outcomes(close)).containsExactly(Outcome.UNDECIDED);
        assertThat(close.gates().get(0).detail()).contains("the interval reaches back over the limit");
        assertThat(close.failed()).isFalse();
    }

    @Test
    void strictMakesTheUndecidedFail() throws Exception {
        TestRun a = TestRun.of(4000, 1);
        Assessment close = Assessor.of(
                a.input("a"),
                TestRun.of(4000, 1).slower("main", 1.101).input("b"),
                new Assessor.Request(
                        null, List.of(Gate.parse("endToEnd.mean@target=main,size=1k > 1.1x")), false, true));
        assertThat(outcomes(close)).containsExactly(Outcome.UNDECIDED);
        assertThat(close.failed()).isTrue();
    }

    @Test
    void fixedLimitsNeedNoBaseline() throws Exception {
        Assessor.Input run = TestRun.of(4000, 1).input("run");
        Assessment found = Assessor.of(
                null,
                run,
                request(
                        "log.p50 > 50us",
                        "log.p50 > 500us",
                        "endToEnd.mean@target=off,size=100 < 100us",
                        "endToEnd.max@target=main,size=100 > 1us"));
        assertThat(found.a()).isNull();
        assertThat(found.cells()).isEmpty();
        assertThat(outcomes(found))
                .containsExactly(
                        Outcome.FAILS, Outcome.FAILS, Outcome.HOLDS, Outcome.HOLDS, Outcome.FAILS, Outcome.FAILS);
        assertThat(found.gates().get(0).dimensions())
                .isEqualTo(Map.of("target", "main", "force", "fdatasync", "size", "100"));
    }

    @Test
    void tooFewSamplesForATailAreSaid() throws Exception {
        Assessment found = judge(TestRun.of(1000, 1), TestRun.of(1000, 2), "endToEnd.p999@target=main,size=100 > 2x");
        assertThat(outcomes(found)).containsExactly(Outcome.UNDECIDED);
        assertThat(found.gates().get(0).detail())
                .contains("too few requests, or too unlike each other, to bound the 99.9th percentile")
                .contains("20,000 are enough, in 10 parts as here");
        assertThat(cell(compare(TestRun.of(50, 1), TestRun.of(50, 2)), "main", 100, Measure.LOGGING)
                        .sentence())
                .contains("There are too few samples to bound the 99th percentile.");
    }

    @Test
    void aCellThatWasNeverReachedDecidesNothing() throws Exception {
        TestRun none = TestRun.of(4000, 1).failing(4000);
        Assessment found = Assessor.of(
                TestRun.of(4000, 1).input("a"), none.input("b"), request("endToEnd.p50@target=main,size=100 > 1.1x"));
        assertThat(outcomes(found)).containsExactly(Outcome.UNDECIDED);
        assertThat(found.gates().get(0).detail()).isEqualTo("the run has no samples of this cell");
        assertThat(found.invalid()).startsWith("b: ");
    }

    @Test
    void aGateMustMeanSomethingInTheRun() throws Exception {
        refusesGate("endToEnd.p99@target=mian > 1ms", "there is no target mian", "did you mean main?", "main, off");
        refusesGate("endToEnd.p99@size=10k > 1ms", "there is no size 10 kB", "100 B, 1 kB");
        refusesGate("endToEnd.p99@sise=1k > 1ms", "no dimension sise", "did you mean size?", "target, force, size");
        refusesGate("endToEnd.p99@target=off,force=fdatasync > 1ms", "no cell that was measured has all");
        refusesGate("log.p99@target=off > 1ms", "is not logged, so it has no logging latency");
        refusesGate("endToEnd.p99 > 1.1x", "there is none; give one");
        refusesGate("refusedShare > 0.1", "is a figure of a load, and this is none");
    }

    @Test
    void aGateNamesAWriteAndAForceByTheirWayOfForcing() throws Exception {
        Assessor.Input run = TestRun.of(4000, 1).input("run");
        assertThat(outcomes(judge(
                        run, "force.p50@force=fdatasync > 50us", "write.p50 > 1us", "force.mean@force=fdatasync > 1s")))
                .containsExactly(
                        Outcome.FAILS, Outcome.FAILS, Outcome.HOLDS, Outcome.HOLDS, Outcome.HOLDS, Outcome.HOLDS);
    }

    @Test
    void aNumberOfTheResultsIsJudgedByItsValue() throws Exception {
        Assessor.Input run = TestRun.of(4000, 1).load(4, 1000, 1).input("run");
        double rate = run.results().cells().get(0).requestsPerSecond();
        assertThat(outcomes(judge(
                        run,
                        "requestsPerSecond@target=main,size=100 < " + (long) (rate * 2),
                        "refusedShare > 0.05",
                        "answeredPerSecond@target=main >= 1",
                        "lag.p99@target=main > 1s")))
                .containsExactly(Outcome.FAILS, Outcome.HOLDS, Outcome.FAILS, Outcome.HOLDS);
        Assessment relative = Assessor.of(run, run, request("requestsPerSecond@target=main,size=1k < -10%"));
        assertThat(outcomes(relative)).containsExactly(Outcome.HOLDS);
        assertThat(relative.gates().get(0).detail()).endsWith(", limit 0.90 times");
    }

    private static Assessor.Request request(String... gates) {
        return new Assessor.Request(null, Arrays.stream(gates).map(Gate::parse).toList(), false, false);
    }

    private static Assessment judge(Assessor.Input run, String... gates) throws Exception {
        return Assessor.of(null, run, request(gates));
    }

    private static void refusesGate(String gate, String... words) throws Exception {
        Assessor.Input run = TestRun.of(200, 1).input("run");
        assertThatThrownBy(() -> Assessor.of(null, run, request(gate)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }

    /** Chance alone must not make a difference, however many figures are looked at. The seeds are fixed, so this cannot flicker. */
    @Test
    void theSameTwiceShowsNoDifferenceInAtLeast19Of20Comparisons() throws Exception {
        int runs = 0;
        int pairs = 0;
        for (int i = 0; i < 20; i++) {
            TestRun a = TestRun.of(1000, 1000 + i).trials(5);
            TestRun b = TestRun.of(1000, 2000 + i).trials(5);
            runs += compare(a, b).sentence().startsWith("No difference") ? 1 : 0;
            TestRun both = TestRun.of(1000, 3000 + i)
                    .targets(List.of(TestRun.target(1, "main", "dsync"), TestRun.target(2, "other", "dsync")));
            Assessor.Input input = plain(both.slower("other", 1), "run");
            Assessment paired = side(input, "main", "other");
            pairs += paired.sentence().startsWith("No difference") ? 1 : 0;
        }
        assertThat(runs).as("separate runs").isGreaterThanOrEqualTo(19);
        assertThat(pairs).as("targets of one run").isGreaterThanOrEqualTo(19);
    }

    private static Assessor.Input disk(SyntheticDisk disk) throws Exception {
        return new Assessor.Input("disk", disk, Analysis.results(disk));
    }

    @Test
    void aGateNamesACellOfADirectoryByItsDimensions() throws Exception {
        Assessor.Input run = disk(SyntheticDisk.of(SyntheticDisk.ramp(1000)));
        String one = "@force=fdatasync,size=512,file=initialised,appends=1,neighbour=none";
        assertThat(outcomes(judge(
                        run,
                        "log.p50" + one + " > 400us",
                        "log.p50" + one + " > 499us",
                        "log.p50" + one + " > 600us",
                        "force.p50" + one + " > 300us",
                        "log.max" + one + " >= 1ms")))
                .containsExactly(Outcome.FAILS, Outcome.UNDECIDED, Outcome.HOLDS, Outcome.HOLDS, Outcome.FAILS);
        Assessment all = judge(run, "log.p50 > 600us");
        assertThat(all.gates()).as("what is left out is every cell").hasSize(9);
        assertThat(all.gates().get(0).cell())
                .isEqualTo("/mnt/one at 512 B, force=write, file=initialised, appends=1, neighbour=none");
        refusesDisk(run, "endToEnd.p50 > 1s", "an append without a request");
        refusesDisk(run, "log.p50@neighbour=dog > 1s", "there is no neighbour dog", "none, log, reads");
        refusesDisk(run, "log.p50@force=write,neighbour=log > 1s", "no cell that was measured has all");
    }

    private static void refusesDisk(Assessor.Input run, String gate, String... words) {
        assertThatThrownBy(() -> Assessor.of(null, run, request(gate)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContainingAll(words);
    }

    @Test
    void anEndThatTheSampleDoesNotBoundDecidesNothing() throws Exception {
        Assessor.Input few = disk(SyntheticDisk.of(SyntheticDisk.ramp(100)));
        String one = "log.p99@file=random,force=write";
        assertThat(outcomes(judge(few, one + " > 10s", one + " > 10us")))
                .containsExactly(Outcome.UNDECIDED, Outcome.FAILS);
    }

    @Test
    void aDiskThatTakesTwiceAsLongIsSlowerCellByCellAndTheSameOneIsNot() throws Exception {
        long[] once = SyntheticDisk.ramp(1000);
        long[] twice = Arrays.stream(once).map(nanos -> 2 * nanos).toArray();
        Assessment slower = Assessor.of(disk(SyntheticDisk.of(once)), disk(SyntheticDisk.of(twice)), PLAIN);
        assertThat(slower.cells())
                .as("those that share a force are not compared")
                .hasSize(8);
        assertThat(slower.cells()).allSatisfy(cell -> {
            assertThat(cell.measure()).isEqualTo(Measure.LOGGING);
            assertThat(cell.figures().get(1).verdict()).isEqualTo(Verdict.LONGER);
            assertThat(cell.figures().get(1).ratio().value()).isEqualTo(2);
        });
        assertThat(slower.cells().get(0).name()).isEqualTo("write initialised 1 none, /mnt/one");
        Assessor.Input same = disk(SyntheticDisk.of(once));
        assertThat(Assessor.of(same, disk(SyntheticDisk.of(once)), PLAIN).sentence())
                .startsWith("No difference");
    }

    @Test
    void twoDirectoriesAreComparedAsTwoTargetsOfARun() throws Exception {
        long[] once = SyntheticDisk.ramp(1000);
        long[] twice = Arrays.stream(once).map(nanos -> 2 * nanos).toArray();
        Assessor.Input both = disk(SyntheticDisk.of(once).directory("/mnt/two", twice));
        Assessment found = side(both, "/mnt/one", "/mnt/two");
        assertThat(found.paired()).isTrue();
        assertThat(found.cells())
                .hasSize(8)
                .allMatch(cell -> cell.figures().get(1).verdict() == Verdict.LONGER);
        Assessment lone = Assessor.of(
                disk(SyntheticDisk.of(once)), disk(SyntheticDisk.empty(512).directory("/mnt/two", twice)), PLAIN);
        assertThat(lone.cells()).as("each has one directory alone").hasSize(8);
    }

    @Test
    void aRunAndADiskAreNotCompared() throws Exception {
        assertThatThrownBy(() -> Assessor.of(
                        TestRun.of(200, 1).input("run"), disk(SyntheticDisk.of(SyntheticDisk.ramp(100))), PLAIN))
                .isInstanceOf(NotComparableException.class);
    }

    private static List<Outcome> outcomes(Assessment found) {
        return found.gates().stream().map(Assessment.Gated::outcome).toList();
    }
}
