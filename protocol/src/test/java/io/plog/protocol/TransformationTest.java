package io.plog.protocol;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TransformationTest {
    private static final int[] LENGTHS = {0, 1, 7, 8, 9, 100, 8191, 8192, 8193, 16_384, 100_000};

    @Test
    void everyByteIsInvertedAndNothingAroundItChanges() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int length : LENGTHS) {
            byte[] original = new byte[length];
            random.nextBytes(original);
            ByteBuf source = Unpooled.directBuffer().writeZero(5).writeBytes(original);
            ByteBuf destination = Unpooled.directBuffer(length + 6).setZero(0, length + 6);
            Transformation.invert(source, 5, destination, 3, length);
            for (int i = 0; i < length; i++) {
                assertThat(destination.getByte(3 + i))
                        .as("seed %d, byte %d of %d", seed, i, length)
                        .isEqualTo((byte) (original[i] ^ 0xFF));
            }
            assertThat(destination.getMedium(0)).isZero();
            assertThat(destination.getMedium(3 + length)).isZero();
            assertThat(Transformation.firstMismatch(source, 5, destination, 3, length))
                    .isEqualTo(-1);
            source.release();
            destination.release();
        }
    }

    @Test
    void theFirstWrongByteIsFoundWhereverItIs() {
        ByteBuf source = Unpooled.buffer().writeZero(20_000);
        ByteBuf destination = Unpooled.buffer(20_000);
        Transformation.invert(source, 0, destination, 0, 20_000);
        for (int at : new int[] {19_999, 16_384, 8192, 8191, 9, 8, 0}) {
            destination.setByte(at, 0xFE);
            assertThat(Transformation.firstMismatch(source, 0, destination, 0, 20_000))
                    .isEqualTo(at);
        }
    }
}
