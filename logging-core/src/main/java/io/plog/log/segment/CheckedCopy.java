package io.plog.log.segment;

import io.plog.log.file.Buffers;
import io.plog.log.file.Payload;
import io.plog.log.storage.LogRefusedException;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Copies payloads of callers into a buffer of the log, and compares the CRC of the copy with the one computed when the payload
 * was handed over. So a change of a buffer meanwhile, on any thread, is noticed here and fails only that record. Positions and
 * limits of the buffers are neither used nor changed. For one thread at a time.
 */
public final class CheckedCopy {
    /** The check is computed while what was copied is still in the processor's cache. */
    private static final int CHUNK_BYTES = 16 * 1024;

    /** A mapped file can fault once for each of its pages. */
    private static final int MOST_FAULTS = 64;

    private final ByteBuffer target;
    private final ByteBuffer copied;
    private final CRC32C crc = new CRC32C();

    @SuppressWarnings("UnusedVariable")
    private volatile int[][][] entersRuntime = {}; // so that the compiler cannot leave the array out

    /** @param target its position and limit are not used */
    public CheckedCopy(ByteBuffer target) {
        this.target = target;
        this.copied = target.duplicate();
    }

    /** Copies a payload to an offset of the target. Returns null if it is what was handed over; otherwise why not. */
    public LogRefusedException.@Nullable RecordChanged copy(Payload payload, int offset) {
        try {
            return tryCopy(payload, offset);
        } catch (InternalError late) {
            return new LogRefusedException.RecordChanged(
                    sentence(payload.length, "is not readable any more (" + late + ")"), late);
        }
    }

    private LogRefusedException.@Nullable RecordChanged tryCopy(Payload payload, int offset) {
        Throwable problem = null;
        try {
            copyAll(payload, offset);
        } catch (RuntimeException | InternalError e) {
            // A memory segment that was closed, a mapped file that was cut: it is not there any more.
            problem = e;
        }
        int found = (int) crc.getValue();
        if (problem == null && found == payload.crc) {
            return null;
        }
        InternalError fault = takeFaults();
        if (problem == null && fault == null) {
            return new LogRefusedException.RecordChanged(
                    sentence(payload.length, String.format("gave crc %08x then and %08x now", payload.crc, found)));
        }
        Throwable why = problem == null ? Objects.requireNonNull(fault) : problem;
        return new LogRefusedException.RecordChanged(
                sentence(payload.length, "is not readable any more (" + why + ")"), why);
    }

    /**
     * Makes the virtual machine throw a pending InternalError here. If a mapped file was truncated, compiled code continues with
     * arbitrary bytes, and the error is thrown when this thread next enters the runtime: perhaps during another append, or
     * while a lock is held. Allocating an array of many arrays enters the runtime from interpreted and from compiled code; a
     * native method does not, once its wrapper is compiled.
     */
    private @Nullable InternalError takeFaults() {
        InternalError fault = null;
        for (int i = 0; i < MOST_FAULTS; i++) {
            try {
                entersRuntime = new int[4][4][4];
                return fault;
            } catch (InternalError e) {
                fault = e;
            }
        }
        return fault;
    }

    private void copyAll(Payload payload, int offset) {
        crc.reset();
        Buffers several = payload.several;
        if (payload.single != null) {
            copyPart(payload.single, payload.position, payload.length, offset);
        } else if (several != null) {
            int at = offset;
            for (int i = 0; i < several.parts.length; i++) {
                copyPart(several.parts[i], several.positions[i], several.lengths[i], at);
                at += several.lengths[i];
            }
        }
    }

    private static String sentence(int length, String what) {
        return "the record changed while it belonged to the log: its payload of " + length + " bytes " + what
                + ". It was not written, and no other append is affected. Append it again, and leave its buffers alone"
                + " until the log gives them back";
    }

    private void copyPart(ByteBuffer part, int position, int length, int offset) {
        int done = 0;
        while (done < length) {
            int count = Math.min(CHUNK_BYTES, length - done);
            put(offset + done, part, position + done, count);
            copied.limit(offset + done + count).position(offset + done);
            crc.update(copied);
            done += count;
        }
    }

    private void put(int offset, ByteBuffer part, int position, int count) {
        try {
            target.put(offset, part, position, count);
        } catch (IndexOutOfBoundsException e) { // its limit was moved, which is the caller's right
            target.put(offset, part.duplicate().clear(), position, count);
        }
    }
}
