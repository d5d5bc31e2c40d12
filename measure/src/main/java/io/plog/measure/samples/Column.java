package io.plog.measure.samples;

/** What is kept of every request, as one signed 64-bit number each. Durations and times are nanoseconds. */
public enum Column {
    /** The trial (fresh processes) that the request belongs to, from 0. */
    TRIAL,
    /** The randomised block within the trial, from 0. */
    BLOCK,
    /** 0 counted, {@value Samples#WARM_UP} warm-up, {@value Samples#AGAIN} neither, after an interruption. */
    PHASE,
    /** The connection that carried it, from 0. */
    CONNECTION,
    /** When it should have been sent, since the start of the run. In a closed loop, when it was. */
    INTENDED,
    /** When it was sent, since the start of the run. */
    SENT,
    /** From sent until the last byte of the reply had arrived. */
    END_TO_END,
    /** The reply's status as the protocol numbers it; -1 if no reply came, -2 if a wrong one. */
    STATUS,
    /** The record's index in the target's log, 0 if it was not logged. */
    LOG_INDEX,
    /** Server: from handing the record to the log until the log's thread took it up. */
    WAITING,
    /** Server: from there until the write began. */
    BATCH_WAIT,
    /** Server: the write of the batch. */
    WRITE,
    /** Server: the force of the batch. */
    FORCE,
    /** Server: the execution, concurrent with the force. */
    EXECUTION,
    /** Server: from the last byte of the request until the reply was handed to the socket. */
    RESIDENCE,
    /** Server: how many records shared the force; 0 if it was not logged. */
    BATCH_RECORDS,
    /** 0 to be logged, 1 read-only: executed without being logged. */
    KIND,
    /** How long its payload was: that of its cell, but where a cell is a class of sizes. */
    PAYLOAD_BYTES,
    /**
     * How long after its intended time it could not be sent because its connection was busy with the request before it, or
     * not there; 0 where nothing holds a request back.
     */
    HELD,
    /** How long its connection took to be set up, if it was the first on it; else 0. In no latency. */
    CONNECT;

    /** How many there are. */
    public static final int COUNT = values().length;
}
