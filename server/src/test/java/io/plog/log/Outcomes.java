package io.plog.log;

import io.plog.log.storage.LogException;
import io.plog.log.storage.LogRefusedException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/** Lets tests of the server decide the outcome of an append, as the log's thread would. */
public final class Outcomes {
    private Outcomes() {}

    /** A log took the record. */
    public static void taken(Append append, ByteBuffer... record) {
        CRC32C crc = new CRC32C();
        for (ByteBuffer part : record) {
            crc.update(part.duplicate());
        }
        append.payloadCrc = (int) crc.getValue();
    }

    /** Durable, with durations that are easy to recognise: 1, 2, 3 and 4 ns. */
    public static void durable(Append append, long index, int batchRecords) {
        append.index = index;
        append.waitingNanos = 1;
        append.batchWaitNanos = 2;
        append.writeNanos = 3;
        append.forceNanos = 4;
        append.batchRecords = batchRecords;
        append.onDurable();
    }

    public static void failed(Append append, LogException cause) {
        append.onFailed(cause);
    }

    public static LogException overloaded() {
        return new LogRefusedException.QueueFull("the queue is full");
    }

    public static LogException full() {
        return new LogRefusedException.NoSpace("no space", new java.io.IOException("no space"));
    }

    public static LogException shortage() {
        return new LogRefusedException.Shortage("too many open files", new java.io.IOException("too many open files"));
    }

    public static LogException failedForGood(String message) {
        return new LogFailedException(message);
    }

    public static LogException failedForGood() {
        return new LogFailedException("the force failed");
    }

    public static LogException closed() {
        return new LogRefusedException.Closed("closed");
    }
}
