package io.plog.log.segment;

import io.plog.log.file.HeadFile;
import io.plog.log.file.ReadAround;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.StripeId;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds the segments of a directory that hold nothing but records before a checkpoint, by their headers and their first
 * records alone. Whether the rest of them is intact is for {@link CoveredRecordsCheck}.
 *
 * <p>The answer is a short cut, never a judgement: wherever something is not as it should be, fewer segments are named, and
 * the reader of the others says what is wrong.
 */
final class CoveredSegments {
    private final Storage storage;
    private final StripeId id;
    private final HeadFile head;
    private final Rewinds rewinds;
    private final ByteBuffer bytes = ByteBuffer.allocateDirect(RecordHeader.BYTES);
    private final RecordHeader record = new RecordHeader();

    private CoveredSegments(Storage storage, StripeId id, HeadFile head, Rewinds rewinds) {
        this.storage = storage;
        this.id = id;
        this.head = head;
        this.rewinds = rewinds;
    }

    /**
     * Goes through the segments from the head's first.
     *
     * @param checkpoint the index up to which the checkpoint holds the effect of records
     * @return the segments in order, without the last that begins at or before the checkpoint's index, so that all records of these are
     *     covered. A reader that begins with the last of them finds out whether that begins where it seems to: a record that was
     *     written to the wrong place does not lead to the seal, nor to the first record of the next segment. Empty if nothing
     *     can be determined
     */
    static List<SegmentLinks.Link> find(Storage storage, StripeId id, HeadFile head, Rewinds rewinds, long checkpoint)
            throws IOException {
        CoveredSegments search = new CoveredSegments(storage, id, head, rewinds);
        List<SegmentLinks.Link> found = new ArrayList<>();
        long least = head.firstIndex();
        SegmentLinks.Link link = search.read(head.firstSegment());
        if (link == null || link.firstIndex() != least) {
            return List.of();
        }
        while (link != null && link.firstIndex() >= least && link.firstIndex() <= checkpoint) {
            found.add(link);
            least = link.firstIndex();
            link = search.read(rewinds.after(link.header().segment()));
        }
        if (found.size() > 1) {
            found.remove(found.size() - 1);
        }
        return found;
    }

    /** A segment with the index that its first entry carries; null if the two cannot be determined without doubt. */
    private SegmentLinks.@Nullable Link read(long number) throws IOException {
        try (Storage.FileHandle file = ReadAround.open(storage, SegmentHeader.fileName(number))) {
            SegmentHeader header = head.headerOf(file, id, number, new StringBuilder());
            if (header == null || file.size() != header.segmentBytes()) {
                return null;
            }
            readFirstRecord(file);
            boolean valid = !bytes.hasRemaining() && record.decode(bytes, 0, header.epoch());
            return valid ? rewinds.link(header, record.index) : null;
        } catch (NoSuchFileException none) {
            return null;
        }
    }

    /** Its header alone, without what stands behind it: there may be thousands of segments. */
    private void readFirstRecord(Storage.FileHandle file) throws IOException {
        bytes.clear();
        while (bytes.hasRemaining() && file.read(bytes, SegmentHeader.BLOCK_BYTES + (long) bytes.position()) >= 0) {}
    }
}
