package io.plog.measure.samples;

import java.util.function.IntToLongFunction;
import java.util.stream.IntStream;

/**
 * Sorts numbers from 0 on by a key, stable, in 8 bytes for each: as objects, tens of millions would take more room than what they
 * number. A merge sort that skips what is in order already, since replies come nearly in the order of their requests.
 */
final class StableOrder {
    private static final int RUN = 32;

    private StableOrder() {}

    /** The numbers 0 to {@code count - 1}, those with smaller keys first. */
    static int[] of(int count, IntToLongFunction key) {
        int[] order = IntStream.range(0, count).toArray();
        for (int from = 0; from < count; from += RUN) {
            insertInto(order, from, Math.min(count, from + RUN), key);
        }
        int[] other = new int[count];
        for (long length = RUN; length < count; length *= 2) {
            for (long from = 0; from < count; from += 2 * length) {
                int middle = (int) Math.min(count, from + length);
                int to = (int) Math.min(count, from + 2 * length);
                merge(order, other, (int) from, middle, to, key);
            }
            int[] sorted = other;
            other = order;
            order = sorted;
        }
        return order;
    }

    private static void insertInto(int[] order, int from, int to, IntToLongFunction key) {
        for (int i = from + 1; i < to; i++) {
            int number = order[i];
            long its = key.applyAsLong(number);
            int at = i;
            while (at > from && key.applyAsLong(order[at - 1]) > its) {
                order[at] = order[at - 1];
                at--;
            }
            order[at] = number;
        }
    }

    private static void merge(int[] source, int[] target, int from, int middle, int to, IntToLongFunction key) {
        if (middle == to || key.applyAsLong(source[middle - 1]) <= key.applyAsLong(source[middle])) {
            System.arraycopy(source, from, target, from, to - from);
            return;
        }
        int left = from;
        int right = middle;
        for (int i = from; i < to; i++) {
            boolean takesLeft =
                    right == to || (left < middle && key.applyAsLong(source[left]) <= key.applyAsLong(source[right]));
            target[i] = source[takesLeft ? left++ : right++];
        }
    }
}
