package io.plog.server.connection;

import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.plog.protocol.Incoming;
import io.plog.server.options.ServerOptions;
import java.util.concurrent.TimeUnit;

/**
 * Bounds what one connection may have in the server: stops reading it at a limit and continues at half of it, so that it
 * does not flutter; and when all connections together have too much, see {@link MemoryBudget}. Requests that were already read
 * when the limit was reached are still taken. Event loop only.
 */
final class Throttle {
    /** The memory of a request besides its bytes and those of its reply. */
    static final int BYTES_FOR_A_REQUEST = 512;

    private final int maxRequests;
    private final int maxBytes;
    private final Incoming incoming;
    private final MemoryBudget budget;
    private MemoryBudget.Share share;

    private int requests;
    private int bytes;
    private boolean stopped;
    private boolean held;
    private boolean forGood;
    private boolean ended;
    private boolean asksAgain;

    /** @param incoming knows the memory that requests under way do not take */
    @SuppressWarnings("NullAway") // the share is there once the connection is, see begin
    Throttle(ServerOptions options, MemoryBudget budget, Incoming incoming) {
        maxRequests = options.maxOutstanding();
        maxBytes = options.maxOutstandingBytes();
        this.budget = budget;
        this.incoming = incoming;
    }

    /** The connection has this channel from now on; {@code giveWay} drops its frame for others. */
    void begin(Channel channel, Runnable giveWay) {
        share = budget.share(channel.eventLoop(), () -> update(channel), giveWay);
    }

    void began(int frameBytes) {
        requests++;
        bytes += frameBytes;
    }

    void ended(int frameBytes) {
        requests--;
        bytes -= frameBytes;
    }

    int outstanding() {
        return requests;
    }

    /** Stops or resumes reading, by the counts, the socket's write buffer and the other connections. */
    void update(Channel channel) {
        // A request and its reply are equally long.
        long taken = 2L * bytes + (long) requests * BYTES_FOR_A_REQUEST;
        if (ended) {
            share.updateLast(taken);
            return;
        }
        boolean writable = channel.isWritable();
        long unread = writable ? 0 : unread(channel);
        long received = 2L * incoming.receivedBytes();
        long toCome = 2L * incoming.unfinishedBytes() - received;
        boolean isFirst = requests == 0 && unread == 0;
        boolean room =
                share.update(taken + unread + incoming.heldBytes(), received, toCome, incoming.frames(), isFirst);
        if (!room && toCome > 0 && !asksAgain && !channel.eventLoop().isShuttingDown()) {
            lookAgain(channel);
        }
        if (forGood || held) {
            return;
        }
        if (!stopped && (!room || requests >= maxRequests || bytes >= maxBytes || !writable)) {
            stopped = true;
            channel.config().setAutoRead(false);
        } else if (stopped && room && requests <= maxRequests / 2 && bytes <= maxBytes / 2 && writable) {
            stopped = false;
            channel.config().setAutoRead(true);
        }
    }

    /** Whether one that stands still has to give way is to be asked again, though nothing happens here. */
    @SuppressWarnings("FutureReturnValueIgnored") // the timer's result says nothing
    private void lookAgain(Channel channel) {
        asksAgain = true;
        channel.eventLoop()
                .schedule(
                        () -> {
                            asksAgain = false;
                            update(channel);
                        },
                        MemoryBudget.STILL_NANOS,
                        TimeUnit.NANOSECONDS);
    }

    private static long unread(Channel channel) {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null ? 0 : buffer.totalPendingWriteBytes();
    }

    /** Updates it if there may be less than was counted. */
    void settle(Channel channel) {
        if (share.isCharged() || incoming.receivedBytes() > MemoryBudget.FREE_BYTES / 2) {
            update(channel);
        }
    }

    /** The connection has ended: only its requests under way still count. */
    void end(Channel channel) {
        ended = true;
        update(channel);
    }

    /** Does not read before {@link #release}. */
    void hold(Channel channel) {
        held = true;
        stopped = true;
        channel.config().setAutoRead(false);
    }

    /** Reads from now on, unless there is another reason not to. */
    void release(Channel channel) {
        held = false;
        update(channel);
    }

    void stop(Channel channel) {
        forGood = true;
        stopped = true;
        channel.config().setAutoRead(false);
    }

    boolean isStopped() {
        return stopped;
    }
}
