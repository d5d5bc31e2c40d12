package io.plog.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Counts what a connection's kernel has taken, which distinguishes a client that reads slowly from one that does not read. How much waits says
 * nothing of that: with replies of one length it is the same again and again. First in its pipeline. Event loop only.
 */
public final class WriteProgress extends ChannelOutboundHandlerAdapter {
    private final Consumer<String> ended;
    private long written; // as the channel's buffer counts, which adds some bytes for each message

    /** @param ended receives the reason when {@link #endUnread} closes the connection */
    WriteProgress(Consumer<String> ended) {
        this.ended = ended;
    }

    /** That of a connection which {@link TransportSecurity} let in. */
    public static WriteProgress of(Channel channel) {
        return channel.pipeline().get(WriteProgress.class);
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // the promise says what became of it
    public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
        long before = waiting(ctx.channel());
        ctx.write(message, promise);
        written += waiting(ctx.channel()) - before;
    }

    /** Bytes that have left so far: any two of these differ if anything left in between. */
    public long left(Channel channel) {
        return written - waiting(channel);
    }

    private static long waiting(Channel channel) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes() - buffer.currentProgress();
    }

    /**
     * Closes the connection without a word to the client, which would wait behind what it does not read.
     *
     * @param nanos how long it took so little, at least
     * @param bytes what has left in that time
     */
    @SuppressWarnings("FutureReturnValueIgnored") // nobody waits for it
    public void endUnread(Channel channel, long nanos, long bytes) {
        ended.accept("in " + TimeUnit.NANOSECONDS.toMillis(nanos) + " ms it took " + bytes + " bytes of its replies");
        channel.close();
    }
}
