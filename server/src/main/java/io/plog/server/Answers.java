package io.plog.server;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The answers of one client's last requests, in log order: a ring that grows up to the window. It knows no lock; see
 * {@link Session}.
 *
 * <p>Numbers are u64. A client that numbers its requests one after the other never makes it search: a number above
 * {@link #isBeyondAll the highest} is a new one.
 */
final class Answers {
    private static final int LEAST_CAPACITY = 8;

    private final int window;
    private long[] numbers = new long[0];
    private long[] indexes = new long[0];
    private int[] payloadBytes = new int[0];
    private int[] recordCrcs = new int[0];
    private byte[] @Nullable [] stored = new byte[0][];
    private int oldest;
    private int count;
    private long storedBytes;
    private boolean forgotSome;
    private long floor; // the highest number forgotten, if any was
    private long highest; // of all that were added, if any was

    Answers(int window) {
        this.window = window;
    }

    int count() {
        return count;
    }

    /** Bytes of stored answers. */
    long storedBytes() {
        return storedBytes;
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
            int at = slot(i);
            if (numbers[at] == number) {
                return new RecordedAnswer(indexes[at], payloadBytes[at], recordCrcs[at], stored[at]);
            }
        }
        return null;
    }

    /** Adds the newest, and forgets the oldest if the window is full. */
    void add(long number, RecordedAnswer answer) {
        add(number, answer.index(), answer.payloadBytes(), answer.recordCrc(), answer.answer());
    }

    /** The same without an object. */
    void add(long number, long index, int bytes, int recordCrc, byte @Nullable [] answer) {
        highest = isBeyondAll(number) ? number : highest;
        if (count == window) {
            forgetOldest();
        } else if (count == numbers.length) {
            grow();
        }
        int at = slot(count);
        numbers[at] = number;
        indexes[at] = index;
        payloadBytes[at] = bytes;
        recordCrcs[at] = recordCrc;
        stored[at] = answer;
        storedBytes += answer == null ? 0 : answer.length;
        count++;
    }

    /** There must be one. */
    void forgetOldest() {
        byte[] answer = stored[oldest];
        stored[oldest] = null;
        storedBytes -= answer == null ? 0 : answer.length;
        noteForgotten(numbers[oldest]);
        oldest = oldest + 1 == numbers.length ? 0 : oldest + 1;
        count--;
    }

    /** Remembers that the answer to this number is forgotten. */
    void noteForgotten(long number) {
        floor = forgotSome && Long.compareUnsigned(floor, number) > 0 ? floor : number;
        highest = isBeyondAll(number) ? number : highest;
        forgotSome = true;
    }

    /** Forgets everything, also that it forgot. */
    void clear() {
        Arrays.fill(stored, null);
        oldest = 0;
        count = 0;
        storedBytes = 0;
        forgotSome = false;
    }

    long number(int i) {
        return numbers[slot(i)];
    }

    long index(int i) {
        return indexes[slot(i)];
    }

    int payloadBytes(int i) {
        return payloadBytes[slot(i)];
    }

    int recordCrc(int i) {
        return recordCrcs[slot(i)];
    }

    byte @Nullable [] answer(int i) {
        return stored[slot(i)];
    }

    /** A copy that shares nothing but the answers' bytes, which do not change. */
    Answers copy() {
        Answers copy = new Answers(window);
        copy.resize(count, this);
        copy.count = count;
        copy.storedBytes = storedBytes;
        copy.forgotSome = forgotSome;
        copy.floor = floor;
        copy.highest = highest;
        return copy;
    }

    private int slot(int i) {
        int at = oldest + i;
        return at < numbers.length ? at : at - numbers.length;
    }

    private void grow() {
        resize(Math.min(window, Math.max(LEAST_CAPACITY, 2 * count)), this);
        oldest = 0;
    }

    /** Takes over the answers of {@code from}, the oldest first, into arrays of this capacity. */
    private void resize(int capacity, Answers from) {
        int first = Math.min(from.count, from.numbers.length - from.oldest);
        int rest = from.count - first;
        numbers = unrolled(from.numbers, new long[capacity], from.oldest, first, rest);
        indexes = unrolled(from.indexes, new long[capacity], from.oldest, first, rest);
        payloadBytes = unrolled(from.payloadBytes, new int[capacity], from.oldest, first, rest);
        recordCrcs = unrolled(from.recordCrcs, new int[capacity], from.oldest, first, rest);
        stored = unrolled(from.stored, new byte[capacity][], from.oldest, first, rest);
    }

    @SuppressWarnings("SuspiciousSystemArraycopy") // both are arrays of the same type T
    private static <T> T unrolled(T ring, T into, int oldest, int first, int rest) {
        System.arraycopy(ring, oldest, into, 0, first);
        System.arraycopy(ring, 0, into, first, rest);
        return into;
    }
}
