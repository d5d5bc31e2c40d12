package io.plog.log;

import io.plog.log.storage.LogException;

/**
 * What the log completes when the outcome of an append is known: an object of the caller's with callbacks, or a future. These are
 * static methods because {@link Append} is public, and nobody else may complete one.
 */
sealed interface Completion permits Append, DurableFuture {
    /** The record is durable, in its place in the order. */
    static void acknowledge(Completion completion, long index) {
        if (completion instanceof Append append) {
            append.finish(index, null);
        } else if (completion instanceof DurableFuture future) {
            future.finish(index, null);
        }
    }

    /** The append failed. */
    static void fail(Completion completion, LogException cause) {
        if (completion instanceof Append append) {
            append.finish(0, cause);
        } else if (completion instanceof DurableFuture future) {
            future.finish(0, cause);
        }
    }

    /** Whether its caller waits, so that no code of the embedder's runs when it is completed. */
    static boolean isBlocking(Completion completion) {
        return completion instanceof Append append && append.isBlocking();
    }
}
