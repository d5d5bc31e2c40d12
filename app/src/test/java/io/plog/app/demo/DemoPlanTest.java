package io.plog.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.app.cli.LogOption;
import io.plog.log.storage.Force;
import io.plog.measure.plan.Grid;
import io.plog.measure.plan.Warmup;
import io.plog.results.model.Results;
import io.plog.server.options.LogPlace;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.Service;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoPlanTest {
    @TempDir
    Path logs;

    private static DemoPlan plan(List<Integer> sizesBytes, long iterations) {
        return plan(1, sizesBytes, iterations);
    }

    private static DemoPlan plan(int disks, List<Integer> sizesBytes, long iterations) {
        return plan(List.of("fdatasync", "write"), disks, sizesBytes, iterations);
    }

    private static DemoPlan plan(List<String> ways, int disks, List<Integer> sizesBytes, long iterations) {
        return plan(ways, Collections.nCopies(disks, "/disk"), sizesBytes, iterations);
    }

    private static DemoPlan plan(List<String> ways, List<String> logDirs, List<Integer> sizesBytes, long iterations) {
        return DemoPlan.of(new Grid(
                "",
                ways,
                logDirs,
                sizesBytes,
                List.of(),
                iterations,
                iterations < 100 ? 1 : 3,
                Warmup.untilSteady(Math.min(Warmup.DEFAULT_MOST, iterations)),
                10,
                1,
                0,
                0));
    }

    private TargetOptions target(DemoPlan plan, Force force) throws IOException {
        List<String> options = options(plan, logs);
        return LogOption.parse(options.get(2 * plan.ways().forces().indexOf(force) + 1));
    }

    private static List<String> options(DemoPlan plan, Path... logs) throws IOException {
        return plan.serverOptions(
                List.of(logs), quorum -> "bookkeeper://127.0.0.1:2181/" + quorum.label() + quorum.settings());
    }

    @Test
    void eachDiskHasATargetForEachWayOfForcing() throws IOException {
        DemoPlan plan = plan(2, List.of(100), 10);
        Path other = logs.resolve("other");
        assertThat(plan.logged())
                .extracting(DemoPlan.LoggedTarget::name)
                .containsExactly("fdatasync-a", "fdatasync-b", "write-a", "write-b");
        List<String> options = options(plan, logs, other);
        assertThat(LogOption.parse(options.get(3)))
                .usingRecursiveComparison()
                .ignoringFields("segmentBytes", "reserveSegments", "retainBytes")
                .isEqualTo(TargetOptions.logged("fdatasync-b", other.resolve("fdatasync-b"), Force.FDATASYNC));
        assertThat(other.resolve("write-b")).isDirectory();
        assertThat(options).endsWith("--unlogged");
        assertThatThrownBy(() -> plan(7, List.of(100), 10)).hasMessageContaining("--log-dir names 7 directories");
    }

    private static List<String> targets(String... logDirs) {
        return plan(List.of("fdatasync"), List.of(logDirs), List.of(100), 10).logged().stream()
                .map(DemoPlan.LoggedTarget::name)
                .toList();
    }

    @Test
    void theTargetsOfADiskThatHasANameBearIt() {
        assertThat(targets("hdd=/a", "/b=c")).containsExactly("fdatasync-hdd", "fdatasync-b");
        assertThat(targets("ssd=/a")).containsExactly("fdatasync-ssd");
        assertThat(targets("/a")).containsExactly("fdatasync");
        assertThatThrownBy(() -> targets("b=/a", "/b")).hasMessageContaining("two disks one name: b=/a, /b");
    }

    @Test
    void aTrialOfTheDefaultDemoHasWrittenInAllFilesBeforeRequestsCount() throws IOException {
        DemoPlan plan = plan(Grid.DEFAULT.sizesBytes(), DemoPlan.MOST_ITERATIONS);
        for (Force force : plan.ways().forces()) {
            assertThat(target(plan, force))
                    .usingRecursiveComparison()
                    .isEqualTo(TargetOptions.logged(force.label(), logs.resolve(force.label()), force)
                            .withSegmentBytes(plan.segmentBytes())
                            .withReserveSegments(1)
                            .withRetainBytes(2 * plan.segmentBytes()));
        }
        assertThat(options(plan, logs)).hasSize(5).last().isEqualTo("--unlogged");
        long round = plan.logBytes() / (plan.plan().iterationsInTrial(0) + Warmup.DEFAULT_MOST) * 200;
        assertThat(round).as("a round of the warm-up").isGreaterThan(2 * plan.segmentBytes());
        assertThat(plan.spaceBytes()).isLessThan(1_000_000_000L);
    }

    @Test
    void aServiceMayTakeTimeAndWaitForTheForce() {
        Service busy =
                LogOption.parse("a=/x,busy=200us,execute=after").service().get();
        assertThat(busy.executesAfterForce()).isTrue();
        assertThat(busy.name()).isEqualTo("invert");
        assertThat(LogOption.parse("a=/x,busy=200us").service().get().executesAfterForce())
                .isFalse();
        assertThat(LogOption.parse("a=/x,service=chain,busy=1ms")
                        .service()
                        .get()
                        .executesAfterForce())
                .isTrue();
        assertThatThrownBy(() -> LogOption.parse("a=/x,execute=later"))
                .hasMessageContaining("expected during or after");
        assertThatThrownBy(() -> LogOption.parse("a=/x,busy=2s")).hasMessageContaining("at most 1s");
    }

    @Test
    void aRecordThatTheUsualSegmentCannotHoldGetsALargerOne() throws IOException {
        DemoPlan plan = plan(List.of(20 << 20), 10);
        assertThat(target(plan, Force.FDATASYNC).segmentBytes()).isGreaterThan(4L * (20 << 20));
        assertThat(options(plan, logs)).endsWith("--max-payload", Integer.toString(20 << 20));
    }

    @Test
    void aReplicatedDemoHasATargetOnOneBookieAndOneOnThree() throws IOException {
        DemoPlan plan = plan(DemoWays.REPLICATED, 1, List.of(100, 10_000), 10);
        assertThat(plan.loggedTargets()).isEqualTo(3);
        List<String> options = options(plan, logs);
        assertThat(LogOption.parse(options.get(3)).place())
                .isEqualTo(new LogPlace.Address(URI.create("bookkeeper://127.0.0.1:2181/r1?ensemble=1&write=1&ack=1")));
        assertThat(LogOption.parse(options.get(5)).place())
                .isEqualTo(new LogPlace.Address(URI.create("bookkeeper://127.0.0.1:2181/r3?ensemble=3&write=3&ack=2")));
        assertThat(plan.spaceBytes())
                .isGreaterThan(
                        plan(List.of("fdatasync"), 1, List.of(100, 10_000), 10).spaceBytes());
    }

    @Test
    void aReplicatedDemoThatMakesNoSenseIsRefused() {
        assertThatThrownBy(() -> plan(DemoWays.REPLICATED, 2, List.of(100), 10))
                .hasMessage("--replicated keeps all copies on one disk, but --log-dir names 2");
        assertThatThrownBy(() -> plan(DemoWays.REPLICATED, 1, List.of(5_000_000), 10))
                .hasMessage("--sizes names 5000000 bytes: a log on several machines takes at most 4194280");
        assertThatThrownBy(() -> DemoWays.parse(List.of("quickly"))).hasMessageContaining("quickly");
        assertThatThrownBy(() -> DemoWays.parse(List.of("r3", "r3")))
                .hasMessage("--force names r3 twice: leave it out");
        assertThatThrownBy(() -> DemoWays.parse(List.of("off", "r3")))
                .hasMessage("--force names off, which is measured anyway: leave it out");
    }

    @Test
    void simulatedDisksAreTargetsWhoseNamesSayThatTheyAre() throws Exception {
        List<String> disks = Stream.of("sim:hdd", "sim:fixed:2ms", "mine=sim:ssd@/disk")
                .map(option -> DemoDisk.parse(option).text())
                .toList();
        assertThat(disks)
                .containsExactly(
                        "simulated-hdd=sim:hdd", "simulated-fixed-2ms=sim:fixed:2ms", "simulated-mine=sim:ssd@/disk");
        DemoPlan plan = plan(List.of("fdatasync"), disks, List.of(100), 10);
        assertThat(plan.logged().stream().map(DemoPlan.LoggedTarget::name))
                .containsExactly(
                        "fdatasync-simulated-hdd", "fdatasync-simulated-fixed-2ms", "fdatasync-simulated-mine");
        assertThat(new Results.Target(1, "fdatasync-simulated-hdd", "fdatasync", true, Map.of()).label())
                .isEqualTo("fdatasync-simulated-hdd");
        List<Path> made = DemoDisk.create(logs, plan.disks().subList(0, 2));
        assertThat(made).containsExactly(logs.resolve("log-simulated-hdd"), logs.resolve("log-simulated-fixed-2ms"));
        assertThat(options(plan, made.get(0), made.get(1), logs))
                .anyMatch(option -> option.startsWith("fdatasync-simulated-hdd=sim:hdd@" + made.get(0)));
        assertThat(plan.secondsOfOne(List.of(logs, logs, logs))).isGreaterThan(0.0113); // a turn, 2 ms and 1 ms
    }
}
