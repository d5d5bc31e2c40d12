package io.plog.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.plog.server.options.ServerOptions;

/**
 * Lets the connection's {@code Throttle} know whether more may be read: requests and answers that wait for their turn are memory,
 * too. It makes the channel unwritable at a limit, and writable again at half of it. Event loop only.
 */
final class HttpBackpressure {
    /** Of Netty's user-defined writability flags: too much is held back. */
    private static final int HELD_BACK = 1;

    private final ChannelHandlerContext context;
    private final HttpQueue queue;
    private final int mostRequests;
    private final int mostBytes;
    private long bytes;
    private boolean isHeldBack;

    HttpBackpressure(ChannelHandlerContext context, HttpQueue queue, ServerOptions options) {
        this.context = context;
        this.queue = queue;
        this.mostRequests = options.maxOutstanding();
        this.mostBytes = options.maxOutstandingBytes();
    }

    /** The buffers of this exchange wait from now on. */
    void began(HttpExchange exchange) {
        bytes += exchange.bytes();
    }

    /** They wait no longer. */
    void ended(HttpExchange exchange) {
        bytes -= exchange.bytes();
    }

    /** Bytes that wait. */
    long bytes() {
        return bytes;
    }

    /** Must be called when the number of waiting bytes has changed. */
    void update() {
        boolean hold = isHeldBack
                ? queue.size() > mostRequests / 2 || bytes > mostBytes / 2
                : queue.size() >= mostRequests || bytes >= mostBytes;
        if (hold != isHeldBack) {
            isHeldBack = hold;
            ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
            if (buffer != null) {
                buffer.setUserDefinedWritability(HELD_BACK, !hold);
                context.fireChannelWritabilityChanged(); // at once: Netty's own comes when all that was sent is read
            }
        }
    }
}
