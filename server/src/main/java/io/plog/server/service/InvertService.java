package io.plog.server.service;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.ServiceKind;
import io.plog.protocol.Transformation;
import java.nio.ByteBuffer;

/** Inverts each byte. */
public final class InvertService implements Service {
    @Override
    public String name() {
        return ServiceKind.INVERT.label();
    }

    @Override
    public boolean isStateless() {
        return true;
    }

    @Override
    public void execute(ByteBuf request, int from, ByteBuf reply, int to, int length) {
        Transformation.invert(request, from, reply, to, length);
    }

    @Override
    public Snapshot snapshot() {
        return () -> ByteBuffer.allocate(0);
    }

    @Override
    public void restore(ByteBuffer state) {
        if (state.hasRemaining()) {
            throw new IllegalArgumentException("a state of " + state.remaining() + " bytes: expected an empty one");
        }
    }
}
