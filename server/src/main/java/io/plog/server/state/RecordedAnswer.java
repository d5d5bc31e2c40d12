package io.plog.server.state;

import org.jspecify.annotations.Nullable;

/** The answer that a request got, for a client that sends it again. Immutable, as long as its bytes are not changed. */
public final class RecordedAnswer {
    private final long index;
    private final int payloadBytes;
    private final int recordCrc;
    private final byte @Nullable [] answer;

    /**
     * @param index the record's index in the log
     * @param payloadBytes the length of the request's payload, and so of the answer
     * @param recordCrc the CRC-32C of the record: client, number and payload
     * @param answer its bytes; {@code null} if a stateless service makes them again
     */
    RecordedAnswer(long index, int payloadBytes, int recordCrc, byte @Nullable [] answer) {
        this.index = index;
        this.payloadBytes = payloadBytes;
        this.recordCrc = recordCrc;
        this.answer = answer;
    }

    public long index() {
        return index;
    }

    int payloadBytes() {
        return payloadBytes;
    }

    int recordCrc() {
        return recordCrc;
    }

    public byte @Nullable [] answer() {
        return answer;
    }

    /** Whether this answers that very request, its client and number being equal already. */
    boolean isFor(int otherPayloadBytes, int otherRecordCrc) {
        return payloadBytes == otherPayloadBytes && recordCrc == otherRecordCrc;
    }
}
