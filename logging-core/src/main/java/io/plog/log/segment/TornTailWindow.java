package io.plog.log.segment;

import io.plog.log.file.FileWindow;
import io.plog.log.file.ReadAround;
import io.plog.log.file.RecordHeader;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.Trailer;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * Finds the records at the end of a log that nothing else proves: damage to them cannot be distinguished from a torn write. These are
 * the records behind the last watermark. If that watermark stands in the same block as records that it proves, one damaged
 * block takes both; so these records count, too.
 */
public final class TornTailWindow {
    private static final int BLOCK_BYTES = SegmentHeader.BLOCK_BYTES;

    private long highest; // the highest watermark so far
    private long highestBlock = -1; // the block in which it stands
    private long highestOutside; // the highest watermark outside of that block
    private @Nullable RecordPosition firstTouching; // the first record that touches that block; null if none does

    private long trailerEnd; // where the trailer of the last write ends, if it has one

    private long block = -1; // the last block that a record touches
    private @Nullable RecordPosition firstInBlock; // the first record that touches it

    /** A record, and where it begins in its file. */
    private record RecordPosition(long index, long offset) {}

    private TornTailWindow(long elsewhere) {
        this.highest = elsewhere;
        this.highestOutside = elsewhere;
    }

    /**
     * What is in doubt.
     *
     * @param file in which it begins
     * @param offset where it begins, as {@code LogTools.Window} says
     * @param firstIndex the first record that is in doubt; 0 if none is
     * @param lastIndex the last one; -1 if none is
     */
    public record Doubt(String file, long offset, long firstIndex, long lastIndex) {}

    /**
     * Looks at the end of one directory, which was not closed in order.
     *
     * @param elsewhere the highest watermark that stands anywhere but in this directory's {@link StripeAnalysis#end}
     */
    public static Doubt of(StripeAnalysis stripe, long elsewhere) throws IOException {
        SegmentState end = stripe.end();
        RecordPosition first = new TornTailWindow(elsewhere).firstInDoubt(stripe.storage(), end);
        if (first == null) {
            SegmentState last = stripe.last();
            return new Doubt(last.file(), last.endOffset(), 0, -1);
        }
        long block = first.offset() / BLOCK_BYTES * BLOCK_BYTES;
        return new Doubt(end.file(), block, first.index(), end.lastRecord());
    }

    private @Nullable RecordPosition firstInDoubt(Storage storage, SegmentState state) throws IOException {
        try (Storage.FileHandle file = ReadAround.open(storage, state.file())) {
            SegmentScanner scanner = scanner(file, state);
            while (scanner.next()) {
                look(scanner);
            }
            lookAtTrailer(file, state.header());
            long provenByOthers = highestOutside;
            RecordPosition touching = firstTouching;
            long from = highest + 1;
            if (touching != null && touching.index() > provenByOthers) {
                from = Math.min(from, touching.index());
            }
            SegmentScanner again = scanner(file, state);
            while (again.next()) {
                if (again.record().isData() && again.record().index >= from) {
                    return new RecordPosition(again.record().index, again.offset());
                }
            }
            return null;
        }
    }

    private static SegmentScanner scanner(Storage.FileHandle file, SegmentState state) {
        return new SegmentScanner(file, state.header(), new FileWindow(), state.firstIndex(), state.endOffset());
    }

    /** The trailer of the last write carries its watermark once more, maybe in another block. */
    private void lookAtTrailer(Storage.FileHandle file, SegmentHeader header) throws IOException {
        long at = trailerEnd - RecordHeader.BYTES;
        RecordHeader trailer = new RecordHeader();
        ByteBuffer bytes = ByteBuffer.allocate(RecordHeader.BYTES);
        while (at > 0 && bytes.hasRemaining() && file.read(bytes, at + bytes.position()) >= 0) {}
        if (!bytes.hasRemaining()
                && trailer.decode(bytes, 0, header.epoch())
                && trailer.type == RecordHeader.TRAILER
                && at / BLOCK_BYTES != highestBlock) {
            highestOutside = Math.max(highestOutside, trailer.watermark);
        }
    }

    private void look(SegmentScanner scanner) {
        RecordHeader record = scanner.record();
        long headerEnd = scanner.offset() + RecordHeader.BYTES;
        trailerEnd =
                Trailer.endOfWrite(headerEnd, RecordHeader.align(headerEnd + record.length, RecordHeader.ALIGNMENT));
        long begins = scanner.offset() / BLOCK_BYTES;
        long ends = (scanner.nextOffset() - 1) / BLOCK_BYTES;
        if (begins > block) {
            block = begins;
            firstInBlock = record.isData() ? new RecordPosition(record.index, scanner.offset()) : null;
        }
        if (record.watermark > highest) {
            highestOutside = begins == highestBlock ? highestOutside : highest;
            highest = record.watermark;
            highestBlock = begins;
            firstTouching = firstInBlock;
        } else if (begins != highestBlock) {
            highestOutside = Math.max(highestOutside, record.watermark);
        }
        if (record.isData() && ends > block) {
            block = ends;
            firstInBlock = new RecordPosition(record.index, scanner.offset());
        }
    }
}
