package io.plog.app.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.plog.app.cli.LogOption;
import io.plog.log.Force;
import io.plog.measure.MeasureGrid;
import io.plog.measure.MeasurePlan;
import io.plog.measure.Warmup;
import io.plog.measure.disk.Neighbour;
import io.plog.server.options.TargetOptions;
import io.plog.server.service.Service;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DemoPlanTest {
    @TempDir
    Path logs;

    private static DemoPlan plan(List<Integer> sizesBytes, long iterations) {
        return plan(1, List.of(), sizesBytes, iterations);
    }

    private static DemoPlan plan(int disks, List<Neighbour> neighbours, List<Integer> sizesBytes, long iterations) {
        return new DemoPlan(
                List.of(Force.FDATASYNC, Force.WRITE),
                disks,
                neighbours,
                new MeasurePlan(
                        "127.0.0.1",
                        1,
                        new MeasureGrid(
                                sizesBytes, List.of(), iterations, 1, Warmup.untilSteady(iterations / 2), 10, 1, 0, 7),
                        null,
                        "plog demo"));
    }

    private TargetOptions target(DemoPlan plan, Force force) throws IOException {
        List<String> options = plan.serverOptions(List.of(logs));
        return new LogOption().convert(options.get(2 * plan.forces().indexOf(force) + 1));
    }

    @Test
    void eachDiskHasATargetForEachWayOfForcing() throws IOException {
        DemoPlan plan = plan(2, List.of(), List.of(100), 10);
        Path other = logs.resolve("other");
        assertThat(plan.logged())
                .extracting(DemoPlan.LoggedTarget::name)
                .containsExactly("fdatasync-a", "fdatasync-b", "write-a", "write-b");
        List<String> options = plan.serverOptions(List.of(logs, other));
        assertThat(new LogOption().convert(options.get(3)))
                .isEqualTo(TargetOptions.logged("fdatasync-b", other.resolve("fdatasync-b"), Force.FDATASYNC));
        assertThat(other.resolve("write-b")).isDirectory();
        assertThat(options).endsWith("--unlogged");
        assertThatThrownBy(() -> plan(7, List.of(), List.of(100), 10))
                .hasMessageContaining("--log-dir names 7 directories");
    }

    @Test
    void aSharedDiskHasATargetForEachNeighbour() {
        List<Neighbour> neighbours = List.of(Neighbour.LOG, Neighbour.READS);
        DemoPlan plan = plan(1, neighbours, List.of(100), 10);
        assertThat(plan.logged())
                .extracting(DemoPlan.LoggedTarget::name)
                .startsWith("fdatasync", "fdatasync-beside-log", "fdatasync-beside-reads", "write");
        assertThat(plan.shared(logs).neighbours())
                .containsEntry("fdatasync-beside-log", "log")
                .containsEntry("fdatasync-beside-reads", "reads")
                .doesNotContainKey("fdatasync");
        assertThat(plan.spaceBytes()).isGreaterThan(3 * plan(List.of(100), 10).spaceBytes());
        assertThatThrownBy(() -> plan(2, neighbours, List.of(100), 10))
                .hasMessageContaining("--shared is about one disk");
    }

    @Test
    void theDefaultDemoRunsOnWhatAServerHasByDefault() throws IOException {
        DemoPlan plan = plan(MeasureGrid.DEFAULT_SIZES_BYTES, DemoPlan.MOST_ITERATIONS);
        for (Force force : plan.forces()) {
            assertThat(target(plan, force))
                    .isEqualTo(TargetOptions.logged(force.label(), logs.resolve(force.label()), force));
        }
        assertThat(plan.serverOptions(List.of(logs))).hasSize(5).last().isEqualTo("--unlogged");
        assertThat(plan.logBytes()).as("so segments are prepared meanwhile").isGreaterThan(plan.segmentBytes());
        assertThat(plan.spaceBytes()).isGreaterThan(2 * plan.logBytes());
    }

    @Test
    void aServiceMayTakeTimeAndWaitForTheForce() {
        LogOption option = new LogOption();
        Service busy = option.convert("a=/x,busy=200us,execute=after").service().get();
        assertThat(busy.executesAfterForce()).isTrue();
        assertThat(busy.name()).isEqualTo("invert");
        assertThat(option.convert("a=/x,busy=200us").service().get().executesAfterForce())
                .isFalse();
        assertThat(option.convert("a=/x,service=chain,busy=1ms").service().get().executesAfterForce())
                .isTrue();
        assertThatThrownBy(() -> option.convert("a=/x,execute=later")).hasMessageContaining("expected beside or after");
        assertThatThrownBy(() -> option.convert("a=/x,busy=2s")).hasMessageContaining("at most 1s");
    }

    @Test
    void aRunThatWritesALotKeepsOnlyTheNewest() throws IOException {
        DemoPlan plan = plan(MeasureGrid.DEFAULT_SIZES_BYTES, MeasureGrid.PAPER_ITERATIONS);
        TargetOptions usual = TargetOptions.logged("write", logs.resolve("write"), Force.WRITE);
        TargetOptions target = target(plan, Force.WRITE);
        assertThat(target.segmentBytes()).isEqualTo(usual.segmentBytes());
        assertThat(target.reserveSegments()).isEqualTo(usual.reserveSegments());
        assertThat(target.retainBytes()).isPositive();
        assertThat(plan.spaceBytes()).isLessThan(plan.logBytes());
    }

    @Test
    void aRecordThatTheUsualSegmentCannotHoldGetsALargerOne() throws IOException {
        DemoPlan plan = plan(List.of(20 << 20), 10);
        assertThat(target(plan, Force.FDATASYNC).segmentBytes()).isGreaterThan(4L * (20 << 20));
        assertThat(plan.serverOptions(List.of(logs))).endsWith("--max-payload", Integer.toString(20 << 20));
    }
}
