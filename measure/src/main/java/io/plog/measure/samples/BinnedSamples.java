package io.plog.measure.samples;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Samples of which the distributions are kept, but not which value belongs to which request, so that a long load takes little of
 * the disk. Those that were due within one second, and are alike in what is no duration, become as many samples of the same
 * latencies, logging latencies and so on in ascending order, each in the middle of a bin of at most 1 %. They pack to a
 * tenth at 5,000 a second.
 *
 * <p>What is a part of something is kept as the sum up to it: the least force goes with the least latency. A latency of rank r
 * is at least the logging latency of rank r, since each request's is, so no part is below 0, and means of parts are right.
 */
@SuppressWarnings("EnumOrdinal") // columns live side by side in memory only; files name them
public final class BinnedSamples {
    /** A bin is a 128th of a power of two wide. */
    private static final int BITS = 7;

    private static final long SLOT_NANOS = 1_000_000_000;

    private final Samples exact;
    private final long[][] columns;
    private int begun;

    private BinnedSamples(Samples exact) {
        this.exact = exact;
        columns = new long[Column.COUNT][Math.toIntExact(exact.count())];
    }

    /** What samples of one group have in common. */
    private record Alike(long trial, long block, long phase, long status, long kind, long slot) {}

    /** Without regard to their order. */
    public static Samples of(Samples exact) {
        Map<Alike, List<Integer>> groups = new LinkedHashMap<>();
        for (int i = 0; i < exact.count(); i++) {
            Alike alike = new Alike(
                    exact.get(Column.TRIAL, i),
                    exact.get(Column.BLOCK, i),
                    exact.get(Column.PHASE, i),
                    exact.get(Column.STATUS, i),
                    exact.get(Column.KIND, i),
                    Math.floorDiv(exact.get(Column.INTENDED, i), SLOT_NANOS));
            groups.computeIfAbsent(alike, first -> new ArrayList<>()).add(i);
        }
        BinnedSamples binned = new BinnedSamples(exact);
        groups.forEach((alike, members) ->
                binned.add(alike, members.stream().mapToInt(i -> i).toArray()));
        return new Samples(binned.columns, binned.begun);
    }

    /** The middle of the bin; a larger value is never in the bin of a smaller one. */
    static long bin(long value) {
        int shift = Long.SIZE - BITS - 1 - Long.numberOfLeadingZeros(Math.abs(value));
        return shift <= 0 ? value : (value >> shift << shift) + (1L << (shift - 1));
    }

    private void add(Alike alike, int[] members) {
        fill(Column.TRIAL, alike.trial, members.length);
        fill(Column.BLOCK, alike.block, members.length);
        fill(Column.PHASE, alike.phase, members.length);
        fill(Column.STATUS, alike.status, members.length);
        fill(Column.KIND, alike.kind, members.length);
        for (Column alone : List.of(Column.EXECUTION, Column.RESIDENCE, Column.BATCH_RECORDS, Column.CONNECT)) {
            put(alone, binned(of(alone, members)));
        }
        long[] sizes = of(Column.PAYLOAD_BYTES, members);
        Arrays.sort(sizes);
        put(Column.PAYLOAD_BYTES, sizes);
        long[] sum = new long[members.length];
        long[] before = sum.clone();
        for (Column part : List.of(Column.FORCE, Column.WRITE, Column.BATCH_WAIT, Column.WAITING)) {
            sum = plus(sum, of(part, members));
            long[] binned = binned(sum);
            put(part, minus(binned, before));
            before = binned;
        }
        long[] answered = of(Column.END_TO_END, members);
        long[] held = of(Column.HELD, members);
        long[] due = of(Column.INTENDED, members);
        long[] fromIntended = plus(answered, minus(of(Column.SENT, members), due));
        long[] endToEnd = binned(answered);
        long[] latency = binned(fromIntended);
        put(Column.END_TO_END, endToEnd);
        put(Column.HELD, minus(latency, binned(minus(fromIntended, held))));
        long[] intended = times(due);
        put(Column.INTENDED, intended);
        put(Column.SENT, plus(intended, minus(latency, endToEnd)));
        begun += members.length;
    }

    /** Spread evenly, so that neighbours in time have latencies that are far from each other. */
    private static long[] times(long[] exact) {
        long first = Arrays.stream(exact).min().orElseThrow();
        long last = Arrays.stream(exact).max().orElseThrow();
        int stride = Math.max(1, (int) (exact.length * 0.618));
        while (gcd(stride, exact.length) != 1) {
            stride++;
        }
        long[] times = new long[exact.length];
        for (int i = 0; i < times.length; i++) {
            long place = (long) i * stride % exact.length;
            times[i] = first + place * ((last - first) / Math.max(1, exact.length - 1));
        }
        return times;
    }

    private static int gcd(int a, int b) {
        return b == 0 ? a : gcd(b, a % b);
    }

    private long[] of(Column column, int[] members) {
        return Arrays.stream(members).mapToLong(i -> exact.get(column, i)).toArray();
    }

    private static long[] plus(long[] one, long[] other) {
        long[] sums = one.clone();
        Arrays.setAll(sums, i -> one[i] + other[i]);
        return sums;
    }

    private static long[] minus(long[] one, long[] other) {
        long[] differences = one.clone();
        Arrays.setAll(differences, i -> one[i] - other[i]);
        return differences;
    }

    private static long[] binned(long[] values) {
        return Arrays.stream(values).sorted().map(BinnedSamples::bin).toArray();
    }

    private void put(Column column, long[] values) {
        System.arraycopy(values, 0, columns[column.ordinal()], begun, values.length);
    }

    private void fill(Column column, long value, int count) {
        Arrays.fill(columns[column.ordinal()], begun, begun + count, value);
    }
}
