package io.plog.log.segment;

import io.plog.log.file.CellsFile;
import io.plog.log.file.CheckpointFile;
import io.plog.log.file.HeadFile;
import io.plog.log.file.StripeId;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads a log's directories and decides what they hold, without changing anything. Recovery, reading and inspection all rest
 * on this one decision; {@code docs/log-format.md} has it as a table.
 *
 * <p>The records are taken in the order of their indexes, from whichever directory has the next one; a log of one directory
 * is a log of one stripe. Where no directory has the next, the log ends. If anything that is intact says that the missing
 * record was acknowledged, it is damaged; otherwise whatever lies behind was never acknowledged, intact or not, and is not
 * part of the log.
 */
public final class LogAnalysis {
    /** A log that is being written is read again this often before it is called damaged. */
    private static final int TRIES = 4;

    private final List<StripeAnalysis> stripes = new ArrayList<>();
    private final boolean skipsCovered;
    private @Nullable HeadFile head;
    private long checkpoint;
    private long nextIndex = 1;
    private @Nullable LogDamagedException twice;
    private @Nullable LogDamagedException damage;

    private LogAnalysis(List<? extends Storage> storages, boolean skipsCovered, boolean opens) {
        this.skipsCovered = skipsCovered;
        for (int i = 0; i < storages.size(); i++) {
            stripes.add(new StripeAnalysis(storages.get(i), StripeId.at(i, storages.size()), opens));
        }
    }

    /**
     * Reads everything.
     *
     * @param storages the log's directories, in order
     * @throws LogException if these are not the directories of one log, all of them, in order
     * @throws IOException if the operating system fails to read; damage is not thrown but {@link #damage} then
     */
    public static LogAnalysis of(List<? extends Storage> storages) throws IOException {
        return of(storages, false, false);
    }

    /**
     * Reads what an opening needs, without what no writer can have written to. If it is to skip what is covered,
     * it also leaves segments unread whose records a checkpoint covers, unless something that it reads is damaged or fails to
     * prove that they were durable: then it reads all records.
     */
    public static LogAnalysis ofOpening(List<? extends Storage> storages, boolean skipsCovered) throws IOException {
        if (skipsCovered) {
            LogAnalysis quick = of(storages, true, true);
            if (quick.damage == null && quick.provesUnread()) {
                return quick;
            }
        }
        return of(storages, false, true);
    }

    private static LogAnalysis of(List<? extends Storage> storages, boolean skipsCovered, boolean opens)
            throws IOException {
        LogAnalysis analysis = new LogAnalysis(storages, skipsCovered, opens);
        try {
            analysis.read();
        } catch (LogDamagedException e) {
            analysis.damage = e;
        } finally {
            for (StripeAnalysis stripe : analysis.stripes) {
                stripe.close();
            }
        }
        return analysis;
    }

    /**
     * Analyses directories that a writer may be changing. What looks damaged may be a place that was read before a write and
     * compared with one that was read after it. Such a finding disappears on a second look; damage does not.
     */
    public static LogAnalysis ofLive(List<? extends Storage> storages) throws IOException {
        LogAnalysis analysis = of(storages);
        for (int i = 1; i < TRIES && analysis.damage() != null; i++) {
            LogAnalysis again = of(storages);
            LogDamagedException before = analysis.damage();
            LogDamagedException now = again.damage();
            if (before != null && now != null && now.isSamePlaceAs(before)) {
                return again;
            }
            analysis = again;
        }
        return analysis;
    }

    private void read() throws IOException {
        List<@Nullable HeadFile> heads = new ArrayList<>();
        for (StripeAnalysis stripe : stripes) {
            stripe.list();
            heads.add(readHead(stripe));
        }
        HeadFile first = heads.get(0);
        StripeIdentity.check(stripes);
        if (first == null) {
            discardUnfinishedCreation();
            return;
        }
        HeadFile highest = highest(first.logId(), heads);
        if (stripes.size() == 1) {
            highest = stripes.get(0).followRewinds(highest);
        }
        head = highest;
        nextIndex = highest.firstIndex();
        checkpoint = readCheckpoint(highest);
        readCells(highest);
        IndexBound bound = boundOf(highest);
        for (StripeAnalysis stripe : stripes) {
            HeadFile known = stripe.head();
            if (known != null) {
                stripe.begin(known, bound, skipsCovered ? checkpoint : 0);
                nextIndex = Math.max(nextIndex, beginOf(stripe));
            }
        }
        followTheRecords();
        for (StripeAnalysis stripe : stripes) {
            stripe.stop();
        }
        judge();
        for (StripeAnalysis stripe : stripes) {
            stripe.cut(nextIndex);
        }
    }

    private IndexBound boundOf(HeadFile begin) throws IOException {
        if (stripes.size() == 1) {
            return IndexBound.ONE_DIRECTORY;
        }
        long most = 0;
        for (StripeAnalysis stripe : stripes) {
            most += stripe.mostRecords();
        }
        return new IndexBound(begin.firstIndex(), most);
    }

    /** The index of the first record that is read of a directory of which some are not; else 0. */
    private static long beginOf(StripeAnalysis stripe) {
        return stripe.unread().isEmpty() || stripe.isAtEnd() ? 0 : stripe.index();
    }

    /**
     * Whether a record behind those that were not read is durable. Then they are, with the seals between them, and recovery need not
     * write any of them again.
     */
    private boolean provesUnread() {
        return stripes.stream()
                .allMatch(stripe ->
                        stripe.unread().isEmpty() || isProven(stripe.segments().get(0)));
    }

    private boolean isProven(SegmentState state) {
        return state.firstRecord() > 0 && state.firstRecord() <= provenIndex();
    }

    private static @Nullable HeadFile readHead(StripeAnalysis stripe) throws IOException {
        try {
            return stripe.readHead();
        } catch (LogDamagedException e) {
            throw e.in(stripe.id().number(), stripe.name());
        }
    }

    /** Heads are replaced one after the other, so some may not know yet what was dropped last. */
    private HeadFile highest(UUID logId, List<@Nullable HeadFile> heads) throws LogDamagedException {
        long firstIndex = 1;
        long firstSegment = 1;
        long checkpointIndex = 0;
        long rewound = 0;
        for (int i = 0; i < heads.size(); i++) {
            HeadFile known = heads.get(i);
            if (known == null) {
                throw damaged(
                        stripes.get(i),
                        HeadFile.NAME,
                        0,
                        "this file, because " + stripes.get(0).name() + " is the first of " + heads.size()
                                + " directories of log " + logId,
                        "no such file");
            }
            firstSegment = i == 0 ? known.firstSegment() : firstSegment;
            firstIndex = Math.max(firstIndex, known.firstIndex());
            checkpointIndex = Math.max(checkpointIndex, known.checkpoint());
            rewound = Math.max(rewound, known.rewound());
        }
        HeadFile first = heads.get(0);
        boolean cells = first != null && first.cells();
        return new HeadFile(logId, stripes.get(0).id(), firstSegment, firstIndex, checkpointIndex, rewound, cells);
    }

    private long readCheckpoint(HeadFile head) throws IOException {
        StripeAnalysis first = stripes.get(0);
        long checks = first.rewinds().checks();
        if (first.rewinds().areToNothing() && checks == 0) {
            return 0; // with the records, though the file may still be there
        }
        CheckpointFile found;
        try {
            found = CheckpointFile.read(first.storage(), CheckpointFile.nameOf(first.storage(), checks), head);
        } catch (LogDamagedException e) {
            throw e.in(first.id().number(), first.name());
        }
        long index = found == null ? 0 : found.index();
        if (index < head.checkpoint()) {
            throw damaged(
                    first,
                    CheckpointFile.NAME,
                    0,
                    "the checkpoint at index " + head.checkpoint() + " or a later one, because the records before "
                            + head.firstIndex() + " were dropped for it",
                    found == null ? "no such file" : "one at index " + index);
        }
        return index;
    }

    private void readCells(HeadFile head) throws IOException {
        StripeAnalysis first = stripes.get(0);
        try {
            CellsFile found = CellsFile.read(first.storage(), head);
            if (found != null && !found.twice()) {
                first.notes().add(CellsFile.NAME + ": one of its two copies is older or damaged; the other one counts");
            }
        } catch (LogDamagedException e) {
            throw e.in(first.id().number(), first.name());
        }
    }

    /** The head of the first directory is the last thing that the creation of a log writes; before it there are no records. */
    private void discardUnfinishedCreation() throws IOException {
        for (StripeAnalysis stripe : stripes) {
            String content = stripe.discardUnfinishedCreation();
            if (content != null) {
                String where = stripe.equals(stripes.get(0)) ? "" : " in " + stripe.name();
                throw damaged(
                        stripes.get(0), HeadFile.NAME, 0, "this file, because " + content + where, "no such file");
            }
        }
    }

    /** Goes from record to record, each from the directory that has it, up to the first that none has. */
    private void followTheRecords() throws IOException {
        boolean found = true;
        while (found) {
            found = false;
            for (StripeAnalysis stripe : stripes) {
                while (hasTurn(stripe)) {
                    nextIndex += stripe.isAtData() && stripe.index() == nextIndex ? 1 : 0;
                    stripe.advance();
                    found = true;
                }
            }
        }
    }

    /** A mark has its turn before the record with its index: all records before that one had been laid out when it was. */
    private boolean hasTurn(StripeAnalysis stripe) {
        if (stripe.isAtEnd()) {
            return false;
        }
        if (!stripe.isAtData()) {
            return stripe.index() <= nextIndex;
        }
        if (stripe.index() >= firstIndex() && stripe.index() < nextIndex) {
            twice = damaged(
                    stripe,
                    stripe.file(),
                    stripe.offset(),
                    "a record with an index from " + nextIndex + " on",
                    "record " + stripe.index() + ", which " + namesBut(stripe) + " holds, too");
            return false;
        }
        return stripe.index() <= nextIndex;
    }

    private void judge() throws LogDamagedException {
        throwIfDamaged(stripes.get(0).lostCut()); // first: without it the rest may be that of another log
        for (StripeAnalysis stripe : stripes) {
            throwIfDamaged(stripe.broken());
            throwIfDamaged(stripe.shortOfCut());
        }
        throwIfDamaged(twice);
        if (highestWatermark() >= nextIndex) {
            throw missing("the record at offset " + witness() + " says that all up to " + highestWatermark() + " are");
        }
        if (checkpoint >= nextIndex) {
            throw missing(CheckpointFile.NAME + " holds the effect of all up to " + checkpoint);
        }
        for (StripeAnalysis stripe : stripes) {
            throwIfDamaged(stripe.unsealed());
            throwIfDamaged(stripe.lost());
            throwIfDamaged(stripe.damagedSeal(nextIndex));
        }
        for (StripeAnalysis stripe : stripes) {
            SegmentState last = stripe.last();
            if (!stripe.isCut() && last.closed() && last.isTorn()) {
                stripe.notes()
                        .add(last.file()
                                + ": one of the two copies of the closing mark is damaged; no record is missing");
            }
        }
    }

    private String namesBut(StripeAnalysis one) {
        return stripes.stream()
                .filter(each -> each != one)
                .map(StripeAnalysis::name)
                .collect(Collectors.joining(" or "));
    }

    private static void throwIfDamaged(@Nullable LogDamagedException found) throws LogDamagedException {
        if (found != null) {
            throw found;
        }
    }

    /**
     * The record that no directory has was acknowledged. Names the place where it should be, as far as that is known: first one where
     * something else is, then those where nothing is, as after a write that a disk lost.
     */
    private LogDamagedException missing(String why) {
        List<StripeAnalysis> places = new ArrayList<>(stripes);
        if (stripes.stream().anyMatch(StripeAnalysis::mayHold)) {
            places.removeIf(stripe -> !stripe.mayHold());
        }
        places.sort(Comparator.comparing(StripeAnalysis::endsCleanly));
        SegmentState last = places.get(0).lastBeforeCut();
        StringBuilder found = new StringBuilder(last.stopReason());
        for (StripeAnalysis other : places.subList(1, places.size())) {
            SegmentState end = other.lastBeforeCut();
            found.append("; or it stood in ")
                    .append(other.name())
                    .append(", file ")
                    .append(end.file())
                    .append(", offset ")
                    .append(end.endOffset())
                    .append(", where there is ")
                    .append(end.stopReason());
        }
        return damaged(
                places.get(0),
                last.file(),
                last.endOffset(),
                "record " + nextIndex + ", acknowledged as durable (" + why + ")",
                found.toString());
    }

    private long highestWatermark() {
        long highest = 0;
        for (StripeAnalysis stripe : stripes) {
            for (SegmentState segment : stripe.segments()) {
                highest = Math.max(highest, segment.highestWatermark());
            }
        }
        return highest;
    }

    /** Where the record with the highest watermark stands. */
    private String witness() {
        long highest = highestWatermark();
        for (StripeAnalysis stripe : stripes) {
            for (SegmentState segment : stripe.segments()) {
                if (segment.highestWatermark() == highest) {
                    return segment.witnessOffset()
                            + (stripes.size() == 1 ? "" : " of " + segment.file() + " in " + stripe.name());
                }
            }
        }
        throw new IllegalStateException("nothing carries the highest watermark");
    }

    private static LogDamagedException damaged(
            StripeAnalysis stripe, String file, long offset, String expected, String found) {
        return new LogDamagedException(file, offset, expected, found, LogDamagedException.RESTORE)
                .in(stripe.id().number(), stripe.name());
    }

    /** What is damaged, or null. If it is not null, {@link #nextIndex} is that of the first record that is not there. */
    public @Nullable LogDamagedException damage() {
        return damage;
    }

    /**
     * The head of the first directory, with what the others say about where the log begins; null if there is no log yet, or
     * none that could be read.
     */
    public @Nullable HeadFile head() {
        return head;
    }

    /** The index of the checkpoint, 0 if there is none. */
    public long checkpoint() {
        return checkpoint;
    }

    /** The log's directories, in order. */
    public List<StripeAnalysis> stripes() {
        return stripes;
    }

    /** Findings that are no damage, a sentence each. */
    public List<String> notes() {
        List<String> all = new ArrayList<>();
        for (StripeAnalysis stripe : stripes) {
            for (String note : stripe.notes()) {
                all.add(stripes.size() == 1 ? note : stripe.name() + ", " + note);
            }
        }
        return all;
    }

    /** The index of the first record, or that it would have. */
    public long firstIndex() {
        return head == null ? 1 : head.firstIndex();
    }

    /** One more than the index of the last record of the log. */
    public long nextIndex() {
        return nextIndex;
    }

    /** Every record of the log up to this index was durable when the last intact watermark was written. */
    public long markedIndex() {
        return Math.max(firstIndex() - 1, provenIndex());
    }

    /**
     * The last record that is proven durable, which may lie before {@link #firstIndex}. That a prefix was dropped does not
     * prove that it was durable, since with {@code force=write} it need not have been; and of a striped log some of it may
     * stand in front of records that are found only if it is whole.
     */
    long provenIndex() {
        return Math.min(highestWatermark(), nextIndex - 1);
    }

    /** Whether the log was closed in order and nothing happened since. */
    public boolean isCleanlyClosed() {
        return stripes.stream().allMatch(StripeAnalysis::isClosed);
    }
}
