package io.plog.server.connection;

import io.netty.channel.Channel;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Incoming;
import io.plog.server.net.FairTimer;
import io.plog.server.net.WriteProgress;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Ends connections that hold the server up: no HELLO, a frame of which hardly anything comes, replies of which nothing leaves for the
 * client. Slow ones go on, and one that is idle between frames may stay.
 *
 * <p>It looks once in a patience, and ends a connection in which nothing has happened since the look before. So it costs nothing per
 * request, and grants between one and two patiences. Event loop only.
 */
public final class Watchdog {
    /** A connection, as the watchdog sees it. */
    interface Watched {
        boolean hasGreeted();

        /** Whether the server itself does not read it. */
        boolean isThrottled();

        /** Says why, if it still can, and closes. */
        void sayGoodbye(GoodbyeCode code, String reason);
    }

    /** A frame goes on if so much more of it has come. One that comes a byte at a time holds memory for nothing. */
    static final int LEAST_BYTES = 4 * 1024;

    private final Incoming incoming;
    private final Duration patience;
    private final LongSupplier nanoClock;
    private final FairTimer timer;

    private long framesSeen = -1;
    private boolean wasMidFrame;
    private long receivedSeen;
    private boolean wasUnread;
    private long leftSeen;
    private long leftNanos; // when that was first seen

    Watchdog(Incoming incoming, Duration patience, LongSupplier nanoClock) {
        this.incoming = incoming;
        this.patience = patience;
        this.nanoClock = nanoClock;
        this.timer = new FairTimer(nanoClock);
    }

    void start(Channel channel, Watched connection) {
        timer.start(channel.eventLoop(), patience, () -> {
            start(channel, connection);
            look(channel, connection);
        });
    }

    void stop() {
        timer.stop();
    }

    private void look(Channel channel, Watched connection) {
        if (!connection.hasGreeted()) {
            connection.sayGoodbye(GoodbyeCode.IDLE, "no HELLO within " + patience.toMillis() + " ms");
            return;
        }
        // A frame that we do not read because we throttle the connection is not its sender's fault.
        boolean midFrame = incoming.isMidFrame() && !connection.isThrottled();
        if (midFrame
                && wasMidFrame
                && incoming.frames() == framesSeen
                && incoming.receivedBytes() - receivedSeen < LEAST_BYTES) {
            connection.sayGoodbye(
                    GoodbyeCode.IDLE,
                    "a frame stayed unfinished, and less than " + LEAST_BYTES + " bytes of it came in "
                            + patience.toMillis() + " ms");
            return;
        }
        wasMidFrame = midFrame;
        framesSeen = incoming.frames();
        receivedSeen = incoming.receivedBytes();

        long left = WriteProgress.of(channel).left(channel);
        boolean unread = !channel.isWritable();
        if (!unread || !wasUnread || left != leftSeen) {
            leftNanos = nanoClock.getAsLong();
        } else {
            WriteProgress.of(channel).endUnread(channel, nanoClock.getAsLong() - leftNanos, 0);
        }
        wasUnread = unread;
        leftSeen = left;
    }
}
