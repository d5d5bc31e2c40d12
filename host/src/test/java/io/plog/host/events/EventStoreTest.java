package io.plog.host.events;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class EventStoreTest {
    private final EventStore store = new EventStore();

    private static Event gc(long start, long nanos) {
        return Event.of(EventKind.GC, start, nanos, "");
    }

    @Test
    void theLongestOfAKindAreKeptAndAllAreCounted() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Long> durations = new ArrayList<>();
        long total = 0;
        for (int i = 0; i < 3 * EventStore.MOST_OF_A_KIND; i++) {
            long nanos = random.nextInt(1_000_000);
            durations.add(nanos);
            total += nanos;
            store.add(gc(i, nanos));
        }
        store.add(Event.of(EventKind.FORCE, 5, 1, "of another kind"));
        durations.sort(null);
        List<Event> kept = store.since(0);
        assertThat(kept).isSortedAccordingTo((a, b) -> Long.compare(a.startNanos(), b.startNanos()));
        assertThat(kept.stream()
                        .filter(event -> event.kind().equals("gc"))
                        .map(Event::durationNanos)
                        .sorted())
                .isEqualTo(durations.subList(2 * EventStore.MOST_OF_A_KIND, durations.size()));
        assertThat(kept).contains(Event.of(EventKind.FORCE, 5, 1, "of another kind"));
        assertThat(store.totals())
                .containsExactly(
                        new KindTotal("force", 1, 1), new KindTotal("gc", 3L * EventStore.MOST_OF_A_KIND, total));
    }

    @Test
    void onlyWhatEndedSinceThenIsGiven() {
        store.add(gc(100, 50));
        store.add(gc(200, 50));
        assertThat(store.since(151)).containsExactly(gc(200, 50));
        assertThat(store.since(150)).containsExactly(gc(100, 50), gc(200, 50));
        assertThat(store.since(Long.MAX_VALUE)).isEmpty();
    }

    @Test
    void shortEventsOfNowAreNotDrivenOutByLongOnesOfLongAgo() {
        for (int i = 0; i < EventStore.MOST_OF_A_KIND; i++) {
            store.add(gc(i, 1_000_000));
        }
        long later = 3 * EventStore.EPOCH_NANOS;
        store.add(gc(later, 7));
        assertThat(store.since(later)).containsExactly(gc(later, 7));
    }

    @Test
    void whatIsOlderThanFourHoursIsForgotten() {
        long begin = -5 * EventStore.EPOCH_NANOS; // the clock may well be negative
        for (int epoch = 0; epoch < EventStore.EPOCHS + 3; epoch++) {
            store.add(gc(begin + epoch * EventStore.EPOCH_NANOS, 10));
        }
        List<Event> kept = store.since(Long.MIN_VALUE);
        assertThat(kept).hasSize(EventStore.EPOCHS);
        assertThat(kept.get(0).startNanos()).isEqualTo(begin + 3 * EventStore.EPOCH_NANOS);
        assertThat(store.totals())
                .containsExactly(new KindTotal("gc", EventStore.EPOCHS + 3, 10L * (EventStore.EPOCHS + 3)));
    }
}
