package io.plog.server.net;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.IoRegistration;
import io.netty.channel.SelectStrategy;
import io.netty.channel.SelectStrategyFactory;
import io.netty.util.concurrent.ThreadAwareExecutor;

/**
 * Gives an event loop's transport a strategy for waiting, where Netty gives it none: io_uring. The strategy is asked before each turn,
 * as epoll and the selectors ask it. For its event loop only, but for {@link #wakeup}.
 */
final class WaitingIoHandler implements IoHandler {
    private final IoHandler transport;
    private final SelectStrategy wait;

    private WaitingIoHandler(IoHandler transport, SelectStrategy wait) {
        this.transport = transport;
        this.wait = wait;
    }

    /** Makes the same handlers, which wait as the strategy says. */
    static IoHandlerFactory factory(IoHandlerFactory transport, SelectStrategyFactory wait) {
        return new IoHandlerFactory() {
            @Override
            public IoHandler newHandler(ThreadAwareExecutor executor) {
                return new WaitingIoHandler(transport.newHandler(executor), wait.newSelectStrategy());
            }

            @Override
            public boolean isChangingThreadSupported() {
                return transport.isChangingThreadSupported();
            }
        };
    }

    @Override
    public int run(IoHandlerContext context) {
        int looked;
        try {
            looked = wait.calculateStrategy(() -> transport.run(new Looking(context)), !context.canBlock());
        } catch (RuntimeException e) {
            throw e;
        } catch (Exception e) {
            throw new IllegalStateException("a strategy for waiting failed", e);
        }
        return looked == SelectStrategy.SELECT ? transport.run(context) : looked;
    }

    /** A turn that does not wait. */
    private record Looking(IoHandlerContext context) implements IoHandlerContext {
        @Override
        public boolean canBlock() {
            return false;
        }

        @Override
        public long delayNanos(long currentTimeNanos) {
            return context.delayNanos(currentTimeNanos);
        }

        @Override
        public long deadlineNanos() {
            return context.deadlineNanos();
        }

        @Override
        public void reportActiveIoTime(long activeNanos) {
            context.reportActiveIoTime(activeNanos);
        }

        @Override
        public boolean shouldReportActiveIoTime() {
            return context.shouldReportActiveIoTime();
        }
    }

    @Override
    public void initialize() {
        transport.initialize();
    }

    @Override
    public void prepareToDestroy() {
        transport.prepareToDestroy();
    }

    @Override
    public void destroy() {
        transport.destroy();
    }

    @Override
    public IoRegistration register(IoHandle handle) throws Exception {
        return transport.register(handle);
    }

    @Override
    public void wakeup() {
        transport.wakeup();
    }

    @Override
    public boolean isCompatible(Class<? extends IoHandle> handleType) {
        return transport.isCompatible(handleType);
    }
}
