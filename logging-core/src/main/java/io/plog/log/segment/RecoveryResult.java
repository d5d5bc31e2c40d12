package io.plog.log.segment;

import io.plog.log.file.CellsFile;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.StripeId;
import io.plog.log.storage.RecoveryReport;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Where a log continues after its recovery.
 *
 * @param logId which log it is
 * @param checkpoint the index of its checkpoint, 0 if it has none
 * @param rewound the number of the last segment behind a cut, 0 if there is none
 * @param cells its cells; null if it never had any
 * @param stripes its directories, in order; one if it is not striped
 * @param report what was found
 */
public record RecoveryResult(
        UUID logId,
        long checkpoint,
        long rewound,
        @Nullable CellsFile cells,
        List<Stripe> stripes,
        RecoveryReport report) {
    /**
     * Where one directory continues.
     *
     * @param id which one it is
     * @param active the segment to append to
     * @param position where in it
     * @param links the segments in use, the active one last
     * @param unchecked the first of the links, which were not read since a checkpoint covers their records, and behind them the
     *     first that was read; empty if all were
     * @param spares prepared segments that follow
     */
    public record Stripe(
            StripeId id,
            SegmentHeader active,
            long position,
            List<SegmentLinks.Link> links,
            List<SegmentLinks.Link> unchecked,
            List<SegmentHeader> spares) {}
}
