package io.plog.server;

import io.netty.buffer.ByteBuf;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/** {@link TestClient} for tests in other packages: one request, one reply. */
public final class WireClient implements AutoCloseable {
    private final TestClient client;

    private WireClient(TestClient client) {
        this.client = client;
    }

    public static WireClient greeted(int port) throws Exception {
        return new WireClient(TestClient.greeted(new InetSocketAddress(InetAddress.getLoopbackAddress(), port)));
    }

    public ByteBuf call(int target, long number, byte[] payload) throws IOException {
        client.send(TestClient.request(target, number, payload));
        return client.frame();
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
