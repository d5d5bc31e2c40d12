package io.plog.client;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.Frame;
import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.ProtocolException;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import io.plog.protocol.Welcome;

/** What both kinds of connection say when something is not as it should be, in the same words. */
final class Words {
    private Words() {}

    static ServerUnavailableException notThere(String peer, Throwable cause) {
        String reason = cause.getMessage() == null ? cause.getClass().getSimpleName() : cause.getMessage();
        if (reason.contains("Connection refused")) {
            reason = "Connection refused"; // Netty wraps the words in its own call and the address
        }
        return new ServerUnavailableException(
                "no server at " + peer + " (" + reason + "); start one, or name another with --server", cause);
    }

    static IncompatibleServerException notPlog(String peer, String found) {
        return new IncompatibleServerException(
                peer + " is not a plog server: expected a WELCOME, " + found + "; check the port");
    }

    /** Nobody spoke, or not to the end: that may be any server on its way down, so it is no verdict on its kind. */
    static ServerUnavailableException noWelcome(String peer, String found) {
        return new ServerUnavailableException(
                "no welcome from " + peer + ": " + found + "; check that a plog server is up on that port");
    }

    static Welcome checkVersion(String peer, Welcome welcome) throws IncompatibleServerException {
        if (welcome.version() != Frame.VERSION) {
            throw new IncompatibleServerException(peer + " speaks protocol version " + welcome.version()
                    + ", this client speaks " + Frame.VERSION + "; use the same plog on both sides");
        }
        return welcome;
    }

    /** What a GOODBYE in place of the WELCOME means. */
    static RpcException refusedConnection(String peer, ByteBuf frame) {
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

    static String goodbye(ByteBuf frame) {
        try {
            return "the server said goodbye: " + text(Goodbye.decode(frame));
        } catch (ProtocolException e) {
            return "the server said goodbye in a way that cannot be read: " + e.getMessage();
        }
    }

    static RefusedException refused(String target, ByteBuf reply) {
        int status = ReplyHeader.status(reply);
        String sentence = ReplyHeader.sentence(reply);
        String why = sentence.isEmpty() ? "" : ": " + sentence;
        Status known = Status.ofCode(status);
        String unsure = known == null || known.isIndeterminate() ? "; the request may have been executed" : "";
        return new RefusedException(
                status, "the server refused with " + RefusedException.name(status) + target + why + unsure);
    }

    static WrongReplyException wrongLength(long request, long found, int expected) {
        return new WrongReplyException("the reply to request " + Long.toUnsignedString(request) + " has length " + found
                + ", expected " + expected + " as in the request");
    }

    static WrongReplyException wrongByte(long request, int offset, byte found, byte expected) {
        return new WrongReplyException(String.format(
                "the reply to request %s differs at byte %d of its payload: found %02x, expected %02x (the request's, inverted)",
                Long.toUnsignedString(request), offset, found, expected));
    }
}
