package io.plog.results.study;

import static org.assertj.core.api.Assertions.assertThat;

import io.plog.measure.plan.Arrivals;
import io.plog.measure.plan.Designs;
import io.plog.measure.plan.Mix;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.plan.StudyDesign;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.SideUsage;
import io.plog.measure.study.StudyOrder;
import io.plog.results.study.SyntheticCells.Behaviour;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class DisturbanceTest {
    private static final Behaviour BEHAVIOUR = new Behaviour(1000, 2000, true, 1, "", 0);

    @TempDir
    Path directory;

    private Optional<String> of(Behaviour behaviour, SideUsage client, SideUsage server) throws IOException {
        Designs plan = new Designs(
                List.of(new StudyDesign("dedicated", 1)),
                "fdatasync",
                new Designs.Traffic(Mix.only(1000), 10, 5, Arrivals.POISSON),
                new Designs.Levels(List.of(0.5), List.of(), List.of(), false, List.of()),
                1,
                500000000L,
                600000000L,
                7);
        StudyCell load = StudyOrder.loads(plan, 0, 0, design -> 1000, List.of()).stream()
                .filter(cell -> cell.kind() == StudyCell.Kind.RELATIVE)
                .findFirst()
                .orElseThrow();
        SyntheticCells cells = new SyntheticCells(Files.createTempDirectory(directory, "cells"), plan, 5);
        cells.recording(List.of(events(SideEvents.CLIENT, client), events(SideEvents.SERVER, server)));
        return Disturbance.of(cells.outcome(load, behaviour));
    }

    private static SideEvents events(String side, SideUsage usage) {
        return new SideEvents(0, side, Map.of(), 40_000, List.of(), List.of(usage), List.of());
    }

    private static SideUsage usage(double cpu, double busy, double steal, long hiccupNanos, double othersWrote) {
        List<SideUsage.Disk> disks =
                List.of(new SideUsage.Disk("sda", 0, 100_000_000, Math.round(100e6 * othersWrote)));
        return new SideUsage(3, 2, cpu, busy, steal, 1L << 30, 1L << 31, hiccupNanos, hiccupNanos, 30, 0, 0, 0, disks);
    }

    private static SideUsage quiet() {
        return usage(0.5, 0.55, 0.01, 200_000, 0.05);
    }

    @Test
    void aQuietMachineDisturbsNothing() throws IOException {
        assertThat(of(BEHAVIOUR, quiet(), quiet())).isEmpty();
    }

    @Test
    void aHypervisorThatTakesTheProcessorsDoes() throws IOException {
        SideUsage robbed = usage(0.5, 0.55, 0.125, 200_000, 0.05);
        assertThat(of(BEHAVIOUR, robbed, robbed))
                .hasValueSatisfying(why -> assertThat(why)
                        .startsWith("The hypervisor gave 12.5 % of the client's processor time to others"));
    }

    @Test
    void othersOnTheProcessorsAndOnTheDiskDo() throws IOException {
        SideUsage hogged = usage(0.4, 0.95, 0, 200_000, 0.05);
        assertThat(of(BEHAVIOUR, hogged, hogged))
                .hasValueSatisfying(why -> assertThat(why).contains("neither client nor server"));
        assertThat(of(BEHAVIOUR, quiet(), usage(0.5, 0.55, 0, 200_000, 0.9)))
                .hasValueSatisfying(why -> assertThat(why).contains("sda"));
    }

    @Test
    void aClientThatIsTooLateDoes() throws IOException {
        assertThat(of(BEHAVIOUR.lagging(10), quiet(), quiet())).contains("the client was too late");
        assertThat(of(BEHAVIOUR.lagging(2), quiet(), quiet())).isEmpty(); // a fiftieth of that, in the mean
    }

    /** A server's own collections stop it as well: who measured again because of them would choose among its figures. */
    @Test
    void pausesAndFullProcessorsDoNot() throws IOException {
        SideUsage paused = usage(0.5, 0.55, 0.01, 40_000_000, 0.05);
        assertThat(of(BEHAVIOUR, paused, paused)).isEmpty();
        SideUsage full = usage(0.98, 0.99, 0, 200_000, 0.05);
        assertThat(of(BEHAVIOUR, full, full)).isEmpty();
    }
}
