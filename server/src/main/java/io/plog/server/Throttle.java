package io.plog.server;

import io.netty.channel.Channel;

/**
 * Bounds what one connection may have in the server: stops reading it at a limit and goes on at half of it, so that it
 * does not flutter. Requests that were already read when the limit was reached are still taken. Event loop only.
 */
final class Throttle {
    private final int maxRequests;
    private final int maxBytes;

    private int requests;
    private int bytes;
    private boolean stopped;
    private boolean held;
    private boolean forGood;

    Throttle(ServerOptions options) {
        maxRequests = options.maxOutstanding();
        maxBytes = options.maxOutstandingBytes();
    }

    void began(int frameBytes) {
        requests++;
        bytes += frameBytes;
    }

    void ended(int frameBytes) {
        requests--;
        bytes -= frameBytes;
    }

    /** Whether requests were taken that are not answered. */
    boolean hasOutstanding() {
        return requests > 0;
    }

    /** Stops or goes on as the numbers and the socket's write buffer say. */
    void update(Channel channel) {
        if (forGood || held) {
            return;
        }
        if (!stopped && (requests >= maxRequests || bytes >= maxBytes || !channel.isWritable())) {
            stopped = true;
            channel.config().setAutoRead(false);
        } else if (stopped && requests <= maxRequests / 2 && bytes <= maxBytes / 2 && channel.isWritable()) {
            stopped = false;
            channel.config().setAutoRead(true);
        }
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

    /** Reads no more, whatever happens. */
    void stop(Channel channel) {
        forGood = true;
        stopped = true;
        channel.config().setAutoRead(false);
    }

    boolean isStopped() {
        return stopped;
    }
}
