package io.plog.log.bookkeeper.local;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** A directory is used by one process at a time: neither ZooKeeper nor a bookie sees to that itself. */
final class DirectoryLock implements AutoCloseable {
    private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final long PAUSE_MILLIS = 20;

    private final FileChannel file;

    private DirectoryLock(FileChannel file) {
        this.file = file;
    }

    /** Takes it, and waits a little for a process that is ending. */
    static DirectoryLock take(Path directory) throws IOException, InterruptedException {
        return take(directory, PATIENCE_NANOS);
    }

    static DirectoryLock take(Path directory, long patienceNanos) throws IOException, InterruptedException {
        FileChannel file =
                FileChannel.open(directory.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        try {
            long deadline = System.nanoTime() + patienceNanos;
            while (tryLock(file) == null) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IOException(directory + " is in use by another process: end it, plog bookies probably,"
                            + " or take another directory");
                }
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
            return new DirectoryLock(file);
        } catch (Throwable t) {
            file.close();
            throw t;
        }
    }

    private static @Nullable FileLock tryLock(FileChannel file) throws IOException {
        try {
            return file.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // another thread of this process has it
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
