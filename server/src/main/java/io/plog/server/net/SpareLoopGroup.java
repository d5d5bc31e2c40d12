package io.plog.server.net;

import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelPromise;
import io.netty.channel.DefaultChannelPromise;
import io.netty.channel.EventLoop;
import io.netty.channel.EventLoopGroup;
import io.netty.util.concurrent.AbstractEventExecutorGroup;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.concurrent.Future;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * Event loops of which one is spare: ports listen on it, and it never waits for a disk. Connections go to the others in turn. If the
 * only other one waits for a disk, a connection waits until it comes back, and if that takes long, which means that the disk is
 * stalled, the spare loop serves the connection itself.
 */
@SuppressWarnings({"FutureReturnValueIgnored", "deprecation"
}) // outcomes are reported to the channel's promise; old methods of the interface
final class SpareLoopGroup extends AbstractEventExecutorGroup implements EventLoopGroup {
    /** As long as a hundred forces, and too short to be noticed by who connects. */
    private static final long PATIENCE_MILLIS = 10;

    private final EventLoopGroup all;
    private final EventLoop spare;
    private final List<EventLoop> serving = new ArrayList<>();
    private final LoopAtDisk atDisk;

    // Of the spare loop.
    private final List<ChannelPromise> waiting = new ArrayList<>();
    private int next;
    private boolean closing;

    /** @param all at least two loops; the first is the spare one */
    SpareLoopGroup(EventLoopGroup all, LoopAtDisk atDisk) {
        this.all = all;
        this.atDisk = atDisk;
        Iterator<EventExecutor> loops = all.iterator();
        this.spare = (EventLoop) loops.next();
        loops.forEachRemaining(loop -> serving.add((EventLoop) loop));
        if (serving.isEmpty()) {
            throw new IllegalArgumentException("one event loop: expected at least two, of which one is spare");
        }
        atDisk.spare(spare, this::callBack);
    }

    private void callBack() {
        try {
            spare.execute(this::assignWaiting);
        } catch (RejectedExecutionException e) {
            return; // the server has ended, and those that waited were refused
        }
    }

    /** The loop on which ports listen. */
    EventLoop spare() {
        return spare;
    }

    @Override
    public ChannelFuture register(ChannelPromise promise) {
        atDisk.announce();
        promise.addListener(settled -> atDisk.settled());
        if (spare.inEventLoop()) {
            assign(promise);
        } else {
            spare.execute(() -> assign(promise));
        }
        return promise;
    }

    private void assign(ChannelPromise promise) {
        if (closing) {
            promise.tryFailure(new ClosedChannelException()); // who accepted the channel closes it then
        } else if (!tryAssign(promise)) {
            waiting.add(promise);
            spare.schedule(() -> takeOver(promise), PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        }
    }

    private boolean tryAssign(ChannelPromise promise) {
        for (int i = 0; i < serving.size(); i++) {
            EventLoop loop = serving.get(next);
            next = (next + 1) % serving.size();
            if (!atDisk.isAway(loop)) {
                loop.register(promise);
                return true;
            }
        }
        return false;
    }

    /** The loop has come back. It does not leave again while a connection is announced, so all find one. */
    private void assignWaiting() {
        waiting.removeIf(this::tryAssign);
    }

    private void refuseWaiting() {
        closing = true;
        waiting.forEach(promise -> promise.tryFailure(new ClosedChannelException()));
        waiting.clear();
    }

    private void takeOver(ChannelPromise promise) {
        if (waiting.remove(promise)) {
            spare.register(promise);
        }
    }

    @Override
    public ChannelFuture register(Channel channel) {
        return register(new DefaultChannelPromise(channel, spare));
    }

    @Override
    public ChannelFuture register(Channel channel, ChannelPromise promise) {
        return register(promise);
    }

    @Override
    public EventLoop next() {
        return serving.get(0);
    }

    @Override
    public Iterator<EventExecutor> iterator() {
        return all.iterator();
    }

    @Override
    public boolean isShuttingDown() {
        return all.isShuttingDown();
    }

    @Override
    public Future<?> shutdownGracefully(long quietPeriod, long timeout, TimeUnit unit) {
        if (!all.isShuttingDown()) {
            spare.execute(this::refuseWaiting);
        }
        return all.shutdownGracefully(quietPeriod, timeout, unit);
    }

    @Override
    public Future<?> terminationFuture() {
        return all.terminationFuture();
    }

    @Override
    public void shutdown() {
        all.shutdown();
    }

    @Override
    public boolean isShutdown() {
        return all.isShutdown();
    }

    @Override
    public boolean isTerminated() {
        return all.isTerminated();
    }

    @Override
    public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
        return all.awaitTermination(timeout, unit);
    }
}
