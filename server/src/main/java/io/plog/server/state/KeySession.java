package io.plog.server.state;

import org.jspecify.annotations.Nullable;

/** Requests with the same idempotency key, or with keys that share the half of a client's id, while they are in flight. */
final class KeySession extends Session {
    private final KeyTable keys;
    private final KeyRateLimiter rate;

    KeySession(long client, KeyTable keys, KeyRateLimiter rate) {
        super(client);
        this.keys = keys;
        this.rate = rate;
    }

    @Override
    Admission recall(long number) {
        Admission admission = keys.recall(client(), number);
        return admission == Admission.NEW && !rate.tryAcquire() ? Admission.TOO_MANY : admission;
    }

    @Override
    @Nullable
    RecordedAnswer find(long number) {
        return keys.answer(client(), number);
    }

    @Override
    String outdatedSentence(long number) {
        return "this Idempotency-Key was used, and its answer is forgotten; it is not executed again";
    }

    @Override
    boolean isRemembered() {
        return false; // the keys are, in their table
    }
}
