package io.plog.measure.load;

import io.plog.measure.samples.RunInfo;
import io.plog.measure.samples.RunPlan;
import io.plog.measure.samples.Warmup;
import java.util.List;
import java.util.Map;

/** A description for a sample file whose content does not matter. */
final class LoadRunTestInfo {
    static final RunInfo INFO = new RunInfo(
            "test",
            "2026-11-21T00:00:00Z",
            "plog measure",
            new RunPlan("closed", List.of(100), List.of("a"), 0, 1, Warmup.exactly(0), 1, 3, 0, 1),
            Map.of(),
            Map.of(),
            List.of());

    private LoadRunTestInfo() {}
}
