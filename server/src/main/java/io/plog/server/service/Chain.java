package io.plog.server.service;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * The arithmetic of the service {@code chain}, whose every answer depends on every request before it: a request that was
 * lost, repeated or put in another place shows in the next reply.
 *
 * <p>The state is one u64, 0 in the beginning. A payload {@code p} of {@code n} bytes moves it, and the new state makes
 * the answer:
 *
 * <pre>
 *  G        = 0x9E3779B97F4A7C15
 *  state'   = mix(state + G * (1 + crc32c(p) + (n &lt;&lt; 32)))
 *  reply[i] = p[i] XOR byte (i mod 8), big-endian, of mix(state' + G * (1 + i / 8))
 * </pre>
 *
 * {@code mix} is the finaliser of SplitMix64 (Stafford's variant 13 of the one in MurmurHash3); see Steele, Lea and Flood,
 * <cite>Fast Splittable Pseudorandom Number Generators</cite>, OOPSLA 2014. Everything is unsigned and wraps around at 64
 * bits. It shows mistakes; it withstands no adversary.
 *
 * <p>Pure functions; safe for any thread. None moves an index of a {@link ByteBuf}.
 */
public final class Chain {
    public static final long INITIAL_STATE = 0;

    private static final long GOLDEN = 0x9E3779B97F4A7C15L;

    private Chain() {}

    /** The state after a request of so many bytes with this CRC-32C. */
    public static long next(long state, int payloadBytes, int payloadCrc32c) {
        return mix(state
                + GOLDEN * (1 + Integer.toUnsignedLong(payloadCrc32c) + (Integer.toUnsignedLong(payloadBytes) << 32)));
    }

    /** The state after a request whose payload is here. */
    public static long next(long state, ByteBuf payload, int from, int length) {
        return next(state, length, crc32c(payload, from, length));
    }

    /** The CRC-32C of a part of a buffer, as the 32 bits of an {@code int}. */
    public static int crc32c(ByteBuf payload, int from, int length) {
        CRC32C crc = new CRC32C();
        if (payload.nioBufferCount() == 1) {
            crc.update(payload.nioBuffer(from, length));
        } else {
            for (ByteBuffer part : payload.nioBuffers(from, length)) {
                crc.update(part);
            }
        }
        return (int) crc.getValue();
    }

    /**
     * Writes the answer to a payload. The same call turns an answer back into its payload.
     *
     * @param stateAfter the state that the request led to, as {@link #next} computes it
     * @throws IndexOutOfBoundsException if either buffer is too short
     */
    public static void answer(long stateAfter, ByteBuf payload, int from, ByteBuf reply, int to, int length) {
        int whole = length & -Long.BYTES;
        for (int i = 0; i < whole; i += Long.BYTES) {
            reply.setLong(to + i, payload.getLong(from + i) ^ key(stateAfter, i));
        }
        for (int i = whole; i < length; i++) {
            reply.setByte(to + i, payload.getByte(from + i) ^ keyByte(stateAfter, i));
        }
    }

    /** The key of the eight bytes that begin at {@code i}, a multiple of 8. */
    private static long key(long stateAfter, int i) {
        return mix(stateAfter + GOLDEN * (1 + i / Long.BYTES));
    }

    private static int keyByte(long stateAfter, int i) {
        return (int) (key(stateAfter, i & -Long.BYTES) >>> (56 - 8 * (i % Long.BYTES))) & 0xFF;
    }

    private static long mix(long value) {
        long z = (value ^ (value >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }
}
