package io.plog.server.service;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Answers with zeros, and throws at payloads of five bytes. */
public final class BreakingService implements Service {
    private final boolean stateless;

    public BreakingService(boolean stateless) {
        this.stateless = stateless;
    }

    @Override
    public String name() {
        return "breaking";
    }

    @Override
    public boolean isStateless() {
        return stateless;
    }

    @Override
    public void execute(ByteBuf request, int from, ByteBuf reply, int to, int length) {
        if (length == 5) {
            throw new IllegalStateException("half done");
        }
        reply.setZero(to, length);
    }

    @Override
    public Snapshot snapshot() {
        return () -> ByteBuffer.allocate(0);
    }

    @Override
    public void restore(ByteBuffer state) {}
}
