package io.plog.log;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** An append of a test that is told its outcome once, and remembers what came before what. */
final class Outcome extends Append {
    final byte[] record;
    private final CountDownLatch told = new CountDownLatch(1);
    private final Runnable thenOnLogThread;
    private @Nullable LogException failure;
    private int timesTold;

    /** @param thenOnLogThread what to do in the very moment in which it is acknowledged */
    Outcome(byte[] record, Runnable thenOnLogThread) {
        this.record = record;
        this.thenOnLogThread = thenOnLogThread;
    }

    void appendTo(MessageLog log) {
        log.append(this, ByteBuffer.wrap(record));
    }

    @Override
    protected void onDurable() {
        timesTold++;
        thenOnLogThread.run();
        told.countDown();
    }

    @Override
    protected void onFailed(LogException cause) {
        timesTold++;
        failure = cause;
        told.countDown();
    }

    /** Waits for the outcome: null if the record is durable. */
    @Nullable
    LogException await() {
        try {
            told.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("a test was interrupted, probably by its time limit", e);
        }
        if (timesTold != 1) {
            throw new AssertionError("an append was told its outcome " + timesTold + " times");
        }
        return failure;
    }
}
