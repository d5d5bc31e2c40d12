package io.plog.results.compare;

import io.plog.measure.load.LoadSummary;
import io.plog.measure.plan.Load;
import io.plog.measure.plan.Recovery;
import io.plog.measure.plan.StudyCell;
import io.plog.measure.samples.RunInfo;
import io.plog.results.model.Results;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What a figure can be of: a cell that was to be measured, a target and a size; or a load on a target.
 *
 * @param dimensions what distinguishes it from others
 * @param target null for a load
 * @param found what the results say of it; null for a load, and if nothing was measured
 * @param loads the trials of a design under a load, or the load
 * @param maxRate of a load that confirms the outcome of a search; else null
 */
record MeasuredCell(
        Map<String, String> dimensions,
        RunInfo.@Nullable Target target,
        int payloadBytes,
        Results.@Nullable Cell found,
        List<LoadSummary> loads,
        Results.@Nullable MaxRate maxRate) {
    static final String TARGET = "target";
    static final String DESIGN = "design";
    static final String SIZE = "size";
    private static final String FORCE = "force";

    /** Of a load's plan the load; then the cells of a plan, by size and then in the plan's order of targets. */
    static List<MeasuredCell> planned(RunInfo info) {
        Stream<MeasuredCell> load = info.plan() instanceof Load plan
                ? Stream.of(new MeasuredCell(Map.of(TARGET, plan.target()), null, 0, null, List.of(), null))
                : Stream.of();
        return Stream.concat(load, of(info, List.of()).stream()).toList();
    }

    /** Loads, then cells; of directories and studies, where one dimension bounds another, those that were measured. */
    static List<MeasuredCell> of(RunInfo info, Results results) {
        boolean bounded = info.isOfDisks() || info.isStudy();
        return Stream.concat(
                        results.load().stream()
                                .map(load -> new MeasuredCell(
                                        Map.of(TARGET, load.target()),
                                        null,
                                        0,
                                        null,
                                        List.of(load),
                                        results.maxRate())),
                        of(info, results.cells()).stream().filter(cell -> !bounded || cell.found != null))
                .toList();
    }

    private static List<MeasuredCell> of(RunInfo info, List<Results.Cell> measured) {
        List<MeasuredCell> cells = new ArrayList<>();
        for (int bytes : info.plan().sizesBytes().stream().distinct().sorted().toList()) {
            for (String name : info.plan().targets()) {
                info.targets().stream()
                        .filter(target -> target.name().equals(name))
                        .forEach(target -> cells.add(of(target, bytes, measured)));
            }
        }
        return cells;
    }

    private static MeasuredCell of(RunInfo.Target target, int bytes, List<Results.Cell> measured) {
        Results.Cell found = measured.stream()
                .filter(cell -> cell.payloadBytes() == bytes
                        && cell.target().equals(target.name())
                        && cell.force().equals(target.force())
                        && cell.dimensions().equals(target.dimensions()))
                .findFirst()
                .orElse(null);
        Map<String, String> dimensions = new LinkedHashMap<>();
        dimensions.put(target.dimensions().containsKey(StudyCell.LOAD) ? DESIGN : TARGET, target.name());
        dimensions.put(FORCE, target.force());
        dimensions.put(SIZE, Integer.toString(bytes));
        dimensions.putAll(target.dimensions());
        Results.UnderLoad load = found == null ? null : found.underLoad();
        return new MeasuredCell(dimensions, target, bytes, found, load == null ? List.of() : load.trials(), null);
    }

    boolean isLoad() {
        return target == null || !loads.isEmpty();
    }

    /** Whether there is such a latency: what is not logged has none of a log's, and an append none of a request's. */
    boolean has(Measure measure) {
        return target != null && has(target, measure);
    }

    /**
     * The same of all cells of a target; of a mix with requests that are not logged a log's latency is not that of a request, and of a
     * kill nothing is known but the time until the first answer.
     */
    static boolean has(RunInfo.Target target, Measure measure) {
        return (measure == Measure.END_TO_END || measure == Measure.FROM_INTENDED)
                ? !target.dimensions().containsKey(RunInfo.Target.APPENDS)
                : target.forceLabel().isLogged()
                        && !target.dimensions().containsKey(StudyCell.WORKLOAD)
                        && !target.dimensions().containsKey(Recovery.CHECKPOINT);
    }

    /** The value of a dimension as people read it. */
    static String words(String dimension, String value) {
        return dimension.equals(SIZE) ? Units.size(Integer.parseInt(value)) : value;
    }

    /** The name of a cell with these dimensions in a sentence: its target and size, and what else distinguishes it. */
    static String name(Map<String, String> dimensions) {
        String size = dimensions.get(SIZE);
        boolean more = !List.of(TARGET, FORCE, SIZE).containsAll(dimensions.keySet());
        return dimensions.getOrDefault(TARGET, dimensions.get(DESIGN))
                + (size == null ? "" : " at " + words(SIZE, size))
                + (more
                        ? dimensions.entrySet().stream()
                                .filter(each -> !List.of(TARGET, DESIGN, SIZE).contains(each.getKey()))
                                .map(each -> ", " + each.getKey() + "=" + each.getValue())
                                .collect(Collectors.joining())
                        : "");
    }
}
