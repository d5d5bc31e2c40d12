package io.plog.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.server.net.LingeringClose;
import java.nio.channels.ClosedChannelException;
import java.util.function.LongSupplier;

/** Writes the answers of a connection in the order of its requests, as HTTP/1.1 pipelining has it. Event loop only. */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, which channelInactive sees
final class HttpAnswers {
    /** Payloads up to this are copied behind the response's head, so that one buffer is written. */
    private static final int MAX_COPIED_BYTES = 8 * 1024;

    private final ChannelHandlerContext context;
    private final HttpContext front;
    private final HttpQueue queue;
    private final LongSupplier nanoClock;
    private boolean isOver;
    private boolean unflushed;

    HttpAnswers(ChannelHandlerContext context, HttpContext front, HttpQueue queue, LongSupplier nanoClock) {
        this.context = context;
        this.front = front;
        this.queue = queue;
        this.nanoClock = nanoClock;
    }

    /** Whether nothing is written any more. */
    boolean isOver() {
        return isOver;
    }

    /** Bytes of requests and answers that wait for their turn. */
    long heldBytes() {
        return isOver ? 0 : queue.waitingBytes();
    }

    /** The client has gone: drops all exchanges. */
    void abandon() {
        isOver = true;
        queue.clear(exchange -> {
            exchange.release();
            if (exchange.written != null) {
                exchange.written.tryFailure(new ClosedChannelException());
            }
        });
    }

    /**
     * Takes the reply to a request over, and writes what is due.
     *
     * @return the exchange that it answers
     * @throws IllegalStateException if no request with its client and number was made
     */
    HttpExchange answer(ByteBuf reply) {
        long number = ReplyHeader.request(reply);
        HttpExchange exchange = queue.handedOver(ReplyHeader.client(reply), number);
        if (exchange == null) {
            reply.release();
            throw new IllegalStateException("a reply to request " + number + ", which was never made");
        }
        exchange.isWaiting = false;
        Status status = Status.ofCode(ReplyHeader.status(reply));
        if (status == Status.OK) {
            exchange.status = HttpStatus.OK;
            exchange.reply = reply;
            queue.beganToWait(exchange);
        } else {
            HttpRouter.refuse(exchange, status == null ? Status.FAILED : status, ReplyHeader.sentence(reply));
            reply.release();
        }
        writeDue();
        return exchange;
    }

    /** Writes every answer whose turn has come. */
    void writeDue() {
        HttpExchange exchange = queue.peek();
        while (exchange != null && exchange.status != null && !exchange.isReceiving && !isOver) {
            queue.remove();
            queue.endedToWait(exchange);
            write(exchange, exchange.status);
            exchange = queue.peek();
        }
        sendContinue();
        queue.update();
    }

    /** Sends 100 Continue for the oldest request, if its client waits for that. Later requests have to wait. */
    void sendContinue() {
        HttpExchange oldest = queue.peek();
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
