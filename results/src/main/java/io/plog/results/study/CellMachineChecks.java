package io.plog.results.study;

import io.plog.measure.samples.SideEvents;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import io.plog.results.verdict.CheckRule;
import io.plog.results.verdict.MachineChecks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * Holds one cell of a study against the rules that a run is held against ({@link MachineChecks}), and against one more: what
 * others took of the processors. Which rule applies to which cell is in {@code docs/measurement.md}. Stateless.
 */
final class CellMachineChecks {
    /** Share of the machine's processor time that neither client nor server used. */
    static final String OTHERS = CheckRule.OTHERS.id();

    /** Share of the processor time that the hypervisor gave to others. */
    static final String STEAL = CheckRule.STEAL.id();

    /** What others wrote to a device; the device's name follows. */
    static final String DISK = CheckRule.DISK.id() + ":";

    private static final String PROCESSORS = CheckRule.PROCESSORS.id();

    /** Rules that a load breaks by itself if it fills the processors. */
    private static final Set<String> OF_FULL_PROCESSORS = Set.of(PROCESSORS, CheckRule.HICCUPS.id());

    /** In use to this share, processors are full: a thread that needs one waits. */
    private static final double FULL = 0.90;

    private CellMachineChecks() {}

    /**
     * Of one trial: by rule, without the side; of client and server, which may describe the same machine, what is worse.
     *
     * @param infinite whether every connection asked again as soon as it was answered
     * @param client the client's facts
     */
    static Map<String, Check> of(List<SideEvents> events, boolean infinite, Map<String, String> client) {
        OptionalDouble others =
                "loopback".equals(client.get("network")) ? MachineChecks.strangers(events) : OptionalDouble.empty();
        boolean ownLoad = isFullOfItsOwnLoad(events, others);
        Map<String, Check> worst = new LinkedHashMap<>();
        for (Check found : MachineChecks.of(events, false)) {
            String rule = found.id().replaceFirst(":(client|server)$", "");
            boolean byItself = OF_FULL_PROCESSORS.contains(rule);
            if (!byItself || !infinite) {
                worst.merge(rule, byItself && ownLoad ? atMostWarning(found) : found, CellMachineChecks::worse);
            }
        }
        others.ifPresent(share -> worst.put(OTHERS, MachineChecks.strangers(share)));
        return worst;
    }

    private static Check atMostWarning(Check found) {
        return new Check(found.id(), found.ok(), Severity.WARNING, found.detail());
    }

    private static Check worse(Check one, Check other) {
        return weight(other) > weight(one) ? other : one;
    }

    private static int weight(Check found) {
        return found.ok() ? 0 : found.severity() == Severity.INVALID ? 2 : 1;
    }

    /**
     * Whether the processors were full because of this load. Client and server share a machine, so near a design's capacity they
     * use all of it; that is what was asked for, and a thread that comes to run late then waits for them, not for a stranger.
     */
    private static boolean isFullOfItsOwnLoad(List<SideEvents> events, OptionalDouble others) {
        return others.isPresent()
                && others.getAsDouble() <= MachineChecks.STRANGERS_CARE
                && MachineChecks.usage(events, SideEvents.CLIENT).get(0).machineCpuShare() > FULL;
    }
}
