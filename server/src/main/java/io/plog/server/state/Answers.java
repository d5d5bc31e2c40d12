package io.plog.server.state;

import org.jspecify.annotations.Nullable;

/**
 * The answers of one client's last requests, in log order: a ring that has room for the next power of two, up to the window.
 * How large it is depends on how many answers it holds and on nothing else, so {@link #heapBytes} is the same again after a
 * restart. It knows no lock; see {@link Session}.
 *
 * <pre>
 *  a slot of the ring:  number  index  payload bytes | record crc
 *                       u64     u64    u32             u32
 * </pre>
 *
 * <p>Numbers are u64. A client that numbers its requests one after the other never makes it search: a number above
 * {@link #isBeyondAll the highest} is a new one.
 */
final class Answers {
    /** Longs of a slot. */
    private static final int SLOT = 3;

    private static final int ARRAY_BYTES = 16; // its header

    /** Of heap for a stored answer, in addition to its bytes: its header, the padding behind it, its place among the others. */
    private static final int STORED_BYTES = ARRAY_BYTES + Long.BYTES;

    private static final int REFERENCE_BYTES = 8; // 4 of them with a heap below 32 GB

    private static final long[] NO_SLOTS = {};
    private static final byte[][] NONE_STORED = {};

    private final int window;
    private final HeapArrays arrays;
    private long[] slots = NO_SLOTS;
    private byte[] @Nullable [] stored = NONE_STORED; // as many places as there are slots, or none
    private int oldest;
    private int count;
    private long storedBytes;
    private boolean forgotSome;
    private long floor; // the highest number forgotten, if any was
    private long highest; // of all that were added, if any was

    /** @param window answers that are remembered, at least 1 */
    Answers(int window, HeapArrays arrays) {
        this.window = window;
        this.arrays = arrays;
    }

    int count() {
        return count;
    }

    long storedBytes() {
        return storedBytes;
    }

    /** What the answers take of the heap. A client without answers takes nothing here. */
    long heapBytes() {
        return heapBytes(count, window, stored.length > 0, storedBytes);
    }

    /** What so many answers take of the heap, with so many bytes if they are stored. */
    static long heapBytes(int answers, int window, boolean stores, long storedBytes) {
        if (answers == 0) {
            return 0;
        }
        int capacity = capacity(answers, window);
        long slots = ARRAY_BYTES + (long) capacity * SLOT * Long.BYTES;
        return stores
                ? slots + ARRAY_BYTES + (long) capacity * REFERENCE_BYTES + (long) answers * STORED_BYTES + storedBytes
                : slots;
    }

    private static int capacity(int answers, int window) {
        int power = answers <= 1 ? answers : Integer.highestOneBit(answers - 1) << 1;
        return Math.min(window, power);
    }

    /** Whether any answer was forgotten, and so {@link #floor} means something. */
    boolean forgotSome() {
        return forgotSome;
    }

    /** The highest number of which the answer was forgotten. */
    long floor() {
        return floor;
    }

    /** Whether no answer of this number, nor of a higher one, was ever recorded. */
    boolean isBeyondAll(long number) {
        return (count == 0 && !forgotSome) || Long.compareUnsigned(number, highest) > 0;
    }

    /** Whether the number may have been answered and forgotten. */
    boolean isOutdated(long number) {
        return forgotSome && Long.compareUnsigned(number, floor) <= 0;
    }

    /** The answer to the request of this number, the newest should there be several; {@code null} if there is none. */
    @Nullable
    RecordedAnswer find(long number) {
        for (int i = count - 1; i >= 0; i--) {
            if (number(i) == number) {
                return new RecordedAnswer(index(i), payloadBytes(i), recordCrc(i), answer(i));
            }
        }
        return null;
    }

    /** Adds the newest, and forgets the oldest if the window is full. */
    void add(long number, RecordedAnswer answer) {
        add(number, answer.index(), answer.payloadBytes(), answer.recordCrc(), answer.answer());
    }

    /** Adds the newest, without an object for it. If there is no heap for it, nothing is added. */
    void add(long number, long index, int bytes, int recordCrc, byte @Nullable [] answer) {
        if (count == window) {
            forgetOldest();
        }
        fit(count + 1, answer != null);
        highest = isBeyondAll(number) ? number : highest;
        int at = slot(count);
        slots[at * SLOT] = number;
        slots[at * SLOT + 1] = index;
        slots[at * SLOT + 2] = (long) bytes << Integer.SIZE | Integer.toUnsignedLong(recordCrc);
        if (answer != null) {
            stored[at] = answer;
            storedBytes += answer.length;
        }
        count++;
    }

    /** There must be one. Its slot stays until the next is added, or until {@link #trim}. */
    void forgetOldest() {
        noteForgotten(number(0));
        if (stored.length > 0) {
            byte[] answer = stored[oldest];
            stored[oldest] = null;
            storedBytes -= answer == null ? 0 : answer.length;
        }
        oldest = oldest + 1 == capacity() ? 0 : oldest + 1;
        count--;
    }

    void trim() {
        fit(count, false);
    }

    /** Remembers that the answer to this number is forgotten. */
    void noteForgotten(long number) {
        floor = forgotSome && Long.compareUnsigned(floor, number) > 0 ? floor : number;
        highest = isBeyondAll(number) ? number : highest;
        forgotSome = true;
    }

    /** Forgets everything, also that it forgot. */
    void clear() {
        slots = NO_SLOTS;
        stored = NONE_STORED;
        oldest = 0;
        count = 0;
        storedBytes = 0;
        forgotSome = false;
    }

    long number(int i) {
        return slots[slot(i) * SLOT];
    }

    long index(int i) {
        return slots[slot(i) * SLOT + 1];
    }

    int payloadBytes(int i) {
        return (int) (slots[slot(i) * SLOT + 2] >>> Integer.SIZE);
    }

    int recordCrc(int i) {
        return (int) slots[slot(i) * SLOT + 2];
    }

    byte @Nullable [] answer(int i) {
        return stored.length == 0 ? null : stored[slot(i)];
    }

    /** A copy that shares nothing but the answers' bytes, which do not change. */
    Answers copy() {
        Answers copy = new Answers(window, HeapArrays.JVM);
        copy.slots = unrolled(slots, arrays.longs(count * SLOT), SLOT);
        copy.stored = stored.length == 0 ? NONE_STORED : unrolled(stored, arrays.answers(count), 1);
        copy.count = count;
        copy.storedBytes = storedBytes;
        copy.forgotSome = forgotSome;
        copy.floor = floor;
        copy.highest = highest;
        return copy;
    }

    private int capacity() {
        return slots.length / SLOT;
    }

    private int slot(int i) {
        int at = oldest + i;
        return at < capacity() ? at : at - capacity();
    }

    /** Makes the ring as large as it is to be with so many answers. Takes all the heap for it before it changes anything. */
    private void fit(int answers, boolean storing) {
        int capacity = capacity(answers, window);
        boolean stores = answers > 0 && (storing || stored.length > 0);
        boolean fits = capacity == capacity();
        if (fits && stores == stored.length > 0) {
            return;
        }
        long[] newSlots = unrolled(slots, capacity == 0 ? NO_SLOTS : arrays.longs(capacity * SLOT), SLOT);
        byte[] @Nullable [] newStored = stores ? arrays.answers(capacity) : NONE_STORED;
        if (stores && stored.length > 0) {
            unrolled(stored, newStored, 1);
        }
        slots = newSlots;
        stored = newStored;
        oldest = 0;
    }

    /** Copies the answers, the oldest first, from a ring with so many elements to a slot. */
    @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of the same type T
    private <T> T unrolled(T ring, T into, int perSlot) {
        int first = Math.min(count, capacity() - oldest);
        System.arraycopy(ring, oldest * perSlot, into, 0, first * perSlot);
        System.arraycopy(ring, 0, into, first * perSlot, (count - first) * perSlot);
        return into;
    }
}
