package io.plog.client;

import io.netty.buffer.ByteBuf;
import io.plog.protocol.ReplyHeader;

/**
 * The answer to a request that was executed; its length, client and number were checked, and its content if the target's
 * service inverts (of {@code chain}, the class {@code Chain} of the server checks it, given all requests before it). Durations are
 * nanoseconds of the server's clock, {@code endToEndNanos} of the client's and of the transmission that was answered.
 *
 * @param requestNumber the client's number for the request
 * @param logIndex the record's index in the target's log, 0 if it was not logged
 * @param waitingNanos from handing the record to the log until the log's thread took it up
 * @param batchWaitNanos from there until the write began
 * @param writeNanos the write of the batch
 * @param forceNanos the force of the batch
 * @param executionNanos the execution, concurrent with the force
 * @param residenceNanos from the last byte of the request until the reply was handed to the socket
 * @param batchRecords how many records shared the force; 0 if it was not logged, or is a recorded answer
 * @param endToEndNanos from the request's hand-over to the connection until its reply was there
 * @param payload the transformed payload; the caller's own
 */
@SuppressWarnings("ArrayRecordComponent") // a value handed over, never compared
public record Reply(
        long requestNumber,
        long logIndex,
        long waitingNanos,
        long batchWaitNanos,
        long writeNanos,
        long forceNanos,
        long executionNanos,
        long residenceNanos,
        long batchRecords,
        long endToEndNanos,
        byte[] payload) {

    /** The logging latency: waiting, batch wait, write and force. */
    public long loggingNanos() {
        return waitingNanos + batchWaitNanos + writeNanos + forceNanos;
    }

    /**
     * Whether this is the recorded answer to a request that was executed before: of one that was sent again. It shared no
     * force, and took no time to log.
     */
    public boolean isRecorded() {
        return logIndex != 0 && batchRecords == 0;
    }

    static Reply of(ByteBuf frame, long endToEndNanos) {
        byte[] payload = new byte[ReplyHeader.payloadBytes(frame)];
        frame.getBytes(frame.readerIndex() + ReplyHeader.BYTES, payload);
        return new Reply(
                ReplyHeader.request(frame),
                ReplyHeader.logIndex(frame),
                ReplyHeader.waitingNanos(frame),
                ReplyHeader.batchWaitNanos(frame),
                ReplyHeader.writeNanos(frame),
                ReplyHeader.forceNanos(frame),
                ReplyHeader.executionNanos(frame),
                ReplyHeader.residenceNanos(frame),
                ReplyHeader.batchRecords(frame),
                endToEndNanos,
                payload);
    }
}
