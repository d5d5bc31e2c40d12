package io.plog.measure.load;

import io.plog.protocol.Status;

/** The text of failures and replies in messages about a load. Stateless. */
final class LoadMessages {
    private LoadMessages() {}

    /** A reply's status as people read it. */
    static String status(long code) {
        if (code == LoadRequests.NO_REPLY) {
            return "no reply";
        }
        if (code == LoadRequests.WRONG_REPLY) {
            return "wrong reply";
        }
        Status status = Status.ofCode((int) code);
        return status != null ? status.name() : code < 100 ? "status " + code : "HTTP " + code;
    }
}
