package io.plog.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.protocol.Frame;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Hello;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Transformation;
import io.plog.protocol.Welcome;
import java.io.Closeable;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BiFunction;

/** A small server of the protocol that does as it is asked, also what no server should. */
public final class FakeServer implements Closeable {
    /** The limit that it announces. */
    public static final int MAX_PAYLOAD_BYTES = 200_000;

    /** For a service that sends nothing and keeps the connection. */
    public static final ByteBuf NOTHING = Unpooled.unreleasableBuffer(Unpooled.buffer(0));

    /** For a service that closes the connection after what stands before this. */
    public static final ByteBuf CLOSE = Unpooled.unreleasableBuffer(Unpooled.buffer(0));

    private final ServerSocket listening;
    private final ByteBuf greeting;
    private final BiFunction<ByteBuf, Long, List<ByteBuf>> service;
    private final List<Socket> sockets = new CopyOnWriteArrayList<>();
    private final Thread accepting;
    private volatile boolean closesAfterGreeting;
    private final List<byte[]> requests = new CopyOnWriteArrayList<>();

    private FakeServer(int port, ByteBuf greeting, BiFunction<ByteBuf, Long, List<ByteBuf>> service)
            throws IOException {
        this.greeting = greeting;
        this.service = service;
        this.listening = new ServerSocket(port, 50, InetAddress.getLoopbackAddress());
        this.accepting = start(this::accept);
    }

    /** Answers as a good server does. */
    public static FakeServer good() {
        return answering((request, count) -> List.of(reply(request)));
    }

    /** The same on a port that was free a moment ago. */
    public static FakeServer goodOn(int port) {
        return make(port, encoded(welcome()), (request, count) -> List.of(reply(request)));
    }

    /** Greets with this, then does as {@link #answering}. */
    public static FakeServer greeting(Welcome welcome, BiFunction<ByteBuf, Long, List<ByteBuf>> service) {
        return make(0, encoded(welcome), service);
    }

    /** Greets well, then sends what the service returns for a request and its number from 0; nothing at all: closes. */
    public static FakeServer answering(BiFunction<ByteBuf, Long, List<ByteBuf>> service) {
        return make(0, encoded(welcome()), service);
    }

    /** Answers the HELLO with these bytes and closes. */
    public static FakeServer greeting(ByteBuf bytes) {
        FakeServer server = make(0, bytes, (request, count) -> List.of());
        server.closesAfterGreeting = true;
        return server;
    }

    private static FakeServer make(int port, ByteBuf greeting, BiFunction<ByteBuf, Long, List<ByteBuf>> service) {
        try {
            return new FakeServer(port, greeting, service);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static Welcome welcome() {
        return new Welcome(
                MAX_PAYLOAD_BYTES,
                4,
                Map.of("kernel", "fake"),
                List.of(
                        new TargetDescription(
                                3, "a", "fdatasync", Map.of("fileSystem", "ext4", "writeCache", "write back")),
                        new TargetDescription(9, "off", "off", Map.of())));
    }

    /** A WELCOME of a version whose rest this one cannot read. */
    public static ByteBuf welcomeOfVersion(int version) {
        ByteBuf frame = encoded(welcome());
        int rest = Frame.HEADER_BYTES + Short.BYTES;
        return frame.setShort(Frame.HEADER_BYTES, version).setZero(rest, frame.readableBytes() - rest);
    }

    public static ByteBuf encoded(Welcome welcome) {
        ByteBuf out = Unpooled.buffer();
        welcome.encode(out);
        return out;
    }

    public static ByteBuf goodbye(GoodbyeCode code, String reason) {
        ByteBuf out = Unpooled.buffer();
        new Goodbye(code, reason).encode(out);
        return out;
    }

    /** The right reply; its durations are 100, 200, 300, ... nanoseconds, and its index is the request's number. */
    public static ByteBuf reply(ByteBuf request) {
        ByteBuf reply = Unpooled.buffer(request.readableBytes());
        ReplyHeader.begin(reply, request);
        int bytes = RequestHeader.payloadBytes(request);
        reply.writeZero(bytes);
        Transformation.invert(request, ReplyHeader.BYTES, reply, ReplyHeader.BYTES, bytes);
        if (RequestHeader.target(request) == 3) {
            ReplyHeader.setLogged(reply, RequestHeader.request(request), 100, 200, 300, 400, 1);
        }
        ReplyHeader.setExecutionNanos(reply, 500);
        ReplyHeader.setResidenceNanos(reply, 1_600);
        return reply;
    }

    public static ByteBuf refusal(ByteBuf request, Status status, String sentence) {
        ByteBuf refusal = ReplyHeader.refusal(reply(request), status, sentence);
        ByteBuf copy = Unpooled.copiedBuffer(refusal); // not released:  what a test answers
        refusal.release();
        return copy;
    }

    public static ByteBuf text(String text) {
        return Unpooled.copiedBuffer(text, StandardCharsets.US_ASCII);
    }

    public int port() {
        return listening.getLocalPort();
    }

    /** All requests so far, as they came. */
    public List<ByteBuf> requests() {
        List<ByteBuf> all = new ArrayList<>();
        requests.forEach(bytes -> all.add(Unpooled.wrappedBuffer(bytes)));
        return all;
    }

    private void accept() throws IOException {
        while (true) {
            Socket socket = listening.accept();
            socket.setTcpNoDelay(true);
            sockets.add(socket);
            start(() -> serve(socket));
        }
    }

    private void serve(Socket socket) throws IOException {
        try (socket;
                DataInputStream in = new DataInputStream(socket.getInputStream())) {
            Hello.read(Unpooled.wrappedBuffer(in.readNBytes(Hello.BYTES)));
            send(socket, List.of(greeting));
            for (long count = 0; !closesAfterGreeting; count++) {
                int length = in.readInt();
                byte[] frame = new byte[Frame.LENGTH_BYTES + length];
                ByteBuf request = Unpooled.wrappedBuffer(frame);
                request.setInt(0, length);
                in.readFully(frame, Frame.LENGTH_BYTES, length);
                requests.add(frame);
                if (!send(socket, service.apply(request, count))) {
                    return;
                }
            }
        } catch (ProtocolException e) {
            throw new IOException(e);
        }
    }

    @SuppressWarnings("ReferenceEquality") // the markers are themselves, not what they hold
    private static boolean send(Socket socket, List<ByteBuf> frames) throws IOException {
        boolean any = false;
        for (ByteBuf frame : frames) {
            if (frame == CLOSE) {
                return false;
            }
            any |= frame.isReadable() || frame == NOTHING;
            byte[] bytes = new byte[frame.readableBytes()];
            frame.getBytes(frame.readerIndex(), bytes);
            socket.getOutputStream().write(bytes);
        }
        return any;
    }

    private interface Task {
        void run() throws IOException;
    }

    private static Thread start(Task task) {
        Thread thread = new Thread(
                () -> {
                    try {
                        task.run();
                    } catch (IOException e) {
                        // The other side went away, or the test is over.
                    }
                },
                "fake-server");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    @Override
    public void close() {
        stop();
    }

    /** Goes away: takes no more connections and breaks those that there are. */
    public void stop() {
        try {
            listening.close();
            // Only when no thread accepts any more is the port closed to those who come now.
            accepting.join();
            for (Socket socket : sockets) {
                socket.close();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
