package io.plog.measure;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.plog.client.ClientOptions;
import io.plog.client.ConnectionFailures;
import io.plog.client.IncompatibleServerException;
import io.plog.client.NoReplyException;
import io.plog.client.RefusedException;
import io.plog.client.RpcException;
import io.plog.client.ServerUnavailableException;
import io.plog.client.Services;
import io.plog.client.TlsFailures;
import io.plog.client.WrongReplyException;
import io.plog.protocol.Frame;
import io.plog.protocol.FrameType;
import io.plog.protocol.Hello;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.Welcome;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/**
 * A connection that carries one request at a time, on the caller's own thread: it writes the frame, then blocks in the
 * read of the reply. There is no other thread to hand over to, which would cost tens of microseconds and be mistaken for
 * the server's, and {@link #exchange} allocates nothing.
 *
 * <p>For one thread; {@link #close} may come from any other and ends an exchange under way.
 */
public final class MeasuringConnection implements Closeable {
    private static final int WELCOME_LENGTH_LIMIT = 65_536;

    /** The bytes of a frame that hold its type and status. */
    private static final int KNOWN_BYTES = 8;

    private static final int LONGEST_REFUSAL = ReplyHeader.BYTES + ReplyHeader.MAX_SENTENCE_BYTES;

    private final @Nullable HttpChannel http; // what frames go through, if the service speaks HTTP
    private final ByteChannel bytes;
    private final Runnable end;
    private final InetSocketAddress address;
    private final String peer;
    private final long clientId;
    private final Welcome welcome;

    /** The start of the exchange under way; 0 if there is none. */
    private final AtomicLong waitingSince = new AtomicLong();

    private volatile @Nullable Duration gaveUpAfter;

    // Each pair is one piece of memory seen in two ways: as the socket takes it, and as the protocol reads it.
    private ByteBuffer requestBytes = ByteBuffer.allocateDirect(0);
    private ByteBuf request = Unpooled.EMPTY_BUFFER;
    private ByteBuffer replyBytes = ByteBuffer.allocateDirect(0);
    private ByteBuf reply = Unpooled.EMPTY_BUFFER;

    private int targetId;
    private boolean inverted;
    private int payloadBytes;
    private long requestNumber;
    private long sentNanos;
    private long receivedNanos;

    private MeasuringConnection(
            BlockingConnection wire, @Nullable HttpChannel http, String peer, long clientId, Welcome welcome) {
        this.http = http;
        bytes = http == null ? wire : http;
        end = http == null ? wire::close : http::close;
        address = wire.address();
        this.peer = peer;
        this.clientId = clientId;
        this.welcome = welcome;
    }

    /**
     * Connects and shakes hands.
     *
     * @throws ServerUnavailableException if no server listens there, or the server takes no connection now
     * @throws IncompatibleServerException if it is not a plog server, or of another version
     */
    public static MeasuringConnection connect(String host, int port, ClientOptions options) throws RpcException {
        HostPort server = new HostPort(host, port);
        String peer = server.toString();
        BlockingConnection wire = BlockingConnection.open(server, options);
        try (Deadline deadline = new Deadline(options.connectTimeoutMillis(), wire::close)) {
            Welcome welcome = shakeHands(wire.socket(), peer, options, deadline);
            return new MeasuringConnection(wire, null, peer, options.clientId(), welcome);
        } catch (IOException e) {
            wire.close();
            throw e instanceof RpcException failure ? failure : ConnectionFailures.notThere(peer, e);
        }
    }

    /**
     * Connects to a service that speaks HTTP.
     *
     * @throws ServerUnavailableException if no server listens there
     * @throws IncompatibleServerException if there can be no TLS with it
     */
    public static MeasuringConnection connect(HttpService service, ClientOptions options) throws RpcException {
        BlockingConnection wire = BlockingConnection.open(service.address(), options);
        HttpChannel http = new HttpChannel(service, wire, options);
        return new MeasuringConnection(wire, http, service.toString(), options.clientId(), service.welcome());
    }

    private static Welcome shakeHands(Socket socket, String peer, ClientOptions options, Deadline deadline)
            throws IOException {
        ByteBuf hello = Unpooled.buffer(Hello.BYTES);
        Hello.encode(hello, options.token());
        try {
            socket.getOutputStream().write(hello.array(), 0, hello.readableBytes());
            ByteBuf frame = readFrame(socket.getInputStream(), peer);
            if (Frame.type(frame) == FrameType.GOODBYE.code()) {
                throw ConnectionFailures.refusedConnection(peer, frame);
            }
            return Welcome.decode(frame);
        } catch (ProtocolException e) {
            throw ConnectionFailures.unreadable(peer, e);
        } catch (RpcException e) {
            throw e;
        } catch (IOException e) {
            if (deadline.hasPassed()) {
                throw ConnectionFailures.noWelcome(
                        peer, "no whole one came within " + options.connectTimeoutMillis() + " ms");
            }
            throw e instanceof SSLException tls
                    ? TlsFailures.of(peer, tls)
                    : ConnectionFailures.noWelcome(peer, "the connection broke (" + e.getMessage() + ")");
        }
    }

    /** Reads a WELCOME or a GOODBYE, and refuses anything else before it allocates for it. */
    private static ByteBuf readFrame(InputStream in, String peer) throws IOException {
        byte[] header = in.readNBytes(Frame.HEADER_BYTES);
        if (header.length < Frame.HEADER_BYTES) {
            throw ConnectionFailures.noWelcome(peer, "it closed the connection after " + header.length + " bytes");
        }
        ByteBuf begin = Unpooled.wrappedBuffer(header);
        long length = begin.getUnsignedInt(0);
        int type = Frame.type(begin);
        boolean expected = type == FrameType.WELCOME.code() || type == FrameType.GOODBYE.code();
        if (!expected || length > WELCOME_LENGTH_LIMIT || length < Frame.HEADER_BYTES - Frame.LENGTH_BYTES) {
            throw ConnectionFailures.notPlog(peer, "found a frame of type " + type + " and length " + length);
        }
        return Unpooled.wrappedBuffer(header, in.readNBytes((int) length - (Frame.HEADER_BYTES - Frame.LENGTH_BYTES)));
    }

    /** What the server said of itself. */
    public Welcome welcome() {
        return welcome;
    }

    /** The id that the requests carry. */
    public long clientId() {
        return clientId;
    }

    /** Where the server answers: one of the addresses of its name. */
    public InetSocketAddress address() {
        return address;
    }

    /** After what time a service that spoke HTTP wants the last request again. */
    Duration retryAfter() {
        return http == null ? Duration.ZERO : http.retryAfter();
    }

    /**
     * Makes the frame for the exchanges to come: random bytes from a seed, and the reply that they must get.
     *
     * @param payloadBytes 0 to the server's limit
     * @throws IllegalArgumentException if it is not
     */
    public void prepare(int targetId, int payloadBytes, long payloadSeed) {
        if (payloadBytes < 0 || payloadBytes > welcome.maxPayloadBytes()) {
            throw new IllegalArgumentException(
                    "payloadBytes is " + payloadBytes + ": expected 0 to " + welcome.maxPayloadBytes());
        }
        this.targetId = targetId;
        this.inverted = Services.inverts(welcome, targetId);
        this.payloadBytes = payloadBytes;
        int frameBytes = RequestHeader.BYTES + payloadBytes;
        if (requestBytes.capacity() < frameBytes) {
            requestBytes = ByteBuffer.allocateDirect(frameBytes);
            request = Unpooled.wrappedBuffer(requestBytes);
            replyBytes = ByteBuffer.allocateDirect(Math.max(frameBytes, LONGEST_REFUSAL));
            reply = Unpooled.wrappedBuffer(replyBytes);
        }
        byte[] payload = new byte[payloadBytes];
        new SplittableRandom(payloadSeed).nextBytes(payload);
        requestBytes.clear().position(RequestHeader.BYTES).put(payload);
    }

    /**
     * Sends the prepared request and waits for its reply. Afterwards {@link #sentNanos} and {@link #receivedNanos} hold
     * the times just before and just after, and {@link #checkReply} is due. The first eight bytes of a payload that has
     * them are the request's number, so that no two are equal.
     *
     * @param number the request's number, new for this client
     * @throws NoReplyException if the connection ends first, or it is given up
     * @throws WrongReplyException if what comes has another length, or is no reply
     */
    public void exchange(long number) throws RpcException {
        requestNumber = number;
        request.clear();
        RequestHeader.write(request, targetId, clientId, number, payloadBytes);
        if (payloadBytes >= Long.BYTES) {
            request.setLong(RequestHeader.BYTES, number);
        }
        int frameBytes = RequestHeader.BYTES + payloadBytes;
        request.writerIndex(frameBytes);
        requestBytes.limit(frameBytes).position(0);
        replyBytes.limit(frameBytes).position(0);
        if (http != null) {
            sentNanos = System.nanoTime();
            receivedNanos = sentNanos;
            http.ensureOpen();
        }
        sentNanos = System.nanoTime();
        waitingSince.setRelease(sentNanos | 1);
        try {
            while (requestBytes.hasRemaining()) {
                bytes.write(requestBytes);
            }
            receive(frameBytes);
        } catch (RpcException e) {
            receivedNanos = System.nanoTime();
            throw e;
        } catch (IOException e) {
            receivedNanos = System.nanoTime();
            Duration patience = gaveUpAfter;
            throw lost(
                    patience != null
                            ? "nothing whole came within " + patience.toMillis() + " ms"
                            : "the connection broke (" + e.getMessage() + ")",
                    e);
        } finally {
            waitingSince.setRelease(0);
        }
    }

    /** The same where nobody calls {@link #giveUpIfLate}: it ends after that time. */
    void exchange(long number, Duration patience) throws RpcException {
        Deadline deadline = new Deadline(patience.toMillis(), () -> giveUp(patience));
        try (deadline) {
            exchange(number);
        }
    }

    private void giveUp(Duration patience) {
        gaveUpAfter = patience;
        end.run();
    }

    /**
     * Ends an exchange that has taken longer than this. It blocks in a read without a timeout, since one would cost a system call
     * each; so somebody calls this now and then, on another thread.
     */
    void giveUpIfLate(long now, Duration patience) {
        long since = waitingSince.getAcquire();
        if (since != 0 && now - since > patience.toNanos()) {
            giveUp(patience);
        }
    }

    private void receive(int frameBytes) throws IOException {
        boolean headerSeen = false;
        while (replyBytes.hasRemaining()) {
            if (bytes.read(replyBytes) < 0) {
                receivedNanos = System.nanoTime();
                throw lost("the server closed the connection", null);
            }
            if (!headerSeen && replyBytes.position() >= KNOWN_BYTES) {
                headerSeen = true;
                expectReply(frameBytes);
            }
        }
        receivedNanos = System.nanoTime();
    }

    /** Checks the beginning of a frame, on which the rest of the read relies. */
    private void expectReply(int frameBytes) throws IOException {
        long length = reply.getUnsignedInt(0);
        int type = reply.getUnsignedByte(Frame.LENGTH_BYTES);
        if (type == FrameType.GOODBYE.code() && length <= RequestHeader.BYTES + (long) WELCOME_LENGTH_LIMIT) {
            throw lost(ConnectionFailures.goodbye(readOn((int) length + Frame.LENGTH_BYTES)), null);
        }
        if (type != FrameType.REPLY.code()) {
            throw new WrongReplyException("the server sent a frame of type " + type + ", expected a reply");
        }
        int wholeBytes = (int) Math.min(length + Frame.LENGTH_BYTES, Integer.MAX_VALUE);
        if (ReplyHeader.status(reply) != Status.OK.code()
                && wholeBytes >= Math.max(ReplyHeader.BYTES, replyBytes.position())
                && wholeBytes <= Math.max(frameBytes, LONGEST_REFUSAL)) {
            replyBytes.limit(wholeBytes); // a refusal is as long as its sentence
        } else if (length != frameBytes - Frame.LENGTH_BYTES) {
            throw ConnectionFailures.wrongLength(requestNumber, length, frameBytes - Frame.LENGTH_BYTES);
        }
    }

    private ByteBuf readOn(int length) throws IOException {
        ByteBuffer whole = ByteBuffer.allocate(Math.max(length, replyBytes.position()));
        whole.put(replyBytes.duplicate().flip()).limit(length);
        while (whole.hasRemaining() && bytes.read(whole) >= 0) {
            // until the frame is whole, or the server has closed
        }
        return Unpooled.wrappedBuffer(whole.flip());
    }

    private NoReplyException lost(String how, @Nullable Throwable cause) {
        String message = how + " before it answered request " + Long.toUnsignedString(requestNumber) + " (server "
                + peer + "); the request may have been executed";
        return cause == null ? new NoReplyException(message, true) : new NoReplyException(message, true, cause);
    }

    /**
     * Checks that the reply answers the last request, to the last byte if the target inverts. A refusal is checked but
     * for its payload, which is the server's sentence; a service whose answers depend on earlier requests likewise.
     *
     * @throws WrongReplyException if it does not
     */
    public void checkReply() throws WrongReplyException {
        ConnectionFailures.checkReply(request, reply(), inverted);
    }

    /** When the last request was handed to the socket, as {@link System#nanoTime}. */
    public long sentNanos() {
        return sentNanos;
    }

    /** When the last byte of its reply had been read, or the exchange failed, as {@link System#nanoTime}. */
    public long receivedNanos() {
        return receivedNanos;
    }

    /** The last reply, to be read with {@link ReplyHeader}; valid until the next exchange. */
    public ByteBuf reply() {
        return reply.setIndex(0, replyBytes.limit());
    }

    /** The payload of the last request; valid until the next exchange, and not to be changed. */
    public ByteBuffer payload() {
        return requestBytes.clear().position(RequestHeader.BYTES).limit(RequestHeader.BYTES + payloadBytes);
    }

    /** The last reply's refusal as an exception, for a status that is not OK. */
    public RefusedException refusal() {
        return ConnectionFailures.refused("", reply());
    }

    @Override
    public void close() {
        end.run();
    }
}
