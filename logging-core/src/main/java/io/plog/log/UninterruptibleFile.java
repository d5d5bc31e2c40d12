package io.plog.log;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousFileChannel;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;

/**
 * A file on the disk that any thread may use. A {@link java.nio.channels.FileChannel} is closed when a thread that uses it is
 * interrupted, and a caller's thread may be interrupted at any time; the JDK's asynchronous channel is not, and with an
 * executor that runs everything at once it is as synchronous as the other. It writes one buffer with each system call.
 */
final class UninterruptibleFile implements StorageFile {
    private final AsynchronousFileChannel channel;

    UninterruptibleFile(AsynchronousFileChannel channel) {
        this.channel = channel;
    }

    @Override
    public int read(ByteBuffer target, long position) throws IOException {
        return done(channel.read(target, position));
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length, long position) throws IOException {
        long written = 0;
        for (int i = offset; i < offset + length; i++) {
            written += done(channel.write(sources[i], position + written));
            if (sources[i].hasRemaining()) {
                break;
            }
        }
        return written;
    }

    /** The outcome of something that is over. */
    private static int done(Future<Integer> outcome) throws IOException {
        try {
            return outcome.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException cause ? cause : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted: what should have been over was not");
        }
    }

    @Override
    public void force(boolean metadata) throws IOException {
        channel.force(metadata);
    }

    @Override
    public long size() throws IOException {
        return channel.size();
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
