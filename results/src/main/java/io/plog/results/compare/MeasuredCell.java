package io.plog.results.compare;

import io.plog.measure.samples.RunInfo;
import io.plog.measure.study.StudyCell;
import io.plog.results.cells.Facts;
import io.plog.results.model.Results;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** A cell that was to be measured: a target and a size. */
record MeasuredCell(RunInfo.Target target, int payloadBytes) {
    static final String TARGET = "target";
    static final String DESIGN = "design";
    static final String SIZE = "size";
    private static final String FORCE = "force";

    /** All of a plan, by size and then in the plan's order of targets. */
    static List<MeasuredCell> of(RunInfo info) {
        List<MeasuredCell> cells = new ArrayList<>();
        for (int bytes : info.plan().sizesBytes().stream().distinct().sorted().toList()) {
            for (String name : info.plan().targets()) {
                info.targets().stream()
                        .filter(target -> target.name().equals(name))
                        .forEach(target -> cells.add(new MeasuredCell(target, bytes)));
            }
        }
        return cells;
    }

    /** The dimension that has its name. */
    private static String subject(RunInfo.Target target) {
        return target.dimensions().containsKey(StudyCell.LOAD) ? DESIGN : TARGET;
    }

    /** What distinguishes it from others, by dimension. */
    Map<String, String> dimensions() {
        Map<String, String> dimensions = new LinkedHashMap<>();
        dimensions.put(subject(target), target.name());
        dimensions.put(FORCE, target.force());
        dimensions.put(SIZE, Integer.toString(payloadBytes));
        dimensions.putAll(target.dimensions());
        return dimensions;
    }

    /** Whether there is such a latency: what is not logged has none of a log's, and an append none of a request's. */
    boolean has(Measure measure) {
        return has(target, measure);
    }

    /** The same of all cells of a target; of a mix with requests that are not logged a log's latency is not that of a request. */
    static boolean has(RunInfo.Target target, Measure measure) {
        return measure == Measure.END_TO_END
                ? !target.dimensions().containsKey(RunInfo.Target.APPENDS)
                : !Facts.isOff(target) && !target.dimensions().containsKey(StudyCell.WORKLOAD);
    }

    /** Whether a cell of the results is this one. */
    boolean is(Results.Cell cell) {
        return cell.payloadBytes() == payloadBytes
                && cell.target().equals(target.name())
                && cell.force().equals(target.force())
                && cell.dimensions().equals(target.dimensions());
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
