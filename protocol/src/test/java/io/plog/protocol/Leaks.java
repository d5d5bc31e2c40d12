package io.plog.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** An allocator that remembers what it gave out, so that a test can say that all of it came back. */
final class Leaks {
    private final List<ByteBuf> given = new ArrayList<>();
    final ByteBufAllocator allocator = new Recording();

    void assertNone() {
        assertThat(given).allSatisfy(buffer -> assertThat(buffer.refCnt()).isZero());
    }

    /** The capacities of what was given out, in order. */
    List<Integer> capacities() {
        return given.stream().map(ByteBuf::capacity).toList();
    }

    int count() {
        return given.size();
    }

    private final class Recording extends io.netty.buffer.AbstractByteBufAllocator {
        private final UnpooledByteBufAllocator real = new UnpooledByteBufAllocator(true, true);

        @Override
        protected ByteBuf newHeapBuffer(int initialCapacity, int maxCapacity) {
            return remember(real.heapBuffer(initialCapacity, maxCapacity));
        }

        @Override
        protected ByteBuf newDirectBuffer(int initialCapacity, int maxCapacity) {
            return remember(real.directBuffer(initialCapacity, maxCapacity));
        }

        @Override
        public CompositeByteBuf compositeBuffer(int maxNumComponents) {
            return real.compositeBuffer(maxNumComponents);
        }

        @Override
        public boolean isDirectBufferPooled() {
            return false;
        }

        private ByteBuf remember(ByteBuf buffer) {
            given.add(buffer);
            return buffer;
        }
    }
}
