package io.plog.log;

import io.plog.log.storage.LogException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** An append of a test that got its outcome once, and remembers what came before what. */
final class Outcome extends Append {
    final List<byte[]> records; // one, or a list that is appended together
    private final long expected;
    private final CountDownLatch reported = new CountDownLatch(1);
    private final Runnable thenOnLogThread;
    private @Nullable LogException failure;
    private int timesReported;
    private final AtomicInteger completions;
    private int place;

    /**
     * @param completions counts the outcomes of a log's appends as they are reported
     * @param thenOnLogThread what to do in the very moment in which it is acknowledged
     */
    Outcome(byte[] record, AtomicInteger completions, Runnable thenOnLogThread) {
        this(List.of(record), 0, completions, thenOnLogThread);
    }

    /** @param expected the index that its first record has to get, 0 for any */
    Outcome(List<byte[]> records, long expected, AtomicInteger completions, Runnable thenOnLogThread) {
        this.records = records;
        this.expected = expected;
        this.completions = completions;
        this.thenOnLogThread = thenOnLogThread;
    }

    void appendTo(MessageLog log) {
        if (records.size() == 1 && expected == 0) {
            log.append(this, ByteBuffer.wrap(records.get(0)));
            return;
        }
        List<ByteBuffer> list = records.stream().map(ByteBuffer::wrap).toList();
        (expected > 0 ? log.append(expected, list) : log.append(list)).handle((last, cause) -> {
            if (cause == null) {
                index = last;
                onDurable();
            } else {
                onFailed((LogException) cause);
            }
            return last;
        });
    }

    /** Whether its first record has the index that it had to get, if it is durable. */
    boolean isAsExpected() {
        return expected == 0 || failure != null || index() == expected + records.size() - 1;
    }

    @Override
    protected void onDurable() {
        place = completions.incrementAndGet();
        timesReported++;
        thenOnLogThread.run();
        reported.countDown();
    }

    @Override
    protected void onFailed(LogException cause) {
        place = completions.incrementAndGet();
        timesReported++;
        failure = cause;
        reported.countDown();
    }

    /** When it got its outcome: after how many others. */
    int place() {
        return place;
    }

    /** Waits for the outcome: null if the record is durable. */
    @Nullable
    LogException await() {
        try {
            reported.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException("a test was interrupted, probably by its time limit", e);
        }
        if (timesReported != 1) {
            throw new AssertionError("an append got its outcome " + timesReported + " times");
        }
        return failure;
    }
}
