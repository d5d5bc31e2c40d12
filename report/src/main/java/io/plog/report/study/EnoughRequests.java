package io.plog.report.study;

import io.plog.measure.load.LoadSummary;
import java.util.List;

/** How many requests a cell must have before a finding uses its figures. Stateless. */
final class EnoughRequests {
    /** Over all trials. A median of 200 requests has a bounded interval of about 7 % of them to each side. */
    static final long LEAST = 200;

    private EnoughRequests() {}

    /** The requests of a cell that count, over all trials. */
    static long count(List<CellData> trials) {
        return trials.stream()
                .map(CellData::summary)
                .mapToLong(LoadSummary::accepted)
                .sum();
    }

    /** Whether a finding may use the cell. */
    static boolean in(List<CellData> trials) {
        return count(trials) >= LEAST;
    }
}
