package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * A segment that is open to be written to.
 *
 * @param header its header
 * @param identity what tells its file from any other, see {@link Storage#identityOf}
 * @param files one for each lane
 */
record OpenSegment(SegmentHeader header, Object identity, List<SegmentFile> files) {
    private static final int READ_BYTES = 256 * 1024;

    /** Opens a segment, once for each lane. For any thread. */
    static OpenSegment open(Storage storage, SegmentClaims claims, LogOptions options, SegmentHeader segment)
            throws IOException {
        // Without a force there is nothing that a second batch could be under way beside.
        int lanes = options.force().isStable() ? options.groupsInFlight() : 1;
        List<SegmentFile> files = new ArrayList<>();
        try {
            for (int i = 0; i < lanes; i++) {
                files.add(SegmentFile.open(storage, claims, segment, options.force()));
            }
            return new OpenSegment(segment, storage.identityOf(SegmentHeader.fileName(segment.segment())), files);
        } catch (IOException e) {
            closeUnused(files);
            throw e;
        }
    }

    /**
     * The same ahead of time, for writes through the page cache with the whole file in it: to write a part of a block that is
     * not there takes as long as reading the block, and segments are filled around the page cache. When a segment is needed at
     * once that would take longer than it saves.
     */
    static OpenSegment openAhead(Storage storage, SegmentClaims claims, LogOptions options, SegmentHeader segment)
            throws IOException {
        OpenSegment opened = open(storage, claims, options, segment);
        if (!options.force().writesWholeBlocks()) {
            try {
                readThrough(opened.files().get(0).file());
            } catch (IOException e) {
                opened.closeUnused();
                throw e;
            }
        }
        return opened;
    }

    private static void readThrough(StorageFile file) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(READ_BYTES);
        for (long at = 0; file.read(buffer, at) > 0; buffer.clear()) {
            at += buffer.position();
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
