package io.plog.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameType;
import io.plog.protocol.Goodbye;
import io.plog.protocol.Hello;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Welcome;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/** A client on a plain blocking socket, so that tests see exactly what is on the wire. */
final class TestClient implements Closeable {
    static final long CLIENT = 77;

    private final Socket socket = new Socket();
    private final DataInputStream in;
    private final OutputStream out;

    TestClient(InetSocketAddress server) throws IOException {
        socket.setTcpNoDelay(true);
        socket.setSoTimeout(20_000);
        socket.connect(server);
        in = new DataInputStream(socket.getInputStream());
        out = socket.getOutputStream();
    }

    static TestClient greeted(InetSocketAddress server) throws Exception {
        TestClient client = new TestClient(server);
        client.hello();
        return client;
    }

    Welcome hello() throws Exception {
        sendHello();
        return welcome();
    }

    void sendHello() throws IOException {
        ByteBuf hello = Unpooled.buffer();
        Hello.encode(hello, "");
        send(hello);
    }

    Welcome welcome() throws Exception {
        return Welcome.decode(frame());
    }

    static ByteBuf request(int target, long number, byte[] payload) {
        ByteBuf frame = Unpooled.buffer(RequestHeader.BYTES + payload.length);
        RequestHeader.write(frame, target, CLIENT, number, payload.length);
        return frame.writeBytes(payload);
    }

    void send(ByteBuf bytes) throws IOException {
        out.write(ByteBufUtil.getBytes(bytes));
        out.flush();
    }

    /** Sends a request and returns the next whole frame. */
    ByteBuf call(int target, long number, byte[] payload) throws IOException {
        send(request(target, number, payload));
        return frame();
    }

    /** The next whole frame. */
    ByteBuf frame() throws IOException {
        int length = in.readInt();
        byte[] rest = new byte[length];
        in.readFully(rest);
        return Unpooled.buffer(4 + length).writeInt(length).writeBytes(rest);
    }

    Goodbye goodbye() throws Exception {
        ByteBuf frame = frame();
        assertThat(Frame.type(frame)).isEqualTo(FrameType.GOODBYE.code());
        return Goodbye.decode(frame);
    }

    /** How many bytes have come that are not read yet. */
    int available() {
        try {
            return in.available();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    boolean isAtEnd() throws IOException {
        try {
            in.readByte();
            return false;
        } catch (EOFException e) {
            return true;
        } catch (java.net.SocketException e) {
            return true;
        }
    }

    /** Ends the connection at once, without a word on what was sent. */
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
