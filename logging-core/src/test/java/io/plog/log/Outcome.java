package io.plog.log;

import java.nio.ByteBuffer;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An append of a test that is told its outcome once, and remembers what came before what. */
final class Outcome extends Append {
    final byte[] record;
    private final CountDownLatch told = new CountDownLatch(1);
    private final Runnable thenOnLogThread;
    private @Nullable LogException failure;
    private int timesTold;
    private final AtomicInteger tellings;
    private int place;

    /**
     * @param tellings counts the outcomes of a log's appends as they are told
     * @param thenOnLogThread what to do in the very moment in which it is acknowledged
     */
    Outcome(byte[] record, AtomicInteger tellings, Runnable thenOnLogThread) {
        this.record = record;
        this.tellings = tellings;
        this.thenOnLogThread = thenOnLogThread;
    }

    void appendTo(MessageLog log) {
        log.append(this, ByteBuffer.wrap(record));
    }

    @Override
    protected void onDurable() {
        place = tellings.incrementAndGet();
        timesTold++;
        thenOnLogThread.run();
        told.countDown();
    }

    @Override
    protected void onFailed(LogException cause) {
        place = tellings.incrementAndGet();
        timesTold++;
        failure = cause;
        told.countDown();
    }

    /** When it was told its outcome: after how many others. */
    int place() {
        return place;
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
