package io.plog.protocol;

/** What takes a connection's bytes apart, into frames or requests, as seen by those who bound its time and memory. Event loop only. */
public interface Incoming {
    /** Whether one has begun and not ended. */
    boolean isMidFrame();

    /** How many whole ones there have been. */
    long frames();

    /** How long the one that has begun will be, its length field included; 0 if none has, or its length is not there yet. */
    long unfinishedBytes();

    /** How many bytes of it are there. */
    long receivedBytes();

    /** Bytes of requests and answers that wait here for their turn. */
    default long heldBytes() {
        return 0;
    }

    /** Drops what has begun, and all bytes that follow. */
    void drop();
}
