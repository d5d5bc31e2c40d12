package io.plog.log.storage;

import io.plog.log.DurableLog;
import java.nio.ByteBuffer;
import java.util.Locale;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * A service's state on its way into a checkpoint. Where the caller's buffers begin and end is taken once, their check is computed
 * at the beginning, and the bytes are copied later, piece by piece. A state that changes meanwhile is noticed: what was copied must
 * give the check of the beginning. For a {@link DurableLog}; for one thread.
 */
public final class StateCopy {
    /** The most bytes of a state. */
    public static final int MOST_BYTES = 1 << 30;

    private final ByteBuffer[] parts;
    private final int bytes;
    private final int crc;
    private final CRC32C copied = new CRC32C();
    private int part;

    /**
     * Takes a state over.
     *
     * @param state its buffers' remaining bytes, one after the other; their positions stay
     * @throws IllegalArgumentException if it is longer than {@link #MOST_BYTES}
     */
    public StateCopy(ByteBuffer... state) {
        parts = new ByteBuffer[state.length];
        CRC32C given = new CRC32C();
        long sum = 0;
        for (int i = 0; i < parts.length; i++) {
            parts[i] = state[i].slice();
            sum += parts[i].remaining();
        }
        if (sum > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "a state of " + sum + " bytes: a checkpoint takes at most " + MOST_BYTES);
        }
        for (ByteBuffer each : parts) {
            given.update(each.duplicate());
        }
        bytes = (int) sum;
        crc = (int) given.getValue();
    }

    /** The length of the state. */
    public int bytes() {
        return bytes;
    }

    /** The CRC-32C of the state as it was taken over. */
    public int crc() {
        return crc;
    }

    /** Begins once more with the copy. */
    public void rewind() {
        for (ByteBuffer each : parts) {
            each.rewind();
        }
        part = 0;
        copied.reset();
    }

    /**
     * Copies the next bytes of the state, as many as fit.
     *
     * @param target its position moves to the end of what was copied: its limit, or less at the end of the state
     * @throws LogRefusedException.StateChanged if the caller's memory is not readable any more
     */
    public void copyTo(ByteBuffer target) throws LogRefusedException.StateChanged {
        int from = target.position();
        try {
            while (part < parts.length && target.hasRemaining()) {
                ByteBuffer source = parts[part];
                int count = Math.min(source.remaining(), target.remaining());
                target.put(source.slice(source.position(), count));
                source.position(source.position() + count);
                part += source.hasRemaining() ? 0 : 1;
            }
        } catch (RuntimeException | InternalError e) { // a memory segment that was closed, a mapped file that was cut
            throw changed("is not readable any more (" + e + ")", e);
        }
        copied.update(target.duplicate().flip().position(from));
    }

    /**
     * To be called when all was copied, and before the checkpoint takes the place of the one before.
     *
     * @throws LogRefusedException.StateChanged if what was copied is not what was taken over
     */
    public void checkUnchanged() throws LogRefusedException.StateChanged {
        int found = (int) copied.getValue();
        if (found != crc) {
            throw changed(
                    String.format(Locale.ROOT, "gave crc %08x at first, and %08x as it was copied", crc, found), null);
        }
    }

    private LogRefusedException.StateChanged changed(String what, @Nullable Throwable cause) {
        return new LogRefusedException.StateChanged(
                "the state changed while it was saved: its " + bytes + " bytes " + what
                        + ". The checkpoint before is still the last one, and no record was dropped; save a state whose"
                        + " buffers are left alone until saveCheckpoint returns",
                cause);
    }
}
