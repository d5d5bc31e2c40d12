package io.plog.log.segment;

import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/**
 * A segment that is open to be written to.
 *
 * @param header its header
 * @param identity what distinguishes its file from any other, see {@link Storage#identityOf}
 * @param files one for each lane
 */
public record OpenSegment(SegmentHeader header, Object identity, List<SegmentFile> files) {
    /** Opens a segment, once for each lane. For any thread. */
    public static OpenSegment open(Storage storage, SegmentClaims claims, SegmentOptions options, SegmentHeader segment)
            throws IOException {
        List<SegmentFile> files = new ArrayList<>();
        try {
            for (int i = 0; i < options.lanes(); i++) {
                files.add(SegmentFile.open(storage, claims, segment, options.force()));
            }
            return new OpenSegment(segment, storage.identityOf(SegmentHeader.fileName(segment.segment())), files);
        } catch (Throwable t) {
            closeUnused(files);
            throw t;
        }
    }

    /** Closes it if nothing was written through it. */
    void closeUnused() {
        closeUnused(files);
    }

    private static void closeUnused(List<SegmentFile> files) {
        for (SegmentFile file : files) {
            try {
                file.close();
            } catch (IOException ignored) {
                // There is nothing in it that could be lost.
            }
        }
    }
}
