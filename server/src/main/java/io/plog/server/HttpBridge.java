package io.plog.server;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameType;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Hello;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/**
 * Makes an HTTP/1.1 connection look like one of the binary protocol: requests become frames for the {@link Connection} behind it,
 * whose replies become responses, in the order of the requests. So throttling, logging and exactly once are the same code.
 *
 * <pre>
 *   bytes --> HttpParser --> HttpRouter --> frame  --> Connection --> log
 *   bytes <-- HttpResponses <-- HttpQueue <-- frame <-- Connection <-- durable
 * </pre>
 *
 * <p>A body's bytes are copied once, from where they were read into the frame. Event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, which channelInactive sees
final class HttpBridge extends ChannelDuplexHandler implements HttpParser.Receiver, Watchdog.Incoming {
    /** What is allocated for a body follows what arrives; this much is on credit. */
    private static final int FIRST_PIECE = 128 * 1024;

    /** Payloads up to this are copied behind the response's head, so that one buffer is written. */
    private static final int MAX_COPIED_BYTES = 8 * 1024;

    /** Of Netty's user-defined writability flags: too much is held back, which {@link Throttle} must heed. */
    private static final int HELD_BACK = 1;

    private final HttpFront front;
    private final HttpParser parser = new HttpParser(this);
    private final HttpQueue queue = new HttpQueue();
    private final long client = HttpFront.newClient();
    private final long firstNumber = HttpFront.firstNumber();

    private @Nullable ChannelHandlerContext context;
    private @Nullable HttpExchange receiving;
    private int payloadLimit; // of the request that is being received
    private boolean isChunked;
    private long heldBytes;
    private boolean isHeldBack;
    private boolean isOver;
    private boolean unflushed;

    HttpBridge(HttpFront front) {
        this.front = front;
    }

    @Override
    public boolean isMidFrame() {
        return parser.isMidRequest();
    }

    @Override
    public long frames() {
        return parser.requests();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    private ChannelHandlerContext context() {
        ChannelHandlerContext ctx = context;
        if (ctx == null) {
            throw new IllegalStateException("the connection is not in a pipeline yet");
        }
        return ctx;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        ctx.fireChannelActive();
        ByteBuf hello = ctx.alloc().buffer(Hello.BYTES);
        new Hello(Frame.VERSION).encode(hello);
        ctx.fireChannelRead(hello);
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        isOver = true;
        parser.stop();
        receiving = null;
        queue.clear(exchange -> {
            exchange.release();
            if (exchange.written != null) {
                exchange.written.tryFailure(new ClosedChannelException());
            }
        });
        ctx.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            parser.parse(in);
        } catch (HttpException e) {
            front.meters().violation(isTooLarge(e.status()) ? GoodbyeCode.TOO_LARGE : GoodbyeCode.MALFORMED);
            end(e.status(), e.getMessage(), null);
        } finally {
            in.release();
        }
    }

    private static boolean isTooLarge(HttpStatus status) {
        return status == HttpStatus.CONTENT_TOO_LARGE
                || status == HttpStatus.URI_TOO_LONG
                || status == HttpStatus.HEADERS_TOO_LARGE;
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext ctx) {
        ctx.fireChannelReadComplete();
        if (unflushed) {
            flush(ctx);
        }
    }

    @Override
    public void flush(ChannelHandlerContext ctx) {
        unflushed = false;
        ctx.flush();
    }

    @Override
    public int head(HttpHead head) throws HttpException {
        String key = head.idempotencyKey();
        IdempotencyKey hashed = key == null ? null : IdempotencyKey.of(key);
        HttpExchange exchange = new HttpExchange(
                hashed == null ? client : hashed.client(),
                hashed == null ? firstNumber + queue.nextPlace() : hashed.number(),
                key != null,
                head.method().equals("HEAD"),
                head.isVersion10());
        exchange.closes = head.closes();
        queue.add(exchange);
        receiving = exchange;
        isChunked = head.isChunked();
        Target target = HttpRouter.route(front, head, exchange);
        payloadLimit = target == null ? front.options().maxPayloadBytes() : target.maxPayloadBytes();
        if (head.contentLength() > payloadLimit) {
            throw new HttpException(
                    HttpStatus.CONTENT_TOO_LARGE,
                    "a body of " + head.contentLength() + " bytes: expected at most " + payloadLimit);
        }
        if (target != null) {
            beginFrame(target, head, exchange);
        } else if (head.expectsContinue()) {
            // Whether the body comes all the same cannot be known, so nor where the next request begins.
            exchange.closes = true;
            parser.stop();
            end();
        }
        return payloadLimit;
    }

    private void beginFrame(Target target, HttpHead head, HttpExchange exchange) {
        int announced = (int) Math.max(0, head.contentLength());
        int most = RequestHeader.BYTES + (isChunked ? payloadLimit : announced);
        ByteBuf frame = context().alloc().ioBuffer(Math.min(most, FIRST_PIECE), most);
        RequestHeader.write(frame, target.id(), exchange.client, exchange.number, announced);
        if (HttpRouter.isReadOnly(head)) {
            frame.setByte(frame.readerIndex() + Frame.LENGTH_BYTES + 1, RequestHeader.FLAG_READ_ONLY);
        }
        exchange.frame = frame;
        exchange.awaitsContinue = head.expectsContinue();
        tellToContinue();
    }

    /** Tells the client of the oldest request to go on, if it waits for that; nobody else's turn has come. */
    private void tellToContinue() {
        HttpExchange oldest = queue.peek();
        if (oldest != null && oldest.awaitsContinue && oldest.status == null) {
            oldest.awaitsContinue = false;
            ByteBuf out = context().alloc().ioBuffer(HttpResponses.MAX_HEAD_BYTES);
            HttpResponses.writeContinue(out);
            write(out);
        }
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
            writeAnswers();
            return;
        }
        if (isChunked) {
            frame.setInt(frame.readerIndex(), frame.readableBytes() - Frame.LENGTH_BYTES);
        }
        if (exchange.isKeyed && queue.keyed(exchange.client, exchange.number, false) != null) {
            // Replies know their client and number only; so one at a time of each, and this one finds the first one's
            // answer.
            exchange.isParked = true;
            heldBytes += exchange.bytes();
            holdBack();
        } else {
            pass(exchange, frame);
        }
    }

    private void pass(HttpExchange exchange, ByteBuf frame) {
        exchange.frame = null;
        exchange.isWaiting = true;
        holdBack();
        context().fireChannelRead(frame);
    }

    /**
     * The connection ends after this answer: to the request that is being received, or to one that never came to be one.
     *
     * @param written is told when the answer is written and then closes; if {@code null}, nobody else does
     */
    private void end(HttpStatus status, String sentence, @Nullable ChannelPromise written) {
        parser.stop();
        HttpExchange exchange = receiving;
        if (exchange == null) {
            exchange = new HttpExchange(client, firstNumber + queue.nextPlace(), false, false, false);
            queue.add(exchange);
        }
        receiving = null;
        exchange.isReceiving = false;
        exchange.release();
        exchange.closes = true;
        exchange.written = written;
        exchange.refuse(status, sentence);
        if (status == HttpStatus.SERVICE_UNAVAILABLE) {
            exchange.retryAfterSeconds = 1;
        }
        writeAnswers();
    }

    @Override
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) throws Exception {
        ByteBuf frame = (ByteBuf) message;
        if (isOver) {
            frame.release();
            promise.tryFailure(new ClosedChannelException());
            return;
        }
        int type = Frame.type(frame);
        if (type == FrameType.REPLY.code()) {
            answer(frame);
        } else if (type == FrameType.GOODBYE.code()) {
            goodbye(frame, promise);
            return;
        } else {
            frame.release(); // the WELCOME; GET / has what it says
        }
        promise.trySuccess();
    }

    private void answer(ByteBuf reply) {
        long requestClient = ReplyHeader.client(reply);
        long number = ReplyHeader.request(reply);
        HttpExchange exchange =
                requestClient == client ? queue.at(number - firstNumber) : queue.keyed(requestClient, number, false);
        if (exchange == null) {
            reply.release();
            throw new IllegalStateException("a reply to request " + number + ", which nobody made");
        }
        exchange.isWaiting = false;
        Status status = Status.ofCode(ReplyHeader.status(reply));
        if (status == Status.OK) {
            exchange.status = HttpStatus.OK;
            exchange.reply = reply;
            heldBytes += exchange.bytes();
        } else {
            HttpRouter.refuse(exchange, status == null ? Status.FAILED : status);
            reply.release();
        }
        writeAnswers();
        if (exchange.isKeyed) {
            HttpExchange parked = queue.keyed(requestClient, number, true);
            if (parked != null) {
                context().executor().execute(() -> unpark(parked));
            }
        }
    }

    private void unpark(HttpExchange exchange) {
        ByteBuf frame = exchange.frame;
        if (frame != null && exchange.isParked && !isOver) {
            heldBytes -= exchange.bytes();
            exchange.isParked = false;
            pass(exchange, frame);
            context().fireChannelReadComplete();
        }
    }

    /** A farewell of the connection behind this, as the answer to what is under way, if anything is. */
    private void goodbye(ByteBuf frame, ChannelPromise promise) throws ProtocolException {
        Goodbye goodbye;
        try {
            goodbye = Goodbye.decode(frame);
        } finally {
            frame.release();
        }
        boolean mid = parser.isMidRequest();
        parser.stop();
        GoodbyeCode code = GoodbyeCode.ofCode(goodbye.code());
        if (mid || code == GoodbyeCode.TOO_MANY) {
            boolean late = code == GoodbyeCode.IDLE;
            HttpStatus status = late ? HttpStatus.REQUEST_TIMEOUT : HttpStatus.SERVICE_UNAVAILABLE;
            end(status, late ? lateSentence() : goodbye.reason(), promise);
        } else {
            context().write(Unpooled.EMPTY_BUFFER, promise);
        }
    }

    private String lateSentence() {
        return "the rest of the request did not come: expected it within "
                + front.options().patience().toMillis() + " ms";
    }

    /** Writes every answer whose turn has come. */
    private void writeAnswers() {
        HttpExchange exchange = queue.peek();
        while (exchange != null && exchange.status != null && !exchange.isReceiving && !isOver) {
            queue.remove();
            heldBytes -= exchange.bytes();
            write(exchange, exchange.status);
            exchange = queue.peek();
        }
        tellToContinue();
        holdBack();
    }

    private void write(HttpExchange exchange, HttpStatus status) {
        front.meters().answered(status);
        ByteBuf reply = exchange.reply;
        if (reply == null) {
            ByteBuf out = context().alloc().ioBuffer(HttpResponses.MAX_HEAD_BYTES + exchange.text.length());
            HttpResponses.writeText(out, exchange, status);
            write(exchange, out);
            return;
        }
        exchange.reply = null;
        int payloadBytes = reply.readableBytes() - ReplyHeader.BYTES;
        boolean copies = payloadBytes <= MAX_COPIED_BYTES;
        ByteBuf out = context().alloc().ioBuffer(HttpResponses.MAX_HEAD_BYTES + (copies ? payloadBytes : 0));
        HttpResponses.writeHead(out, exchange, reply);
        reply.skipBytes(ReplyHeader.BYTES);
        if (copies) {
            out.writeBytes(reply);
            reply.release();
            write(exchange, out);
        } else {
            write(out);
            write(exchange, reply);
        }
    }

    private void write(ByteBuf out) {
        unflushed = true;
        context().write(out, context().voidPromise());
    }

    /** Writes the last of an answer. */
    private void write(HttpExchange exchange, ByteBuf out) {
        if (exchange.written != null) {
            unflushed = true;
            context().write(out, exchange.written);
        } else if (exchange.closes) {
            unflushed = true;
            isOver = true;
            Farewell.closeAfter(context().channel(), context().write(out));
        } else {
            write(out);
        }
    }

    /** Lets the connection's throttle know whether more may be read: answers that wait for their turn are memory, too. */
    private void holdBack() {
        int most = front.options().maxOutstanding();
        int mostBytes = front.options().maxOutstandingBytes();
        boolean hold = isHeldBack
                ? queue.size() > most / 2 || heldBytes > mostBytes / 2
                : queue.size() >= most || heldBytes >= mostBytes;
        if (hold != isHeldBack) {
            isHeldBack = hold;
            Channel channel = context().channel();
            ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
            if (buffer != null) {
                buffer.setUserDefinedWritability(HELD_BACK, !hold);
                context().fireChannelWritabilityChanged(); // at once: Netty's own comes when all that was sent is read
            }
        }
    }
}
