package io.plog.log;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What a log's directory, or the directories of a striped log, hold, found out by reading all of it and changing nothing. Safe
 * beside a running writer, although the end is then a moving one.
 *
 * @param logId the log's own identity; empty if there is no log
 * @param firstIndex the index of the first record, or that it would have
 * @param lastIndex the index of the last intact record; {@code firstIndex - 1} if there is none
 * @param markedIndex every record up to this index is known to have been durable
 * @param cleanlyClosed whether the log was closed in order and nothing happened since
 * @param checkpointIndex the index of its checkpoint, 0 if there is none
 * @param segments its segments in order, those prepared ahead of time included, and one that is damaged or missing; of a
 *     striped log, directory by directory
 * @param notes what else is worth telling, a sentence each
 * @param damage what is damaged, if anything; {@code segments} then ends with the last segment that could be read
 * @param windows where damage could not be told from a torn write: one for each directory that was not closed in order, none if
 *     the log is damaged
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
        Optional<LogDamagedException> damage,
        List<Window> windows) {

    /** A log that is being written is read again this often before it is called damaged. */
    private static final int TRIES = 4;

    /**
     * One segment.
     *
     * @param directory which of a striped log's directories it is in; empty if the log has one directory only
     * @param file the file's name
     * @param state what it is: {@code sealed} (complete), {@code active} (the last in use), {@code prepared}, or
     *     {@code superseded} (behind the end of a striped log: a recovery would cut all of it)
     * @param content what was found in it: {@code valid}, {@code empty}, {@code torn}, {@code damaged} or {@code missing}, as
     *     {@code docs/log-format.md} defines them
     * @param firstIndex the index of its first record, or that it would have (in a striped log, at least); 0 if prepared
     * @param lastIndex the index of its last record; {@code firstIndex - 1} if it has none
     * @param fileBytes the file's length
     * @param usedBytes where its valid records end, in bytes from the start of the file
     * @param tornBytes bytes of something unfinished behind that place; a recovery would cut them
     * @param stopReason what was found where the valid records end
     */
    public record Segment(
            String directory,
            String file,
            String state,
            String content,
            long firstIndex,
            long lastIndex,
            long fileBytes,
            long usedBytes,
            long tornBytes,
            String stopReason) {

        static Segment of(String directory, SegmentState state) {
            boolean striped = state.header().stripe().isStriped();
            boolean empty = state.records() == 0;
            long first = striped && !empty ? state.firstRecord() : state.firstIndex();
            return new Segment(
                    directory,
                    state.file(),
                    state.sealed() ? "sealed" : "active",
                    state.content(),
                    first,
                    empty ? first - 1 : state.lastRecord(),
                    state.header().segmentBytes(),
                    state.endOffset(),
                    state.isTorn() ? state.tail().nonZeroEnd() - state.endOffset() : 0,
                    state.stopReason());
        }

        static Segment prepared(String directory, SegmentHeader spare) {
            String name = SegmentHeader.fileName(spare.segment());
            return new Segment(
                    directory,
                    name,
                    "prepared",
                    "empty",
                    0,
                    -1,
                    spare.segmentBytes(),
                    SegmentHeader.BLOCK_BYTES,
                    0,
                    "zeros");
        }

        /** One of which nothing is part of the log. */
        static Segment superseded(String directory, SegmentState state, String why) {
            long end = Math.max(state.endOffset(), state.tail().nonZeroEnd());
            return new Segment(
                    directory,
                    state.file(),
                    "superseded",
                    "torn",
                    state.firstIndex(),
                    state.firstIndex() - 1,
                    state.header().segmentBytes(),
                    SegmentHeader.BLOCK_BYTES,
                    end - SegmentHeader.BLOCK_BYTES,
                    why);
        }

        /** One that could not be read at all. */
        static Segment missing(LogDamagedException damage, long nextIndex) {
            return new Segment(
                    damage.directory(),
                    damage.file(),
                    "active",
                    "missing",
                    nextIndex,
                    nextIndex - 1,
                    0,
                    0,
                    0,
                    damage.found());
        }
    }

    /**
     * The end of a directory that was not closed in order. Nothing outside of these bytes says that the records in them were
     * ever durable; so damage to them would be taken for a write that the crash interrupted.
     *
     * @param directory which of a striped log's directories it is in; empty if the log has one directory only
     * @param file the file's name
     * @param offset where it begins, in bytes from the start of the file: a block of 4096 bytes, or where the next record would
     *     go if no record is in doubt
     * @param firstIndex the first record that is in doubt; 0 if none is
     * @param lastIndex the last one; -1 if none is
     */
    public record Window(String directory, String file, long offset, long firstIndex, long lastIndex) {
        /** The same as a sentence. */
        public String describe() {
            String place = (directory.isEmpty() ? "" : directory + ", ") + file;
            return firstIndex == 0
                    ? "if a record stood at offset " + offset + " of " + place
                            + " and was damaged, that could not be told from a torn write"
                    : "damage to what stands from offset " + offset + " of " + place + " on (records " + firstIndex
                            + " to " + lastIndex + ") could not be told from a torn write";
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
        return of(List.of(directory));
    }

    /**
     * Inspects a striped log.
     *
     * @param directories all of the log's directories, in order
     * @throws LogException if one does not exist or cannot be used, or they are not all of the directories of one log in order
     * @throws IOException if the operating system fails to read; damage is not thrown but reported
     */
    public static LogInspection of(List<Path> directories) throws IOException {
        List<Storage> storages = LogDirectories.open(directories);
        LogInspection found = ofStorages(storages);
        LogDirectories.close(storages);
        return found;
    }

    /** The same on another storage, which stays open. */
    public static LogInspection of(Storage storage) throws IOException {
        return ofStorages(List.of(storage));
    }

    /** The same for a striped log on other storages, all of them in order, which stay open. */
    public static LogInspection ofStorages(List<? extends Storage> storages) throws IOException {
        LogAnalysis analysis = analyse(storages);
        HeadFile head = analysis.head();
        LogDamagedException damage = analysis.damage();
        List<Segment> segments = new ArrayList<>();
        for (StripeAnalysis stripe : analysis.stripes()) {
            segments.addAll(segmentsOf(stripe, damage, analysis.nextIndex()));
        }
        return new LogInspection(
                head == null ? "" : head.logId().toString(),
                analysis.firstIndex(),
                analysis.nextIndex() - 1,
                analysis.markedIndex(),
                analysis.isCleanlyClosed(),
                analysis.checkpoint(),
                List.copyOf(segments),
                List.copyOf(analysis.notes()),
                Optional.ofNullable(damage),
                damage == null ? windowsOf(analysis) : List.of());
    }

    private static List<Window> windowsOf(LogAnalysis analysis) throws IOException {
        List<Window> windows = new ArrayList<>();
        for (StripeAnalysis stripe : analysis.stripes()) {
            long elsewhere = Math.max(analysis.firstIndex() - 1, analysis.checkpoint());
            for (StripeAnalysis other : analysis.stripes()) {
                for (SegmentState segment : other.segments()) {
                    elsewhere = segment.equals(stripe.last()) && other.equals(stripe)
                            ? elsewhere
                            : Math.max(elsewhere, segment.highestWatermark());
                }
            }
            Window window = stripe.segments().isEmpty() ? null : UnprovenTail.of(stripe, elsewhere);
            if (window != null) {
                windows.add(window);
            }
        }
        return List.copyOf(windows);
    }

    private static List<Segment> segmentsOf(
            StripeAnalysis stripe, @Nullable LogDamagedException damage, long nextIndex) {
        String directory = stripe.id().isStriped() ? stripe.name() : "";
        List<Segment> segments = new ArrayList<>();
        stripe.segments().forEach(state -> segments.add(Segment.of(directory, state)));
        stripe.superseded()
                .forEach(state -> segments.add(
                        Segment.superseded(directory, state, stripe.last().stopReason())));
        if (damage != null
                && damage.stripe() == stripe.id().number()
                && SegmentHeader.numberOf(damage.file()) > 0
                && segments.stream().noneMatch(segment -> segment.file().equals(damage.file()))) {
            segments.add(Segment.missing(damage, nextIndex));
        }
        stripe.spares().forEach(spare -> segments.add(Segment.prepared(directory, spare)));
        return segments;
    }

    /**
     * Analyses directories that somebody may be writing at this moment. What looks damaged may be a place that was read just
     * before it was written and judged by what was read just after; that is gone when one looks again, and damage is not.
     */
    static LogAnalysis analyse(List<? extends Storage> storages) throws IOException {
        LogAnalysis analysis = LogAnalysis.of(storages);
        for (int i = 1; i < TRIES && analysis.damage() != null; i++) {
            LogAnalysis again = LogAnalysis.of(storages);
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
