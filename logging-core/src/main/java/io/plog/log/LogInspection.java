package io.plog.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What a log's directory holds, found out by reading all of it and changing nothing. Safe beside a running writer, although
 * the end is then a moving one.
 *
 * @param logId the log's own identity; empty if there is no log
 * @param firstIndex the index of the first record, or that it would have
 * @param lastIndex the index of the last intact record; {@code firstIndex - 1} if there is none
 * @param markedIndex every record up to this index is known to have been durable
 * @param cleanlyClosed whether the log was closed in order and nothing happened since
 * @param checkpointIndex the index of its checkpoint, 0 if there is none
 * @param segments its segments in order, those prepared ahead of time included, and one that is damaged or missing
 * @param notes what else is worth telling, a sentence each
 * @param damage what is damaged, if anything; {@code segments} then ends with the last segment that could be read
 */
public record LogInspection(
        String logId,
        long firstIndex,
        long lastIndex,
        long markedIndex,
        boolean cleanlyClosed,
        long checkpointIndex,
        List<Segment> segments,
        List<String> notes,
        Optional<LogDamagedException> damage) {

    /** A log that is being written is read again this often before it is called damaged. */
    private static final int TRIES = 4;

    /**
     * One segment.
     *
     * @param file the file's name
     * @param state what it is: {@code sealed} (complete), {@code active} (the last in use) or {@code prepared}
     * @param content what was found in it: {@code valid}, {@code empty}, {@code torn}, {@code damaged} or {@code missing}, as
     *     {@code docs/log-format.md} defines them
     * @param firstIndex the index of its first record, or that it would have; 0 if prepared
     * @param lastIndex the index of its last record; {@code firstIndex - 1} if it has none
     * @param fileBytes the file's length
     * @param usedBytes where its valid records end, in bytes from the start of the file
     * @param tornBytes bytes of something unfinished behind that place; a recovery would cut them
     * @param stopReason what was found where the valid records end
     */
    public record Segment(
            String file,
            String state,
            String content,
            long firstIndex,
            long lastIndex,
            long fileBytes,
            long usedBytes,
            long tornBytes,
            String stopReason) {

        static Segment of(SegmentState state) {
            return new Segment(
                    state.file(),
                    state.sealed() ? "sealed" : "active",
                    state.content(),
                    state.firstIndex(),
                    state.nextIndex() - 1,
                    state.header().segmentBytes(),
                    state.endOffset(),
                    state.isTorn() ? state.tail().nonZeroEnd() - state.endOffset() : 0,
                    state.stopReason());
        }

        static Segment prepared(SegmentHeader spare) {
            String name = SegmentHeader.fileName(spare.segment());
            return new Segment(
                    name, "prepared", "empty", 0, -1, spare.segmentBytes(), SegmentHeader.BLOCK_BYTES, 0, "zeros");
        }

        /** One that could not be read at all. */
        static Segment missing(LogDamagedException damage, long nextIndex) {
            return new Segment(damage.file(), "active", "missing", nextIndex, nextIndex - 1, 0, 0, 0, damage.found());
        }
    }

    /** How many intact records there are. */
    public long records() {
        return lastIndex - firstIndex + 1;
    }

    /**
     * Inspects a directory.
     *
     * @throws LogException if the directory does not exist or cannot be used
     * @throws IOException if the operating system fails to read; damage is not thrown but reported
     */
    public static LogInspection of(Path directory) throws IOException {
        try (Storage storage = new DiskStorage(directory)) {
            return of(storage);
        }
    }

    /** The same on another storage, which stays open. */
    public static LogInspection of(Storage storage) throws IOException {
        LogAnalysis analysis = analyse(storage);
        HeadFile head = analysis.head();
        List<Segment> segments = new ArrayList<>();
        analysis.segments().forEach(state -> segments.add(Segment.of(state)));
        LogDamagedException damage = analysis.damage();
        if (damage != null && SegmentHeader.numberOf(damage.file()) > 0 && !contains(segments, damage.file())) {
            segments.add(Segment.missing(damage, analysis.nextIndex()));
        }
        analysis.spares().forEach(spare -> segments.add(Segment.prepared(spare)));
        return new LogInspection(
                head == null ? "" : head.logId().toString(),
                analysis.firstIndex(),
                analysis.nextIndex() - 1,
                analysis.markedIndex(),
                analysis.isCleanlyClosed(),
                analysis.checkpoint(),
                List.copyOf(segments),
                List.copyOf(analysis.notes()),
                Optional.ofNullable(damage));
    }

    private static boolean contains(List<Segment> segments, String file) {
        return segments.stream().anyMatch(segment -> segment.file().equals(file));
    }

    /**
     * Analyses a directory that somebody may be writing at this moment. What looks damaged may be a place that was read just
     * before it was written and judged by what was read just after; that is gone when one looks again, and damage is not.
     */
    static LogAnalysis analyse(Storage storage) throws IOException {
        LogAnalysis analysis = LogAnalysis.of(storage);
        for (int i = 1; i < TRIES && analysis.damage() != null; i++) {
            LogAnalysis again = LogAnalysis.of(storage);
            LogDamagedException before = analysis.damage();
            LogDamagedException now = again.damage();
            if (before != null && now != null && now.isSamePlaceAs(before)) {
                return again;
            }
            analysis = again;
        }
        return analysis;
    }
}
