package io.plog.benchmarks.journal;

import java.nio.file.Path;

/**
 * What a journal will have to do, so that it can prepare its files before the clock starts.
 *
 * @param directory an empty directory of its own
 * @param outstanding how many appends are outstanding at any time, at least 1
 * @param payloadBytes size of each record's payload
 * @param appends how many appends there will be at most, warm-up included; only of a burst
 * @param regime what becomes of its files
 */
public record Workload(Path directory, int outstanding, int payloadBytes, long appends, Regime regime) {
    /** What a journal initialises before the clock starts, unless all of a burst: the default of plog. */
    public static final long RESERVE_BYTES = 256L << 20;

    /** So much of a journal is kept where the beginning is dropped. */
    public static final long RETAINED_BYTES = 1L << 30;

    /** How many of the newest records are kept where the beginning is dropped. */
    public long retainedRecords() {
        return RETAINED_BYTES / payloadBytes;
    }

    /** What is to be initialised before the clock starts, with room for {@code headerBytes} with each record. */
    public long preparedBytes(int headerBytes) {
        return regime == Regime.PREPARED ? bytes(headerBytes) : RESERVE_BYTES;
    }

    /** Everything that will be appended, with room for {@code headerBytes} with each record. */
    public long bytes(int headerBytes) {
        return appends * ((long) payloadBytes + headerBytes);
    }
}
