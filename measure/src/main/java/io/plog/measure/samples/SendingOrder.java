package io.plog.measure.samples;

import io.plog.stats.numbers.Longs;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.stream.IntStream;

/**
 * Puts the samples of each trial into the order in which they were sent; those sent at once stay in theirs. Each chunk is put in order
 * by itself, then they are merged. Not thread-safe.
 */
@SuppressWarnings("EnumOrdinal") // columns live side by side in memory only; files name them
final class SendingOrder {
    private static final List<Column> COLUMNS = List.of(Column.values());

    private final Longs.Builder[] columns = new Longs.Builder[Column.COUNT];
    private final List<Chunk> chunks = new ArrayList<>();

    SendingOrder() {
        Arrays.setAll(columns, i -> new Longs.Builder());
    }

    /** Appends a chunk, as the file has it. */
    void add(Samples chunk) {
        int count = (int) chunk.count();
        long begin = columns[0].count();
        Comparator<Integer> sending = Comparator.<Integer>comparingLong(i -> chunk.get(Column.TRIAL, i))
                .thenComparingLong(i -> chunk.get(Column.SENT, i));
        // Stable, and quick where they nearly are in order.
        int[] order = IntStream.range(1, count).allMatch(i -> sending.compare(i - 1, i) <= 0)
                ? new int[0]
                : IntStream.range(0, count)
                        .boxed()
                        .sorted(sending)
                        .mapToInt(i -> i)
                        .toArray();
        for (Column column : COLUMNS) {
            Longs.Builder to = columns[column.ordinal()];
            for (int i = 0; i < count; i++) {
                to.add(chunk.get(column, order.length == 0 ? i : order[i]));
            }
        }
        chunks.add(new Chunk(chunks.size(), begin, begin + count));
    }

    /** All of them. */
    Samples samples() {
        Longs[] all = Arrays.stream(columns).map(Longs.Builder::build).toArray(Longs[]::new);
        Longs trials = all[Column.TRIAL.ordinal()];
        Longs sent = all[Column.SENT.ordinal()];
        chunks.removeIf(chunk -> chunk.at == chunk.end);
        chunks.forEach(chunk -> chunk.look(trials, sent));
        boolean inOrder = IntStream.range(1, chunks.size())
                .allMatch(i -> chunks.get(i - 1).last(trials, sent).compareTo(chunks.get(i)) <= 0);
        if (!inOrder) {
            Longs order = merged(trials, sent);
            Arrays.setAll(all, i -> all[i].at(order));
        }
        return new Samples(all);
    }

    private Longs merged(Longs trials, Longs sent) {
        Longs.Builder order = new Longs.Builder();
        PriorityQueue<Chunk> left = new PriorityQueue<>(chunks);
        while (!left.isEmpty()) {
            Chunk first = left.remove();
            Chunk next = left.peek();
            do {
                order.add(first.at++);
                first.look(trials, sent);
            } while (first.at < first.end && (next == null || first.compareTo(next) < 0));
            if (first.at < first.end) {
                left.add(first);
            }
        }
        return order.build();
    }

    /** What is left of a chunk, and when its next sample was sent. */
    private static final class Chunk implements Comparable<Chunk> {
        private final int number;
        private final long end;
        private long at;
        private long trial;
        private long sent;

        Chunk(int number, long at, long end) {
            this.number = number;
            this.at = at;
            this.end = end;
        }

        void look(Longs trials, Longs allSent) {
            if (at < end) {
                trial = trials.get(at);
                sent = allSent.get(at);
            }
        }

        Chunk last(Longs trials, Longs allSent) {
            Chunk last = new Chunk(number, end - 1, end);
            last.look(trials, allSent);
            return last;
        }

        @Override
        public int compareTo(Chunk other) {
            int byTrial = Long.compare(trial, other.trial);
            int bySent = byTrial != 0 ? byTrial : Long.compare(sent, other.sent);
            return bySent != 0 ? bySent : Integer.compare(number, other.number);
        }
    }
}
