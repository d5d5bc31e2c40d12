package io.plog.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import java.time.Duration;

/**
 * Ends a connection so that the client can read why. Closing a socket that still has unread input resets it, and a reset
 * destroys what the client has not read; so after the GOODBYE only the sending half is closed, input is read and dropped,
 * and the rest follows when the client closes, or when nothing has left for it in a second.
 */
@SuppressWarnings("FutureReturnValueIgnored") // every way ends in a close
public final class LingeringClose {
    private static final Duration LINGER = Duration.ofSeconds(1);

    private LingeringClose() {}

    /** Writes a GOODBYE and closes. Called on the channel's event loop. */
    public static void withGoodbye(Channel channel, GoodbyeCode code, String reason) {
        ByteBuf frame = channel.alloc().ioBuffer();
        new Goodbye(code, reason).encode(frame);
        after(channel, channel.writeAndFlush(frame));
        closeSoon(channel); // also if the client reads nothing, so that it is never written
    }

    /** Closes in this way once something was written, however long that takes: a slow client gets the whole of its last answer. */
    public static void after(Channel channel, ChannelFuture farewell) {
        farewell.addListener((ChannelFutureListener) written -> {
            if (!written.isSuccess() || !(channel instanceof DuplexChannel duplex)) {
                channel.close();
                return;
            }
            SslHandler tls = channel.pipeline().get(SslHandler.class);
            if (tls == null) {
                duplex.shutdownOutput();
            } else {
                tls.closeOutbound()
                        .addListener(said -> duplex.shutdownOutput()); // or the client takes it for an attack
            }
            channel.config().setAutoRead(true);
            closeSoon(channel);
        });
    }

    private static void closeSoon(Channel channel) {
        WriteProgress progress = WriteProgress.of(channel);
        long left = progress.left(channel);
        FairTimer timer = new FairTimer(System::nanoTime);
        timer.start(channel.eventLoop(), LINGER, () -> {
            if (progress.left(channel) == left) {
                channel.close();
            } else {
                closeSoon(channel);
            }
        });
        channel.closeFuture().addListener(closed -> timer.stop());
    }
}
