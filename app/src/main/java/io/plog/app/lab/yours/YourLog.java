package io.plog.app.lab.yours;

import java.io.IOException;

/**
 * A durable log that a student writes over a disk that may fail, lose power, or be full: lab 10. Its class is public and has a public
 * constructor with one argument, the {@link io.plog.log.storage.Storage}: one directory, for this log alone. Take no lock of it, and do not
 * force its parent.
 *
 * <p><strong>Lives.</strong> A life is a new object, one {@link #recover}, and then any other calls. Nothing announces its end: the
 * power goes or the process is killed in the middle of any call, and from then on each operation of that storage throws. The next life has
 * only what the disk still holds. A log that is {@link AutoCloseable} is closed when a process ends in order, too; otherwise only after its
 * disk is gone, so that its threads end.
 *
 * <p><strong>Threads.</strong> Several threads may call {@link #append} and {@link #read} at the same time. Nothing else is under way
 * during the other two.
 *
 * <p><strong>Failures.</strong> Each method throws {@link IOException} when the disk failed, and nothing else. Then its effect is unknown:
 * the next life may find it or not, but has to keep what it shows. After a force that failed nothing is acknowledged any more in this
 * life, since Linux drops what that force should have written, and the next force succeeds without it.
 */
public interface YourLog {
    /**
     * What a life begins with.
     *
     * @param checkpoint the index of the last checkpoint, 0 if there is none
     * @param state what was saved with it; empty if there is none
     * @param last the index of the last record, or {@code checkpoint} if there is none behind it
     */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares two of them
    record Recovered(long checkpoint, byte[] state, long last) {}

    /** Finds what the lives before left, or nothing on an empty disk. What it shows is stable when it returns. */
    Recovered recover() throws IOException;

    /**
     * Appends a record, and returns when no power cut can take it, nor any record before it.
     *
     * @param record 1 to 4,096 bytes, which nobody changes
     * @return its index: 1 for the first of all lives, then one more for each, without gaps
     * @throws io.plog.log.storage.LogRefusedException if the record is surely not in the log, which goes on: no space
     * @throws IOException if it is unknown whether the record is in the log
     */
    long append(byte[] record) throws IOException;

    /** The record of an index behind the last checkpoint, up to the last one that was acknowledged or recovered. */
    byte[] read(long index) throws IOException;

    /**
     * Saves a state in place of all records up to an index, and returns when it is stable. Their space is free then: the log holds at most
     * 1 MiB besides 16 times the bytes that were appended since.
     *
     * @param index of the last record that was acknowledged
     * @param state 1 to 4,096 bytes
     */
    void checkpoint(long index, byte[] state) throws IOException;
}
