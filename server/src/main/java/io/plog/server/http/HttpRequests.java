package io.plog.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.RequestHeader;
import io.plog.server.targets.Target;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Makes REQUEST frames of a connection's HTTP requests and hands them on. A body's bytes are copied once, from where they were
 * read into the frame. Event loop only.
 */
final class HttpRequests implements HttpParser.Receiver {
    /** Bytes allocated for a body before any of it has arrived. */
    private static final int FIRST_PIECE = 128 * 1024;

    private final ChannelHandlerContext context;
    private final HttpContext front;
    private final HttpQueue queue;
    private final HttpAnswers answers;
    private final LongSupplier nanoClock;
    private final HttpParser parser = new HttpParser(this);

    private @Nullable HttpExchange receiving;
    private int frameBytes; // of the request that is being received, at most; 0 if it has no frame
    private int payloadLimit; // of the request that is being received
    private boolean isChunked;

    HttpRequests(
            ChannelHandlerContext context,
            HttpContext front,
            HttpQueue queue,
            HttpAnswers answers,
            LongSupplier nanoClock) {
        this.context = context;
        this.front = front;
        this.queue = queue;
        this.answers = answers;
        this.nanoClock = nanoClock;
    }

    /** What cuts the connection's bytes into requests. */
    HttpParser parser() {
        return parser;
    }

    /** How long the frame of the request that is being received may become; 0 if none is. */
    int unfinishedBytes() {
        return receiving == null ? 0 : frameBytes;
    }

    /** How much of that is there. */
    int receivedBytes() {
        return receiving == null || receiving.frame == null ? 0 : receiving.frame.readableBytes();
    }

    /** The client has gone: drops the request that it had begun, and its answer. */
    void abandon() {
        parser.stop();
        receiving = null;
    }

    @Override
    public int head(HttpHead head) throws HttpException {
        front.callers().check(head);
        HttpExchange exchange = queue.add(head.identity(), head.method().equals("HEAD"), head.isVersion10());
        exchange.closes = head.closes();
        receiving = exchange;
        frameBytes = 0;
        isChunked = head.isChunked();
        Target target = HttpRouter.route(front, head, exchange, front.access().of(context.channel(), head.token()));
        payloadLimit = target == null ? front.options().maxPayloadBytes() : target.maxPayloadBytes();
        if (head.contentLength() > payloadLimit) {
            throw new HttpException(
                    HttpStatus.CONTENT_TOO_LARGE,
                    "a body of " + head.contentLength() + " bytes: expected at most " + payloadLimit);
        }
        if (target != null) {
            beginFrame(target, head, exchange);
        } else if (head.expectsContinue()) {
            // The client may send the body or not, so the beginning of the next request is unknown.
            exchange.closes = true;
            parser.stop();
            end();
        }
        return payloadLimit;
    }

    private void beginFrame(Target target, HttpHead head, HttpExchange exchange) {
        int announced = (int) Math.max(0, head.contentLength());
        int most = RequestHeader.BYTES + (isChunked ? payloadLimit : announced);
        ByteBuf frame = context.alloc().ioBuffer(Math.min(most, FIRST_PIECE), most);
        RequestHeader.write(frame, target.id(), exchange.client, exchange.number, announced);
        RequestHeader.setReadOnly(frame, HttpRouter.isReadOnly(head));
        exchange.frame = frame;
        exchange.awaitsContinue = head.expectsContinue();
        answers.tellToContinue();
        frameBytes = most;
    }

    @Override
    public void body(ByteBuf in, int bytes) {
        HttpExchange exchange = receiving;
        if (exchange == null || exchange.frame == null) {
            in.skipBytes(bytes);
            return;
        }
        exchange.awaitsContinue = false;
        exchange.frame.writeBytes(in, bytes);
        if (frameBytes >= FrameDecoder.LARGE_BYTES) {
            context.fireUserEventTriggered(FrameDecoder.Receives.LARGE_FRAME);
        }
    }

    @Override
    public void end() {
        HttpExchange exchange = receiving;
        if (exchange == null) {
            throw new IllegalStateException("the end of a request that never began");
        }
        receiving = null;
        exchange.isReceiving = false;
        if (exchange.closes) {
            parser.stop();
        }
        ByteBuf frame = exchange.frame;
        if (frame == null) {
            answers.writeDue();
            return;
        }
        exchange.receivedNanos = nanoClock.getAsLong();
        if (isChunked) {
            RequestHeader.updateLength(frame);
        }
        if (exchange.isIdentified && queue.handedOver(exchange.client, exchange.number) != null) {
            // Replies know their client and number only; so one at a time of each, and this one finds the first one's
            // answer.
            exchange.isParked = true;
            queue.beganToWait(exchange);
            queue.update();
        } else {
            handOver(exchange, frame);
        }
    }

    private void handOver(HttpExchange exchange, ByteBuf frame) {
        exchange.frame = null;
        exchange.isWaiting = true;
        queue.update();
        context.fireChannelRead(frame);
    }

    /** A request with an identity was answered: hands over the next one with the same, if there is one. */
    void unparkNext(HttpExchange answered) {
        HttpExchange parked = queue.parked(answered.client, answered.number);
        if (parked != null) {
            context.executor().execute(() -> unpark(parked));
        }
    }

    private void unpark(HttpExchange exchange) {
        ByteBuf frame = exchange.frame;
        if (frame != null && exchange.isParked && !answers.isOver()) {
            queue.endedToWait(exchange);
            exchange.isParked = false;
            handOver(exchange, frame);
            context.fireChannelReadComplete();
        }
    }

    /**
     * The connection ends after this answer: to the request that is being received, or to one that never came to be one.
     *
     * @param written is notified when the answer is written, and closes the connection then; {@code null} if it is closed here
     */
    void end(HttpStatus status, String sentence, @Nullable ChannelPromise written) {
        parser.stop();
        HttpExchange exchange = receiving == null ? queue.add(null, false, false) : receiving;
        receiving = null;
        exchange.isReceiving = false;
        exchange.release();
        exchange.closes = true;
        exchange.written = written;
        exchange.say(status, sentence);
        if (status == HttpStatus.SERVICE_UNAVAILABLE) {
            exchange.retryAfterSeconds = 1;
        }
        answers.writeDue();
    }
}
