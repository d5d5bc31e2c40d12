package io.plog.measure.ledger;

import java.io.Closeable;
import java.io.File;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** The few operations on a file that a ledger needs; a test can have them fail. */
interface LedgerFile extends Closeable {
    /** Appends all that remains in the buffer. */
    void append(ByteBuffer bytes) throws IOException;

    /** Returns when everything appended so far is stable. */
    void force() throws IOException;

    /**
     * Opens a real file for appending, for this process alone, and forces its name.
     *
     * @throws IOException if it cannot be opened or forced, or is being written by somebody else
     */
    static LedgerFile open(Path path) throws IOException {
        FileChannel channel =
                FileChannel.open(path, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
        try {
            lock(channel);
            if (Files.isRegularFile(path)) {
                cutUnfinishedLine(channel);
            }
            Path directory = path.toAbsolutePath().getParent();
            if (directory != null) {
                forceDirectory(directory);
            }
            return new OnDisk(channel);
        } catch (IOException | RuntimeException e) {
            channel.close();
            throw e;
        }
    }

    private static void lock(FileChannel channel) throws IOException {
        try {
            // A byte behind the content: Windows lets nobody else read what is locked.
            FileLock lock = channel.tryLock(Long.MAX_VALUE - 1, 1, false);
            if (lock != null) {
                return; // held until the channel is closed
            }
        } catch (OverlappingFileLockException e) {
            // somebody else in this process: the same
        }
        throw new IOException(
                "somebody else is writing it; give each client a ledger of its own, plog audit takes several");
    }

    /**
     * An earlier client ended within a line. The line that comes next must not be glued to it; and what has no end has
     * never been a line.
     */
    private static void cutUnfinishedLine(FileChannel channel) throws IOException {
        long size = channel.size();
        int looked = (int) Math.min(size, LedgerLine.LONGEST_BYTES);
        String objection = LedgerLine.objection(read(channel, 0, looked));
        if (!objection.isEmpty()) {
            throw new IOException("it " + objection);
        }
        long start = size - looked;
        ByteBuffer tail = read(channel, start, looked);
        int end = tail.capacity();
        while (end > 0 && tail.get(end - 1) != '\n') {
            end--;
        }
        if ((end == 0 && start > 0) || !isUnfinishedLine(tail, end)) {
            throw new IOException("it does not end as a ledger does; is it another file?");
        }
        channel.truncate(start + end);
        channel.position(start + end);
    }

    private static ByteBuffer read(FileChannel channel, long from, int bytes) throws IOException {
        ByteBuffer read = ByteBuffer.allocate(bytes);
        while (read.hasRemaining()) {
            if (channel.read(read, from + read.position()) < 0) {
                throw new IOException("it became shorter while it was opened");
            }
        }
        return read.flip();
    }

    /** Whether this can be the beginning of a line, or of one that a crash of the machine has filled with zeros. */
    private static boolean isUnfinishedLine(ByteBuffer tail, int from) {
        for (int i = from; i < tail.capacity(); i++) {
            byte b = tail.get(i);
            if (b != ' ' && b != 0 && Character.digit(b, 16) < 0) {
                return false;
            }
        }
        return true;
    }

    private static void forceDirectory(Path directory) throws IOException {
        if (File.separatorChar == '\\') {
            return; // Windows cannot, and NTFS has its journal: docs/log-format.md
        }
        try (FileChannel channel = FileChannel.open(directory, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    /** The real one. */
    record OnDisk(FileChannel channel) implements LedgerFile {
        @Override
        public void append(ByteBuffer bytes) throws IOException {
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
        }

        @Override
        public void force() throws IOException {
            // Without the file's times; its new length is forced all the same, the bytes could not be read without it.
            channel.force(false);
        }

        @Override
        public void close() throws IOException {
            channel.close();
        }
    }
}
