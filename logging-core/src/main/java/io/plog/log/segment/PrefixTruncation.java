package io.plog.log.segment;

import io.plog.log.file.HeadFile;
import io.plog.log.file.SegmentHeader;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;

/**
 * Drops the beginning of a log. The new beginning is stable before the first file is deleted. With several directories the
 * heads are replaced one after the other, and the first new head decides for all. Segments are deleted when all heads are new.
 */
public final class PrefixTruncation {
    private PrefixTruncation() {}

    /**
     * Drops the records before an index, if that makes a segment superfluous. For any thread, one at a time.
     *
     * @param firstIndex the index of the first record that is there
     * @param index the first record that is still needed
     * @param checkpoint the index of the checkpoint that stands for what is dropped, 0 for none
     * @param rewound the number of the last segment behind a cut, 0 if there is none
     * @param cells whether the log has cells, which are in the first directory
     * @param beginning receives the index of the first record that will be there, before anything goes
     * @return the index of the first record that is there now
     */
    public static long drop(
            List<Storage> storages,
            List<SegmentChain> stripes,
            UUID logId,
            long firstIndex,
            long index,
            long checkpoint,
            long rewound,
            boolean cells,
            LongConsumer beginning)
            throws IOException {
        List<SegmentLinks.Link> needed = new ArrayList<>();
        boolean superfluous = false;
        // Never back: what was dropped before may be there in one directory and gone in another.
        long from = Math.max(firstIndex, index);
        for (SegmentChain stripe : stripes) {
            needed.add(stripe.links().holding(from));
            superfluous |= stripe.links().byNumber().firstKey()
                    < needed.get(needed.size() - 1).header().segment();
        }
        if (!superfluous) {
            return firstIndex;
        }
        for (SegmentChain stripe : stripes) {
            LockSupport.parkNanos(stripe.quietNanos()); // no longer than that, interrupted or not
        }
        // One directory's first segment says what the first record is; of several, none alone does.
        long newFirst = stripes.size() == 1 ? needed.get(0).firstIndex() : from;
        for (int i = 0; i < stripes.size(); i++) {
            SegmentHeader first = needed.get(i).header();
            new HeadFile(logId, first.stripe(), first.segment(), newFirst, checkpoint, rewound, cells && i == 0)
                    .write(storages.get(i));
        }
        beginning.accept(newFirst);
        for (int i = 0; i < stripes.size(); i++) {
            stripes.get(i).dropBefore(needed.get(i));
        }
        return newFirst;
    }
}
