package io.plog.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.server.net.LingeringClose;
import io.plog.server.state.RequestId;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of a connection, each under the client and the number that its request has in the log. Their answers are written in
 * the order of the requests, as HTTP/1.1 pipelining has it. Requests and answers that wait for their turn are memory, too; so the
 * channel becomes unwritable at a limit, which the connection's {@code Throttle} sees, and writable again at half of it. Event loop
 * only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, which channelInactive sees
final class HttpAnswers {
    /** Payloads up to this are copied behind the response's head, so that one buffer is written. */
    private static final int MAX_COPIED_BYTES = 8 * 1024;

    /** Of Netty's user-defined writability flags: too much is held back. */
    private static final int HELD_BACK = 1;

    private final ChannelHandlerContext context;
    private final HttpContext front;
    private final LongSupplier nanoClock;
    private final long client = HttpContext.newClient();
    private final ArrayDeque<HttpExchange> exchanges = new ArrayDeque<>(4);
    private long nextNumber = HttpContext.firstNumber();
    private long heldBytes; // of requests and answers that wait for their turn
    private boolean isHeldBack;
    private boolean isOver;
    private boolean unflushed;

    HttpAnswers(ChannelHandlerContext context, HttpContext front, LongSupplier nanoClock) {
        this.context = context;
        this.front = front;
        this.nanoClock = nanoClock;
    }

    boolean isOver() {
        return isOver;
    }

    /** Bytes of requests and answers that wait for their turn. */
    long heldBytes() {
        return isOver ? 0 : heldBytes;
    }

    /** Begins an exchange; one without an identity has the connection's. */
    HttpExchange begin(@Nullable RequestId identity, boolean isHead, boolean isVersion10) {
        HttpExchange exchange = identity == null
                ? new HttpExchange(client, nextNumber++, false, isHead, isVersion10)
                : new HttpExchange(identity.client(), identity.number(), true, isHead, isVersion10);
        exchanges.add(exchange);
        return exchange;
    }

    /**
     * Replies know their client and number only; so of each one request at a time is handed over.
     *
     * @return whether another with this identity is under way, for which this one waits from now on
     */
    boolean parks(HttpExchange exchange) {
        if (!exchange.isIdentified
                || oldest(exchange.client, exchange.number, each -> each.isWaiting || each.isParked) == null) {
            return false;
        }
        exchange.isParked = true;
        heldBytes += exchange.bytes();
        holdBack();
        return true;
    }

    /** The oldest with the same identity that is parked; {@code null} if there is none. */
    @Nullable
    HttpExchange parkedLike(HttpExchange answered) {
        return oldest(answered.client, answered.number, each -> each.isParked);
    }

    /** Its request is handed over. */
    void handedOver(HttpExchange exchange) {
        if (exchange.isParked) {
            exchange.isParked = false;
            heldBytes -= exchange.bytes();
        }
        exchange.frame = null;
        exchange.isWaiting = true;
        holdBack();
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

    /** The number of exchanges or of waiting bytes may have changed. */
    private void holdBack() {
        int mostRequests = front.options().maxOutstanding();
        int mostBytes = front.options().maxOutstandingBytes();
        boolean hold = isHeldBack
                ? exchanges.size() > mostRequests / 2 || heldBytes > mostBytes / 2
                : exchanges.size() >= mostRequests || heldBytes >= mostBytes;
        if (hold != isHeldBack) {
            isHeldBack = hold;
            ChannelOutboundBuffer buffer = context.channel().unsafe().outboundBuffer();
            if (buffer != null) {
                buffer.setUserDefinedWritability(HELD_BACK, !hold);
                context.fireChannelWritabilityChanged(); // at once: Netty's own comes when all that was sent is read
            }
        }
    }

    void abandon() {
        isOver = true;
        for (HttpExchange exchange : exchanges) {
            exchange.release();
            if (exchange.written != null) {
                exchange.written.tryFailure(new ClosedChannelException());
            }
        }
        exchanges.clear();
    }

    /** Takes the reply to a request over, writes what is due, and returns the exchange that it answers. */
    HttpExchange answer(ByteBuf reply) {
        long number = ReplyHeader.request(reply);
        HttpExchange exchange = oldest(ReplyHeader.client(reply), number, each -> each.isWaiting);
        if (exchange == null) {
            reply.release();
            throw new IllegalStateException("a reply to request " + number + ", which was never made");
        }
        exchange.isWaiting = false;
        Status status = Status.ofCode(ReplyHeader.status(reply));
        if (status == Status.OK) {
            exchange.status = HttpStatus.OK;
            exchange.reply = reply;
            heldBytes += exchange.bytes();
        } else {
            HttpRouter.refuse(exchange, status == null ? Status.FAILED : status, ReplyHeader.sentence(reply));
            reply.release();
        }
        writeDue();
        return exchange;
    }

    void writeDue() {
        HttpExchange exchange = exchanges.peek();
        while (exchange != null && exchange.status != null && !exchange.isReceiving && !isOver) {
            exchanges.remove();
            heldBytes -= exchange.bytes();
            write(exchange, exchange.status);
            exchange = exchanges.peek();
        }
        sendContinue();
        holdBack();
    }

    /** Sends 100 Continue for the oldest request, if its client waits for that. Later requests have to wait. */
    void sendContinue() {
        HttpExchange oldest = exchanges.peek();
        if (oldest != null && oldest.awaitsContinue && oldest.status == null) {
            oldest.awaitsContinue = false;
            ByteBuf out = context.alloc().ioBuffer(HttpResponses.MAX_HEAD_BYTES);
            HttpResponses.writeContinue(out);
            write(out);
        }
    }

    private void write(HttpExchange exchange, HttpStatus status) {
        front.answered(status);
        ByteBuf reply = exchange.reply;
        if (reply == null) {
            ByteBuf out = context.alloc().ioBuffer(HttpResponses.MAX_HEAD_BYTES + exchange.text.length());
            HttpResponses.writeText(out, exchange, status);
            writeLast(exchange, out);
            return;
        }
        exchange.reply = null;
        int payloadBytes = reply.readableBytes() - ReplyHeader.BYTES;
        boolean copies = payloadBytes <= MAX_COPIED_BYTES;
        ByteBuf out = context.alloc().ioBuffer(HttpResponses.USUAL_HEAD_BYTES + (copies ? payloadBytes : 0));
        HttpResponses.writeHead(out, exchange, reply, nanoClock.getAsLong() - exchange.receivedNanos, front.memory());
        reply.skipBytes(ReplyHeader.BYTES);
        if (copies) {
            out.writeBytes(reply);
            reply.release();
            writeLast(exchange, out);
        } else {
            write(out);
            writeLast(exchange, reply);
        }
    }

    /** Writes the last of an answer. */
    private void writeLast(HttpExchange exchange, ByteBuf out) {
        if (exchange.written != null) {
            unflushed = true;
            context.write(out, exchange.written);
        } else if (exchange.closes) {
            unflushed = true;
            isOver = true;
            LingeringClose.after(context.channel(), context.write(out));
        } else {
            write(out);
        }
    }

    private void write(ByteBuf out) {
        unflushed = true;
        context.write(out, context.voidPromise());
    }

    void flush() {
        unflushed = false;
        context.flush();
    }

    void flushIfWritten() {
        if (unflushed) {
            flush();
        }
    }
}
