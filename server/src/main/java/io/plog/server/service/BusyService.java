package io.plog.server.service;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/**
 * Another service whose requests take time, and that may be set to execute only after the force: to measure what executing
 * during the force saves (Zhao, figure 2.13, (a) against executing one after the other). It spins, as work would.
 */
public final class BusyService implements Service {
    private final Service service;
    private final long busyNanos;
    private final boolean afterForce;

    /** @param afterForce whether a stateless service waits for the force, too; one with state always does */
    public BusyService(Service service, long busyNanos, boolean afterForce) {
        this.service = service;
        this.busyNanos = busyNanos;
        this.afterForce = afterForce;
    }

    private void spin() {
        long end = System.nanoTime() + busyNanos;
        while (System.nanoTime() - end < 0) {
            Thread.onSpinWait();
        }
    }

    /** That of the service itself: its answers and its state are the same. */
    @Override
    public String name() {
        return service.name();
    }

    @Override
    public boolean isStateless() {
        return service.isStateless();
    }

    @Override
    public boolean executesAfterForce() {
        return afterForce || service.executesAfterForce();
    }

    @Override
    public void execute(ByteBuf request, int from, ByteBuf reply, int to, int length) {
        spin();
        service.execute(request, from, reply, to, length);
    }

    @Override
    public boolean takesReads() {
        return service.takesReads();
    }

    @Override
    public boolean mayRead(ByteBuf request, int from, int length) {
        return service.mayRead(request, from, length);
    }

    @Override
    public void read(ByteBuf request, int from, ByteBuf reply, int to, int length) {
        spin();
        service.read(request, from, reply, to, length);
    }

    @Override
    public Snapshot snapshot() {
        return service.snapshot();
    }

    @Override
    public void restore(ByteBuffer state) {
        service.restore(state);
    }
}
