package io.plog.client;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelException;
import io.netty.handler.codec.DecoderException;
import io.plog.protocol.Frame;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.RequestHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Transformation;
import io.plog.protocol.Welcome;
import java.lang.reflect.InvocationTargetException;
import java.net.NoRouteToHostException;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** What both kinds of connection say when something is not as it should be, in the same words. */
public final class ConnectionFailures {
    private static final String MAYBE = "the request may have been executed";

    /** What Netty's epoll transport puts before the system's words. */
    private static final Pattern NETTY_CALL = Pattern.compile("^\\w+\\(\\.\\.\\) failed with error\\(-\\d+\\): ");

    private ConnectionFailures() {}

    /** No process listens at this address, or it cannot be reached. */
    public static ServerUnavailableException notThere(String peer, Throwable cause) {
        return new ServerUnavailableException(
                "no server at " + peer + " (" + reason(cause) + "); start one, or name another with --server", cause);
    }

    /**
     * The operating system's words for why a connection failed. Netty puts them between its own system call with the number of
     * the error and the address: {@code connect(..) failed with error(-111): Connection refused: /10.0.0.2:7411}. The caller
     * names the address itself.
     */
    public static String reason(Throwable failure) {
        Throwable plain = failure;
        Throwable cause = plain.getCause();
        while (cause != null && isWrapper(plain, cause)) {
            plain = cause;
            cause = plain.getCause();
        }
        String message = plain instanceof UnknownHostException ? "unknown host" : plain.getMessage();
        return message == null
                ? plain instanceof NoRouteToHostException
                        ? "the network is unreachable"
                        : plain.getClass().getSimpleName()
                : NETTY_CALL.matcher(message).replaceFirst("");
    }

    /** Whether the system's words are the cause's. An exception with the address has the one without it as its cause, of the same type. */
    private static boolean isWrapper(Throwable failure, Throwable cause) {
        return failure instanceof DecoderException
                || failure instanceof ChannelException
                || failure instanceof InvocationTargetException
                || (failure instanceof SocketException && cause.getClass().isInstance(failure));
    }

    /** Why an attempt to connect failed that a future reports. */
    static RpcException notConnected(Throwable thrown) {
        Throwable cause =
                thrown instanceof CompletionException && thrown.getCause() != null ? thrown.getCause() : thrown;
        return cause instanceof RpcException rpc
                ? rpc
                : new ServerUnavailableException("the client failed to connect: " + cause, cause);
    }

    /** Something else answers there. */
    public static IncompatibleServerException notPlog(String peer, String found) {
        return new IncompatibleServerException(
                peer + " is not a plog server: expected a WELCOME, " + found + "; check the port");
    }

    /** No peer spoke, or not to the end: that may be any server on its way down, so it is no verdict on its kind. */
    public static ServerUnavailableException noWelcome(String peer, String found) {
        return new ServerUnavailableException(
                "no welcome from " + peer + ": " + found + "; check that a plog server is up on that port");
    }

    /** A peer of any kind went away before the connection was secure. */
    public static ServerUnavailableException noHandshake(String peer, String found) {
        return new ServerUnavailableException("no TLS with " + peer + ": " + found
                + " while TLS began; check that a server is up on that port and takes TLS");
    }

    /** What came in place of a WELCOME of our version cannot be read: the server is of another version, or none of plog. */
    public static IncompatibleServerException unreadable(String peer, ProtocolException e) {
        return e.code() == GoodbyeCode.VERSION
                ? otherVersion(peer, e.getMessage())
                : notPlog(peer, "found " + e.getMessage());
    }

    private static IncompatibleServerException otherVersion(String peer, String versions) {
        return new IncompatibleServerException(peer + ": " + versions + "; use the same plog on both sides");
    }

    /** What a GOODBYE in place of the WELCOME means. */
    public static RpcException refusedConnection(String peer, ByteBuf frame) {
        try {
            Goodbye goodbye = Goodbye.decode(frame);
            if (goodbye.code() == GoodbyeCode.VERSION.code()) {
                return otherVersion(peer, goodbye.reason());
            }
            if (goodbye.code() == GoodbyeCode.TLS.code() || goodbye.code() == GoodbyeCode.NOT_ALLOWED.code()) {
                return new IncompatibleServerException(peer + " refused the connection: " + goodbye.reason());
            }
            return new ServerUnavailableException(peer + " refused the connection: " + text(goodbye));
        } catch (ProtocolException e) {
            return unreadable(peer, e);
        }
    }

    /** The name of its code, and its reason. */
    public static String text(Goodbye goodbye) {
        GoodbyeCode code = GoodbyeCode.ofCode(goodbye.code());
        return (code == null ? "code " + goodbye.code() : code.name()) + ", " + goodbye.reason();
    }

    /** What a GOODBYE says, in a sentence. */
    public static String goodbye(ByteBuf frame) {
        try {
            return "the server said goodbye: " + text(Goodbye.decode(frame));
        } catch (ProtocolException e) {
            return "the server said goodbye in a way that cannot be read: " + e.getMessage();
        }
    }

    /** A reply with another status than OK; what the message says of the target may be empty. */
    public static RefusedException refused(String target, ByteBuf reply) {
        int status = ReplyHeader.status(reply);
        String sentence = ReplyHeader.sentence(reply);
        String why = sentence.isEmpty() ? "" : ": " + sentence;
        Status known = Status.ofCode(status);
        String unsure = known == null || known.isIndeterminate() ? "; " + MAYBE : "";
        return new RefusedException(
                status, "the server refused with " + RefusedException.name(status) + target + why + unsure);
    }

    /** A reply that is longer or shorter than its request. */
    public static WrongReplyException wrongLength(long request, long found, int expected) {
        return new WrongReplyException("the reply to request " + Long.toUnsignedString(request) + " has length " + found
                + ", expected " + expected + " as in the request");
    }

    /**
     * Checks that a reply answers a request: client, number and durations, and with status OK the length. Allocates nothing
     * but its exception.
     *
     * @param inverted whether each byte of the payload must be the request's, inverted
     * @throws WrongReplyException if it does not
     */
    public static void checkReply(ByteBuf request, ByteBuf reply, boolean inverted) throws WrongReplyException {
        long client = RequestHeader.client(request);
        long number = RequestHeader.request(request);
        boolean isRefusal = ReplyHeader.status(reply) != Status.OK.code(); // as long as its sentence
        if (!isRefusal && reply.readableBytes() != request.readableBytes()) {
            throw wrongLength(
                    number, reply.readableBytes() - Frame.LENGTH_BYTES, request.readableBytes() - Frame.LENGTH_BYTES);
        }
        if (ReplyHeader.client(reply) != client || ReplyHeader.request(reply) != number) {
            throw new WrongReplyException("a reply for client " + Long.toUnsignedString(ReplyHeader.client(reply))
                    + " and request " + Long.toUnsignedString(ReplyHeader.request(reply)) + ", expected client "
                    + Long.toUnsignedString(client) + " and request " + Long.toUnsignedString(number));
        }
        String impossible = ReplyHeader.impossibleDuration(reply);
        if (impossible != null) {
            throw new WrongReplyException(
                    "the reply to request " + Long.toUnsignedString(number) + " has " + impossible);
        }
        if (inverted && !isRefusal) {
            checkPayload(request, reply, number);
        }
    }

    private static void checkPayload(ByteBuf request, ByteBuf reply, long number) throws WrongReplyException {
        int from = request.readerIndex() + RequestHeader.BYTES;
        int at = reply.readerIndex() + ReplyHeader.BYTES;
        int mismatch = Transformation.firstMismatch(request, from, reply, at, ReplyHeader.payloadBytes(reply));
        if (mismatch >= 0) {
            throw new WrongReplyException(String.format(
                    "the reply to request %s differs at byte %d of its payload: found %02x, expected %02x (the request's, inverted)",
                    Long.toUnsignedString(number), mismatch, reply.getByte(at + mismatch), (byte)
                            ~request.getByte(from + mismatch)));
        }
    }

    static String tooLong(int payloadBytes, Welcome welcome) {
        return "payload has " + payloadBytes + " bytes: expected at most " + welcome.maxPayloadBytes()
                + ", the server's limit";
    }

    static String noTarget(String name, Welcome welcome) {
        return "the server has no target '" + name + "'; it has "
                + welcome.targets().stream().map(TargetDescription::name).collect(Collectors.joining(", "));
    }

    /** How a call ended that was never acknowledged. */
    static CallFailedException callFailed(long clientId, Call call, RpcException last, String how, boolean unknown) {
        String sent = call.transmissions == 0
                ? " before it was sent"
                : " after " + call.transmissions + (call.transmissions == 1 ? " transmission" : " transmissions");
        String reason = String.valueOf(last.getMessage());
        String message =
                "request " + Long.toUnsignedString(call.number) + " of client " + Long.toUnsignedString(clientId)
                        + (how.isEmpty() ? " failed" : " ended " + how) + sent + ": " + reason;
        if (!unknown) {
            message += "; the request was not executed";
        } else if (!saysThatItMayHaveBeenExecuted(last)) {
            message += "; " + MAYBE;
        }
        return new CallFailedException(message, unknown, clientId, call.number, call.transmissions, last);
    }

    static NoReplyException noReply(boolean transmitted) {
        return new NoReplyException("no reply came" + (transmitted ? "; " + MAYBE : ""), transmitted);
    }

    /** Whether the failure's own message ends with {@link #MAYBE}: a reply to another request says nothing of this one. */
    private static boolean saysThatItMayHaveBeenExecuted(RpcException failure) {
        return failure.mayHaveBeenExecuted() && !(failure instanceof WrongReplyException);
    }
}
