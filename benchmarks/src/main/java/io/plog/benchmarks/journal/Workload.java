package io.plog.benchmarks.journal;

import java.nio.file.Path;

/**
 * What a journal will have to do.
 *
 * @param directory an empty directory of its own
 * @param outstanding how many appends are outstanding at any time, at least 1
 * @param payloadBytes size of each record's payload
 */
public record Workload(Path directory, int outstanding, int payloadBytes) {
    /** What a journal initialises before the clock starts: the default of plog. */
    public static final long RESERVE_BYTES = 256L << 20;

    /** So much of a journal is kept; what is older is dropped, as the journal offers it. */
    public static final long RETAINED_BYTES = 1L << 30;

    /** How many of the newest records are kept. */
    public long retainedRecords() {
        return RETAINED_BYTES / payloadBytes;
    }
}
