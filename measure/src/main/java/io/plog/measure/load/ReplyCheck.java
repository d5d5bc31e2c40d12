package io.plog.measure.load;

import io.netty.buffer.ByteBuf;
import io.plog.measure.ledger.AuditLedgerWriter;
import io.plog.measure.ledger.LedgerException;
import io.plog.measure.samples.Samples;
import io.plog.protocol.ReplyHeader;
import io.plog.protocol.Status;
import org.jspecify.annotations.Nullable;

/**
 * Whether the replies of one target are right, and which acknowledgements go to the ledger. For the driving thread.
 *
 * @param inverted whether its service answers with each byte of the request inverted
 * @param ledger where acknowledgements of logged requests are written down, if anywhere
 * @param others whether other servers may take over
 */
record ReplyCheck(
        Payloads payloads,
        int targetId,
        boolean inverted,
        @Nullable AuditLedgerWriter ledger,
        boolean others) {
    /** The status of a reply; {@link LoadRequests#WRONG_REPLY} if it has not the length, the bytes or the durations that it may have. */
    int status(LoadRequest request, ByteBuf reply) {
        int status = ReplyHeader.status(reply);
        int bytes = request.payloadBytes;
        boolean right = ReplyHeader.impossibleDuration(reply) == null
                && (status != Status.OK.code()
                        || (ReplyHeader.payloadBytes(reply) == bytes
                                && (!inverted || payloads.isInverted(reply, request.number, bytes))));
        return right ? status : Samples.WRONG_REPLY;
    }

    /**
     * Notes an acknowledgement in the ledger, if there is one and the request was to be logged.
     *
     * @return why the load cannot go on after this reply, in a sentence; empty if it can
     */
    String settle(LoadConnection connection, LoadRequest request, int status, ByteBuf reply) {
        if (status == Samples.WRONG_REPLY) {
            return "the reply to request " + Long.toUnsignedString(request.number) + " of client "
                    + Long.toUnsignedString(connection.clientId())
                    + " is not as long as its request, or not its payload inverted, or has a duration that cannot be one";
        }
        if (isHopeless(status)) {
            return "the server refused with " + LoadRequests.statusText(status) + ": " + ReplyHeader.sentence(reply);
        }
        AuditLedgerWriter lines = ledger;
        if (status != Status.OK.code() || lines == null || request.readOnly) {
            return "";
        }
        int bytes = request.payloadBytes;
        try {
            lines.add(
                    connection.clientId(),
                    request.number,
                    targetId,
                    ReplyHeader.logIndex(reply),
                    bytes,
                    payloads.crc(request.number, bytes));
            return "";
        } catch (LedgerException e) {
            return String.valueOf(e.getMessage());
        }
    }

    /** After these no later request could fare better. */
    private boolean isHopeless(int status) {
        return status == Status.UNKNOWN_TARGET.code()
                || status == Status.UNSUPPORTED.code()
                || (!others && servesNoMore(status));
    }

    /** Whether a reply says that another server serves, or soon will. */
    boolean isElsewhere(int status) {
        return others && servesNoMore(status);
    }

    private static boolean servesNoMore(int status) {
        return status == Status.NOT_SERVING.code()
                || status == Status.LOG_FAILED.code()
                || status == Status.SHUTTING_DOWN.code()
                || status == Status.LOG_UNAVAILABLE.code();
    }
}
