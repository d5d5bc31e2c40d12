package io.plog.server.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.channel.IoHandlerFactory;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.plog.server.options.ServerStartException;
import io.plog.server.options.TransportOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which transport event loops get when the machine refuses some. */
class EventLoopsTest {
    private static final Supplier<IoHandlerFactory> WORKS = NioIoHandler::newFactory;

    private final List<EventLoops> opened = new ArrayList<>();

    @AfterEach
    void close() {
        opened.forEach(loops ->
                loops.group().shutdownGracefully(0, 5, TimeUnit.SECONDS).awaitUninterruptibly());
    }

    private static Transport transport(
            TransportOption option, @Nullable Throwable unavailable, Supplier<IoHandlerFactory> handlers) {
        return new Transport(option, () -> unavailable, handlers, NioServerSocketChannel.class);
    }

    private EventLoops open(TransportOption asked, Transport... transports) throws ServerStartException {
        EventLoops loops = EventLoops.open(asked, 2, List.of(transports), new EventLoopChooser());
        opened.add(loops);
        return loops;
    }

    @Test
    void whatIsAskedForIsUsedWhereTheMachineOffersIt() throws Exception {
        EventLoops loops = open(
                TransportOption.IO_URING,
                transport(TransportOption.IO_URING, null, WORKS),
                transport(TransportOption.EPOLL, null, WORKS));
        assertThat(loops.transport()).isEqualTo(TransportOption.IO_URING);
        assertThat(loops.refused()).isEmpty();
    }

    @Test
    void whatAKernelOrASandboxRefusesIsPassedOverAndReported() throws Exception {
        Throwable refusal = new UnsatisfiedLinkError("failed to load");
        refusal.initCause(new IllegalStateException("io_uring_setup: Operation not permitted"));
        EventLoops loops = open(
                TransportOption.IO_URING,
                transport(TransportOption.IO_URING, refusal, WORKS),
                transport(TransportOption.EPOLL, null, WORKS),
                transport(TransportOption.NIO, null, WORKS));
        assertThat(loops.transport()).isEqualTo(TransportOption.EPOLL);
        assertThat(loops.refused())
                .isEqualTo("io_uring is not available here: io_uring_setup: Operation not permitted");
    }

    /** It may be offered, and refused when a loop asks for its memory. */
    @Test
    void whatIsRefusedWhenALoopIsMadeIsPassedOverAndReported() throws Exception {
        EventLoops loops = open(
                TransportOption.IO_URING,
                transport(TransportOption.IO_URING, null, () -> executor -> {
                    throw new IllegalStateException("Cannot allocate memory");
                }),
                transport(TransportOption.EPOLL, null, WORKS));
        assertThat(loops.transport()).isEqualTo(TransportOption.EPOLL);
        assertThat(loops.refused()).contains("io_uring", "Cannot allocate memory");
    }

    @Test
    void whereNoneIsAskedForTheFirstThatIsOfferedServesWithoutAWord() throws Exception {
        EventLoops loops = open(
                TransportOption.AUTO,
                transport(TransportOption.IO_URING, new IllegalStateException("forbidden"), WORKS),
                transport(TransportOption.EPOLL, null, WORKS));
        assertThat(loops.transport()).isEqualTo(TransportOption.EPOLL);
        assertThat(loops.refused()).isEmpty();
    }

    @Test
    void withoutAnyTransportTheServerDoesNotStartAndSaysWhy() {
        assertThatThrownBy(() -> open(
                        TransportOption.AUTO,
                        transport(TransportOption.EPOLL, new IllegalStateException("no epoll"), WORKS),
                        transport(TransportOption.NIO, new IllegalStateException("Too many open files"), WORKS)))
                .isInstanceOf(ServerStartException.class)
                .hasMessage("epoll is not available here: no epoll; nio is not available here: Too many open files");
    }
}
