package io.plog.host.events;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * Keeps events within bounds: of each kind the longest in each ten minutes, for the last four hours. All are counted.
 *
 * <p>Safe for any thread. Adding takes a lock for the moment that it takes to put an event into a heap, so it is meant for
 * what happens seldom, and is long.
 */
public final class EventStore {
    /** How many events of a kind are kept of each epoch, and returned at once. */
    public static final int MOST_OF_A_KIND = 1_000;

    static final long EPOCH_NANOS = TimeUnit.MINUTES.toNanos(10);
    static final int EPOCHS = 24;

    private static final Comparator<Event> BY_DURATION = Comparator.comparingLong(Event::durationNanos);

    /** By the epoch's number, then by kind; each heap has its shortest event on top. */
    private final TreeMap<Long, Map<String, PriorityQueue<Event>>> epochs = new TreeMap<>();

    private final TreeMap<String, KindTotal> totals = new TreeMap<>();

    /** Adds an event and forgets a shorter one if there is no room. */
    public synchronized void add(Event event) {
        totals.merge(event.kind(), new KindTotal(event.kind(), 1, event.durationNanos()), KindTotal::plus);
        PriorityQueue<Event> heap = epochs.computeIfAbsent(
                        Math.floorDiv(event.endNanos(), EPOCH_NANOS), number -> new TreeMap<>())
                .computeIfAbsent(event.kind(), kind -> new PriorityQueue<>(BY_DURATION));
        heap.add(event);
        if (heap.size() > MOST_OF_A_KIND) {
            heap.poll();
        }
        while (epochs.size() > EPOCHS) {
            epochs.pollFirstEntry();
        }
    }

    /** All events so far by kind, also those that were not kept. */
    public synchronized List<KindTotal> totals() {
        return List.copyOf(totals.values());
    }

    /** The longest events of each kind that ended at {@code sinceNanos} or later, by start. */
    public synchronized List<Event> since(long sinceNanos) {
        return epochs.values().stream()
                .flatMap(kinds -> kinds.values().stream())
                .flatMap(PriorityQueue::stream)
                .filter(event -> event.endNanos() >= sinceNanos)
                .collect(Collectors.groupingBy(Event::kind))
                .values()
                .stream()
                .flatMap(kind -> kind.stream().sorted(BY_DURATION.reversed()).limit(MOST_OF_A_KIND))
                .sorted(Comparator.comparingLong(Event::startNanos))
                .toList();
    }
}
