package io.plog.report.study;

import io.plog.measure.samples.SideEvents;
import io.plog.measure.samples.SideUsage;
import io.plog.report.results.Check;
import io.plog.report.results.Check.Severity;
import io.plog.report.verdict.CheckRule;
import io.plog.report.verdict.MachineChecks;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
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

    private static final double OTHERS_CARE = 0.10;
    private static final double OTHERS_LIMIT = 0.25;

    /** In use to this share, processors are full: who wants one waits. */
    private static final double FULL = 0.90;

    private CellMachineChecks() {}

    /**
     * Of one trial: by rule, without the side; of client and server, which may tell of the same machine, what is worse.
     *
     * @param infinite whether every connection asked again as soon as it was answered
     * @param client the client's facts
     */
    static Map<String, Check> of(List<SideEvents> events, boolean infinite, Map<String, String> client) {
        OptionalDouble others = othersShare(events, client);
        boolean ownLoad = isFullOfItsOwnLoad(events, others);
        Map<String, Check> worst = new LinkedHashMap<>();
        for (Check found : MachineChecks.of(events)) {
            String rule = found.id().replaceFirst(":(client|server)$", "");
            boolean byItself = OF_FULL_PROCESSORS.contains(rule);
            if (!byItself || !infinite) {
                worst.merge(rule, byItself && ownLoad ? atMostWarning(found) : found, CellMachineChecks::worse);
            }
        }
        others.ifPresent(share -> worst.put(
                OTHERS,
                CheckRule.OTHERS.check(
                        share <= OTHERS_CARE,
                        share > OTHERS_LIMIT ? Severity.INVALID : Severity.WARNING,
                        String.format(
                                Locale.ROOT,
                                "%.0f %% of the processor time went to neither client nor server.",
                                100 * share))));
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
                && others.getAsDouble() <= OTHERS_CARE
                && usage(events, SideEvents.CLIENT).get(0).machineCpuShare() > FULL;
    }

    /** Only where client and server have the same processors, since only then all that they used is known. */
    private static OptionalDouble othersShare(List<SideEvents> events, Map<String, String> facts) {
        List<SideUsage> client = usage(events, SideEvents.CLIENT);
        List<SideUsage> server = usage(events, SideEvents.SERVER);
        if (client.size() != 1
                || server.size() != 1
                || !"loopback".equals(facts.get("network"))
                || client.get(0).machineCpuShare() < 0
                || client.get(0).processCpu() < 0
                || server.get(0).processCpu() < 0) {
            return OptionalDouble.empty();
        }
        double own = (client.get(0).processCpu() + server.get(0).processCpu())
                / Math.max(1, client.get(0).processors());
        return OptionalDouble.of(Math.max(0, client.get(0).machineCpuShare() - own));
    }

    private static List<SideUsage> usage(List<SideEvents> all, String side) {
        return all.stream()
                .filter(events -> events.side().equals(side))
                .flatMap(events -> events.usage().stream())
                .toList();
    }
}
