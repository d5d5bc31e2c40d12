package io.plog.server.net;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SelectStrategyFactory;
import io.netty.channel.ServerChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TransportOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The event loops of a server, on the transport that was asked for or on the next that the machine offers: a kernel or a sandbox may
 * refuse one, or may refuse it only when a loop is made.
 *
 * @param group the loops
 * @param accepting the loops that ports listen on: those of the group, or one of them
 * @param transport what they wait with; not {@link TransportOption#AUTO}
 * @param serverChannel of ports that they listen on
 * @param refused why what was asked for is not used, a sentence without an end; "" if it is
 */
public record EventLoops(
        EventLoopGroup group,
        EventLoopGroup accepting,
        TransportOption transport,
        Class<? extends ServerChannel> serverChannel,
        String refused) {

    /**
     * Makes the loops. Their threads begin when they have something to do.
     *
     * @param asked which transport
     * @param threads one for each loop, at least 1
     * @param wait how the loops wait
     * @param atDisk if not null, one more loop is made, which accepts and never waits for a disk, while one of the others may
     * @throws ServerStartException if neither it nor one after it can be had
     */
    public static EventLoops open(
            TransportOption asked, int threads, SelectStrategyFactory wait, @Nullable LoopAtDisk atDisk)
            throws ServerStartException {
        return open(asked, threads, Transport.all(wait), atDisk);
    }

    /** The same with these transports, the next after each one that may be refused. */
    static EventLoops open(TransportOption asked, int threads, List<Transport> transports, @Nullable LoopAtDisk atDisk)
            throws ServerStartException {
        TransportOption first = asked == TransportOption.AUTO ? TransportOption.EPOLL : asked;
        List<String> refused = new ArrayList<>();
        for (Transport transport : transports) {
            if (transport.option().compareTo(first) < 0) {
                continue;
            }
            Throwable cause = transport.unavailable().get();
            if (cause == null) {
                try {
                    return of(transport, threads, atDisk, String.join("; ", refused));
                } catch (RuntimeException | LinkageError e) {
                    cause = e;
                }
            }
            refused.add(transport.option().label() + " is not available here: " + reasonOf(cause));
        }
        throw new ServerStartException(String.join("; ", refused));
    }

    private static EventLoops of(Transport transport, int threads, @Nullable LoopAtDisk atDisk, String refused) {
        if (atDisk == null) {
            EventLoopGroup group = group(transport, threads);
            return new EventLoops(group, group, transport.option(), transport.serverChannel(), refused);
        }
        SpareLoopGroup group = new SpareLoopGroup(group(transport, threads + 1), atDisk);
        return new EventLoops(group, group.spare(), transport.option(), transport.serverChannel(), refused);
    }

    private static EventLoopGroup group(Transport transport, int threads) {
        return new MultiThreadIoEventLoopGroup(
                threads,
                new DefaultThreadFactory("plog-io", true),
                transport.handlers().get());
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
