package io.plog.log;

import io.plog.log.file.Uninterruptibles;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Completes the appends that were left when their log was given up, on daemon threads: first those that run no code of the
 * embedder's, then the others, in log order. If a callback does not return, another thread continues with the next append.
 */
final class PendingNotifier {
    private final List<AppendNotifier.Pending> outcomes;
    private final LogThreads threads;
    private final long timeoutNanos;
    private final AtomicInteger next = new AtomicInteger();
    private final Thread watching = daemon(this::watch);

    /** @param timeoutNanos how long one callback may hold the others up */
    PendingNotifier(List<AppendNotifier.Pending> inLogOrder, LogThreads threads, long timeoutNanos) {
        Map<Boolean, List<AppendNotifier.Pending>> quick =
                inLogOrder.stream().collect(Collectors.partitioningBy(AppendNotifier.Pending::isQuick));
        this.outcomes = Stream.of(true, false)
                .flatMap(each -> quick.getOrDefault(each, List.of()).stream())
                .toList();
        this.threads = threads;
        this.timeoutNanos = timeoutNanos;
    }

    /** Begins, and waits until all are completed, or until a callback has taken too long. */
    void start() {
        watching.start();
        Uninterruptibles.join(watching, timeoutNanos);
    }

    private void watch() {
        int begun;
        do {
            begun = next.get();
            Thread completing = daemon(this::reportAll);
            completing.start();
            while (!Uninterruptibles.join(completing, timeoutNanos) && next.get() > begun) {
                begun = next.get(); // it gets on
            }
        } while (next.get() < outcomes.size());
    }

    private void reportAll() {
        threads.enter();
        for (int i = next.getAndIncrement(); i < outcomes.size(); i = next.getAndIncrement()) {
            try {
                outcomes.get(i).report();
            } catch (Throwable t) {
                GuardedListener.report(t);
            }
        }
    }

    private static Thread daemon(Runnable work) {
        Thread thread = new Thread(work, "plog-last");
        thread.setDaemon(true);
        return thread;
    }
}
