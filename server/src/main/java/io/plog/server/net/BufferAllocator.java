package io.plog.server.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;

/**
 * Where a server's buffers come from: a pool that gives a chunk back when nothing of it is in use any more. Netty's default, the
 * adaptive one, keeps what a burst has taken for as long as the process lives.
 */
public final class BufferAllocator {
    private static final int PAGE_BYTES = 8_192;

    /** A chunk is 4 MiB: it holds the frames of the longest payload by default, and several of them. */
    private static final int CHUNK_ORDER = 9;

    /** Buffers of each small size, and of each up to 32 KiB, that a thread keeps for itself. */
    private static final int SMALL_KEPT = 256;

    private static final int NORMAL_KEPT = 64;

    private BufferAllocator() {}

    /**
     * The allocator of a server.
     *
     * @param threads that allocate
     */
    public static ByteBufAllocator allocator(int threads) {
        return new PooledByteBufAllocator(true, 1, threads, PAGE_BYTES, CHUNK_ORDER, SMALL_KEPT, NORMAL_KEPT, false);
    }
}
