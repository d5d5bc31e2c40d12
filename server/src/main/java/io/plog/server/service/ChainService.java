package io.plog.server.service;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.ServiceKind;
import java.nio.ByteBuffer;

/** Answers as {@link Chain} says: each answer depends on every request before it. */
public final class ChainService implements Service {
    private long state = Chain.INITIAL_STATE;

    @Override
    public String name() {
        return ServiceKind.CHAIN.label();
    }

    @Override
    public boolean isStateless() {
        return false;
    }

    @Override
    public void execute(ByteBuf request, int from, ByteBuf reply, int to, int length) {
        state = Chain.next(state, request, from, length);
        Chain.answer(state, request, from, reply, to, length);
    }

    @Override
    public boolean takesReads() {
        return true;
    }

    /** The answer that the present state makes, which stays as it is. */
    @Override
    public void read(ByteBuf request, int from, ByteBuf reply, int to, int length) {
        Chain.answer(state, request, from, reply, to, length);
    }

    @Override
    public Snapshot snapshot() {
        long now = state;
        return () -> ByteBuffer.allocate(Long.BYTES).putLong(0, now);
    }

    @Override
    public void restore(ByteBuffer encoded) {
        if (encoded.remaining() != Long.BYTES) {
            throw new IllegalArgumentException("a state of " + encoded.remaining() + " bytes: expected " + Long.BYTES);
        }
        state = encoded.getLong(encoded.position());
    }
}
