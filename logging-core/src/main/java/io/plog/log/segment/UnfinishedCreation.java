package io.plog.log.segment;

import io.plog.log.file.CellsFile;
import io.plog.log.file.CheckpointFile;
import io.plog.log.file.ReadAround;
import io.plog.log.file.SegmentHeader;
import io.plog.log.file.Zeros;
import io.plog.log.storage.NewerFormatException;
import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.SortedSet;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes what a crash during the creation of a log left behind from a log that lost its head. The head of the first directory
 * is written last, so an unfinished creation holds at most one segment, without records, and no checkpoint.
 */
final class UnfinishedCreation {
    private UnfinishedCreation() {}

    /**
     * Looks for what an unfinished creation cannot have left behind.
     *
     * @param present the numbers of the segments in the directory
     * @return what was found, as a clause; null if there is no such thing
     * @throws NewerFormatException if a newer plog wrote a segment
     */
    static @Nullable String contentBeyondIt(Storage storage, SortedSet<Long> present) throws IOException {
        if (storage.list().contains(CheckpointFile.NAME)) {
            return "there is a checkpoint";
        }
        if (storage.list().contains(CellsFile.NAME)) {
            return "there are cells";
        }
        for (long number : present) {
            String name = SegmentHeader.fileName(number);
            if (number > 1) {
                return "there is " + name;
            }
            try (Storage.FileHandle file = ReadAround.open(storage, name)) {
                SegmentHeader.read(file, name, new StringBuilder()); // a newer plog's must not be taken for remains
                if (!isZeroBehindHeader(file)) {
                    return name + " holds records";
                }
            }
        }
        return null;
    }

    private static boolean isZeroBehindHeader(Storage.FileHandle file) throws IOException {
        ByteBuffer chunk = ByteBuffer.allocateDirect(SegmentHeader.BLOCK_BYTES * 16);
        long at = SegmentHeader.BLOCK_BYTES;
        while (file.read(chunk.clear(), at) > 0) {
            at += chunk.position();
            if (Zeros.count(chunk, 0, chunk.position()) < chunk.position()) {
                return false;
            }
        }
        return true;
    }
}
