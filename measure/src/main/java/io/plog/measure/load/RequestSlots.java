package io.plog.measure.load;

import java.util.Arrays;

/**
 * The facts of each request that is due or under way, in numbered slots that are reused. For one thread; allocates
 * only when there are more than ever before.
 */
final class RequestSlots {
    long[] intendedNanos = new long[0];
    long[] sentNanos = new long[0];
    long[] heldNanos = new long[0];
    long[] connectNanos = new long[0];
    long[] number = new long[0];
    int[] payloadBytes = new int[0];
    boolean[] readOnly = new boolean[0];
    int[] block = new int[0];
    boolean[] warmUp = new boolean[0];
    private int[] free = new int[0];
    private int freeCount;
    private int taken;

    RequestSlots(int expected) {
        grow(Math.max(64, expected));
    }

    /** Takes a free slot. */
    int take() {
        if (freeCount == 0) {
            grow(number.length * 2);
        }
        taken++;
        return free[--freeCount];
    }

    /** Gives a slot back. */
    void give(int slot) {
        free[freeCount++] = slot;
        taken--;
    }

    /** How many slots are taken. */
    int taken() {
        return taken;
    }

    private void grow(int slots) {
        int before = number.length;
        intendedNanos = Arrays.copyOf(intendedNanos, slots);
        sentNanos = Arrays.copyOf(sentNanos, slots);
        heldNanos = Arrays.copyOf(heldNanos, slots);
        connectNanos = Arrays.copyOf(connectNanos, slots);
        number = Arrays.copyOf(number, slots);
        payloadBytes = Arrays.copyOf(payloadBytes, slots);
        readOnly = Arrays.copyOf(readOnly, slots);
        block = Arrays.copyOf(block, slots);
        warmUp = Arrays.copyOf(warmUp, slots);
        free = Arrays.copyOf(free, slots);
        for (int slot = slots - 1; slot >= before; slot--) {
            free[freeCount++] = slot;
        }
    }
}
