package io.plog.client;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.Frame;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.protocol.TargetDescription;
import io.plog.protocol.Welcome;
import java.util.stream.Collectors;

/** What both kinds of connection say when something is not as it should be, in the same words. */
public final class ConnectionFailures {
    private static final String MAYBE = "the request may have been executed";

    private ConnectionFailures() {}

    public static ServerUnavailableException notThere(String peer, Throwable cause) {
        String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        if (reason.contains("Connection refused")) {
            reason = "Connection refused"; // Netty wraps the words in its own call and the address
        }
        return new ServerUnavailableException(
                "no server at " + peer + " (" + reason + "); start one, or name another with --server", cause);
    }

    public static IncompatibleServerException notPlog(String peer, String found) {
        return new IncompatibleServerException(
                peer + " is not a plog server: expected a WELCOME, " + found + "; check the port");
    }

    /** Nobody spoke, or not to the end: that may be any server on its way down, so it is no verdict on its kind. */
    public static ServerUnavailableException noWelcome(String peer, String found) {
        return new ServerUnavailableException(
                "no welcome from " + peer + ": " + found + "; check that a plog server is up on that port");
    }

    public static Welcome checkVersion(String peer, Welcome welcome) throws IncompatibleServerException {
        if (welcome.version() != Frame.VERSION) {
            throw new IncompatibleServerException(peer + " speaks protocol version " + welcome.version()
                    + ", this client speaks " + Frame.VERSION + "; use the same plog on both sides");
        }
        return welcome;
    }

    /** What a GOODBYE in place of the WELCOME means. */
    public static RpcException refusedConnection(String peer, ByteBuf frame) {
        try {
            Goodbye goodbye = Goodbye.decode(frame);
            if (goodbye.code() == GoodbyeCode.VERSION.code()) {
                return new IncompatibleServerException(peer + " does not speak protocol version " + Frame.VERSION
                        + " of this client (" + goodbye.reason() + "); use the same plog on both sides");
            }
            return new ServerUnavailableException(peer + " refused the connection: " + text(goodbye));
        } catch (ProtocolException e) {
            return notPlog(peer, "found " + e.getMessage());
        }
    }

    static String text(Goodbye goodbye) {
        GoodbyeCode code = GoodbyeCode.ofCode(goodbye.code());
        return (code == null ? "code " + goodbye.code() : code.name()) + ", " + goodbye.reason();
    }

    public static String goodbye(ByteBuf frame) {
        try {
            return "the server said goodbye: " + text(Goodbye.decode(frame));
        } catch (ProtocolException e) {
            return "the server said goodbye in a way that cannot be read: " + e.getMessage();
        }
    }

    public static RefusedException refused(String target, ByteBuf reply) {
        int status = ReplyHeader.status(reply);
        String sentence = ReplyHeader.sentence(reply);
        String why = sentence.isEmpty() ? "" : ": " + sentence;
        Status known = Status.ofCode(status);
        String unsure = known == null || known.isIndeterminate() ? "; " + MAYBE : "";
        return new RefusedException(
                status, "the server refused with " + RefusedException.name(status) + target + why + unsure);
    }

    public static WrongReplyException wrongLength(long request, long found, int expected) {
        return new WrongReplyException("the reply to request " + Long.toUnsignedString(request) + " has length " + found
                + ", expected " + expected + " as in the request");
    }

    public static WrongReplyException wrongByte(long request, int offset, byte found, byte expected) {
        return new WrongReplyException(String.format(
                "the reply to request %s differs at byte %d of its payload: found %02x, expected %02x (the request's, inverted)",
                Long.toUnsignedString(request), offset, found, expected));
    }

    public static void checkDurations(long request, ByteBuf reply) throws WrongReplyException {
        String impossible = ReplyHeader.impossibleDuration(reply);
        if (impossible != null) {
            throw new WrongReplyException(
                    "the reply to request " + Long.toUnsignedString(request) + " has " + impossible);
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

    /**
     * How a call ended that was never acknowledged.
     *
     * @param how in what way, beyond what went wrong last; may be empty
     */
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
        } else if (!reason.endsWith(MAYBE)) {
            message += "; " + MAYBE;
        }
        return new CallFailedException(message, unknown, clientId, call.number, call.transmissions, last);
    }
}
