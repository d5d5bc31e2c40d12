package io.plog.protocol;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The header of a REPLY, read and written in place.
 *
 * <pre>
 *  0  u32  length                                 40  u64  force, ns
 *  4  u8   type = 4                               48  u64  execution, ns
 *  5  u8   flags, as in the request               56  u64  residence, ns
 *  6  u16  status                                 64  u32  records that shared the force; 0 if not logged
 *  8  u64  log index; 0 if nothing was logged     68       4 bytes, zero
 * 16  u64  waiting, ns                            72  u64  client id
 * 24  u64  batch wait, ns                         80  u64  request number
 * 32  u64  write, ns                              88       payload, the answer
 * </pre>
 *
 * A frame begins at its buffer's reader index. Nothing here allocates (but for the sentence of a refusal) or moves an
 * index, but for {@link #begin}.
 */
public final class ReplyHeader {
    /** Bytes before the payload, in a reply and in its request. */
    public static final int BYTES = RequestHeader.BYTES;

    /** The longest sentence of a refusal. */
    public static final int MAX_SENTENCE_BYTES = 1_024;

    private static final int STATUS = 6;
    private static final int LOG_INDEX = 8;
    private static final int WAITING = 16;
    private static final int BATCH_WAIT = 24;
    private static final int WRITE = 32;
    private static final int FORCE = 40;
    private static final int EXECUTION = 48;
    private static final int RESIDENCE = 56;
    private static final int BATCH_RECORDS = 64;
    private static final int CLIENT = 72;
    private static final int REQUEST = 80;

    /** A day: no server works that long on one request. */
    public static final long MAX_DURATION_NANOS = TimeUnit.DAYS.toNanos(1);

    /** In the order of their fields. */
    private static final String[] DURATIONS = {"waiting", "batch wait", "write", "force", "execution", "residence"};

    private ReplyHeader() {}

    /**
     * Writes the header of the reply to a request into an empty buffer: status OK, nothing logged, every duration 0. The
     * writer index is then at the payload, which is the caller's.
     */
    public static void begin(ByteBuf reply, ByteBuf request) {
        int from = request.readerIndex();
        reply.writeInt(request.getInt(from));
        reply.writeByte(FrameType.REPLY.code()).writeByte(Frame.flags(request)).writeShort(Status.OK.code());
        reply.writeZero(CLIENT - LOG_INDEX);
        reply.writeBytes(request, from + CLIENT, BYTES - CLIENT);
    }

    /** Sets what the log said of a durable record. */
    public static void setLogged(
            ByteBuf reply, long index, long waiting, long batchWait, long write, long force, int batchRecords) {
        int start = reply.readerIndex();
        reply.setLong(start + LOG_INDEX, index);
        reply.setLong(start + WAITING, waiting);
        reply.setLong(start + BATCH_WAIT, batchWait);
        reply.setLong(start + WRITE, write);
        reply.setLong(start + FORCE, force);
        reply.setInt(start + BATCH_RECORDS, batchRecords);
    }

    public static void setExecutionNanos(ByteBuf reply, long nanos) {
        reply.setLong(reply.readerIndex() + EXECUTION, nanos);
    }

    /** Sets how long the request was in the server. */
    public static void setResidenceNanos(ByteBuf reply, long nanos) {
        reply.setLong(reply.readerIndex() + RESIDENCE, nanos);
    }

    /**
     * Makes a reply of its request's length a refusal with a whole sentence, whose length is its own.
     *
     * @param reply taken over
     * @param sentence cut to {@link #MAX_SENTENCE_BYTES}
     */
    public static ByteBuf refusal(ByteBuf reply, Status status, String sentence) {
        byte[] utf8 = sentence.getBytes(StandardCharsets.UTF_8);
        int bytes = Utf8.cut(utf8, MAX_SENTENCE_BYTES);
        ByteBuf whole = reply.alloc().ioBuffer(BYTES + bytes, BYTES + bytes);
        whole.writeBytes(reply, reply.readerIndex(), BYTES).writeBytes(utf8, 0, bytes);
        reply.release();
        return whole.setInt(0, BYTES - Frame.LENGTH_BYTES + bytes).setShort(STATUS, status.code());
    }

    /** Sets the number of the status, which may be one that {@link Status} does not have. */
    public static ByteBuf setStatus(ByteBuf reply, int code) {
        return reply.setShort(reply.readerIndex() + STATUS, code);
    }

    /** The sentence of a refusal, as it may be shown to people. */
    public static String sentence(ByteBuf reply) {
        return Printable.of(reply.toString(reply.readerIndex() + BYTES, payloadBytes(reply), StandardCharsets.UTF_8));
    }

    /** The number of the status; {@link Status#ofCode} names it. */
    public static int status(ByteBuf reply) {
        return reply.getUnsignedShort(reply.readerIndex() + STATUS);
    }

    /** The record's index in the target's log; 0 if nothing was logged. */
    public static long logIndex(ByteBuf reply) {
        return reply.getLong(reply.readerIndex() + LOG_INDEX);
    }

    /** From the append to the log until a lane took the record, in nanoseconds. */
    public static long waitingNanos(ByteBuf reply) {
        return reply.getLong(reply.readerIndex() + WAITING);
    }

    /** From there until the write began, in nanoseconds. */
    public static long batchWaitNanos(ByteBuf reply) {
        return reply.getLong(reply.readerIndex() + BATCH_WAIT);
    }

    /** The write of the batch, in nanoseconds. */
    public static long writeNanos(ByteBuf reply) {
        return reply.getLong(reply.readerIndex() + WRITE);
    }

    /** The force of the batch, in nanoseconds. */
    public static long forceNanos(ByteBuf reply) {
        return reply.getLong(reply.readerIndex() + FORCE);
    }

    public static long executionNanos(ByteBuf reply) {
        return reply.getLong(reply.readerIndex() + EXECUTION);
    }

    /** From the last byte of the request having been read until the reply was handed to the socket, in nanoseconds. */
    public static long residenceNanos(ByteBuf reply) {
        return reply.getLong(reply.readerIndex() + RESIDENCE);
    }

    /**
     * Which of the durations cannot be one, with its value; {@code null} if all are from 0 to {@link #MAX_DURATION_NANOS}.
     * Allocates in the first case only.
     */
    public static @Nullable String impossibleDuration(ByteBuf reply) {
        for (int i = 0; i < DURATIONS.length; i++) {
            long nanos = reply.getLong(reply.readerIndex() + WAITING + i * Long.BYTES);
            if (nanos < 0 || nanos > MAX_DURATION_NANOS) {
                return "a duration '" + DURATIONS[i] + "' of " + nanos + " ns: expected 0 to " + MAX_DURATION_NANOS;
            }
        }
        return null;
    }

    /** How many records shared the force; 0 if nothing was logged. */
    public static long batchRecords(ByteBuf reply) {
        return reply.getUnsignedInt(reply.readerIndex() + BATCH_RECORDS);
    }

    public static long client(ByteBuf reply) {
        return reply.getLong(reply.readerIndex() + CLIENT);
    }

    public static long request(ByteBuf reply) {
        return reply.getLong(reply.readerIndex() + REQUEST);
    }

    public static int payloadBytes(ByteBuf reply) {
        return reply.readableBytes() - BYTES;
    }
}
