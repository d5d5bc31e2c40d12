package io.plog.server.service;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

/** What a chain that saw all requests in log order answers. */
public final class ChainModel {
    private long state = Chain.INITIAL_STATE;

    public byte[] answer(byte[] payload) {
        ByteBuf request = Unpooled.wrappedBuffer(payload);
        byte[] answer = new byte[payload.length];
        state = Chain.next(state, request, 0, payload.length);
        Chain.answer(state, request, 0, Unpooled.wrappedBuffer(answer), 0, payload.length);
        return answer;
    }
}
