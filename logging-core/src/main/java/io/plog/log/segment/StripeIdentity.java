package io.plog.log.segment;

import io.plog.log.file.HeadFile;
import io.plog.log.file.StripeId;
import io.plog.log.storage.LogException;
import java.util.List;

/**
 * Whether the directories that somebody named are those of one log, all of them, in the log's own order. Anything else is a
 * user's mistake, not damage, and is reported as such.
 */
final class StripeIdentity {
    private StripeIdentity() {}

    /**
     * Looks at the heads that were read; a directory without one decides nothing.
     *
     * @throws LogException if one belongs elsewhere; the message says what it is and what to do
     */
    static void check(List<StripeAnalysis> stripes) throws LogException {
        HeadFile known = null;
        for (StripeAnalysis stripe : stripes) {
            HeadFile head = stripe.head();
            if (head == null) {
                continue;
            }
            if (!head.stripe().equals(stripe.id())) {
                throw new LogException(misplaced(stripe, head, stripes.size()));
            }
            if (known != null && !known.logId().equals(head.logId())) {
                throw new LogException(stripe.name() + " is " + head.stripe() + " of log " + head.logId()
                        + ", and not of log " + known.logId() + " as those before it: open each log with its own"
                        + " directories");
            }
            known = head;
        }
    }

    private static String misplaced(StripeAnalysis stripe, HeadFile head, int given) {
        StripeId is = head.stripe();
        String what = stripe.name() + " is " + is + (is.isStriped() ? " of log " : ", log ") + head.logId();
        if (!is.isStriped()) {
            return what + ", and none of " + given + ": open it alone";
        }
        if (is.of() != given) {
            return what + ", but " + given + (given == 1 ? " directory was" : " directories were")
                    + " given: open the log with all of its " + is.of() + " directories, in order";
        }
        return what + ", but it was given as number " + stripe.id().number()
                + ": give the directories in the order in which the log was created";
    }
}
