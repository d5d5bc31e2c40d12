package io.plog.client;

import io.netty.channel.EventLoop;
import io.plog.protocol.Welcome;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;

/** A {@link Link} with a loop of its own, and calls that wait. */
final class LinkClient implements Closeable {
    private final EventLoop loop = Link.newLoop();
    private final Link link;

    private LinkClient(String host, int port) throws Exception {
        try {
            link = await(Link.open(loop, host, port, ClientOptions.defaults(), why -> {}));
        } catch (RpcException e) {
            Link.shutDown(loop);
            throw e;
        }
    }

    static LinkClient connect(int port) throws Exception {
        return new LinkClient("127.0.0.1", port);
    }

    Welcome server() {
        return link.welcome();
    }

    CompletableFuture<Reply> call(int targetId, long requestNumber, ByteBuffer payload) {
        return link.send(targetId, requestNumber, payload);
    }

    Reply callAndWait(int targetId, long requestNumber, ByteBuffer payload) throws Exception {
        return await(call(targetId, requestNumber, payload));
    }

    private static <T> T await(CompletableFuture<T> future) throws Exception {
        try {
            return future.get(30, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof RpcException rpc ? rpc : e;
        }
    }

    @Override
    public void close() {
        link.close();
        Link.shutDown(loop);
    }
}
