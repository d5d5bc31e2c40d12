package io.plog.log.file;

import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * The payload of an append: which bytes it has, and what they must give. An object is a cursor that is filled again and again, so
 * the append of a record in one buffer allocates nothing. Not thread-safe.
 */
public final class Payload {
    private static final ThreadLocal<Payload> OF_THREAD = ThreadLocal.withInitial(Payload::new);

    /** The buffer of a record in one; null for any other. */
    public @Nullable ByteBuffer single;

    /** The buffers of any other record, or the records of a list; null for a record in one buffer. */
    public @Nullable Buffers several;

    /** Where the record begins in the single buffer, whose own position its caller may move meanwhile. */
    public int position;

    public int length;

    /** The CRC-32C of a record; a list has one for each of its records. */
    public int crc;

    private final CRC32C check = new CRC32C();
    private boolean consumed;

    /** The payload in one buffer, or in several. It is the calling thread's own object, or another one while that is in use. */
    public static Payload of(@Nullable ByteBuffer single, @Nullable Buffers several) {
        Payload own = OF_THREAD.get();
        Payload free = own.single == null && own.several == null ? own : new Payload();
        int position = single == null ? 0 : single.position();
        long bytes =
                several != null ? several.bytes : Objects.requireNonNull(single).limit() - (long) position;
        free.consumed = false;
        return free.set(single, several, position, (int) Math.min(bytes, Integer.MAX_VALUE), 0);
    }

    /** The payload in an array of buffers. */
    public static Payload of(ByteBuffer[] parts) {
        return parts.length == 1 ? of(parts[0], null) : of(null, new Buffers(parts.clone()));
    }

    public Payload set(@Nullable ByteBuffer one, @Nullable Buffers more, int from, int bytes, int itsCrc) {
        single = one;
        several = more;
        position = from;
        length = bytes;
        crc = itsCrc;
        return this;
    }

    /** Computes the check. So the caller knows when its buffers must not change any more: their positions are at their limits. */
    public void consume() {
        consumed = true;
        crc = single != null ? crcOf(single) : several != null ? several.consume() : 0;
    }

    /** Forgets the buffers. If the log did not take the payload, their positions are where they were. */
    public void release(boolean taken) {
        if (consumed && !taken && several != null) {
            several.restore();
        } else if (consumed && !taken && single != null) {
            single.position(position);
        }
        single = null;
        several = null;
    }

    /** The CRC-32C of what remains of one buffer, whose position is at its limit then. */
    public static int crcOf(ByteBuffer one) {
        CRC32C crc = newCheck();
        crc.update(one);
        return (int) crc.getValue();
    }

    /** One for each thread, so that an append allocates none. */
    static CRC32C newCheck() {
        CRC32C crc = OF_THREAD.get().check;
        crc.reset();
        return crc;
    }
}
