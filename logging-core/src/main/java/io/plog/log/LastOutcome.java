package io.plog.log;

/**
 * What an append is told that was left when its log was given up while it was closed.
 *
 * @param owner whom to tell: an {@link Append} or a {@link DurableFuture}
 * @param index the record's index if it is durable, otherwise 0
 * @param otherwise what is told instead if it is not durable, and to every {@link Append} with code of its own: that is called
 *     for durable records in log order, by one thread at a time, and the thread whose turn it is does not come back
 */
record LastOutcome(Object owner, long index, LogException otherwise) implements Runnable {
    /** Whether nothing of the embedder's runs when it is told. */
    boolean isQuick() {
        return owner instanceof BlockingAppend
                || (owner instanceof DurableFuture future && future.getNumberOfDependents() == 0);
    }

    @Override
    public void run() {
        LogException failed = index > 0 ? null : otherwise;
        if (owner instanceof BlockingAppend append) {
            append.index = index;
            append.tell(failed);
        } else if (owner instanceof Append append) {
            append.tell(otherwise);
        } else {
            ((DurableFuture) owner).tell(index, failed);
        }
    }
}
