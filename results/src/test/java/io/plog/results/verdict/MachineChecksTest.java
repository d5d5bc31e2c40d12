package io.plog.results.verdict;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.SideUsage;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MachineChecksTest {
    private static SideUsage usage(
            double cpu, double steal, double freeShare, long hiccupP99Nanos, long clockStepNanos, long others) {
        long memory = 10_000_000_000L;
        return new SideUsage(
                10,
                2,
                1,
                cpu,
                steal,
                (long) (freeShare * memory),
                memory,
                hiccupP99Nanos,
                2 * hiccupP99Nanos,
                clockStepNanos,
                0,
                0,
                0,
                List.of(new SideUsage.Disk("sda", 0, 1_000_000_000, others)));
    }

    private static SideEvents side(String side, SideUsage... usage) {
        return new SideEvents(0, side, Map.of(), 0, List.of(), List.of(usage), List.of());
    }

    private static Check check(String id, SideEvents... events) {
        List<Check> found = MachineChecks.of(List.of(events), false, SideEvents.CLIENT, SideEvents.SERVER).stream()
                .filter(check -> check.id().equals(id))
                .toList();
        assertThat(found).as(id).hasSize(1);
        return found.get(0);
    }

    @Test
    void whatBookiesOfTheSameMachineWriteIsNoReasonNotToUseARun() {
        SideEvents server = side(SideEvents.SERVER, usage(0.5, 0, 0.5, 1000, 25, 900_000_000));
        assertThat(check("disk:sda", server).severity()).isEqualTo(Severity.INVALID);
        Check here = MachineChecks.ofRun(List.of(server), true, true, side -> "").stream()
                .filter(check -> check.id().equals("disk:sda"))
                .findFirst()
                .orElseThrow();
        assertThat(here.ok()).isFalse();
        assertThat(here.severity()).isEqualTo(Severity.WARNING);
        assertThat(here.detail()).contains("the bookies on this machine write to disks, too");
    }

    @ParameterizedTest(
            name = "{0}: cpu {1}, steal {2}, free {3}, hiccup {4} ns, clock {5} ns, others {6} B: ok {7}, invalid {8}")
    @CsvSource({
        "hiccups:server, 0.5, 0, 0.5, 1000000, 25, 0, true, false",
        "hiccups:server, 0.5, 0, 0.5, 1000001, 25, 0, false, false",
        "hiccups:server, 0.5, 0, 0.5, 10000001, 25, 0, false, true",
        "processors:server, 0.90, 0, 0.5, 1000, 25, 0, true, false",
        "processors:server, 0.91, 0, 0.5, 1000, 25, 0, false, false",
        "processors:server, 0.98, 0, 0.5, 1000, 25, 0, false, true",
        "steal:server, 0.5, 0.09, 0.5, 1000, 25, 0, true, false",
        "steal:server, 0.5, 0.11, 0.5, 1000, 25, 0, false, true",
        "memory:server, 0.5, 0, 0.11, 1000, 25, 0, true, false",
        "memory:server, 0.5, 0, 0.09, 1000, 25, 0, false, false",
        "memory:server, 0.5, 0, 0.04, 1000, 25, 0, false, true",
        "clock:server, 0.5, 0, 0.5, 1000, 1000, 0, true, false",
        "clock:server, 0.5, 0, 0.5, 1000, 1001, 0, false, true",
        "disk:sda, 0.5, 0, 0.5, 1000, 25, 250000000, true, false",
        "disk:sda, 0.5, 0, 0.5, 1000, 25, 260000000, false, false",
        "disk:sda, 0.5, 0, 0.5, 1000, 25, 510000000, false, true",
    })
    void aLimitThatIsPassedIsReportedAndFarBeyondItTheRunIsInvalid(
            String id,
            double cpu,
            double steal,
            double free,
            long hiccup,
            long clock,
            long others,
            boolean ok,
            boolean invalid) {
        Check check = check(id, side(SideEvents.SERVER, usage(cpu, steal, free, hiccup, clock, others)));
        assertThat(check.ok()).as(check.detail()).isEqualTo(ok);
        assertThat(!check.ok() && check.severity() == Severity.INVALID).isEqualTo(invalid);
    }

    @Test
    void ofSeveralTrialsTheWorstCounts() {
        SideUsage good = usage(0.5, 0, 0.5, 1000, 25, 0);
        SideUsage bad = usage(0.99, 0, 0.5, 1000, 25, 0);
        assertThat(check("processors:client", side(SideEvents.CLIENT, good), side(SideEvents.CLIENT, bad))
                        .ok())
                .isFalse();
    }

    @ParameterizedTest
    @CsvSource({"9000000, 8000000", "0, 0"})
    void aLittleOnAQuietDeviceIsNotHeavyUse(long written, long others) {
        SideUsage quiet = new SideUsage(
                10,
                2,
                1,
                0.5,
                0,
                5,
                10,
                1000,
                1000,
                25,
                0,
                0,
                0,
                List.of(new SideUsage.Disk("sda", 0, written, others)));
        assertThat(check("disk:sda", side(SideEvents.SERVER, quiet)).ok()).isTrue();
    }

    @Test
    void whatIsNotKnownIsSaid() {
        SideUsage silent = new SideUsage(10, 2, -1, -1, -1, -1, -1, -1, -1, 25, -1, -1, -1, List.of());
        assertThat(check("processors:client", side(SideEvents.CLIENT, silent)))
                .matches(check -> !check.ok() && check.severity() == Severity.WARNING);
        SideEvents none = new SideEvents(
                0,
                SideEvents.SERVER,
                Map.of("events", "not available: the server has no admin port"),
                0,
                List.of(),
                List.of(),
                List.of());
        assertThat(check("machine:server", none).detail()).contains("the server has no admin port");
        assertThat(check("machine:client", none).ok()).isFalse();
    }

    @ParameterizedTest(name = "steal {0}, compilers {1}, garbage {2}, preparing {3}, strangers {4}, limit {5}: {6}")
    @CsvSource(
            delimiter = '|',
            value = {
                "0    | 0   | 0    | 0   | 0   |       |                    | what held it up is not known",
                "0.05 | 0   | 0    | 0   | 0   |       |                    | the hypervisor gave 5.0 % of the processor time",
                "0    | 0.3 | 0    | 0   | 0   |       |                    | the server's own just-in-time compilers kept 0.30",
                "0    | 0   | 0.04 | 0   | 0   |       |                    | the server collected garbage for 4.0 % of the time",
                "0    | 0   | 0    | 0.2 | 0   |       | preparation:server | segments were prepared",
                "0    | 0   | 0    | 0   | 0.2 |       | others             | other processes used 20.0 % of",
                "0    | 0   | 0    | 0   | 0   | 50000 | | a control group limits the server's processor time (50000)",
            })
    void aDelayNamesTheCauseThatWasSeenOnTheMachine(
            double steal,
            double compilers,
            double collecting,
            double preparing,
            double strangers,
            @Nullable String limit,
            @Nullable String failed,
            String cause) {
        // What the server does keeps the client's threads from running, too: both have the same processors.
        SideUsage server = new SideUsage(
                2, 2, 0.4, 0.5, steal, 5, 10, 1_000, 1_000, 25, compilers, preparing, collecting, List.of());
        SideUsage client =
                new SideUsage(2, 2, 0.6, 0.5 + strangers, steal, 5, 10, 2_000_000, 9_000_000, 25, 0, 0, 0, List.of());
        List<Check> checks = MachineChecks.ofRun(
                List.of(side(SideEvents.CLIENT, client), side(SideEvents.SERVER, server)),
                false,
                true,
                side -> limit != null && side.equals(SideEvents.SERVER) ? limit : "");
        assertThat(checks.stream().filter(check -> !check.ok()).map(Check::id))
                .containsExactlyInAnyOrderElementsOf(
                        failed == null ? List.of("hiccups:client") : List.of("hiccups:client", failed));
        assertThat(checks.get(0).detail()).contains(cause);
    }

    @ParameterizedTest
    @CsvSource({
        "2000000, 3000000, hiccups:client",
        "3000000, 2000000, hiccups:client",
        "2000000, 11000000, hiccups:server",
        "1000, 11000000, hiccups:server"
    })
    void onOneMachineTheClientIsAskedUnlessTheServerIsHeldUpByItself(long client, long server, String failed) {
        List<Check> checks = MachineChecks.ofRun(
                List.of(
                        side(SideEvents.CLIENT, usage(0.5, 0, 0.5, client, 25, 0)),
                        side(SideEvents.SERVER, usage(0.5, 0, 0.5, server, 25, 0))),
                false,
                true,
                side -> "");
        assertThat(checks.stream().filter(check -> !check.ok()).map(Check::id)).containsExactly(failed);
    }

    @ParameterizedTest
    @CsvSource({"0.3, meanwhile most of the processors' time was left", "0.6, what held it up is not known"})
    void aSideThatIsHeldUpWhileProcessorsAreIdleIsLimited(double used, String cause) {
        List<Check> checks = MachineChecks.ofRun(
                List.of(
                        side(SideEvents.CLIENT, usage(used, 0, 0.5, 1_000, 25, 0)),
                        side(SideEvents.SERVER, usage(used, 0, 0.5, 80_000_000, 25, 0))),
                false,
                true,
                side -> "");
        assertThat(checks.stream().filter(check -> !check.ok()).map(Check::detail))
                .singleElement()
                .asString()
                .contains(cause);
    }

    @Test
    void ofSeveralTrialsTheHiccupsOfTheOneInTheMiddleCount() {
        List<SideEvents> trials = List.of(
                side(SideEvents.SERVER, usage(0.5, 0, 0.5, 9_000_000, 25, 0)),
                side(SideEvents.SERVER, usage(0.5, 0, 0.5, 500_000, 25, 0)),
                side(SideEvents.SERVER, usage(0.5, 0, 0.5, 600_000, 25, 0)));
        assertThat(MachineChecks.of(trials, false, SideEvents.SERVER)).allMatch(Check::ok);
    }
}
