package io.plog.measure.plan;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The three mixes of logged and read-only requests of the third study (YCSB's workloads A, B and C). Stateless. */
public final class Workloads {
    /** At which share of the design's capacity for the mix they are sent: far from its own limit, since they are smaller. */
    public static final double LOAD = 0.5;

    /** The share of requests that are logged, by name. */
    public static final Map<String, Double> SHARES = shares();

    private Workloads() {}

    private static Map<String, Double> shares() {
        Map<String, Double> shares = new LinkedHashMap<>();
        shares.put("update-heavy", 0.5);
        shares.put("read-heavy", 0.05);
        shares.put("read-only", 0.0);
        return Collections.unmodifiableMap(shares);
    }

    public static List<StudyCell> cells(StudyDesign design, int trial, double ratePerSecond) {
        Mix mix = Mix.only(Designs.WORKLOAD_BYTES);
        return SHARES.entrySet().stream()
                .map(each -> StudyCell.workload(
                        design, trial, Math.rint(ratePerSecond), mix, each.getKey(), each.getValue()))
                .toList();
    }
}
