package io.plog.server.service;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;

/** What is done with a request's payload: {@link Service#execute} or {@link Service#read}. */
@FunctionalInterface
public interface Execution {
    /** As the {@link Service} says. */
    void run(Service service, ByteBuf request, int from, ByteBuf reply, int to, int length);

    /** Makes the payload of a reply from that of its request, and notes in the reply how long that took. */
    default void timed(Service service, ByteBuf request, ByteBuf reply) {
        long began = System.nanoTime();
        run(
                service,
                request,
                request.readerIndex() + RequestHeader.BYTES,
                reply,
                reply.readerIndex() + ReplyHeader.BYTES,
                RequestHeader.payloadBytes(request));
        ReplyHeader.setExecutionNanos(reply, System.nanoTime() - began);
    }
}
