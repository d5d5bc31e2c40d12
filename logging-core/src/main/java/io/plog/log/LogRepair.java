package io.plog.log;

import io.plog.log.LogTools.Remedy;
import io.plog.log.LogTools.RepairPlan;
import io.plog.log.LogTools.SalvageSummary;
import io.plog.log.file.CellsFile;
import io.plog.log.file.CheckpointFile;
import io.plog.log.file.CloseAll;
import io.plog.log.file.FileWindow;
import io.plog.log.file.HeadFile;
import io.plog.log.file.LogFiles;
import io.plog.log.file.ReadAround;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.StripeId;
import io.plog.log.file.WriterClaim;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.Quarantine;
import io.plog.log.segment.Rewinds;
import io.plog.log.segment.SegmentFactory;
import io.plog.log.segment.SegmentSizes;
import io.plog.log.segment.SegmentState;
import io.plog.log.segment.SpareSegments;
import io.plog.log.segment.StripeAnalysis;
import io.plog.log.segment.Takeover;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.Storage;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Makes a damaged log usable again, as {@link LogTools#repair} says. */
final class LogRepair {
    private final List<? extends Storage> storages;
    private final LogAnalysis analysis;
    private final LogDamagedException damage;
    private final StripeAnalysis damaged;
    private final List<String> kept = new ArrayList<>();

    private LogRepair(List<? extends Storage> storages, LogAnalysis analysis, LogDamagedException damage) {
        this.storages = storages;
        this.analysis = analysis;
        this.damage = damage;
        this.damaged = analysis.stripes().get(Math.max(0, damage.stripe() - 1));
    }

    /** Looks for the first damage and what can be done about it, changing nothing. */
    static Optional<RepairPlan> plan(List<? extends Storage> storages) throws IOException {
        LogAnalysis analysis = LogAnalysis.ofLive(storages);
        LogDamagedException found = analysis.damage();
        return found == null ? Optional.empty() : Optional.of(new LogRepair(storages, analysis, found).plan());
    }

    private RepairPlan plan() throws IOException {
        Remedy remedy = remedy();
        if (remedy == Remedy.REBUILD_HEAD) {
            rebuiltHead(); // or there is no remedy
        }
        long firstLost = remedy == Remedy.CUT ? analysis.nextIndex() : 0;
        long[] behind = new long[1];
        SalvageSummary all = LogSalvage.search(storages, (file, offset, index, payload) -> {
            if (firstLost > 0 && index >= firstLost) {
                behind[0]++;
            }
        });
        return new RepairPlan(
                damage, remedy, firstLost, Math.max(all.acknowledged(), analysis.checkpoint()), behind[0]);
    }

    private Remedy remedy() throws IOException {
        if (damage.file().equals(HeadFile.NAME)) {
            return Remedy.REBUILD_HEAD;
        }
        if (damage.file().startsWith(CheckpointFile.NAME)) {
            return Remedy.DROP_CHECKPOINT;
        }
        if (damage.file().equals(CellsFile.NAME)) {
            return Remedy.DROP_CELLS;
        }
        Storage storage = damaged.storage();
        SegmentHeader header = SegmentHeader.read(storage, damage.file());
        return header != null && damage.offset() > 0 && damage.offset() == storage.sizeOf(damage.file())
                ? Remedy.PAD
                : Remedy.CUT;
    }

    /** Does what was planned about exactly this damage; returns the names of the files that keep what was cut. */
    static List<String> carryOut(RepairPlan plan, List<? extends Storage> storages) throws IOException {
        List<Closeable> locks = new ArrayList<>();
        Closeable all = new CloseAll(locks);
        try (all) {
            for (Storage storage : storages) {
                locks.add(storage.lock(LogFiles.LOCK));
            }
            LogAnalysis analysis = Takeover.analyse(storages);
            LogDamagedException now = analysis.damage();
            if (now == null || !now.isSamePlaceAs(plan.damage())) {
                throw new IllegalArgumentException("the log is not damaged at offset "
                        + plan.damage().offset() + " of " + plan.damage().file() + "; nothing was changed");
            }
            for (Storage storage : storages) {
                storage.forceDirectory();
            }
            LogRepair repair = new LogRepair(storages, analysis, now);
            switch (plan.remedy()) {
                case CUT -> repair.cut();
                case PAD -> repair.pad();
                case REBUILD_HEAD -> repair.rebuildHead();
                case DROP_CHECKPOINT -> repair.dropCheckpoint();
                case DROP_CELLS -> repair.dropCells();
            }
            return repair.kept;
        }
    }

    private void cut() throws IOException {
        LogDamagedException lostCut = damaged.lostCut();
        if (lostCut != null) { // nothing behind it can be joined to what is before; that is judged anew
            long from = SegmentHeader.numberOf(lostCut.file());
            forgetRewinds(damaged, from);
            setAside(damaged, SegmentHeader.numbersIn(damaged.storage()).tailSet(from));
            return;
        }
        if (analysis.checkpoint() >= analysis.nextIndex()) {
            // Its state holds the effect of records that the log is about to lose.
            dropCheckpoint();
        }
        for (StripeAnalysis stripe : analysis.stripes()) {
            if (!stripe.equals(damaged) && (stripe.broken() != null || stripe.isCut() || !stripe.endsCleanly())) {
                cut(stripe);
            }
        }
        cut(damaged);
    }

    /**
     * The head no longer asks for a cut of which the segment is set aside. Before that is: a crash in between leaves one of the two logs,
     * and none of which the head knows more than there is.
     */
    private void forgetRewinds(StripeAnalysis stripe, long from) throws IOException {
        HeadFile head = knownHead();
        NavigableSet<Long> left =
                new TreeSet<>(SegmentHeader.numbersIn(stripe.storage()).headSet(from, false));
        long rewound = Rewinds.find(stripe.storage(), stripe.id(), head, left).last();
        if (head.rewound() != rewound) {
            head.beginningAt(head.firstSegment(), head.firstIndex(), head.checkpoint(), rewound)
                    .write(stripe.storage());
        }
    }

    /** Ends one directory at the first record that the log lacks: where that record stood, or where it would stand. */
    private void cut(StripeAnalysis stripe) throws IOException {
        stripe.cut(analysis.nextIndex());
        Storage storage = stripe.storage();
        NavigableSet<Long> present = SegmentHeader.numbersIn(storage);
        LogDamagedException broken = stripe.broken();
        if (broken == null || stripe.isCut()) {
            SegmentState last = stripe.last();
            forgetRewinds(stripe, last.header().segment() + 1);
            setAside(stripe, present.tailSet(last.header().segment(), false));
            cutWithin(stripe, last);
            return;
        }
        long number = SegmentHeader.numberOf(broken.file());
        long segmentBytes = stripe.segments().isEmpty()
                ? segmentBytesOf(storage, present)
                : stripe.last().header().segmentBytes();
        forgetRewinds(stripe, number);
        setAside(stripe, present.tailSet(number, false));
        if (present.contains(number)) {
            keep(stripe, new Quarantine(storage, SegmentHeader.BLOCK_BYTES).setAside(broken.file()));
        }
        // No writer owns the segment: this process ends, or opens the log and claims it then.
        WriterClaim claim = WriterClaim.ofThisProcess().closed(0);
        new SegmentFactory(storage, knownHead().logId(), stripe.id(), SegmentSizes.of(segmentBytes), claim)
                .create(number);
    }

    private void keep(StripeAnalysis stripe, String file) {
        kept.add(stripe.id().isStriped() ? stripe.name() + "/" + file : file);
    }

    private void cutWithin(StripeAnalysis stripe, SegmentState segment) throws IOException {
        Quarantine cuts = new Quarantine(stripe.storage(), segment.header().segmentBytes());
        long from = segment.endOffset();
        if (segment.tail().hasRemainsFrom(from)) {
            long to = segment.tail().remainsEnd();
            keep(stripe, cuts.keep(segment.file(), segment.header().segment(), from, to));
        }
        cuts.zero(segment.file(), from, segment.header().segmentBytes());
    }

    private void pad() throws IOException {
        Storage storage = damaged.storage();
        SegmentHeader header = Objects.requireNonNull(SegmentHeader.read(storage, damage.file()));
        new Quarantine(storage, header.segmentBytes()).zero(damage.file(), damage.offset(), header.segmentBytes());
    }

    /** Begins with the last one: a crash then leaves a log that ends too early, and never one with a hole. */
    private void setAside(StripeAnalysis stripe, SortedSet<Long> numbers) throws IOException {
        Quarantine cuts = new Quarantine(stripe.storage(), SegmentHeader.BLOCK_BYTES);
        List<Long> ascending = new ArrayList<>(numbers);
        for (int i = ascending.size() - 1; i >= 0; i--) {
            if (!isPrepared(stripe, ascending.get(i))) {
                keep(stripe, cuts.setAside(SegmentHeader.fileName(ascending.get(i))));
            }
        }
    }

    private HeadFile knownHead() {
        return Objects.requireNonNull(analysis.head(), "without a head no segment is judged");
    }

    /** Whether a segment is whole, in its place, and holds nothing: it can stay, and be used. */
    private boolean isPrepared(StripeAnalysis stripe, long number) throws IOException {
        try (Storage.FileHandle file = ReadAround.open(stripe.storage(), SegmentHeader.fileName(number))) {
            SegmentHeader header = knownHead().headerOf(file, stripe.id(), number, new StringBuilder());
            return header != null
                    && header.rewind() == null
                    && file.size() == header.segmentBytes()
                    && SpareSegments.isEmpty(file, header, new FileWindow());
        }
    }

    /** The size that any readable segment says, or else the default. */
    private static long segmentBytesOf(Storage storage, NavigableSet<Long> present) throws IOException {
        for (long number : present) {
            SegmentHeader header = SegmentHeader.read(storage, SegmentHeader.fileName(number));
            if (header != null) {
                return header.segmentBytes();
            }
        }
        return LogOptions.DEFAULT_SEGMENT_BYTES;
    }

    private void rebuildHead() throws IOException {
        HeadFile anew = rebuiltHead();
        Storage storage = damaged.storage();
        if (storage.list().contains(HeadFile.NAME)) {
            keep(damaged, new Quarantine(storage, SegmentHeader.BLOCK_BYTES).setAside(HeadFile.NAME));
        }
        anew.write(storage);
    }

    /** The head as it was, as far as the segments and the other heads show. */
    private HeadFile rebuiltHead() throws IOException {
        Storage storage = damaged.storage();
        NavigableSet<Long> present = SegmentHeader.numbersIn(storage);
        SegmentHeader first =
                present.isEmpty() ? null : SegmentHeader.read(storage, SegmentHeader.fileName(present.first()));
        if (first == null
                || first.segment() != present.first()
                || !first.stripe().equals(damaged.id())) {
            throw noRemedy(
                    present.isEmpty()
                            ? "there is no segment"
                            : "the header of " + SegmentHeader.fileName(present.first())
                                    + " is damaged, or of another log, too");
        }
        HeadFile anew = damaged.id().isStriped() ? headLikeTheOthers(first) : headOf(storage, first);
        return anew.withCells(storage.list().contains(CellsFile.NAME));
    }

    private LogDamagedException noRemedy(String why) {
        return damage.withAdvice(
                "It cannot be made anew, because " + why
                        + "; restore one of them from a copy, or save what is intact: plog log dump --salvage. Nothing was changed");
    }

    private HeadFile headOf(Storage storage, SegmentHeader first) throws IOException {
        long firstIndex = firstIndexOf(storage, first);
        // A checkpoint file must reach the first record. If there is none, it is unknown whether there was one.
        long checkpoint = storage.list().contains(CheckpointFile.NAME) ? firstIndex - 1 : 0;
        NavigableSet<Long> present = SegmentHeader.numbersIn(storage);
        HeadFile begin = new HeadFile(first.logId(), StripeId.NONE, first.segment(), firstIndex, checkpoint);
        return Rewinds.find(storage, StripeId.NONE, begin, present).apply(begin);
    }

    private static @Nullable HeadFile intactHead(Storage storage) throws IOException {
        try {
            return HeadFile.read(storage);
        } catch (LogDamagedException damaged) {
            return null;
        }
    }

    /** The other directories know where the log begins. */
    private HeadFile headLikeTheOthers(SegmentHeader first) throws IOException {
        long firstIndex = 1;
        long checkpoint = 0;
        for (StripeAnalysis stripe : analysis.stripes()) {
            HeadFile other = stripe.equals(damaged) ? null : intactHead(stripe.storage());
            if (!stripe.equals(damaged) && (other == null || !other.logId().equals(first.logId()))) {
                throw noRemedy("that of " + stripe.name() + " is missing, damaged, or of another log, too");
            }
            firstIndex = other == null ? firstIndex : Math.max(firstIndex, other.firstIndex());
            checkpoint = other == null ? checkpoint : Math.max(checkpoint, other.checkpoint());
        }
        return new HeadFile(first.logId(), damaged.id(), first.segment(), firstIndex, checkpoint);
    }

    /** Each record says which index comes next, and marks do, too; an empty first segment can only begin at 1. */
    private long firstIndexOf(Storage storage, SegmentHeader header) throws IOException {
        RecordHeader record = new RecordHeader();
        ByteBuffer bytes = ByteBuffer.allocate(RecordHeader.BYTES);
        try (Storage.FileHandle file = ReadAround.open(storage, SegmentHeader.fileName(header.segment()))) {
            while (bytes.hasRemaining() && file.read(bytes, SegmentHeader.BLOCK_BYTES + bytes.position()) >= 0) {}
        }
        if (!bytes.hasRemaining() && record.decode(bytes, 0, header.epoch())) {
            return record.index;
        }
        Rewind rewind = header.rewind();
        if (rewind != null) {
            return rewind.firstIndex();
        }
        if (header.segment() == 1) {
            return 1;
        }
        throw noRemedy("the first record of " + SegmentHeader.fileName(header.segment())
                + " is missing or damaged, too, and nothing else says which index it had");
    }

    private void dropCells() throws IOException {
        Storage storage = damaged.storage();
        if (storage.list().contains(CellsFile.NAME)) {
            keep(damaged, new Quarantine(storage, SegmentHeader.BLOCK_BYTES).setAside(CellsFile.NAME));
        }
        Objects.requireNonNull(damaged.head()).withCells(false).write(storage);
    }

    private void dropCheckpoint() throws IOException {
        StripeAnalysis first = analysis.stripes().get(0);
        for (String name : List.of(CheckpointFile.NAME, CheckpointFile.NEXT)) {
            if (first.storage().list().contains(name)) {
                keep(first, new Quarantine(first.storage(), SegmentHeader.BLOCK_BYTES).setAside(name));
            }
        }
        for (StripeAnalysis stripe : analysis.stripes()) {
            HeadFile head = stripe.head();
            if (head != null && (head.checkpoint() > 0 || stripe.rewinds().areToNothing())) {
                head.beginningAt(head.firstSegment(), head.firstIndex(), 0, head.rewound())
                        .write(stripe.storage());
            }
        }
    }
}
