package io.plog.server.state;

import java.util.Arrays;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The idempotency keys that a target remembers, each with the answer of its only request, in the order in which they were
 * logged: a ring of pages, and chains by hash through it. A key is used once, so there is no client to keep for it; that makes
 * room for many.
 *
 * <pre>
 *  a slot of a page:  number  index  payload bytes | record crc   lower half of the client's id | next in its chain
 *                     u64     u64    i32             u32          u32                             i32
 * </pre>
 *
 * <p>The answer's bytes may be forgotten earlier than the key, which is outdated then: {@code payload bytes} is -1. A slot of
 * the ring is never given back before it is its turn, so how much heap the keys take is known when their number is.
 *
 * <p>Changed under the state machine's lock, in log order. All methods are for any thread.
 */
public final class KeyTable {
    /** Of heap for each key beside its answer, if that is stored: its slot, its share of the chains, its answer's place. */
    public static final int KEY_BYTES = 48;

    private static final int SLOT = 4; // longs
    private static final int PAGE_SLOTS = 1_024;
    private static final int LEAST_CHAINS = 256;
    private static final int FORGOTTEN = -1; // in place of a length
    private static final int STORED_BYTES = 16 + 8; // the header of an answer's array, and the padding behind it

    private final int most;
    private final long maxStoredBytes;
    private final HeapArrays arrays;

    /** Clients cannot choose keys that share a chain. */
    private final long secret = ThreadLocalRandom.current().nextLong() | 1;

    private final long[][] pages;
    private final byte[] @Nullable [][] stored; // pages too, empty ones where no answer is stored
    private int[] chains = {}; // the newest slot of each chain plus one, or 0; as many as a power of two
    private long first; // the place of the oldest; a place is a slot of the ring, counted on
    private long next;
    private long oldestStoring; // all before it have no stored answer
    private long storedBytes;

    /**
     * @param most keys, beyond which the one logged first is forgotten
     * @param maxStoredBytes of heap for stored answers, beyond which the oldest are forgotten; the newest stays
     */
    KeyTable(int most, long maxStoredBytes, HeapArrays arrays) {
        this.most = most;
        this.maxStoredBytes = maxStoredBytes;
        this.arrays = arrays;
        int count = (most + PAGE_SLOTS - 1) / PAGE_SLOTS;
        pages = new long[count][];
        stored = new byte[count][][];
        Arrays.fill(pages, new long[0]);
        Arrays.fill(stored, new byte[0][]);
    }

    /** Is called for each key, the oldest first. */
    interface Visitor {
        /**
         * Takes one.
         *
         * @param answer what it was answered; {@code null} if that is forgotten
         */
        void key(long client, long number, @Nullable RecordedAnswer answer);
    }

    synchronized int count() {
        return (int) (next - first);
    }

    /** What the stored answers take of the heap. */
    synchronized long storedBytes() {
        return storedBytes;
    }

    /** Whether this key is new, answered, or answered and the answer forgotten. */
    synchronized Admission recall(long client, long number) {
        int slot = find(client, number);
        if (slot < 0) {
            return Admission.NEW;
        }
        return bytesOf(slot) == FORGOTTEN ? Admission.OUTDATED : Admission.ANSWERED;
    }

    /** The answer to a key; {@code null} if it is not remembered. */
    synchronized @Nullable RecordedAnswer answer(long client, long number) {
        int slot = find(client, number);
        return slot < 0 ? null : answerIn(slot);
    }

    /**
     * Adds the newest key, and forgets the oldest ones beyond the bounds. If there is no heap for it, nothing is changed.
     *
     * @param answer its bytes, if they are to be kept
     */
    synchronized void add(long client, long number, long index, int payloadBytes, int crc, byte @Nullable [] answer) {
        int slot = (int) (next % most);
        makeRoom(slot, answer != null);
        if (count() == most) {
            forgetOldestKey();
        }
        put(slot, client, number, index, payloadBytes, crc);
        if (answer != null) {
            stored[slot / PAGE_SLOTS][slot % PAGE_SLOTS] = answer;
            storedBytes += STORED_BYTES + answer.length;
        }
        next++;
        while (storedBytes > maxStoredBytes && oldestStoring < next - 1) {
            forgetAnswer((int) (oldestStoring++ % most));
        }
    }

    /** Adds a key that is known to be used, but whose answer is forgotten. */
    synchronized void addForgotten(long client, long number) {
        add(client, number, 0, FORGOTTEN, 0, null);
    }

    /** A copy that shares nothing but the answers' bytes, which do not change. It may only be visited. */
    synchronized KeyTable copy() {
        KeyTable copy = new KeyTable(most, maxStoredBytes, HeapArrays.JVM);
        for (int i = 0; i < pages.length; i++) {
            copy.pages[i] = pages[i].clone();
            copy.stored[i] = stored[i].clone();
        }
        copy.first = first;
        copy.next = next;
        return copy;
    }

    synchronized void forEach(Visitor visitor) {
        for (long place = first; place < next; place++) {
            int slot = (int) (place % most);
            visitor.key(ClientKind.HTTP_KEY.id(lowerOf(slot)), numberOf(slot), answerIn(slot));
        }
    }

    /** Allocates everything that another key needs, before anything is changed. */
    private void makeRoom(int slot, boolean storing) {
        int page = slot / PAGE_SLOTS;
        long[] newPage = pages[page].length == 0 ? arrays.longs(PAGE_SLOTS * SLOT) : pages[page];
        byte[] @Nullable [] newStored = storing && stored[page].length == 0 ? arrays.answers(PAGE_SLOTS) : stored[page];
        boolean moreChains = count() >= chains.length && chains.length < most;
        int[] newChains = moreChains ? arrays.ints(Math.max(LEAST_CHAINS, 2 * chains.length)) : chains;
        pages[page] = newPage;
        stored[page] = newStored;
        if (moreChains) {
            chains = newChains;
            for (long place = first; place < next; place++) {
                link((int) (place % most));
            }
        }
    }

    private void forgetOldestKey() {
        int slot = (int) (first % most);
        forgetAnswer(slot);
        unlink(slot);
        first++;
        oldestStoring = Math.max(oldestStoring, first);
    }

    private void forgetAnswer(int slot) {
        byte[] @Nullable [] page = stored[slot / PAGE_SLOTS];
        byte[] answer = page.length == 0 ? null : page[slot % PAGE_SLOTS];
        if (answer != null) {
            page[slot % PAGE_SLOTS] = null;
            storedBytes -= STORED_BYTES + answer.length;
            pages[slot / PAGE_SLOTS][at(slot) + 2] = (long) FORGOTTEN << Integer.SIZE;
        }
    }

    private void put(int slot, long client, long number, long index, int payloadBytes, int crc) {
        long[] page = pages[slot / PAGE_SLOTS];
        int at = at(slot);
        page[at] = number;
        page[at + 1] = index;
        page[at + 2] = (long) payloadBytes << Integer.SIZE | Integer.toUnsignedLong(crc);
        page[at + 3] = client << Integer.SIZE;
        link(slot);
    }

    private static int at(int slot) {
        return slot % PAGE_SLOTS * SLOT;
    }

    private long numberOf(int slot) {
        return pages[slot / PAGE_SLOTS][at(slot)];
    }

    private int bytesOf(int slot) {
        return (int) (pages[slot / PAGE_SLOTS][at(slot) + 2] >>> Integer.SIZE);
    }

    private int lowerOf(int slot) {
        return (int) (pages[slot / PAGE_SLOTS][at(slot) + 3] >>> Integer.SIZE);
    }

    private @Nullable RecordedAnswer answerIn(int slot) {
        int bytes = bytesOf(slot);
        if (bytes == FORGOTTEN) {
            return null;
        }
        long[] page = pages[slot / PAGE_SLOTS];
        byte[] @Nullable [] answers = stored[slot / PAGE_SLOTS];
        return new RecordedAnswer(
                page[at(slot) + 1],
                bytes,
                (int) page[at(slot) + 2],
                answers.length == 0 ? null : answers[slot % PAGE_SLOTS]);
    }

    /** The newest slot of this key, or -1. */
    private int find(long client, long number) {
        if (chains.length == 0) {
            return -1;
        }
        int lower = (int) client;
        int slot = chains[chain(lower, number)] - 1;
        while (slot >= 0 && !(numberOf(slot) == number && lowerOf(slot) == lower)) {
            slot = nextInChain(slot);
        }
        return slot;
    }

    private int chain(int lower, long number) {
        long mixed = (number ^ Integer.toUnsignedLong(lower) * 0x9E37_79B9_7F4A_7C15L) * secret;
        mixed = (mixed ^ (mixed >>> 32)) * secret;
        return (int) (mixed >>> 32) & (chains.length - 1);
    }

    private int nextInChain(int slot) {
        return (int) pages[slot / PAGE_SLOTS][at(slot) + 3] - 1;
    }

    private void setNextInChain(int slot, int following) {
        long[] page = pages[slot / PAGE_SLOTS];
        int at = at(slot) + 3;
        page[at] = page[at] >>> Integer.SIZE << Integer.SIZE | Integer.toUnsignedLong(following + 1);
    }

    private void link(int slot) {
        int chain = chain(lowerOf(slot), numberOf(slot));
        setNextInChain(slot, chains[chain] - 1);
        chains[chain] = slot + 1;
    }

    private void unlink(int slot) {
        int chain = chain(lowerOf(slot), numberOf(slot));
        int each = chains[chain] - 1;
        if (each == slot) {
            chains[chain] = nextInChain(slot) + 1;
            return;
        }
        while (nextInChain(each) != slot) {
            each = nextInChain(each);
        }
        setNextInChain(each, nextInChain(slot));
    }
}
