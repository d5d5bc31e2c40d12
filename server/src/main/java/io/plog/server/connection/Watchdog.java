package io.plog.server.connection;

import io.netty.channel.ChannelHandlerContext;
import io.netty.util.concurrent.Future;
import io.plog.protocol.FrameDecoder;
import io.plog.protocol.GoodbyeCode;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ends connections that hold the server up: no HELLO, an unfinished frame, replies that the client does not read. A connection
 * that is idle between frames may stay.
 *
 * <p>It looks once in a patience, and ends a connection that it has seen twice in the same state. So it costs nothing per request,
 * and grants between one and two patiences. Event loop only.
 */
public final class Watchdog {
    /** A connection, as the watchdog sees it. */
    interface Watched {
        boolean hasGreeted();

        /** Whether the server itself does not read it. */
        boolean isThrottled();

        /** Says why, if it still can, and closes. */
        void sayGoodbye(GoodbyeCode code, String reason);

        /** Closes it without a word: it reads nothing, so a GOODBYE would wait behind the replies. */
        void closeUnread();
    }

    /** What takes a connection's bytes apart. */
    public interface Incoming {
        /** Whether a frame, or a request, has begun and not ended. */
        boolean isMidFrame();

        /** How many whole ones there have been. */
        long frames();

        /** How long the one that has begun will be; 0 if none has. */
        long unfinishedBytes();

        /** How much of it is there. */
        long receivedBytes();

        /** Bytes of requests and answers that wait here for their turn. */
        long heldBytes();

        /** Drops what has begun, and all that follows: the connection ends. */
        void drop();

        /** Frames of the binary protocol. */
        static Incoming of(FrameDecoder decoder) {
            return new Incoming() {
                @Override
                public boolean isMidFrame() {
                    return decoder.isMidFrame();
                }

                @Override
                public long frames() {
                    return decoder.frames();
                }

                @Override
                public long unfinishedBytes() {
                    return decoder.unfinishedBytes();
                }

                @Override
                public long receivedBytes() {
                    return decoder.receivedBytes();
                }

                @Override
                public long heldBytes() {
                    return 0;
                }

                @Override
                public void drop() {
                    decoder.drop();
                }
            };
        }
    }

    private final Incoming incoming;
    private final Duration patience;

    private @Nullable Future<?> timer;
    private long framesSeen = -1;
    private boolean wasMidFrame;
    private long unreadSeen;

    Watchdog(Incoming incoming, Duration patience) {
        this.incoming = incoming;
        this.patience = patience;
    }

    void start(ChannelHandlerContext ctx, Watched connection) {
        timer = ctx.executor()
                .scheduleAtFixedRate(
                        () -> look(ctx, connection), patience.toNanos(), patience.toNanos(), TimeUnit.NANOSECONDS);
    }

    void stop() {
        if (timer != null) {
            timer.cancel(false);
        }
    }

    private void look(ChannelHandlerContext ctx, Watched connection) {
        if (!connection.hasGreeted()) {
            connection.sayGoodbye(GoodbyeCode.IDLE, "no HELLO within " + patience.toMillis() + " ms");
            return;
        }
        // A frame that we do not read because we throttle the connection is not its sender's fault.
        boolean midFrame = incoming.isMidFrame() && !connection.isThrottled();
        if (midFrame && wasMidFrame && incoming.frames() == framesSeen) {
            connection.sayGoodbye(
                    GoodbyeCode.IDLE, "a frame stayed unfinished for more than " + patience.toMillis() + " ms");
            return;
        }
        long unread = ctx.channel().isWritable() ? 0 : ctx.channel().bytesBeforeWritable();
        if (unread > 0 && unread == unreadSeen) {
            connection.closeUnread();
            return;
        }
        wasMidFrame = midFrame;
        framesSeen = incoming.frames();
        unreadSeen = unread;
    }
}
