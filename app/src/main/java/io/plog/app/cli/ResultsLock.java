package io.plog.app.cli;

import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * One run at a time writes results into a directory. The operating system ends the lock with its process, however that ends. It is on
 * a file of its own, since a process loses its locks on a file as soon as it closes the file anywhere.
 */
final class ResultsLock implements Closeable {
    private static final String FILE_NAME = "run.lock";
    /** Beyond the text, which others read: on Windows nobody else may read what is locked. */
    private static final long LOCKED_BYTE = Long.MAX_VALUE - 1;

    private final Path file;
    private final FileChannel channel;

    private ResultsLock(Path file, FileChannel channel) {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Takes it.
     *
     * @param directory must exist
     * @throws IOException if another run has it; the message says which
     */
    static ResultsLock take(Path directory) throws IOException {
        Path file = ResultsDirectory.ownFile(directory, FILE_NAME);
        while (true) {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS);
            try {
                if (!lock(channel)) {
                    throw new IOException(directory + " is being written by another run"
                            + Files.readString(file).strip().replaceFirst("(?s)(.+)", ", $1")
                            + ": wait until it ends, or name another directory with --out");
                }
                // The one before may have removed the file since it was opened: then this lock would hold nobody off.
                if (Files.exists(file)) {
                    sayWho(channel);
                    return new ResultsLock(file, channel);
                }
                channel.close();
            } catch (Throwable t) {
                channel.close();
                throw t;
            }
        }
    }

    private static void sayWho(FileChannel channel) {
        String text = "process " + ProcessHandle.current().pid();
        try {
            channel.truncate(0).write(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
        } catch (IOException full) {
            return; // who writes results there says so, and names the file
        }
    }

    private static boolean lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock(LOCKED_BYTE, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false; // by this process
        }
    }

    /** Refuses if another run is writing there. */
    static void check(Path directory) throws IOException {
        if (Files.exists(directory.resolve(FILE_NAME), LinkOption.NOFOLLOW_LINKS)) {
            take(directory).close();
        }
    }

    /** Removes the file before it is unlocked: the next one's is another. */
    @Override
    public void close() throws IOException {
        try {
            Files.deleteIfExists(file);
        } finally {
            channel.close();
        }
    }
}
