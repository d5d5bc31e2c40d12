package io.plog.results.verdict;

import io.plog.host.ClientFacts;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.samples.SideEvents;
import io.plog.measure.study.StudySamples;
import io.plog.results.cells.CellAnalysis.Found;
import io.plog.results.model.Check;
import io.plog.results.model.Check.Severity;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Holds each measurement of a study against the rules that a run is held against ({@link MachineChecks}), and against one more: what
 * others took of the processors. Which rule applies to which cell is in {@code docs/measurement.md}. Stateless.
 */
public final class CellMachineChecks {
    /** With more cells that are not judged, or measurements that were disturbed, than this share, a study is not valid. */
    static final double MOST_UNJUDGED = 1.0 / 3;

    /** In use to this share, processors are full: a thread that needs one waits. */
    private static final double FULL = 0.90;

    private CellMachineChecks() {}

    /**
     * Of one trial: by rule, without the side; of client and server, which may describe the same machine, what is worse.
     *
     * @param infinite whether every connection asked again as soon as it was answered
     * @param client the client's facts
     * @param sides those that are to have recorded
     */
    public static Map<String, Check> of(
            List<SideEvents> events, boolean infinite, Map<String, String> client, String... sides) {
        OptionalDouble others =
                ClientFacts.isOverLoopback(client) ? MachineChecks.strangers(events) : OptionalDouble.empty();
        boolean ownLoad = isFullOfItsOwnLoad(events, others);
        Map<String, Check> worst = new LinkedHashMap<>();
        for (Check found : MachineChecks.of(events, false, sides)) {
            // A load breaks these by itself if it fills the processors.
            boolean byItself =
                    Stream.of(CheckRule.PROCESSORS, CheckRule.HICCUPS).anyMatch(rule -> rule.isOf(found));
            if (!byItself || !infinite) {
                worst.merge(
                        found.id().replaceFirst(":(client|server)$", ""),
                        byItself && ownLoad
                                ? new Check(found.id(), found.ok(), Severity.WARNING, found.detail())
                                : found,
                        (one, other) -> weight(other) > weight(one) ? other : one);
            }
        }
        others.ifPresent(share -> worst.put(CheckRule.OTHERS.id(), MachineChecks.strangers(share)));
        return worst;
    }

    private static int weight(Check found) {
        return found.ok() ? 0 : found.invalidates() ? 2 : 1;
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

    /** Each rule over all measurements; of those that could be judged. */
    static List<Check> ofAll(List<Found> cells, List<SideEvents> events, Map<String, String> client) {
        Map<String, List<Check>> rules = new LinkedHashMap<>();
        for (Found cell : cells) {
            // A start fills the processors by itself, too.
            boolean recovery = cell.cell().recovered() != null;
            boolean infinite = recovery || cell.cell().dimension(StudyCell.LOAD).equals(StudyCell.CAPACITY);
            // One process records for the servers that it kills.
            String[] sides =
                    recovery ? new String[] {SideEvents.CLIENT} : new String[] {SideEvents.CLIENT, SideEvents.SERVER};
            Map<Integer, List<SideEvents>> byTrial = events.stream()
                    .filter(each -> each.isOfCell(cell.target().id()))
                    .collect(Collectors.groupingBy(SideEvents::trial, TreeMap::new, Collectors.toList()));
            byTrial.forEach((trial, recorded) -> of(recorded, infinite, client, sides)
                    .forEach((rule, found) -> {
                        String detail = StudySamples.label(cell.target(), trial) + " ("
                                + found.detail().replaceFirst("\\.$", "") + ")";
                        rules.computeIfAbsent(rule, each -> new ArrayList<>())
                                .add(new Check(rule, found.ok(), found.severity(), detail));
                    }));
        }
        long measurements = cells.stream()
                .map(Found::cell)
                .mapToLong(cell -> cell.underLoad() != null
                        ? cell.underLoad().trials().size()
                        : cell.trials().size())
                .sum();
        return rules.entrySet().stream()
                .map(rule -> together(rule.getKey(), rule.getValue(), measurements))
                .toList();
    }

    private static Check together(String rule, List<Check> all, long measurements) {
        List<String> invalid =
                all.stream().filter(Check::invalidates).map(Check::detail).toList();
        List<String> worst = !invalid.isEmpty()
                ? invalid
                : all.stream().filter(found -> !found.ok()).map(Check::detail).toList();
        return new Check(
                rule,
                worst.isEmpty(),
                invalid.size() > MOST_UNJUDGED * measurements ? Severity.INVALID : Severity.WARNING,
                worst.isEmpty()
                        ? "No cell breaks this rule of the machine."
                        : (worst.size() == 1 ? "In one measurement: " : "In " + worst.size() + " measurements: ")
                                + CheckRule.named(worst) + ".");
    }
}
