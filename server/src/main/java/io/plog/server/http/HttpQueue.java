package io.plog.server.http;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.plog.server.options.ServerOptions;
import io.plog.server.state.RequestId;
import java.util.ArrayDeque;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of a connection in the order of their requests, which is the order of the answers, each under the client and
 * the number that its request has in the log. Requests and answers that wait for their turn are memory, too; so it makes the
 * channel unwritable at a limit, which the connection's {@code Throttle} sees, and writable again at half of it. Event loop
 * only.
 */
final class HttpQueue {
    /** Of Netty's user-defined writability flags: too much is held back. */
    private static final int HELD_BACK = 1;

    private final ChannelHandlerContext context;
    private final int mostRequests;
    private final int mostBytes;
    private final long client = HttpContext.newClient();
    private final ArrayDeque<HttpExchange> exchanges = new ArrayDeque<>(4);
    private long nextNumber = HttpContext.firstNumber();
    private long bytes;
    private boolean isHeldBack;

    HttpQueue(ChannelHandlerContext context, ServerOptions options) {
        this.context = context;
        this.mostRequests = options.maxOutstanding();
        this.mostBytes = options.maxOutstandingBytes();
    }

    /** The buffers of this exchange wait from now on. */
    void beganToWait(HttpExchange exchange) {
        bytes += exchange.bytes();
    }

    /** They wait no longer. */
    void endedToWait(HttpExchange exchange) {
        bytes -= exchange.bytes();
    }

    long waitingBytes() {
        return bytes;
    }

    /** Must be called when the number of exchanges or of waiting bytes has changed. */
    void update() {
        boolean hold = isHeldBack
                ? exchanges.size() > mostRequests / 2 || bytes > mostBytes / 2
                : exchanges.size() >= mostRequests || bytes >= mostBytes;
        if (hold != isHeldBack) {
            isHeldBack = hold;
            ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
            if (buffer != null) {
                buffer.setUserDefinedWritability(HELD_BACK, !hold);
                context.fireChannelWritabilityChanged(); // at once: Netty's own comes when all that was sent is read
            }
        }
    }

    /**
     * Begins an exchange.
     *
     * @param identity client and number of the request; {@code null} for those of the connection
     */
    HttpExchange add(@Nullable RequestId identity, boolean isHead, boolean isVersion10) {
        HttpExchange exchange = identity == null
                ? new HttpExchange(client, nextNumber++, false, isHead, isVersion10)
                : new HttpExchange(identity.client(), identity.number(), true, isHead, isVersion10);
        exchanges.add(exchange);
        return exchange;
    }

    /** The oldest, or {@code null}. */
    @Nullable
    HttpExchange peek() {
        return exchanges.peek();
    }

    /** Removes the oldest; there must be one. */
    void remove() {
        exchanges.remove();
    }

    /** The exchange whose request was handed over with this client and number; {@code null} if there is none. */
    @Nullable
    HttpExchange handedOver(long requestClient, long number) {
        return oldest(requestClient, number, each -> each.isWaiting);
    }

    /** Whether an exchange with this client and number was handed over and is not answered, or waits for such a one. */
    boolean isUnderWay(long requestClient, long number) {
        return oldest(requestClient, number, each -> each.isWaiting || each.isParked) != null;
    }

    /** The oldest of this identity that waits for another of the same to be answered, or {@code null} if there is none. */
    @Nullable
    HttpExchange parked(long requestClient, long number) {
        return oldest(requestClient, number, each -> each.isParked);
    }

    /** Replies come mostly in the order of their requests, so that the first is the one. */
    private @Nullable HttpExchange oldest(long requestClient, long number, Predicate<HttpExchange> state) {
        for (HttpExchange each : exchanges) {
            if (each.client == requestClient && each.number == number && state.test(each)) {
                return each;
            }
        }
        return null;
    }

    /** Takes all out. */
    void clear(Consumer<HttpExchange> each) {
        exchanges.forEach(each);
        exchanges.clear();
    }
}
