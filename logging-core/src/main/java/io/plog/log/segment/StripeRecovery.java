package io.plog.log.segment;

import io.plog.log.file.ControlRecords;
import io.plog.log.file.DiskErrors;
import io.plog.log.file.FileWindow;
import io.plog.log.file.HeadFile;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.Rewind;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.WriteFully;
import io.plog.log.file.WriterClaim;
import io.plog.log.file.Zeros;
import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * The recovery of one directory of a log; {@link Recovery} says when which step has its turn.
 *
 * <p>Valid records behind the last watermark are <em>written again</em> and then forced, not only forced: after a failed
 * force the page cache may show bytes that the device does not have, marked clean, and a force would then do nothing.
 */
final class StripeRecovery {
    private final StripeAnalysis stripe;
    private final Storage storage;
    private final SegmentSizes sizes;
    private final WriterClaim claim;
    private final int alignment;
    private final Quarantine cuts;
    private final List<SegmentHeader> spares = new ArrayList<>();
    private final List<String> text = new ArrayList<>();
    private final List<String> cutFiles = new ArrayList<>();
    private final List<String> setAside = new ArrayList<>();
    private long cutBytes;
    private long position; // where the directory continues

    StripeRecovery(StripeAnalysis stripe, SegmentOptions options, WriterClaim claim) {
        this.claim = claim;
        this.stripe = stripe;
        this.storage = stripe.storage();
        this.sizes = options.sizes();
        this.alignment = options.alignment();
        this.cuts = new Quarantine(storage, stripe.largestSegmentBytes());
    }

    void forceDirectory() throws IOException {
        storage.forceDirectory();
    }

    /** Deletes the files that hold no part of the log, sets segments aside that are not the log's, and forces the directory. */
    void deleteDiscards() throws IOException {
        for (String name : stripe.discards()) {
            if (isOurs(name)) {
                storage.delete(name);
            } else {
                setAside.add(cuts.setAside(name));
            }
        }
        if (!stripe.discards().isEmpty()) {
            storage.forceDirectory();
        }
    }

    private boolean isOurs(String name) throws IOException {
        HeadFile head = stripe.head();
        if (head == null || SegmentHeader.numberOf(name) < 0) {
            return true; // the remains of a creation; a temporary file
        }
        SegmentHeader header = SegmentHeader.read(storage, name);
        return header != null
                && header.logId().equals(head.logId())
                && name.equals(SegmentHeader.fileName(header.segment()));
    }

    private SegmentFactory factory(UUID logId, long bytes) {
        return new SegmentFactory(storage, logId, stripe.id(), SegmentSizes.of(bytes), claim);
    }

    /** Makes the directory's part of a log that does not exist yet. */
    RecoveryResult.Stripe create(UUID logId, long firstIndex) throws IOException {
        Rewind begin = firstIndex == 1 ? null : Rewind.toNothing(firstIndex, 0);
        SegmentHeader first;
        try {
            first = factory(logId, sizes.next()).create(1, begin, SegmentFactory.Throttle.NONE);
        } catch (IOException e) {
            String message = "cannot create the first segment of " + sizes.next() + " bytes in " + storage.describe()
                    + ": " + e.getMessage();
            throw DiskErrors.kindOf(e) == DiskErrors.Kind.NO_SPACE
                    ? new LogRefusedException.NoSpace(message, e)
                    : new LogException(message, e);
        }
        // Before the head, which ends the creation: a start that finds a head relies on all of this and does none of
        // it.
        storage.forceParentDirectory();
        new HeadFile(logId, stripe.id(), 1, firstIndex, 0, begin == null ? 0 : 1, false).write(storage);
        List<SegmentLinks.Link> links = List.of(new SegmentLinks.Link(first, firstIndex));
        return new RecoveryResult.Stripe(stripe.id(), first, SegmentHeader.BLOCK_BYTES, links, List.of(), List.of());
    }

    // ---- The first phase ----

    /**
     * Makes the records of the log stable, cuts the rest, and makes the cut stable.
     *
     * @param markedIndex everything up to this index is stable already
     */
    void makeStable(long markedIndex, long lastIndex) throws IOException {
        List<SegmentState> states = stripe.segments();
        for (int i = firstUnproven(states, markedIndex); i < states.size(); i++) {
            writeAgain(states.get(i), markedIndex);
        }
        replaceSuperseded();
        SegmentState last = stripe.last();
        position = last.endOffset();
        if (last.isTorn()) {
            keep(last);
            if (last.endsWithClosingMark() && hasRoomForMark(last.header())) {
                // Or, if the zeros behind it could not be forced, the next recovery would read a log that was closed in
                // order, and leave on the device what they stand for in the page cache.
                position = writeControl(last.header(), RecordHeader.MARK, lastIndex + 1, markedIndex);
            }
        }
        if (last.isTorn() || !stripe.isClosed()) {
            // Also where zeros are read: if an earlier recovery failed to force its zeros, the page cache shows them
            // and the
            // device still holds the torn tail, records that are valid for this segment and would come back between
            // those that are appended next.
            cuts.zero(last.file(), position, last.header().segmentBytes());
        }
    }

    /**
     * The last segment with a record that is known to be durable; what comes behind that record may not be. Seals and marks
     * prove that what their watermark says is durable, but nothing proves it of themselves; and what comes next relies on
     * them. A seal is proved by a durable record in a later segment (by any record, except with {@code force=write}, which does
     * not force a seal).
     */
    private static int firstUnproven(List<SegmentState> states, long markedIndex) {
        int first = 0;
        for (int i = 0; i < states.size(); i++) {
            long firstRecord = states.get(i).firstRecord();
            first = firstRecord > 0 && firstRecord <= markedIndex ? i : first;
        }
        return first;
    }

    /** Writes what stands behind the last record that is known to be durable again, byte for byte, and forces it. */
    private void writeAgain(SegmentState state, long markedIndex) throws IOException {
        try (Storage.FileHandle file = storage.open(state.file(), Storage.Access.WRITE)) {
            long from = state.lastRecord() <= markedIndex ? state.recordsEnd() : endOfProven(file, state, markedIndex);
            if (from == state.endOffset()) {
                return;
            }
            cuts.writeAgain(file, from, state.endOffset());
        }
    }

    private static long endOfProven(Storage.FileHandle file, SegmentState state, long markedIndex) throws IOException {
        SegmentScanner scanner =
                new SegmentScanner(file, state.header(), new FileWindow(), state.firstIndex(), state.endOffset());
        long end = SegmentHeader.BLOCK_BYTES;
        while (scanner.next() && (!scanner.record().isData() || scanner.record().index <= markedIndex)) {
            end = scanner.record().isData() ? scanner.nextOffset() : end;
        }
        return end;
    }

    /**
     * Segments of which nothing is part of the log are replaced by new ones, the last first: so the seal before each is right
     * at any moment, and what they held cannot come back, since the new ones have epochs of their own.
     */
    private void replaceSuperseded() throws IOException {
        List<SegmentState> superseded = stripe.superseded();
        for (int i = superseded.size() - 1; i >= 0; i--) {
            SegmentState state = superseded.get(i);
            SegmentHeader old = state.header();
            cut(
                    state,
                    SegmentHeader.BLOCK_BYTES,
                    Math.max(state.endOffset(), state.tail().remainsEnd()));
            spares.add(0, factory(old.logId(), old.segmentBytes()).create(old.segment()));
        }
        spares.addAll(stripe.spares());
    }

    private void cut(SegmentState state, long from, long to) throws IOException {
        if (to > from) {
            String cutFile = cuts.keep(state.file(), state.header().segment(), from, to);
            String where = stripe.id().isStriped() ? stripe.name() + ", " : "";
            cutFiles.add(cutFile);
            cutBytes += to - from;
            text.add("torn tail: " + (to - from) + " bytes in " + where + state.file() + " from offset " + from
                    + " on (found " + stripe.last().stopReason()
                    + "); nothing in the log says that they were acknowledged, but they"
                    + " may have been acknowledged just before. They were cut and kept in " + cutFile);
        }
    }

    private void keep(SegmentState last) throws IOException {
        cut(last, last.endOffset(), last.tail().remainsEnd());
    }

    // ---- The second phase ----

    /**
     * Now that everything is stable, says so; and begins at a multiple of what this way of forcing needs.
     *
     * @param news whether that is more than the log says already
     */
    RecoveryResult.Stripe mark(HeadFile head, long lastIndex, boolean news) throws IOException {
        List<SegmentState> states = stripe.segments();
        List<SegmentLinks.Link> links = new ArrayList<>(stripe.unread());
        for (SegmentState state : states) {
            links.add(stripe.linkOf(state));
        }
        int unread = stripe.unread().size();
        List<SegmentLinks.Link> unchecked = List.copyOf(links.subList(0, unread == 0 ? 0 : unread + 1));
        SegmentHeader active = stripe.last().header();
        boolean aligned = position % alignment == 0;
        boolean unmarked = lastIndex >= head.firstIndex() && !stripe.end().markedTwice();
        if (news || unmarked || !aligned) {
            if (hasRoomForMark(active)) {
                position = writeControl(active, RecordHeader.MARK, lastIndex + 1, lastIndex);
            } else {
                if (spares.isEmpty()) {
                    sizes.hold(links.stream()
                            .mapToLong(link -> link.header().segmentBytes())
                            .sum());
                    spares.add(factory(head.logId(), sizes.next()).create(active.segment() + 1));
                }
                writeControl(active, RecordHeader.SEAL, lastIndex + 1, lastIndex);
                active = spares.remove(0);
                position = SegmentHeader.BLOCK_BYTES;
                links.add(new SegmentLinks.Link(active, lastIndex + 1));
            }
        }
        return new RecoveryResult.Stripe(stripe.id(), active, position, links, unchecked, spares);
    }

    private boolean hasRoomForMark(SegmentHeader segment) {
        return position + 2L * ControlRecords.MOST_BYTES <= segment.segmentBytes();
    }

    /** Writes a mark or a seal where the directory continues, and forces it; returns where it ends. */
    private long writeControl(SegmentHeader segment, int type, long nextIndex, long durable) throws IOException {
        ByteBuffer pair = ByteBuffer.allocateDirect(ControlRecords.MOST_BYTES + SegmentHeader.BLOCK_BYTES);
        ControlRecords.encodePair(
                pair, new RecordHeader(), type, nextIndex, durable, segment.epoch(), position, alignment);
        long end = position + pair.position();
        // To the end of the block, as every writer does: an earlier use of the file may have left something there.
        Zeros.put(pair, (int) (RecordHeader.align(end, SegmentHeader.BLOCK_BYTES) - end));
        try (Storage.FileHandle file = storage.open(SegmentHeader.fileName(segment.segment()), Storage.Access.WRITE)) {
            WriteFully.fully(file, pair.flip(), position);
            file.force(true);
        }
        return end;
    }

    long cutBytes() {
        return cutBytes;
    }

    /** The files in which they are kept. */
    List<String> cutFiles() {
        return cutFiles;
    }

    /** As which files segments were set aside that are not the log's. */
    List<String> setAside() {
        return setAside;
    }

    /** What was cut, a sentence each. */
    List<String> text() {
        return text;
    }
}
