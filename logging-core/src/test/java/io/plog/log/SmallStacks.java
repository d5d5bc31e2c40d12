package io.plog.log;

import io.plog.log.storage.LogException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Callers with little stack left: threads that recurse to the end of theirs and append on the way back, in every way, at every
 * depth. A program of its own, too, whose first append is such a one.
 */
final class SmallStacks {
    /** Frames of a few hundred bytes at most: more than an append needs, and less than the log's own work does. */
    private static final int DEPTHS = 600;

    private static final int[] STACK_BYTES = {160 * 1024, 256 * 1024, 1024 * 1024};

    private final DurableLog log;
    private final List<CompletableFuture<Long>> outcomes = Collections.synchronizedList(new ArrayList<>());

    SmallStacks(DurableLog log) {
        this.log = log;
    }

    /** Opens a log in a directory, lets callers misuse it, and says how many records it has. */
    public static void main(String[] arguments) throws Exception {
        try (MessageLog log = MessageLog.open(Logs.options(Path.of(arguments[0])))) {
            new SmallStacks(log).run();
            System.out.println("fine " + log.durableIndex());
        }
    }

    /** Returns when every append has its outcome, another one was acknowledged, and the log has these records and no other. */
    void run() throws Exception {
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3 * STACK_BYTES.length; i++) {
            int way = i % 3;
            threads.add(new Thread(null, () -> descend(way), "small", STACK_BYTES[i / 3]));
            threads.get(i)
                    .setUncaughtExceptionHandler(
                            (thread, thrown) -> outcomes.add(CompletableFuture.failedFuture(thrown)));
        }
        for (Thread thread : threads) {
            thread.setDaemon(true);
            thread.start();
        }
        for (Thread thread : threads) {
            awaitWhileThereIsProgress("a caller waits for ever: the log stands still", millis -> {
                thread.join(millis);
                return !thread.isAlive();
            });
        }
        CompletableFuture<Long> last = log.append(ByteBuffer.allocate(8));
        await(last); // outcomes are reported in log order, so no callback adds one any more
        outcomes.add(last);
        for (CompletableFuture<Long> outcome : outcomes) {
            await(outcome);
        }
        if (log.durableIndex() != outcomes.size()) {
            throw new AssertionError(log.durableIndex() + " records, but " + outcomes.size()
                    + " appends that were taken: a caller was thrown an error, and its record was taken all the same");
        }
    }

    private void await(CompletableFuture<Long> outcome) throws Exception {
        awaitWhileThereIsProgress("the outcome of an append is never reported", millis -> {
            try {
                outcome.get(millis, TimeUnit.MILLISECONDS);
                return true;
            } catch (TimeoutException e) {
                return false;
            }
        });
    }

    private interface Wait {
        /** Returns whether it is over after so many milliseconds at most. */
        boolean isOverIn(long millis) throws Exception;
    }

    /** On a machine that is busy with other things everything is slow: what counts is that no append has an outcome any more. */
    private void awaitWhileThereIsProgress(String otherwise, Wait wait) throws Exception {
        for (int before = -1; !wait.isOverIn(TimeUnit.SECONDS.toMillis(30)); before = outcomes.size()) {
            if (outcomes.size() == before) {
                throw new AssertionError(otherwise);
            }
        }
    }

    /** How far from the end of the stack. */
    @SuppressWarnings("InfiniteRecursion") // the stack ends it
    private int descend(int way) {
        int depth;
        try {
            depth = descend(way);
        } catch (StackOverflowError e) {
            depth = 0;
        }
        if (depth < DEPTHS) {
            try {
                append(way);
            } catch (StackOverflowError tooDeep) {
                return depth + 1; // the caller hears of it
            }
        }
        return depth + 1;
    }

    private void append(int way) {
        switch (way) {
            case 0 -> outcomes.add(log.append(ByteBuffer.allocate(8)));
            case 1 -> log.append(new Observed(), ByteBuffer.allocate(4), ByteBuffer.allocate(4));
            default -> log.appendAndWait(new Observed(), ByteBuffer.allocate(8));
        }
    }

    /** Its outcome is asked for if the log took it without an error. */
    private final class Observed extends Append {
        @Override
        protected void onDurable() {
            outcomes.add(CompletableFuture.completedFuture(index()));
        }

        @Override
        protected void onFailed(LogException cause) {
            outcomes.add(CompletableFuture.failedFuture(cause));
        }
    }
}
