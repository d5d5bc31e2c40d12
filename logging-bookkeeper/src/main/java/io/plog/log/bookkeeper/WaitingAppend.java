package io.plog.log.bookkeeper;

import io.plog.log.Append;
import io.plog.log.LogException;
import org.jspecify.annotations.Nullable;

/** An append whose caller waits for the outcome; there is no callback. */
final class WaitingAppend extends Append {
    private @Nullable LogException failure;

    @Override
    protected void onDurable() {
        // the waiter is told
    }

    @Override
    protected void onFailed(LogException cause) {
        failure = cause;
    }

    /** The record's index; valid once the waiter is done. */
    long outcome() throws LogException {
        LogException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return index();
    }
}
