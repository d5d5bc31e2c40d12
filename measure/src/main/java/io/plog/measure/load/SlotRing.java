package io.plog.measure.load;

import java.util.Arrays;

/**
 * The slots of a connection's requests under way, by number. Numbers rise by one, so a table as long as the span of those under
 * way holds each at its number's last bits. For one thread; allocates only to grow.
 */
final class SlotRing {
    private static final int NONE = -1;

    private int[] slots = new int[4];
    private int count;

    SlotRing() {
        Arrays.fill(slots, NONE);
    }

    int count() {
        return count;
    }

    /** Adds one; {@code inFlight} knows the numbers of those that are there. */
    void put(long number, int slot, RequestSlots inFlight) {
        while (slots[index(number)] != NONE) {
            grow(inFlight);
        }
        slots[index(number)] = slot;
        count++;
    }

    /** Takes the slot of this number away; -1 if there is none. */
    int remove(long number, RequestSlots inFlight) {
        int at = index(number);
        int slot = slots[at];
        if (slot == NONE || inFlight.number[slot] != number) {
            return NONE;
        }
        slots[at] = NONE;
        count--;
        return slot;
    }

    /** Takes any one away; -1 if there is none. In the order of the table, which is that of the numbers but for one turn. */
    int removeAny() {
        for (int i = 0; count > 0 && i < slots.length; i++) {
            if (slots[i] != NONE) {
                int slot = slots[i];
                slots[i] = NONE;
                count--;
                return slot;
            }
        }
        return NONE;
    }

    private int index(long number) {
        return (int) number & (slots.length - 1);
    }

    private void grow(RequestSlots inFlight) {
        int[] old = slots;
        int length = old.length;
        boolean apart = false;
        while (!apart) {
            length *= 2;
            slots = new int[length];
            Arrays.fill(slots, NONE);
            apart = true;
            for (int slot : old) {
                if (slot != NONE) {
                    apart &= slots[index(inFlight.number[slot])] == NONE;
                    slots[index(inFlight.number[slot])] = slot;
                }
            }
        }
    }
}
