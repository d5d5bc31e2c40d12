package io.plog.server.net;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.plog.server.monitoring.ServerMeters;
import io.plog.server.monitoring.ServerNotices;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps a port open when a connection cannot be accepted, most often because the process has no file descriptor left: accepting
 * pauses and is tried again {@value #PAUSE_MILLIS} ms later. Waiting clients stay in the kernel's queue, and connected ones
 * are served as before. One line on standard error says that it began, another that it ended.
 *
 * <p>The first handler of a listening channel. Failures end here: what Netty would do behind it is to log through a framework that
 * may need a file itself, whose failure then ends the event loop.
 *
 * <p>Event loop only, but for {@link #problem}.
 */
@SuppressWarnings("FutureReturnValueIgnored") // the timer's result says nothing
public final class AcceptGuard extends ChannelInboundHandlerAdapter {
    static final long PAUSE_MILLIS = 100;

    /** The problem is over when accepting has not failed for this long. */
    static final long CALM_MILLIS = 1_000;

    private final String port;
    private final ServerMeters meters;
    private final ServerNotices notices;
    private final LongSupplier nanoClock;

    private volatile @Nullable String problem;
    private long sinceNanos;
    private long lastFailureNanos;
    private long failures;

    /** @param port which it is, for a sentence */
    public AcceptGuard(String port, ServerMeters meters, ServerNotices notices, LongSupplier nanoClock) {
        this.port = port;
        this.meters = meters;
        this.notices = notices;
        this.nanoClock = nanoClock;
    }

    /** Why no connection is accepted now, a part of a sentence; {@code null} if they are. For any thread. */
    public @Nullable String problem() {
        return problem;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
        if (!ctx.channel().isOpen()) {
            return; // the server closes
        }
        ctx.channel().config().setAutoRead(false);
        meters.acceptFailed();
        failures++;
        lastFailureNanos = nanoClock.getAsLong();
        if (problem == null) {
            sinceNanos = lastFailureNanos;
            problem = sentence(port, cause);
            look(ctx);
            notices.say(
                    problem + "; those who connect wait, and those who are connected are served. If it lasts, raise the"
                            + " limit of open files (ulimit -n) or lower --max-connections");
        }
    }

    private static String sentence(String port, Throwable cause) {
        String message = cause.getMessage();
        return "no connection is accepted on the " + port + " (" + (message == null ? cause.toString() : message) + ")";
    }

    private void look(ChannelHandlerContext ctx) {
        ctx.executor().schedule(() -> tryAgain(ctx), PAUSE_MILLIS, TimeUnit.MILLISECONDS);
    }

    private void tryAgain(ChannelHandlerContext ctx) {
        if (!ctx.channel().isOpen()) {
            return;
        }
        long now = nanoClock.getAsLong();
        if (now - lastFailureNanos >= TimeUnit.MILLISECONDS.toNanos(CALM_MILLIS)) {
            problem = null;
            notices.say("connections are accepted again on the " + port + ": it had failed " + failures + " times in "
                    + TimeUnit.NANOSECONDS.toMillis(lastFailureNanos - sinceNanos) + " ms");
            failures = 0;
            return;
        }
        look(ctx);
        ctx.channel().config().setAutoRead(true);
    }
}
