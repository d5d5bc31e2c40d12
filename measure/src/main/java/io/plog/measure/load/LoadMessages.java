package io.plog.measure.load;

import io.plog.protocol.Goodbye;
import io.plog.protocol.GoodbyeCode;
import io.plog.protocol.Status;
import java.util.Locale;

/** The text of failures and replies in messages about a load. Stateless. */
final class LoadMessages {
    private LoadMessages() {}

    static String text(Goodbye goodbye) {
        GoodbyeCode code = GoodbyeCode.ofCode(goodbye.code());
        return (code == null ? "code " + goodbye.code() : code.name()) + ", " + goodbye.reason();
    }

    /** A reply's status as people read it. */
    static String status(long code) {
        if (code == LoadRequests.NO_REPLY) {
            return "no reply";
        }
        if (code == LoadRequests.WRONG_REPLY) {
            return "wrong reply";
        }
        Status status = Status.ofCode((int) code);
        return status == null ? "status " + code : status.name();
    }

    static String rate(double perSecond) {
        return String.format(Locale.ROOT, perSecond < 100 ? "%.1f" : "%,.0f", perSecond);
    }
}
