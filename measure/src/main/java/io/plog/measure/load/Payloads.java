package io.plog.measure.load;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelHandlerContext;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import java.io.Closeable;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/**
 * The frames of requests and what their replies must hold. All payloads are beginnings of the same random bytes, but that the
 * first eight are the request's number; long ones are sent from where they lie, without being copied.
 *
 * <p>For one thread.
 */
final class Payloads implements Closeable {
    /** Up to this many bytes a copy is cheaper than a second buffer on the way to the socket. */
    private static final int COPIED_BYTES = 8 * 1024;

    private final ByteBuf bytes;
    private final ByteBuf inverted;
    private final CRC32C crc = new CRC32C();
    private final ByteBuf number;

    /**
     * Makes the bytes.
     *
     * @param mostBytes the longest payload there will be
     */
    Payloads(ByteBufAllocator allocator, int mostBytes, long seed) {
        byte[] random = new byte[Math.max(Long.BYTES, mostBytes)];
        new SplittableRandom(seed).nextBytes(random);
        bytes = allocator.directBuffer(random.length).writeBytes(random);
        for (int i = 0; i < random.length; i++) {
            random[i] = (byte) ~random[i];
        }
        inverted = allocator.directBuffer(random.length).writeBytes(random);
        number = allocator.directBuffer(Long.BYTES);
    }

    /** A request on its way to the socket: {@link #head}, and behind it {@link #rest} if the head is not all. */
    ByteBuf head(ChannelHandlerContext ctx, int target, long client, long request, int payloadBytes, boolean readOnly) {
        boolean whole = payloadBytes <= COPIED_BYTES;
        int first = Math.min(payloadBytes, Long.BYTES);
        ByteBuf frame = ctx.alloc().ioBuffer(RequestHeader.BYTES + (whole ? payloadBytes : first));
        RequestHeader.write(frame, target, client, request, payloadBytes);
        RequestHeader.setReadOnly(frame, readOnly);
        if (payloadBytes < Long.BYTES) {
            frame.writeBytes(bytes, 0, payloadBytes);
        } else {
            frame.writeLong(request);
            if (whole) {
                frame.writeBytes(bytes, Long.BYTES, payloadBytes - Long.BYTES);
            }
        }
        return frame;
    }

    boolean hasRest(int payloadBytes) {
        return payloadBytes > COPIED_BYTES;
    }

    /** What of a long payload stands behind the head. */
    ByteBuf rest(int payloadBytes) {
        return bytes.retainedSlice(Long.BYTES, payloadBytes - Long.BYTES);
    }

    /** Whether this reply's payload is the request's, inverted. */
    boolean isInverted(ByteBuf reply, long request, int payloadBytes) {
        int at = reply.readerIndex() + ReplyHeader.BYTES;
        if (payloadBytes < Long.BYTES) {
            return ByteBufUtil.equals(inverted, 0, reply, at, payloadBytes);
        }
        return reply.getLong(at) == ~request
                && ByteBufUtil.equals(inverted, Long.BYTES, reply, at + Long.BYTES, payloadBytes - Long.BYTES);
    }

    /** The CRC-32C of a request's payload. */
    int crc(long request, int payloadBytes) {
        crc.reset();
        if (payloadBytes < Long.BYTES) {
            crc.update(bytes.nioBuffer(0, payloadBytes));
        } else {
            number.setLong(0, request);
            crc.update(number.nioBuffer(0, Long.BYTES));
            crc.update(bytes.nioBuffer(Long.BYTES, payloadBytes - Long.BYTES));
        }
        return (int) crc.getValue();
    }

    @Override
    public void close() {
        bytes.release();
        inverted.release();
        number.release();
    }
}
