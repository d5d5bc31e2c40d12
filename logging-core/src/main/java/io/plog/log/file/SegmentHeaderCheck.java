package io.plog.log.file;

import io.plog.log.storage.NewerFormatException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Reads the header of a segment and checks that the segment is the one that its name and its directory promise. */
public final class SegmentHeaderCheck {
    private SegmentHeaderCheck() {}

    /**
     * Reads and checks a header.
     *
     * @param known the head of the directory
     * @param stripe the place of the directory in the log
     * @param number the number of the segment, from the file's name
     * @param problem takes what was found instead, as a noun phrase
     * @return the header; null if it is damaged or belongs elsewhere
     * @throws NewerFormatException if a newer plog wrote it
     */
    public static @Nullable SegmentHeader read(
            Storage.FileHandle file, HeadFile known, StripeId stripe, long number, StringBuilder problem)
            throws IOException {
        SegmentHeader header = SegmentHeader.read(file, SegmentHeader.fileName(number), problem);
        if (header == null) {
            return null;
        }
        if (header.segment() != number) {
            problem.append("the header of segment ").append(header.segment());
            return null;
        }
        if (!header.logId().equals(known.logId())) {
            problem.append("a segment of another log, ").append(header.logId());
            return null;
        }
        if (!header.stripe().equals(stripe)) {
            problem.append("a segment of ").append(header.stripe());
            return null;
        }
        return header;
    }
}
