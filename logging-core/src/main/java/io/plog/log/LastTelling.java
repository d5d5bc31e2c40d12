package io.plog.log;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Tells the appends their outcomes that were left when their log was given up, on daemon threads: first those whose telling
 * runs no code of the embedder's, then the others, in log order. Where a callback does not return, another thread goes on
 * behind it.
 */
final class LastTelling {
    private final List<LastOutcome> outcomes;
    private final AtWork atWork;
    private final long patienceNanos;
    private final AtomicInteger next = new AtomicInteger();
    private final Thread watching = daemon(this::watch);

    /** @param patienceNanos how long one callback may hold the others up */
    LastTelling(List<LastOutcome> inLogOrder, AtWork atWork, long patienceNanos) {
        Map<Boolean, List<LastOutcome>> quick =
                inLogOrder.stream().collect(Collectors.partitioningBy(LastOutcome::isQuick));
        this.outcomes = Stream.of(true, false)
                .flatMap(each -> quick.getOrDefault(each, List.of()).stream())
                .toList();
        this.atWork = atWork;
        this.patienceNanos = patienceNanos;
    }

    /** Begins, and waits until all were told, or until a callback has held the others up too long. */
    void start() {
        watching.start();
        Joins.join(watching, patienceNanos);
    }

    private void watch() {
        int begun;
        do {
            begun = next.get();
            Thread teller = daemon(this::tellAll);
            teller.start();
            while (!Joins.join(teller, patienceNanos) && next.get() > begun) {
                begun = next.get(); // it gets on
            }
        } while (next.get() < outcomes.size());
    }

    private void tellAll() {
        atWork.enter();
        for (int i = next.getAndIncrement(); i < outcomes.size(); i = next.getAndIncrement()) {
            try {
                outcomes.get(i).run();
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
