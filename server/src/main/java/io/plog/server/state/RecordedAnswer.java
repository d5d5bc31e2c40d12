package io.plog.server.state;

import org.jspecify.annotations.Nullable;

/**
 * The answer that a request got, for a client that sends it again. Immutable, as long as its bytes are not changed.
 *
 * @param index the record's index in the log
 * @param payloadBytes the length of the request's payload, and so of the answer
 * @param recordCrc the CRC-32C of the record: client, number and payload
 * @param answer its bytes; {@code null} if a stateless service makes them again
 */
@SuppressWarnings("ArrayRecordComponent") // never compared as a record
public record RecordedAnswer(long index, int payloadBytes, int recordCrc, byte @Nullable [] answer) {
    /** Whether this answers that very request, its client and number being equal already. */
    boolean isFor(int otherPayloadBytes, int otherRecordCrc) {
        return payloadBytes == otherPayloadBytes && recordCrc == otherRecordCrc;
    }
}
