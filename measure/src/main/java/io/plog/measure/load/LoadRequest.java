package io.plog.measure.load;

/** A request of a load from when it is due, or sent, until its sample is written; then used again. For the driving thread. */
final class LoadRequest {
    long intendedNanos;
    long sentNanos;
    long heldNanos;
    long connectNanos;
    long number;
    int payloadBytes;
    boolean readOnly;
    int block;
    boolean warmUp;
}
