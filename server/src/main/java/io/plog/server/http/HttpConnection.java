package io.plog.server.http;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoop;
import io.plog.server.monitoring.ServerNotices;
import io.plog.server.net.FairTimer;
import io.plog.server.net.LingeringClose;
import io.plog.server.net.WriteProgress;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * One connection of an {@link HttpServer}: one request at a time. A second one that comes before the first is answered is not read, and
 * the connection ends after the first; HTTP lets a client expect that. Event loop only.
 */
@SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes the channel, which channelInactive sees
final class HttpConnection extends ChannelInboundHandlerAdapter implements HttpParser.Receiver {
    /** No request here needs a body. */
    private static final int MAX_BODY_BYTES = 1_024;

    private static final int RETRY_SECONDS = 2;

    /** An answer of which so much has left within its limit is waited for again: it may be long, and the network slow. */
    private static final int LEAST_BYTES = 64 * 1024;

    /** The state of a connection. Earlier ones are closed first to make room for a new connection. */
    enum Phase {
        /** Nothing of the next request has come. */
        IDLE(12),
        /** Some of it has. */
        RECEIVING(1),
        /** The answer is not read to the end. */
        SENDING(3),
        /** The answer is being made, which the worker's places bound. */
        WORKING(0);

        /** How many patiences it may take; 0 for no limit of its own. */
        final int patiences;

        Phase(int patiences) {
            this.patiences = patiences;
        }
    }

    private final HttpServer.Router router;
    private final HttpConnections connections;
    private final HttpParser parser = new HttpParser(this);

    private @Nullable ChannelHandlerContext context;
    private Phase phase = Phase.IDLE;
    private long phaseBegan = System.nanoTime();
    private final FairTimer timer = new FairTimer(System::nanoTime); // of the phase
    private long leftSeen; // of the answer
    private @Nullable HttpExchange exchange; // from the end of its head until its answer is written
    private HttpServer.@Nullable Work work; // of the exchange
    private @Nullable HttpWorker place; // that the exchange has taken

    HttpConnection(HttpServer.Router router, HttpConnections connections) {
        this.router = router;
        this.connections = connections;
    }

    Phase phase() {
        return phase;
    }

    /** When it began, as {@link System#nanoTime}. */
    long phaseBegan() {
        return phaseBegan;
    }

    EventLoop loop() {
        return context().channel().eventLoop();
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(context, "not in a pipeline yet");
    }

    private void begin(Phase next) {
        if (phase != next) {
            phase = next;
            phaseBegan = System.nanoTime();
            watch();
        }
    }

    private void watch() {
        timer.stop();
        if (phase.patiences > 0) {
            timer.start(loop(), limit(), this::endLate);
        }
    }

    private Duration limit() {
        return connections.patience().multipliedBy(phase.patiences);
    }

    private void endLate() {
        if (phase == Phase.RECEIVING) {
            refuse(
                    HttpStatus.REQUEST_TIMEOUT,
                    "the rest of the request did not come: expected it within "
                            + connections.patience().toMillis() + " ms");
        } else if (phase == Phase.IDLE) {
            close();
        } else {
            lookAtProgress(context().channel());
        }
    }

    private void lookAtProgress(Channel channel) {
        WriteProgress progress = WriteProgress.of(channel);
        long left = progress.left(channel);
        if (left - leftSeen < LEAST_BYTES) {
            connections.remove(this);
            progress.endUnread(channel, limit().toNanos(), left - leftSeen);
            return;
        }
        leftSeen = left;
        watch();
    }

    void close() {
        connections.remove(this);
        context().close();
    }

    @Override
    public void handlerAdded(ChannelHandlerContext ctx) {
        context = ctx;
    }

    @Override
    public void channelActive(ChannelHandlerContext ctx) {
        connections.add(this);
        watch();
    }

    @Override
    public void channelInactive(ChannelHandlerContext ctx) {
        connections.remove(this);
        timer.stop();
        parser.stop();
        leavePlace();
    }

    @Override
    public void channelRead(ChannelHandlerContext ctx, Object message) {
        ByteBuf in = (ByteBuf) message;
        try {
            if (phase == Phase.IDLE) {
                begin(Phase.RECEIVING);
            }
            parser.parse(in);
            if (phase == Phase.RECEIVING && !parser.isMidRequest()) {
                begin(Phase.IDLE); // it was an empty line
            } else if (phase == Phase.IDLE && parser.isMidRequest()) {
                begin(Phase.RECEIVING); // behind one that was answered at once
            }
        } catch (HttpException e) {
            refuse(e.status(), e.getMessage());
        } finally {
            in.release();
        }
    }

    @Override
    public int head(HttpHead head) throws HttpException {
        if (exchange != null) {
            exchange.closes = true;
            parser.stop();
            return 0;
        }
        begin(Phase.RECEIVING);
        HttpExchange begun = new HttpExchange(0, 0, false, head.method().equals("HEAD"), head.isVersion10());
        begun.closes = head.closes();
        work = router.route(context().channel(), head, begun);
        if (head.contentLength() > MAX_BODY_BYTES) {
            throw new HttpException(
                    HttpStatus.CONTENT_TOO_LARGE, "a body of " + head.contentLength() + " bytes: expected none here");
        }
        exchange = begun;
        if (head.expectsContinue()) {
            begun.closes = true; // the body may come or not: where the next request begins cannot be known
            parser.stop();
            end();
        }
        return MAX_BODY_BYTES;
    }

    @Override
    public void body(ByteBuf in, int bytes) {
        in.skipBytes(bytes);
    }

    @Override
    public void end() {
        HttpExchange asked = exchange;
        if (asked == null || phase != Phase.RECEIVING) {
            return; // of a request that is not read
        }
        HttpServer.Work todo = work;
        work = null;
        if (todo == null) {
            answer(asked);
            return;
        }
        begin(Phase.WORKING);
        if (todo.worker().tryToDo(() -> make(todo, asked))) {
            place = todo.worker();
        } else {
            asked.retryAfterSeconds = RETRY_SECONDS;
            answer(asked, todo.busy());
        }
    }

    /** On the worker's thread. */
    private void make(HttpServer.Work todo, HttpExchange asked) {
        if (!context().channel().isActive()) {
            return; // the client has gone
        }
        HttpServer.Answer response;
        try {
            response = todo.work().get();
        } catch (RuntimeException | Error e) {
            ServerNotices.standardError().say("a request over HTTP could not be answered", e);
            response = HttpServer.Answer.say(HttpStatus.INTERNAL_SERVER_ERROR, "no answer: " + e.getMessage());
        }
        HttpServer.Answer made = response;
        try {
            loop().execute(() -> answer(asked, made));
        } catch (RejectedExecutionException e) {
            // The server has closed, and the connection with it.
        }
    }

    private void answer(HttpExchange asked, HttpServer.Answer response) {
        asked.status = response.status();
        asked.contentType = response.type();
        asked.text = response.text();
        answer(asked);
    }

    private void refuse(HttpStatus status, String sentence) {
        parser.stop();
        if (phase != Phase.RECEIVING) {
            if (exchange != null) {
                exchange.closes = true; // nonsense behind a request that is being answered
            }
            return;
        }
        HttpExchange refused = new HttpExchange(0, 0, false, false, false);
        refused.closes = true;
        refused.say(status, sentence);
        exchange = refused;
        work = null;
        answer(refused);
    }

    private void answer(HttpExchange asked) {
        HttpStatus status = asked.status;
        ChannelHandlerContext ctx = context();
        if (status == null || !ctx.channel().isActive()) {
            leavePlace();
            return;
        }
        leftSeen = WriteProgress.of(ctx.channel()).left(ctx.channel());
        begin(Phase.SENDING);
        ByteBuf out = ctx.alloc().ioBuffer(HttpResponses.MAX_HEAD_BYTES + asked.text.length());
        HttpResponses.writeText(out, asked, status);
        asked.text = "";
        ChannelFuture written = ctx.writeAndFlush(out);
        if (asked.closes) {
            written.addListener(done -> leavePlace());
            LingeringClose.after(ctx.channel(), written);
        } else {
            written.addListener(done -> answered(asked));
        }
    }

    private void answered(HttpExchange asked) {
        leavePlace();
        if (asked.closes) {
            context().close(); // another request came while the answer was sent
            return;
        }
        exchange = null;
        begin(Phase.IDLE);
    }

    private void leavePlace() {
        HttpWorker taken = place;
        place = null;
        if (taken != null) {
            taken.leave();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!(cause instanceof IOException) && !(cause.getCause() instanceof SSLException)) {
            ServerNotices.standardError().say("a connection over HTTP failed and is closed", cause);
        }
        ctx.close();
    }
}
