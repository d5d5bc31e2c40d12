package io.plog.log;

import org.jspecify.annotations.Nullable;

/** An append whose caller waits for the outcome and is not told otherwise. */
final class BlockingAppend extends Append {
    private @Nullable LogException failure;

    @Override
    protected void onDurable() {
        // the waiter is told
    }

    @Override
    protected void onFailed(LogException cause) {
        failure = cause;
    }

    /** The record's index, once the waiter is told. */
    long outcome() throws LogException {
        LogException failed = failure;
        if (failed != null) {
            throw failed;
        }
        return index();
    }
}
