package io.plog.measure;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.client.ClientOptions;
import io.plog.client.RpcException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A connection to an HTTP service that takes frames of requests and gives frames of replies. Where the service closes it after a reply,
 * or may have closed it because it was idle, the next one is made before the next request is sent.
 *
 * <p>For one thread, which blocks; {@link #close} may come from any.
 */
final class HttpChannel implements ByteChannel {
    private static final int READ_BYTES = 64 << 10;
    /** Services close connections that are idle: the shortest default that is known is 5 s. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final HttpService service;
    private final ClientOptions options;
    private final HttpService.Heads heads;
    private final HttpReply reply = new HttpReply();
    private final ByteBuffer inBytes = ByteBuffer.allocateDirect(READ_BYTES);
    private final ByteBuf in = Unpooled.wrappedBuffer(inBytes);
    private final ByteBuffer headBytes = ByteBuffer.allocateDirect(16 << 10);
    private final ByteBuf header = Unpooled.unreleasableBuffer(Unpooled.buffer(ReplyHeader.BYTES));
    private final ByteBuf head = Unpooled.wrappedBuffer(headBytes);
    private ByteBuf frame = Unpooled.EMPTY_BUFFER; // of the reply, as far as it is not read
    private boolean refused;
    private long usedNanos;
    private volatile BlockingConnection wire;
    private volatile boolean closed;

    HttpChannel(HttpService service, BlockingConnection wire, ClientOptions options) {
        this.service = service;
        this.options = options;
        this.wire = wire;
        heads = service.heads(options);
        usedNanos = System.nanoTime();
    }

    /** Makes the connection anew if the service has closed it, or may have. */
    void ensureOpen() throws RpcException {
        if (closed || !(reply.isLast() || System.nanoTime() - usedNanos > IDLE_NANOS)) {
            return;
        }
        List<InetSocketAddress> there = List.of(wire.address()); // others of its name may be dead
        wire.close();
        BlockingConnection fresh = BlockingConnection.open(service.address(), there, options);
        wire = fresh;
        if (closed) {
            fresh.close();
        }
    }

    /** Sends a whole frame. */
    @Override
    public int write(ByteBuffer from) throws IOException {
        int bytes = from.remaining();
        ByteBuf request = Unpooled.wrappedBuffer(from);
        int payloadBytes = bytes - RequestHeader.BYTES;
        reply.begin(request, payloadBytes);
        heads.write(head.clear(), payloadBytes);
        wire.write(headBytes.clear().limit(head.writerIndex()), from.position(from.position() + RequestHeader.BYTES));
        return bytes;
    }

    @Override
    public int read(ByteBuffer to) throws IOException {
        return frame.isReadable() || receive() ? give(to) : -1;
    }

    Duration retryAfter() {
        return reply.retryAfter();
    }

    private boolean receive() throws IOException {
        while (!reply.isWhole()) {
            int bytes = wire.read(inBytes.clear());
            if (bytes < 0) {
                if (!reply.isWholeAtClose()) {
                    return false;
                }
            } else {
                reply.read(in.setIndex(0, bytes));
            }
        }
        usedNanos = System.nanoTime();
        frame = reply.write(header.clear());
        refused = ReplyHeader.status(frame) != Status.OK.code();
        if (refused) {
            ByteBuf counted = frame;
            frame = Unpooled.copiedBuffer(counted);
            counted.release();
        }
        return true;
    }

    private int give(ByteBuffer to) {
        int before = to.remaining();
        int bytes = Math.min(before, frame.readableBytes());
        int limit = to.limit();
        frame.readBytes(to.limit(to.position() + bytes));
        to.limit(limit);
        if (!refused) {
            to.position(limit); // the service's answer has any length, and any bytes
        }
        return before - to.remaining();
    }

    @Override
    public boolean isOpen() {
        return !closed;
    }

    @Override
    public void close() {
        closed = true;
        wire.close();
    }
}
