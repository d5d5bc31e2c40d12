package io.plog.fuzz;

import io.netty.buffer.AbstractByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** Remembers what it gave out, so that a target can say how much is in use, and that all of it came back. */
final class BoundedAllocator extends AbstractByteBufAllocator {
    private final UnpooledByteBufAllocator real = new UnpooledByteBufAllocator(false, true);
    private final List<ByteBuf> inUse = new ArrayList<>();

    /** How many bytes the buffers that were not released hold. */
    long bytesInUse() {
        inUse.removeIf(buffer -> buffer.refCnt() == 0);
        return inUse.stream().mapToLong(ByteBuf::capacity).sum();
    }

    @Override
    protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
        return remember(real.heapBuffer(initialCapacity, maxCapacity));
    }

    @Override
    protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
        // Heap memory does as well here, and is cheaper to give back.
        return remember(real.heapBuffer(initialCapacity, maxCapacity));
    }

    @Override
    public CompositeByteBuf compositeBuffer(int maxNumComponents) {
        throw new AssertionError("a frame is contiguous");
    }

    @Override
    public boolean isDirectBufferPooled() {
        return false;
    }

    private ByteBuf remember(ByteBuf buffer) {
        inUse.add(buffer);
        return buffer;
    }
}
