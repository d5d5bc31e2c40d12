package io.plog.report.compare;

import io.plog.measure.samples.RunInfo;
import io.plog.report.cells.Facts;
import io.plog.stats.text.Units;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A cell that was to be measured: a target and a size. */
record MeasuredCell(RunInfo.Target target, int payloadBytes) {
    static final String TARGET = "target";
    static final String SIZE = "size";
    private static final String FORCE = "force";

    /** All of a plan, by size and then in the plan's order of targets. */
    static List<MeasuredCell> of(RunInfo info) {
        List<MeasuredCell> cells = new ArrayList<>();
        for (int bytes : info.plan().sizesBytes().stream().distinct().sorted().toList()) {
            for (String name : info.plan().targets()) {
                cells.add(new MeasuredCell(TargetPair.target(info, name), bytes));
            }
        }
        return cells;
    }

    /** What tells it from others, by dimension. */
    Map<String, String> dimensions() {
        Map<String, String> dimensions = new LinkedHashMap<>();
        dimensions.put(TARGET, target.name());
        dimensions.put(FORCE, target.force());
        dimensions.put(SIZE, Integer.toString(payloadBytes));
        return dimensions;
    }

    /** Whether there is such a latency: what is not logged has none of a log's. */
    boolean has(Measure measure) {
        return measure == Measure.END_TO_END || !Facts.isOff(target);
    }

    /** The value of a dimension as people read it. */
    static String words(String dimension, String value) {
        return dimension.equals(SIZE) ? Units.size(Integer.parseInt(value)) : value;
    }

    /** The name of a cell with these dimensions in a sentence. */
    static String name(Map<String, String> dimensions) {
        String size = dimensions.get(SIZE);
        return dimensions.get(TARGET) + (size == null ? "" : " at " + words(SIZE, size));
    }
}
