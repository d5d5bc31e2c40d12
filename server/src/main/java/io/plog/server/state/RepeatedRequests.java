package io.plog.server.state;

import io.plog.protocol.Status;
import org.jspecify.annotations.Nullable;

/**
 * Answers requests that repeat an earlier one: with what that one was answered, byte for byte, or with the reason why not.
 * Executes nothing and changes no state. Called on event loops and on the log's threads.
 */
final class RepeatedRequests {
    private final ClientTable table;
    private final StateFailure failure;

    RepeatedRequests(ClientTable table, StateFailure failure) {
        this.table = table;
        this.failure = failure;
    }

    /** Gives the answer that was recorded; refuses the repeat if it was forgotten since it was admitted. */
    void answer(Session session, LoggedRequest request) {
        RecordedAnswer answer = session.find(request.number());
        if (answer == null) {
            refuseAsOutdated(session, request);
        } else {
            table.discardIfOver(session);
            answer(request, request.recordCrc(), answer);
        }
    }

    /** Refuses a number older than what is remembered of its client. */
    void refuseAsOutdated(Session session, LoggedRequest request) {
        String sentence = session.outdatedSentence(request.number());
        table.discardIfOver(session);
        request.refused(Status.OUTDATED, sentence);
    }

    /**
     * Answers all requests that waited for the one that they repeat, even if one of them cannot be answered.
     *
     * @param repeats the first of the list
     * @param recorded the answer; {@code null} if the target failed
     */
    void answerAll(LoggedRequest repeats, @Nullable RecordedAnswer recorded) {
        LoggedRequest each = repeats;
        try {
            while (each != null) {
                LoggedRequest current = each;
                each = each.nextRepeat;
                if (recorded == null) {
                    current.refused(Status.FAILED, failure.sentence());
                } else {
                    answer(current, current.repeatCrc, recorded);
                }
            }
        } finally {
            if (each != null) {
                answerAll(each, recorded);
            }
        }
    }

    private static void answer(LoggedRequest request, int recordCrc, RecordedAnswer answer) {
        if (answer.isFor(request.payloadBytes(), recordCrc)) {
            request.repeated(answer);
        } else {
            request.refused(
                    Status.CONFLICT,
                    "number " + Long.toUnsignedString(request.number()) + " was used for another request, of "
                            + answer.payloadBytes() + " bytes, logged at index " + answer.index()
                            + "; this one is not executed: give it a new number");
        }
    }
}
