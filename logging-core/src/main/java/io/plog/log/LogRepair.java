package io.plog.log;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Makes a damaged log usable again by giving up what is damaged and everything behind it. It does only what it is told, keeps
 * what it cuts in files beside the log, and says which acknowledged records the log has lost.
 *
 * <p>It does not join what lies before a damage with what lies behind it: a log with a gap would be replayed into a state that
 * never was. {@link LogSalvage} gets at the intact records behind the damage, before a repair.
 *
 * <p>Takes the writer's lock. If it is interrupted by a crash, the log is damaged as before, or repaired, or ends with a torn
 * tail that the next recovery cuts and keeps; what was cut is kept in each case.
 */
public final class LogRepair {
    /** What can be done about a damage. */
    public enum Remedy {
        /** End the log where the damage begins. */
        CUT,
        /** Fill the missing end of a segment's file with zeros; what that end held is damage of its own afterwards, if any. */
        PAD,
        /** Make the head anew from the oldest segment. */
        REBUILD_HEAD,
        /** Go on without the checkpoint. */
        DROP_CHECKPOINT
    }

    /**
     * A damage, and what doing something about it would cost.
     *
     * @param damage what is damaged
     * @param remedy what can be done
     * @param firstLost the index of the first record that the log would lose; 0 if it would lose none
     * @param acknowledged every record up to this index was acknowledged, as far as the log itself says; so those from
     *     {@code firstLost} to here are acknowledged records that would be lost
     * @param intactBehind how many intact records lie behind the damage and would be cut with it
     */
    public record Plan(
            LogDamagedException damage, Remedy remedy, long firstLost, long acknowledged, long intactBehind) {
        /** How many acknowledged records the log would lose, at least. */
        public long acknowledgedLost() {
            return firstLost == 0 ? 0 : Math.max(0, acknowledged - firstLost + 1);
        }
    }

    private final Storage storage;
    private final LogAnalysis analysis;
    private final LogDamagedException damage;
    private final List<String> kept = new ArrayList<>();

    private LogRepair(Storage storage, LogAnalysis analysis, LogDamagedException damage) {
        this.storage = storage;
        this.analysis = analysis;
        this.damage = damage;
    }

    /**
     * Looks for the first damage and what can be done about it, changing nothing.
     *
     * @return empty if the log is not damaged
     */
    public static Optional<Plan> plan(Storage storage) throws IOException {
        LogAnalysis analysis = LogInspection.analyse(storage);
        LogDamagedException damage = analysis.damage();
        return damage == null ? Optional.empty() : Optional.of(new LogRepair(storage, analysis, damage).plan());
    }

    private Plan plan() throws IOException {
        Remedy remedy = remedy();
        long firstLost = remedy == Remedy.CUT ? analysis.nextIndex() : 0;
        long[] behind = new long[1];
        LogSalvage.Summary all = LogSalvage.search(storage, (file, offset, index, payload) -> {
            if (firstLost > 0 && index >= firstLost) {
                behind[0]++;
            }
        });
        return new Plan(damage, remedy, firstLost, Math.max(all.acknowledged(), analysis.checkpoint()), behind[0]);
    }

    private Remedy remedy() throws IOException {
        if (damage.file().equals(HeadFile.NAME)) {
            return Remedy.REBUILD_HEAD;
        }
        if (damage.file().equals(CheckpointFile.NAME)) {
            return Remedy.DROP_CHECKPOINT;
        }
        SegmentHeader header = headerOf(damage.file());
        return header != null && damage.offset() > 0 && damage.offset() == sizeOf(damage.file())
                ? Remedy.PAD
                : Remedy.CUT;
    }

    /**
     * Does what was planned about exactly this damage.
     *
     * @param plan as {@link #plan} gave it
     * @return the names of the files in which what was cut is kept
     * @throws IllegalArgumentException if the log is not damaged in this way (any more); nothing was changed
     * @throws LogLockedException if the log is open
     */
    public static List<String> carryOut(Plan plan, Storage storage) throws IOException {
        Closeable lock = storage.lock(MessageLog.LOCK_FILE);
        try {
            LogAnalysis analysis = LogAnalysis.of(storage);
            LogDamagedException now = analysis.damage();
            if (now == null || !now.isSamePlaceAs(plan.damage())) {
                throw new IllegalArgumentException("the log is not damaged at offset "
                        + plan.damage().offset() + " of " + plan.damage().file() + "; nothing was changed");
            }
            storage.forceDirectory();
            LogRepair repair = new LogRepair(storage, analysis, now);
            switch (plan.remedy()) {
                case CUT -> repair.cut();
                case PAD -> repair.pad();
                case REBUILD_HEAD -> repair.rebuildHead();
                case DROP_CHECKPOINT -> repair.dropCheckpoint();
            }
            return repair.kept;
        } finally {
            lock.close();
        }
    }

    private void cut() throws IOException {
        if (analysis.checkpoint() >= analysis.nextIndex()) {
            // Its state holds the effect of records that the log is about to lose.
            dropCheckpoint();
        }
        long damaged = SegmentHeader.numberOf(damage.file());
        NavigableSet<Long> present = presentSegments();
        List<SegmentState> readable = analysis.segments();
        SegmentState last = readable.isEmpty() ? null : readable.get(readable.size() - 1);
        if (last != null && last.header().segment() == damaged) {
            setAside(present.tailSet(damaged, false));
            cutWithin(last);
        } else {
            long segmentBytes = last != null ? last.header().segmentBytes() : segmentBytesOf(present);
            setAside(present.tailSet(damaged, false));
            if (present.contains(damaged)) {
                kept.add(new Cuts(storage, SegmentHeader.BLOCK_BYTES).setAside(damage.file()));
            }
            HeadFile head = Objects.requireNonNull(analysis.head(), "without a head no segment is judged");
            new SegmentFactory(storage, head.logId(), StripeId.NONE, segmentBytes).create(damaged);
        }
    }

    private void cutWithin(SegmentState segment) throws IOException {
        Cuts cuts = new Cuts(storage, segment.header().segmentBytes());
        long from = segment.endOffset();
        if (segment.tail().isNonZeroFrom(from)) {
            long to = segment.tail().nonZeroEnd();
            kept.add(cuts.keep(segment.file(), segment.header().segment(), from, to));
        }
        cuts.zero(segment.file(), from, segment.header().segmentBytes());
    }

    private void pad() throws IOException {
        SegmentHeader header = Objects.requireNonNull(headerOf(damage.file()));
        new Cuts(storage, header.segmentBytes()).zero(damage.file(), damage.offset(), header.segmentBytes());
    }

    /** The last first, so that what is left is a log that ends too early, and never one with a hole. */
    private void setAside(SortedSet<Long> numbers) throws IOException {
        Cuts cuts = new Cuts(storage, SegmentHeader.BLOCK_BYTES);
        List<Long> ascending = new ArrayList<>(numbers);
        for (int i = ascending.size() - 1; i >= 0; i--) {
            String name = SegmentHeader.fileName(ascending.get(i));
            if (!isPrepared(name)) {
                kept.add(cuts.setAside(name));
            }
        }
    }

    /** Whether a segment is whole and holds nothing: it can stay, and be used. */
    private boolean isPrepared(String name) throws IOException {
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            SegmentHeader header = SegmentHeader.read(file, new StringBuilder());
            return header != null
                    && file.size() == header.segmentBytes()
                    && !TailEvidence.search(file, header, new FileWindow(), SegmentHeader.BLOCK_BYTES, 1)
                            .isNonZeroFrom(SegmentHeader.BLOCK_BYTES);
        }
    }

    private NavigableSet<Long> presentSegments() throws IOException {
        NavigableSet<Long> present = new TreeSet<>();
        for (String name : storage.list()) {
            if (SegmentHeader.numberOf(name) > 0) {
                present.add(SegmentHeader.numberOf(name));
            }
        }
        return present;
    }

    /** The size that any readable segment says, or else the default. */
    private long segmentBytesOf(NavigableSet<Long> present) throws IOException {
        for (long number : present) {
            SegmentHeader header = headerOf(SegmentHeader.fileName(number));
            if (header != null) {
                return header.segmentBytes();
            }
        }
        return LogOptions.DEFAULT_SEGMENT_BYTES;
    }

    private @Nullable SegmentHeader headerOf(String name) throws IOException {
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            return SegmentHeader.read(file, new StringBuilder());
        } catch (NoSuchFileException missing) {
            return null;
        }
    }

    private long sizeOf(String name) throws IOException {
        try (StorageFile file = storage.open(name, Storage.Access.READ)) {
            return file.size();
        }
    }

    private void rebuildHead() throws IOException {
        NavigableSet<Long> present = presentSegments();
        SegmentHeader first = present.isEmpty() ? null : headerOf(SegmentHeader.fileName(present.first()));
        if (first == null || first.segment() != present.first()) {
            throw new IllegalArgumentException("the head cannot be made anew: "
                    + (present.isEmpty()
                            ? "there is no segment"
                            : "the header of " + SegmentHeader.fileName(present.first()) + " is damaged, too")
                    + "; restore one of them from a copy. Nothing was changed");
        }
        long firstIndex = firstIndexOf(first);
        if (storage.list().contains(HeadFile.NAME)) {
            kept.add(new Cuts(storage, SegmentHeader.BLOCK_BYTES).setAside(HeadFile.NAME));
        }
        // A checkpoint that is there must reach the first record; if there is none, nobody knows whether there was one.
        long checkpoint = storage.list().contains(CheckpointFile.NAME) ? firstIndex - 1 : 0;
        new HeadFile(first.logId(), first.segment(), firstIndex, checkpoint).write(storage);
    }

    /** Every record, marks included, carries the index that is next; an empty first segment can only begin at 1. */
    private long firstIndexOf(SegmentHeader header) throws IOException {
        RecordHeader record = new RecordHeader();
        ByteBuffer bytes = ByteBuffer.allocate(RecordHeader.BYTES);
        try (StorageFile file = storage.open(SegmentHeader.fileName(header.segment()), Storage.Access.READ)) {
            while (bytes.hasRemaining() && file.read(bytes, SegmentHeader.BLOCK_BYTES + bytes.position()) >= 0) {}
        }
        if (!bytes.hasRemaining() && record.decode(bytes, 0, header.epoch())) {
            return record.index;
        }
        if (header.segment() == 1) {
            return 1;
        }
        throw new IllegalArgumentException("the head cannot be made anew: the first record of "
                + SegmentHeader.fileName(header.segment())
                + " is missing or damaged, so nothing says which index it had; restore log.head from a copy."
                + " Nothing was changed");
    }

    private void dropCheckpoint() throws IOException {
        HeadFile head = analysis.head();
        if (storage.list().contains(CheckpointFile.NAME)) {
            kept.add(new Cuts(storage, SegmentHeader.BLOCK_BYTES).setAside(CheckpointFile.NAME));
        }
        if (head != null && head.checkpoint() > 0) {
            new HeadFile(head.logId(), head.firstSegment(), head.firstIndex(), 0).write(storage);
        }
    }
}
