package io.plog.log;

import io.plog.log.LogTools.CopySummary;
import io.plog.log.file.CellsFile;
import io.plog.log.file.CheckpointFile;
import io.plog.log.file.HeadFile;
import io.plog.log.file.ReadAround;
import io.plog.log.file.ReplacedFile;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.WriteFully;
import io.plog.log.file.WriterClaim;
import io.plog.log.file.Zeros;
import io.plog.log.segment.LogAnalysis;
import io.plog.log.segment.SegmentState;
import io.plog.log.segment.StripeAnalysis;
import io.plog.log.storage.LogDamagedException;
import io.plog.log.storage.LogException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.NoSuchFileException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Copies a log, also while its writer is at work: what {@link LogAnalysis} found to be part of the log, and nothing that is written
 * or dropped meanwhile.
 *
 * <p>The checkpoint is copied before the log is read, so that the log reaches it. A segment that is used again while it is copied
 * has another epoch afterwards; then everything is copied once more. The head comes last: until then something stands in its place
 * that no opening takes for a head, so a copy that was interrupted is refused, and never taken for a new log or a shorter one.
 */
final class LogCopy {
    private static final int TRIES = 8;
    private static final int CHUNK_BYTES = 1024 * 1024;
    private static final ReplacedFile HEAD = new ReplacedFile(HeadFile.NAME, 0);
    private static final ByteBuffer NO_HEAD =
            ByteBuffer.wrap(HeadFile.OF_UNFINISHED_COPY).asReadOnlyBuffer();
    private static final ReplacedFile.Content WITHOUT_HEAD = file -> WriteFully.fully(file, NO_HEAD.duplicate(), 0);
    private static final List<String> OF_AN_EMPTY_DISK = List.of("lost+found");

    private final List<? extends Storage> from;
    private final List<? extends Storage> to;
    private final ByteBuffer chunk = ByteBuffer.allocateDirect(CHUNK_BYTES);
    private long bytes;

    private LogCopy(List<? extends Storage> from, List<? extends Storage> to) {
        this.from = from;
        this.to = to;
    }

    /** See {@link LogTools#copy}. */
    static CopySummary copy(List<? extends Storage> from, List<? extends Storage> to) throws IOException {
        if (from.size() != to.size()) {
            throw new LogException("cannot copy a log of " + from.size() + " directories to " + to.size()
                    + ": expected as many, each with + before the next");
        }
        for (Storage target : to) {
            if (!OF_AN_EMPTY_DISK.containsAll(target.list())) {
                throw new LogException("cannot copy a log to " + target.describe()
                        + ", which is not empty: name an empty directory, or one that does not exist");
            }
        }
        if (HeadFile.read(from.get(0)) == null && LogAnalysis.of(from).damage() == null) {
            throw new LogException("there is no log in " + from.get(0).describe());
        }
        return new LogCopy(from, to).copy();
    }

    private CopySummary copy() throws IOException {
        IOException movedOn = null;
        for (int i = 0; i < TRIES; i++) {
            forbid();
            try {
                return copyOnce();
            } catch (MovedOnException e) {
                movedOn = e;
            }
        }
        throw new LogException(
                "the log in " + from.get(0).describe() + " drops its beginning faster than it is copied (" + TRIES
                        + " tries); copy it while its server is stopped, or keep more of it",
                movedOn);
    }

    /** The log is not what it was any more. */
    private static final class MovedOnException extends IOException {
        MovedOnException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }
    }

    /** Makes sure that what is there is not taken for a log, whatever becomes of this process. */
    private void forbid() throws IOException {
        for (Storage target : to) {
            if (target.list().contains(HeadFile.NAME)) {
                HEAD.replace(target, NO_HEAD.limit(), () -> 0, WITHOUT_HEAD);
            } else { // under its own name from the beginning: with another one alone there would seem to be no log yet
                try (Storage.FileHandle file = target.create(HeadFile.NAME)) {
                    WITHOUT_HEAD.writeTo(file);
                    file.force(true);
                }
                target.forceDirectory();
            }
            for (String name : target.list()) {
                if (SegmentHeader.numberOf(name) > 0
                        || List.of(CheckpointFile.NAME, CellsFile.NAME).contains(name)) {
                    target.delete(name);
                }
            }
            target.forceParentDirectory();
        }
        bytes = 0;
    }

    private CopySummary copyOnce() throws IOException {
        copyCheckpoint(CheckpointFile.NAME);
        LogAnalysis found = LogAnalysis.ofLive(from);
        LogDamagedException damage = found.damage();
        if (damage != null) {
            throw damage;
        }
        StripeAnalysis first = found.stripes().get(0);
        if (first.rewinds().areToNothing()) { // since the head was written; that of the copy is a newer one
            copyCheckpointOfEmptied(first.rewinds().checks());
        }
        for (int i = 0; i < to.size(); i++) {
            StripeAnalysis stripe = found.stripes().get(i);
            for (SegmentState segment : stripe.segments()) {
                SegmentHeader header = segment.header();
                long end = segment.equals(stripe.last()) ? endOfLast(stripe) : header.segmentBytes();
                copySegment(from.get(i), to.get(i), header, end);
            }
            to.get(i).forceDirectory();
        }
        boolean hasCells = copyCells(found);
        for (int i = to.size() - 1; i >= 0; i--) { // a log exists when its first directory has its head
            HeadFile head = found.stripes().get(i).head();
            if (head == null) {
                throw new LogException(
                        HeadFile.NAME + " is missing in " + from.get(i).describe());
            }
            head.withCells(hasCells && i == 0).write(to.get(i));
        }
        return verified(found);
    }

    /**
     * Where what is copied of the last segment ends. Of a log that is being written that is where the valid records do. If nobody
     * writes, what follows them may be an acknowledged record that is damaged, which the opening of the copy has to report.
     */
    private static long endOfLast(StripeAnalysis stripe) throws IOException {
        SegmentState last = stripe.last();
        return last.isTorn() && stripe.isStillSo() ? last.tail().remainsEnd() : last.endOffset();
    }

    private void copyCheckpointOfEmptied(long checks) throws IOException {
        if (to.get(0).list().contains(CheckpointFile.NAME)) {
            to.get(0).delete(CheckpointFile.NAME);
        }
        if (checks != 0) {
            try {
                copyCheckpoint(CheckpointFile.nameOf(from.get(0), checks));
            } catch (LogDamagedException replaced) {
                throw new MovedOnException("the checkpoint was replaced", replaced);
            }
        }
    }

    private void copyCheckpoint(String name) throws IOException {
        try (Storage.FileHandle source = ReadAround.open(from.get(0), name);
                Storage.FileHandle target = to.get(0).create(CheckpointFile.NAME)) {
            copy(source, target, source.size());
            target.force(true);
        } catch (NoSuchFileException none) {
            return;
        }
    }

    /** Behind the records: an engine puts its term before it appends in it. */
    private boolean copyCells(LogAnalysis found) throws IOException {
        HeadFile head = found.head();
        CellsFile cells = head == null ? null : CellsFile.read(from.get(0), head);
        if (cells != null) {
            cells.create(to.get(0));
        }
        return cells != null;
    }

    /** @param end of what is part of the log; zeros follow in the copy */
    private void copySegment(Storage source, Storage target, SegmentHeader header, long end) throws IOException {
        String name = SegmentHeader.fileName(header.segment());
        try (Storage.FileHandle file = ReadAround.open(source, name);
                Storage.FileHandle copy = target.create(name)) {
            copy(file, copy, end);
            for (long at = end; at < header.segmentBytes(); at += chunk.limit()) {
                chunk.clear().limit((int) Math.min(chunk.capacity(), header.segmentBytes() - at));
                Zeros.put(chunk, chunk.limit());
                WriteFully.fully(copy, chunk.flip(), at);
            }
            WriteFully.fully(copy, ByteBuffer.allocateDirect(WriterClaim.BYTES), WriterClaim.OFFSET); // nobody's
            copy.force(true);
            SegmentHeader now = SegmentHeader.read(file, name, new StringBuilder());
            if (now == null || now.epoch() != header.epoch()) {
                throw new MovedOnException(name + " is used again", null);
            }
        } catch (NoSuchFileException dropped) {
            throw new MovedOnException(name + " was dropped", dropped);
        }
        bytes += header.segmentBytes();
    }

    private void copy(Storage.FileHandle source, Storage.FileHandle target, long end) throws IOException {
        long at = 0;
        while (at < end) {
            chunk.clear().limit((int) Math.min(chunk.capacity(), end - at));
            if (source.read(chunk, at) <= 0) {
                throw new MovedOnException("a file of " + at + " bytes, which was longer", null);
            }
            int count = chunk.flip().limit();
            WriteFully.fully(target, chunk, at);
            at += count;
        }
    }

    /** Reads the copy as an opening does. */
    private CopySummary verified(LogAnalysis found) throws IOException {
        LogAnalysis copied = LogAnalysis.of(to);
        LogDamagedException damage = copied.damage();
        if (damage != null || copied.nextIndex() != found.nextIndex()) {
            // A checkpoint that was replaced, and a prefix that was dropped for it, between the two looks; or damage.
            forbid();
            throw new MovedOnException(
                    damage == null ? "the copy ends at " + (copied.nextIndex() - 1) : "the copy is damaged", damage);
        }
        return new CopySummary(copied.firstIndex(), copied.nextIndex() - 1, copied.checkpoint(), bytes);
    }
}
