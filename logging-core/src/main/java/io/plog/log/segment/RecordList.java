package io.plog.log.segment;

import io.plog.log.file.Buffers;
import io.plog.log.file.Payload;
import io.plog.log.file.RecordHeader;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.nio.ByteBuffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Records that are accepted together or not at all, one in each buffer. There is no object for each record. */
public final class RecordList extends Buffers {
    public static final long ANY = 0;

    private final long expectedIndex;
    final int[] crcs;
    public final long space; // in a segment

    /**
     * Takes records over.
     *
     * @param expectedIndex of the first, which is refused otherwise; {@link #ANY} if it may get any
     * @throws IllegalArgumentException if a log with these options takes no such list
     */
    public RecordList(long expectedIndex, List<ByteBuffer> records, SegmentOptions options) {
        super(records.toArray(new ByteBuffer[0]));
        check("list of ", parts.length, " records", 1, SegmentOptions.MOST_RECORDS);
        long sum = 0;
        for (int length : lengths) {
            check("record of ", length, " bytes", 0, options.recordBytes());
            sum += RecordHeader.encodedBytes(length);
        }
        check("list of ", bytes, " bytes", 0, options.listBytes());
        check("list with ", sum, " bytes of a segment", 0, SegmentSizes.roomOfEmpty(options.mostBytes()));
        this.expectedIndex = expectedIndex;
        crcs = new int[parts.length];
        space = sum;
    }

    private static void check(String what, long value, String unit, int least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(what + value + unit + ": this log takes " + least + " to " + most);
        }
    }

    @Override
    public int consume() {
        for (int i = 0; i < parts.length; i++) {
            crcs[i] = Payload.crcOf(parts[i].position(positions[i]));
        }
        return 0; // each record has its own
    }

    /** Why its first record cannot have this index; null if it can. */
    public @Nullable LogException refusalAt(long next) {
        boolean fits = expectedIndex == ANY || expectedIndex == next;
        return fits ? null : new LogRefusedException.UnexpectedIndex(expectedIndex, next);
    }
}
