package io.plog.log.file;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class ZerosTest {
    private static final int[] COUNTS = {0, 1, 7, 8, 4096, 65_535, 65_536, 65_537, 200_000};

    @Test
    void zerosAreWrittenWhereTheBufferStandsAndNowhereElse() {
        for (int count : COUNTS) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(count + 20);
            while (buffer.hasRemaining()) {
                buffer.put((byte) 1);
            }
            Zeros.put(buffer.position(10), count);
            assertThat(buffer.position()).isEqualTo(10 + count);
            for (int i = 0; i < buffer.capacity(); i++) {
                assertThat(buffer.get(i)).as("%d of %d", i, count).isEqualTo((byte)
                        (i < 10 || i >= 10 + count ? 1 : 0));
            }
        }
    }

    @Test
    void zerosAreCountedUpToTheFirstOtherByte() {
        for (int count : COUNTS) {
            ByteBuffer buffer = ByteBuffer.allocate(count + 20);
            assertThat(Zeros.count(buffer, 5, buffer.capacity())).isEqualTo(count + 15);
            buffer.put(4, (byte) 1).put(5 + count, (byte) 1);
            assertThat(Zeros.count(buffer, 5, buffer.capacity())).isEqualTo(count);
            assertThat(Zeros.count(buffer, 5, 5)).isZero();
        }
    }
}
