package io.plog.server.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChainTest {
    /** The example in docs/protocol.md, computed there by a program of another language. */
    @Test
    void theWorkedExampleOfTheSpecificationComesOut() {
        byte[] payload = "plog keeps".getBytes(StandardCharsets.US_ASCII);
        assertThat(Chain.crc32c(Unpooled.wrappedBuffer(payload), 0, payload.length))
                .isEqualTo(0xDB706061);
        long first = Chain.next(Chain.INITIAL_STATE, payload.length, 0xDB706061);
        assertThat(first).isEqualTo(0x4D6300CA382D2F79L);
        assertThat(answer(first, payload)).isEqualTo("f084522f894889ad1a97");
        long second = Chain.next(first, Unpooled.EMPTY_BUFFER, 0, 0);
        assertThat(second).isEqualTo(0x80E83D48A923ECC8L);
        long third = Chain.next(second, Unpooled.wrappedBuffer(payload), 0, payload.length);
        assertThat(third).isEqualTo(0xC6D06BCEB26C69C8L);
        assertThat(answer(third, payload)).isEqualTo("c16c63704dd403f6eb77");
    }

    private static String answer(long state, byte[] payload) {
        ByteBuf reply = Unpooled.buffer().writeZero(payload.length);
        Chain.answer(state, Unpooled.wrappedBuffer(payload), 0, reply, 0, payload.length);
        return ByteBufUtil.hexDump(reply);
    }

    @Test
    void anAnswerIsReversibleAtEveryLengthAndInEveryKindOfBufferAndNothingAroundItChanges() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int length : new int[] {0, 1, 7, 8, 9, 15, 16, 17, 1000, 8191, 100_001}) {
            byte[] original = new byte[length];
            random.nextBytes(original);
            int cut = length == 0 ? 0 : random.nextInt(length);
            ByteBuf pieces = Unpooled.wrappedBuffer(
                    Unpooled.directBuffer().writeZero(5).writeBytes(original, 0, cut),
                    Unpooled.copiedBuffer(original, cut, length - cut));
            long state = Chain.next(random.nextLong(), pieces, 5, length);
            ByteBuf reply = Unpooled.directBuffer(length + 6).setZero(0, length + 6);
            Chain.answer(state, pieces, 5, reply, 3, length);
            assertThat(reply.getMedium(0)).isZero();
            assertThat(reply.getMedium(3 + length)).isZero();
            ByteBuf back = Unpooled.buffer(length);
            Chain.answer(state, reply, 3, back, 0, length);
            assertThat(ByteBufUtil.getBytes(back, 0, length))
                    .as("seed %d, length %d", seed, length)
                    .isEqualTo(original);
            pieces.release();
            reply.release();
        }
    }

    @Test
    void lossRepetitionAndAnotherOrderShowInTheNextState() {
        ByteBuf a = Unpooled.wrappedBuffer(new byte[] {1, 2, 3});
        ByteBuf b = Unpooled.wrappedBuffer(new byte[] {1, 2, 4});
        ByteBuf zeros = Unpooled.wrappedBuffer(new byte[9]);
        long right = run(a, b, zeros);
        assertThat(run(b, a, zeros)).isNotEqualTo(right);
        assertThat(run(a, zeros)).isNotEqualTo(right);
        assertThat(run(a, b, b, zeros)).isNotEqualTo(right);
        assertThat(run(a, b, zeros.slice(0, 8))).isNotEqualTo(right);
        assertThat(run(a, b, zeros)).isEqualTo(right);
    }

    private static long run(ByteBuf... payloads) {
        long state = Chain.INITIAL_STATE;
        for (ByteBuf payload : payloads) {
            state = Chain.next(state, payload, 0, payload.readableBytes());
        }
        return state;
    }
}
