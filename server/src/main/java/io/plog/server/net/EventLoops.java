package io.plog.server.net;

import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.ThreadPerTaskExecutor;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TransportOption;
import java.util.ArrayList;
import java.util.List;

/**
 * The event loops of a server, on the transport that was asked for or on the next that the machine offers: a kernel or a sandbox may
 * refuse one, or may refuse it only when a loop is made.
 *
 * @param group the loops
 * @param accepting the first of the loops, that ports listen on
 * @param transport what they wait with; not {@link TransportOption#AUTO}
 * @param serverChannel of ports that they listen on
 * @param refused why the transport that was asked for is not used, a sentence without an end; "" if it is or none was asked for
 */
public record EventLoops(
        EventLoopGroup group,
        EventLoop accepting,
        TransportOption transport,
        Class<? extends ServerChannel> serverChannel,
        String refused) {
    private static final int PAGE_BYTES = 8_192;

    /** A chunk of buffers is 4 MiB: it holds the frames of the longest payload by default, and several of them. */
    private static final int CHUNK_ORDER = 9;

    /** Buffers of each small size, and of each up to 32 KiB, that a thread keeps for itself. */
    private static final int SMALL_KEPT = 256;

    private static final int NORMAL_KEPT = 64;

    /**
     * Where the buffers of so many loops come from: a pool that gives a chunk back when nothing of it is in use any more. Netty's
     * default, the adaptive one, keeps what a burst has taken for as long as the process lives.
     */
    public static ByteBufAllocator allocator(int threads) {
        return new PooledByteBufAllocator(true, 1, threads, PAGE_BYTES, CHUNK_ORDER, SMALL_KEPT, NORMAL_KEPT, false);
    }

    /**
     * Makes the loops. Their threads begin when they have something to do.
     *
     * @param asked which transport
     * @param threads how many loops serve connections, at least 1; one more is made, which accepts
     * @param chooser gives connections to loops
     * @throws ServerStartException if neither it nor one after it can be had
     */
    public static EventLoops open(TransportOption asked, int threads, EventLoopChooser chooser)
            throws ServerStartException {
        return open(asked, threads, Transport.all(), chooser);
    }

    /** Tries these transports one after the other. */
    static EventLoops open(TransportOption asked, int threads, List<Transport> transports, EventLoopChooser chooser)
            throws ServerStartException {
        List<String> refused = new ArrayList<>();
        for (Transport transport : transports) {
            if (transport.option().compareTo(asked) < 0) {
                continue;
            }
            Throwable cause = transport.unavailable().get();
            if (cause == null) {
                try {
                    String reported = asked == TransportOption.AUTO ? "" : String.join("; ", refused);
                    return of(transport, threads, chooser, reported);
                } catch (RuntimeException | LinkageError e) {
                    cause = e;
                }
            }
            refused.add(transport.option().label() + " is not available here: " + reasonOf(cause));
        }
        throw new ServerStartException(String.join("; ", refused));
    }

    private static EventLoops of(Transport transport, int threads, EventLoopChooser chooser, String refused) {
        EventLoopGroup group = new MultiThreadIoEventLoopGroup(
                threads + 1,
                new ThreadPerTaskExecutor(new DefaultThreadFactory("plog-io", true)),
                chooser,
                transport.handlers().get());
        EventLoop first = (EventLoop) group.iterator().next();
        return new EventLoops(group, first, transport.option(), transport.serverChannel(), refused);
    }

    /** The message of the first cause, which says what the operating system said. */
    private static String reasonOf(Throwable failure) {
        Throwable first = failure;
        for (Throwable cause = first.getCause(); cause != null; cause = cause.getCause()) {
            first = cause;
        }
        String message = first.getMessage();
        return message == null
                ? first.getClass().getSimpleName()
                : message.lines().findFirst().orElse("");
    }
}
