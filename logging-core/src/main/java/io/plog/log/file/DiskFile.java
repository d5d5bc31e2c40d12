package io.plog.log.file;

import io.plog.log.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * A file on the disk that any thread may use. A {@link java.nio.channels.FileChannel} is closed when a thread that uses it is
 * interrupted, and a caller's thread may be interrupted at any time; the JDK's asynchronous channel is not, and with an
 * executor that runs everything at once it is as synchronous as the other ({@code pread}, {@code pwrite}, {@code fdatasync} on
 * the calling thread). It writes one buffer with each system call.
 *
 * <p>An exception names operation, file, place and reason, so callers need not add them.
 */
final class DiskFile implements Storage.FileHandle {
    private final Path path;
    private final AsynchronousFileChannel channel;

    DiskFile(Path path, AsynchronousFileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Opens a file; the exception is the JDK's own. */
    static DiskFile open(Path path, Set<? extends OpenOption> options) throws IOException {
        return new DiskFile(path, AsynchronousFileChannel.open(path, options, DirectExecutor.INSTANCE));
    }

    /** Takes the kernel's lock on the file, until it is closed; false if another process or another opening has it. */
    boolean tryLock() throws IOException {
        try {
            // A byte behind the content: Windows lets nobody else read what is locked.
            return channel.tryLock(Long.MAX_VALUE - 1, 1, false) != null;
        } catch (OverlappingFileLockException e) {
            return false;
        } catch (IOException e) {
            throw DiskErrors.because("lock of " + path, e);
        }
    }

    /** Replaces the content, which is for people only: in place, and not forced. */
    void replace(byte[] content) throws IOException {
        WriteFully.fully(this, ByteBuffer.wrap(content), 0);
        try {
            channel.truncate(content.length);
        } catch (IOException e) {
            throw DiskErrors.because("truncation of " + path, e);
        }
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        int bytes = target.remaining();
        try {
            return done(channel.read(target, position));
        } catch (IOException e) {
            throw failed("read", bytes, position, e);
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
        long written = 0;
        for (int i = offset; i < offset + length; i++) {
            int bytes = sources[i].remaining();
            try {
                written += done(channel.write(sources[i], position + written));
            } catch (IOException e) {
                throw failed("write", bytes, position + written, e);
            }
            if (sources[i].hasRemaining()) {
                break;
            }
        }
        return written;
    }

    private IOException failed(String operation, int bytes, long position, IOException cause) {
        return DiskErrors.because(operation + " of " + bytes + " bytes at offset " + position + " of " + path, cause);
    }

    /**
     * The outcome of an operation. With the executor above it is over already; an asynchronous channel that ignores it, as on Windows,
     * continues to use the buffer until it is. So an interrupt does not end the wait; the flag is set again afterwards.
     */
    private static int done(Future<Integer> outcome) throws IOException {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return outcome.get();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    @Override
    public void force(boolean metadata) throws IOException {
        try {
            channel.force(metadata);
        } catch (IOException e) {
            throw DiskErrors.because((metadata ? "fsync" : "fdatasync") + " of " + path, e);
        }
    }

    @Override
    public long size() throws IOException {
        try {
            return channel.size();
        } catch (IOException e) {
            throw DiskErrors.because("asking for the length of " + path, e);
        }
    }

    @Override
    public void close() throws IOException {
        try {
            channel.close();
        } catch (IOException e) {
            throw DiskErrors.because("close of " + path, e);
        }
    }

    /** Runs everything at once, on the thread that asks for it. */
    private static final class DirectExecutor extends AbstractExecutorService {
        static final DirectExecutor INSTANCE = new DirectExecutor();

        private DirectExecutor() {}

        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public void shutdown() {
            // One for the whole process, without a thread: there is nothing to stop.
        }

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean isShutdown() {
            return false;
        }

        @Override
        public boolean isTerminated() {
            return false;
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return false;
        }
    }
}
