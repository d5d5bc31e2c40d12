package io.plog.server.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Which idempotency keys are remembered, for how long, and in how much heap. */
class KeyTableTest {
    private static final int STORED = 24; // beside an answer's bytes

    @SuppressWarnings("ArrayRecordComponent") // compared by identity
    private record Entry(long client, long number, int bytes, byte @Nullable [] answer, boolean forgotten) {
        boolean isFor(long otherClient, long otherNumber) {
            return client == otherClient && number == otherNumber;
        }
    }

    private static long client(int lower) {
        return ClientKind.HTTP_KEY.id(lower);
    }

    /** In the plainest way: a queue, searched from its end. */
    private static final class Model {
        private final int most;
        private final long maxBytes;
        private Deque<Entry> entries = new ArrayDeque<>();
        private long bytes;

        Model(int most, long maxBytes) {
            this.most = most;
            this.maxBytes = maxBytes;
        }

        void add(Entry entry) {
            entries.add(entry);
            bytes += heap(entry);
            if (entries.size() > most) {
                bytes -= heap(entries.remove());
            }
            if (bytes > maxBytes) {
                forget();
            }
        }

        private static long heap(Entry entry) {
            return entry.answer == null ? 0 : STORED + entry.answer.length;
        }

        private void forget() {
            Deque<Entry> kept = new ArrayDeque<>();
            for (Entry each : entries) {
                boolean isNewest = kept.size() == entries.size() - 1;
                boolean forgets = bytes > maxBytes && each.answer != null && !isNewest;
                bytes -= forgets ? heap(each) : 0;
                kept.add(forgets ? new Entry(each.client, each.number, each.bytes, null, true) : each);
            }
            entries = kept;
        }

        @Nullable
        Entry find(long client, long number) {
            for (Iterator<Entry> newest = entries.descendingIterator(); newest.hasNext(); ) {
                Entry each = newest.next();
                if (each.isFor(client, number)) {
                    return each;
                }
            }
            return null;
        }
    }

    @Test
    void itHoldsWhatAPlainQueueHolds() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int round = 0; round < 12; round++) {
            int most = 1 + random.nextInt(3_000);
            long maxBytes = random.nextInt(20_000);
            String what = "seed " + seed + ", " + most + " keys, " + maxBytes + " bytes";
            boolean stores = random.nextBoolean();
            KeyTable table = new KeyTable(most, maxBytes, HeapArrays.JVM);
            Model model = new Model(most, maxBytes);
            for (int i = 0; i < 5_000; i++) {
                long client = client(random.nextInt(40));
                long number = random.nextInt(200);
                byte[] answer = stores ? new byte[random.nextInt(30)] : null;
                table.add(client, number, i, i % 30, i, answer);
                model.add(new Entry(client, number, i % 30, answer, false));
                assertThat(table.count()).as(what).isEqualTo(model.entries.size());
                assertSame(table, model, client(random.nextInt(40)), random.nextInt(200), what);
            }
            assertThat(table.storedBytes()).as(what).isEqualTo(model.bytes);
            Iterator<Entry> expected = model.entries.iterator();
            table.copy().forEach((client, number, recorded) -> {
                Entry entry = expected.next();
                assertThat(entry.isFor(client, number)).as(what).isTrue();
                assertThat(recorded == null).as(what).isEqualTo(entry.forgotten);
            });
            assertThat(expected.hasNext()).as(what).isFalse();
        }
    }

    private static void assertSame(KeyTable table, Model model, long client, long number, String what) {
        Entry entry = model.find(client, number);
        Admission expected = entry == null ? Admission.NEW : entry.forgotten ? Admission.OUTDATED : Admission.ANSWERED;
        assertThat(table.recall(client, number)).as(what).isEqualTo(expected);
        RecordedAnswer recorded = table.answer(client, number);
        if (entry != null && !entry.forgotten) {
            Objects.requireNonNull(recorded, what);
            assertThat(recorded.payloadBytes()).as(what).isEqualTo(entry.bytes);
            assertThat(recorded.answer()).as(what).isSameAs(entry.answer);
            assertThat((int) recorded.index()).as(what).isEqualTo(recorded.recordCrc());
        } else {
            assertThat(recorded).as(what).isNull();
        }
    }

    @Test
    void withoutHeapForAnotherKeyNothingIsChanged() {
        FailingArrays arrays = new FailingArrays();
        KeyTable table = new KeyTable(5_000, 1 << 20, arrays);
        int failures = 0;
        for (int number = 0; number < 5_000; ) {
            arrays.failAfter(0);
            try {
                table.add(client(1), number, number, 1, 1, new byte[1]);
                number++;
            } catch (OutOfMemoryError e) {
                failures++;
                assertThat(table.count()).isEqualTo(number);
                assertThat(table.recall(client(1), number)).isEqualTo(Admission.NEW);
                for (int allowed = 1; table.count() == number; allowed++) {
                    arrays.failAfter(allowed); // one more each time, so that each allocation fails once
                    try {
                        table.add(client(1), number, number, 1, 1, new byte[1]);
                    } catch (OutOfMemoryError again) {
                        assertThat(table.count()).isEqualTo(number);
                    }
                }
                number++;
            }
            for (int before = Math.max(0, number - 3); before < number; before++) {
                assertThat(table.recall(client(1), before)).isEqualTo(Admission.ANSWERED);
            }
        }
        assertThat(failures).isGreaterThan(5);
        arrays.failAfter(0); // all is there now
        for (int number = 0; number < 5_000; number++) {
            assertThat(table.recall(client(1), number)).isEqualTo(Admission.ANSWERED);
            table.add(client(2), number, number, 1, 1, new byte[1]);
        }
        assertThat(table.count()).isEqualTo(5_000);
        assertThatThrownBy(() -> new KeyTable(5_000, 0, arrays).add(client(1), 1, 1, 1, 1, null))
                .isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void notMoreNewKeysAreTakenInTheKeyTimeThanAreRemembered() {
        long second = 1_000_000_000L;
        AtomicLong now = new AtomicLong(Long.MAX_VALUE - second);
        int keys = 1_024;
        KeyRateLimiter rate = new KeyRateLimiter(keys, 5 * second, now::get);
        Random random = new Random(1);
        Deque<Long> taken = new ArrayDeque<>();
        int refused = 0;
        for (int i = 0; i < 100_000; i++) {
            if (rate.tryAcquire()) {
                taken.add(now.get());
            } else {
                refused++;
            }
            if (i == 50_000) {
                rate = new KeyRateLimiter(keys, 5 * second, now::get); // a restart
            }
            now.addAndGet(random.nextInt(10) == 0 ? random.nextInt(2_000_000_000) / 20 : 1_000);
            while (!taken.isEmpty() && now.get() - taken.element() > 5 * second) {
                taken.remove();
            }
            assertThat(taken.size()).isLessThanOrEqualTo(keys);
        }
        assertThat(refused).isGreaterThan(1_000);
        now.addAndGet(5 * second);
        for (int i = 0; i < keys / 4; i++) {
            assertThat(rate.tryAcquire())
                    .as("key %d of a burst after a rest", i)
                    .isTrue();
        }
        assertThat(rate.tryAcquire()).isFalse();
        KeyRateLimiter without = new KeyRateLimiter(keys, 0, now::get);
        for (int i = 0; i < 10 * keys; i++) {
            assertThat(without.tryAcquire()).isTrue();
        }
    }
}
