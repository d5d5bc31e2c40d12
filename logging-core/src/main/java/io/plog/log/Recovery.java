package io.plog.log;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/**
 * Puts a log that was analysed into the state from which it can go on. What it does is decided by {@link LogAnalysis}; it
 * never guesses, and it stops before it changes anything if something is damaged.
 *
 * <p>Valid records behind the last watermark are <em>written again</em> and then forced, not only forced: after a failed
 * force the page cache may show bytes that the device does not have, marked clean, and a force would then do nothing.
 * Only after that are they shown to anybody.
 */
final class Recovery {
    private final Storage storage;
    private final LogAnalysis analysis;
    private final int alignment;
    private final List<String> text = new ArrayList<>();
    private final Cuts cuts;
    private String cutFile = "";
    private long cutBytes;

    private Recovery(Storage storage, LogAnalysis analysis, Force force) {
        this.storage = storage;
        this.analysis = analysis;
        this.alignment = SegmentWriter.alignmentOf(force);
        this.cuts = new Cuts(storage, analysis.largestSegmentBytes());
    }

    /**
     * Recovers the log of this directory, or creates one where there is none.
     *
     * @throws LogDamagedException if something that was acknowledged is damaged; nothing was changed
     * @throws LogFullException if there is no space for the first segment
     */
    static Recovered recover(List<Storage> stripes, LogOptions options) throws IOException {
        if (stripes.size() > 1) {
            throw new UnsupportedOperationException("striped logs cannot be recovered yet");
        }
        Storage storage = stripes.get(0);
        LogAnalysis analysis = LogAnalysis.of(storage);
        LogDamagedException damage = analysis.damage();
        if (damage != null) {
            throw damage;
        }
        Recovery recovery = new Recovery(storage, analysis, options.force());
        // What the directory shows may not be stable if the process before died, or failed, between a rename and its
        // force.
        storage.forceDirectory();
        recovery.deleteDiscards();
        HeadFile head = analysis.head();
        return head == null ? recovery.create(options.segmentBytes()) : recovery.goOn(head, options.segmentBytes());
    }

    private void deleteDiscards() throws IOException {
        for (String name : analysis.discards()) {
            storage.delete(name);
        }
        if (!analysis.discards().isEmpty()) {
            storage.forceDirectory();
        }
    }

    private Recovered create(long segmentBytes) throws IOException {
        UUID logId = UUID.randomUUID();
        SegmentHeader first;
        try {
            first = new SegmentFactory(storage, logId, StripeId.NONE, segmentBytes).create(1);
        } catch (IOException e) {
            throw new LogFullException(
                    "cannot create the first segment of " + segmentBytes + " bytes in " + storage.describe() + ": "
                            + e.getMessage(),
                    e);
        }
        // Before the head, which ends the creation: a start that finds a head relies on all of this and does none of
        // it.
        storage.forceParentDirectory();
        HeadFile head = new HeadFile(logId, 1, 1, 0);
        head.write(storage);
        RecoveryReport report = new RecoveryReport(1, 0, 0, true, 0, "", "a new log");
        List<SegmentChain.Link> links = List.of(new SegmentChain.Link(first, 1));
        return new Recovered(
                logId,
                0,
                0,
                List.of(new Recovered.Stripe(StripeId.NONE, first, SegmentHeader.BLOCK_BYTES, links, List.of())),
                report);
    }

    private Recovered goOn(HeadFile head, long segmentBytes) throws IOException {
        List<SegmentState> states = analysis.segments();
        SegmentState last = states.get(states.size() - 1);
        long markedIndex = analysis.markedIndex();
        long lastIndex = analysis.nextIndex() - 1;
        SegmentState end = endOf(states);
        for (SegmentState state : states) {
            if (state.equals(end) || state.nextIndex() - 1 >= markedIndex) {
                writeAgain(state, markedIndex);
            }
        }
        if (last.isTorn()) {
            long nonZeroEnd = last.tail().nonZeroEnd();
            cutFile = cuts.keep(last.file(), last.header().segment(), last.endOffset(), nonZeroEnd);
            cutBytes = nonZeroEnd - last.endOffset();
        }
        if (last.isTorn() || !analysis.isCleanlyClosed()) {
            // Also where zeros are read: if an earlier recovery failed to force its zeros, the page cache shows them
            // and the
            // device still holds the torn tail, records that are valid for this segment and would come back between
            // those that are appended next.
            cuts.zero(last.file(), last.endOffset(), last.header().segmentBytes());
        }
        describe(last, markedIndex, lastIndex);

        List<SegmentChain.Link> links = new ArrayList<>();
        for (SegmentState state : states) {
            links.add(new SegmentChain.Link(state.header(), state.firstIndex()));
        }
        List<SegmentHeader> spares = new ArrayList<>(analysis.spares());
        SegmentHeader active = last.header();
        long position = last.endOffset();
        boolean aligned = position % alignment == 0;
        boolean unmarked = lastIndex >= head.firstIndex() && !end.markedTwice();
        if (markedIndex < lastIndex || unmarked || cutBytes > 0 || !aligned) {
            // Now that everything is stable, say so; and begin at a multiple of what this way of forcing needs.
            if (position + 2L * ControlRecords.MOST_BYTES <= active.segmentBytes()) {
                position = writeControl(active, RecordHeader.MARK, position, lastIndex);
            } else {
                if (spares.isEmpty()) {
                    spares.add(new SegmentFactory(storage, head.logId(), StripeId.NONE, segmentBytes)
                            .create(active.segment() + 1));
                }
                writeControl(active, RecordHeader.SEAL, position, lastIndex);
                active = spares.remove(0);
                position = SegmentHeader.BLOCK_BYTES;
                links.add(new SegmentChain.Link(active, lastIndex + 1));
            }
        }
        RecoveryReport report = new RecoveryReport(
                head.firstIndex(),
                lastIndex,
                markedIndex,
                analysis.isCleanlyClosed(),
                cutBytes,
                cutFile,
                String.join("\n", text));
        return new Recovered(
                head.logId(),
                analysis.checkpoint(),
                lastIndex,
                List.of(new Recovered.Stripe(StripeId.NONE, active, position, links, spares)),
                report);
    }

    /**
     * The segment that holds the log's very end. Its marks and its seal are written again, too: they prove that the records
     * before them are durable, but nothing proves it of themselves; and what comes next relies on them. A seal is proved by a
     * durable record in the next segment (by any record, but for {@code force=write}, which does not force a seal).
     */
    private static SegmentState endOf(List<SegmentState> states) {
        SegmentState last = states.get(states.size() - 1);
        boolean lastIsEmpty = last.endOffset() == SegmentHeader.BLOCK_BYTES;
        return lastIsEmpty && states.size() > 1 ? states.get(states.size() - 2) : last;
    }

    /** Writes what stands behind the last record that is known to be durable again, byte for byte, and forces it. */
    private void writeAgain(SegmentState state, long markedIndex) throws IOException {
        try (StorageFile file = storage.open(state.file(), Storage.Access.WRITE)) {
            SegmentScanner scanner =
                    new SegmentScanner(file, state.header(), new FileWindow(), state.firstIndex(), state.endOffset());
            long from = SegmentHeader.BLOCK_BYTES;
            while (scanner.next()) {
                if (scanner.record().isData()) {
                    if (scanner.record().index > markedIndex) {
                        break;
                    }
                    from = scanner.nextOffset();
                }
            }
            if (from == state.endOffset()) {
                return;
            }
            cuts.writeAgain(file, from, state.endOffset());
        }
    }

    private long writeControl(SegmentHeader segment, int type, long position, long lastIndex) throws IOException {
        ByteBuffer pair = ByteBuffer.allocateDirect(ControlRecords.MOST_BYTES);
        ControlRecords.encodePair(
                pair, new RecordHeader(), type, lastIndex + 1, lastIndex, segment.epoch(), position, alignment);
        long end = position + pair.position();
        try (StorageFile file = storage.open(SegmentHeader.fileName(segment.segment()), Storage.Access.WRITE)) {
            Writes.fully(file, pair.flip(), position);
            file.force(true);
        }
        return end;
    }

    private void describe(SegmentState last, long markedIndex, long lastIndex) {
        long records = lastIndex - analysis.firstIndex() + 1;
        text.add("recovered " + records + (records == 1 ? " record" : " records")
                + (analysis.isCleanlyClosed()
                        ? " of a log that was closed in order"
                        : " of a log that was not closed"));
        if (markedIndex < lastIndex) {
            text.add((lastIndex - markedIndex) + " of them, from " + (markedIndex + 1)
                    + " on, lay behind the last watermark; they were written again and forced");
        }
        if (cutBytes > 0) {
            text.add("torn tail: " + cutBytes + " bytes in " + last.file() + " from offset " + last.endOffset()
                    + " on (found " + last.stopReason()
                    + "); nothing in the log says that they were acknowledged, but they"
                    + " may have been acknowledged just before. They were cut and kept in " + cutFile);
        }
        text.addAll(analysis.notes());
    }
}
