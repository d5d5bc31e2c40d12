package io.plog.measure.load;

import java.util.Arrays;

/** Slots in the order in which they came. For one thread; allocates only to grow. */
final class SlotQueue {
    private int[] slots = new int[4];
    private int first;
    private int count;

    boolean isEmpty() {
        return count == 0;
    }

    int count() {
        return count;
    }

    void add(int slot) {
        if (count == slots.length) {
            int[] larger = Arrays.copyOf(slots, count * 2);
            for (int i = 0; i < count; i++) {
                larger[i] = slots[(first + i) & (count - 1)];
            }
            slots = larger;
            first = 0;
        }
        slots[(first + count++) & (slots.length - 1)] = slot;
    }

    /** Takes the one that came first; there must be one. */
    int poll() {
        int slot = slots[first];
        first = (first + 1) & (slots.length - 1);
        count--;
        return slot;
    }
}
