package io.plog.measure.disk;

import io.plog.log.storage.Force;
import io.plog.log.storage.Storage.FileHandle;
import io.plog.measure.plan.DiskCell;
import io.plog.measure.plan.FileKind;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.function.LongSupplier;

/**
 * A file that is appended to as a log appends to its segments: opened as a log opens them, a group with one write, in whole
 * blocks where the way of forcing needs them, then forced. For one thread.
 *
 * <p>With whole blocks, a group that begins within a block writes that block again, as the log does. Only in a growing file
 * it goes behind it instead: else a small append would stay within the block and make no file longer.
 */
final class AppendFile implements Closeable {
    private static final int MOST_EMPTY_WRITES = 16;

    private final FileHandle file;
    private final Force force;
    private final boolean wholeBlocks;
    private final boolean packed;
    private final long limit;
    private final ByteBuffer[] pieces = new ByteBuffer[1];
    private long position;

    /**
     * @param file opened as {@link Force#access} says
     * @param limit where the file is full
     */
    AppendFile(FileHandle file, Force force, FileKind kind, long limit) {
        this.file = file;
        this.force = force;
        this.limit = limit;
        wholeBlocks = force.writesWholeBlocks();
        packed = !wholeBlocks || (!force.padsGroups() && kind != FileKind.GROWING);
    }

    boolean hasRoom(int bytes) {
        return position + DiskCell.wholeBlocks(bytes) + DiskCell.BLOCK_BYTES <= limit;
    }

    /** Continues at the beginning of the file and overwrites it. */
    void rewind() {
        position = 0;
    }

    /** Continues at a random block of the file behind which a group of this size has room. */
    void moveTo(Random places, int groupBytes) {
        long room = limit - DiskCell.wholeBlocks(groupBytes) - DiskCell.BLOCK_BYTES;
        position = places.nextInt((int) (room / DiskCell.BLOCK_BYTES) + 1) * (long) DiskCell.BLOCK_BYTES;
    }

    /** Takes how long the write and the force of a group took, in nanoseconds, and when the write began. */
    interface Timing {
        /** Of groups that are not measured. */
        Timing UNUSED = (began, write, force) -> {};

        void add(long beganNanos, long writeNanos, long forceNanos);
    }

    /**
     * Appends a group and forces it.
     *
     * @param bytes of the group
     * @param source what to write: direct memory that begins at a block and holds two blocks more than the group
     * @param clock nanoseconds
     * @return how many bytes were written
     */
    long append(int bytes, ByteBuffer source, Timing timing, LongSupplier clock) throws IOException {
        long from = wholeBlocks ? position - position % DiskCell.BLOCK_BYTES : position;
        long end = position + bytes;
        long to = wholeBlocks ? DiskCell.wholeBlocks(end) : end;
        source.clear().limit((int) (to - from));
        pieces[0] = source;
        long began = clock.getAsLong();
        write(from);
        long written = clock.getAsLong();
        force.force(file);
        long forced = force.callsForce() ? clock.getAsLong() : written;
        timing.add(began, written - began, forced - written);
        position = packed ? end : to;
        return to - from;
    }

    private void write(long from) throws IOException {
        long at = from;
        int empty = 0;
        while (pieces[0].hasRemaining()) {
            long count = file.write(pieces, 0, 1, at);
            at += count;
            empty = count == 0 ? empty + 1 : 0;
            if (empty == MOST_EMPTY_WRITES) {
                throw new IOException("the operating system wrote nothing, " + empty + " times in a row");
            }
        }
    }

    /** Forces what a way that does not force left in the page cache, so that it does not slow the next cell. Not timed. */
    void settle() throws IOException {
        if (!force.isStable()) {
            file.force(false);
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
