package io.plog.server.service;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;

/** Has state, of which a snapshot holds nothing, and answers with zeros: a test overrides what it is about. */
public class TestService implements Service {
    @Override
    public String name() {
        return "test";
    }

    @Override
    public boolean isStateless() {
        return false;
    }

    @Override
    public void execute(ByteBuf request, int from, ByteBuf reply, int to, int length) {
        reply.setZero(to, length);
    }

    @Override
    public Snapshot snapshot() {
        return () -> ByteBuffer.allocate(0);
    }

    @Override
    public void restore(ByteBuffer state) {}
}
