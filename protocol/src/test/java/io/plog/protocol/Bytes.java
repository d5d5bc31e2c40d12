package io.plog.protocol;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;

/** Buffers as tests write and compare them. */
final class Bytes {
    private Bytes() {}

    static ByteBuf ofHex(String... parts) {
        return Unpooled.wrappedBuffer(
                ByteBufUtil.decodeHexDump(String.join("", parts).replace(" ", "")));
    }

    static String hex(ByteBuf buffer) {
        return ByteBufUtil.hexDump(buffer);
    }

    static String hex(String... parts) {
        return String.join("", parts).replace(" ", "");
    }

    /** A whole request frame with this payload. */
    static ByteBuf request(int target, long client, long request, byte[] payload) {
        ByteBuf frame = Unpooled.buffer(RequestHeader.BYTES + payload.length);
        RequestHeader.write(frame, target, client, request, payload.length);
        return frame.writeBytes(payload);
    }
}
